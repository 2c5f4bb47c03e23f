"""signal approve: execute a staged act, exactly as previewed, once."""

import asyncio
from typing import Annotated

import typer

from signal_playbooks.caller import LOCAL
from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, command
from signal_playbooks.cli.show import act_exit_code, print_json, show_act

app = command("Execute a staged act, exactly as previewed, once.")


@app.command(epilog="Example: signal approve disp_01J…")
def approve(
    handle: Annotated[str, typer.Argument(help="A disp_… handle, as signal staged lists them.", show_default=False)],
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Execute a staged act, exactly as previewed, once."""
    with opened(content, db, sound=False) as app_:
        output = asyncio.run(app_.tools.approve(handle, LOCAL))
    if as_json:
        print_json(output.model_dump(mode="json", by_alias=True))
    else:
        show_act(output)
    raise typer.Exit(act_exit_code(output))
