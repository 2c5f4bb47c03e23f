"""signal staged: list the acts that wait for approval."""

import asyncio
from typing import Annotated

import typer

from signal_playbooks.caller import LOCAL
from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, command
from signal_playbooks.cli.show import print_json, show_act, show_staged

app = command("List the acts that wait for approval.")


@app.command(epilog="Examples: signal staged --limit 10; signal staged disp_01J…")
def staged(
    handle: Annotated[
        str | None, typer.Argument(help="One act, to read in full; none: all that wait.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(help="How many at most, newest first.", min=1, max=1000)] = 50,
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """List the acts that wait for approval, newest first, with the command that approves each; or read one in full."""
    with opened(content, db, sound=False) as app_:
        if handle is not None:
            acts = [asyncio.run(app_.tools.act(handle, LOCAL))]
        else:
            acts = asyncio.run(app_.tools.staged(LOCAL, limit))
    if handle is not None and not as_json:
        show_act(acts[0])
    elif as_json:
        print_json({"staged": [act.model_dump(mode="json", by_alias=True) for act in acts]})
    else:
        show_staged(acts)
