"""signal inspect: look into one signal."""

import asyncio
from typing import Annotated

import typer

from signal_playbooks.caller import LOCAL
from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, command
from signal_playbooks.cli.show import print_json, show_inspect
from signal_playbooks.contract.inspect import InspectInput
from signal_playbooks.contract.reading import read_input

app = command("Look into one signal.")


@app.command(epilog="Example: signal inspect sig_01J… --depth author")
def inspect(
    signal_id: Annotated[str, typer.Argument(help="A sig_… id from a listen.", show_default=False)],
    depth: Annotated[str, typer.Option(help="surface, thread or author.")] = "thread",
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Look into one signal: whether it still exists, its thread, and who wrote it."""
    request = read_input(InspectInput, {"signal_id": signal_id, "depth": depth})
    with opened(content, db) as app_:
        output = asyncio.run(app_.tools.inspect(request, LOCAL))
    if as_json:
        print_json(output.model_dump(mode="json", by_alias=True))
    else:
        show_inspect(output)
