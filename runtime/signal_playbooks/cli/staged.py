"""signal staged: list the acts that wait for approval."""

import asyncio
from typing import Annotated

import typer

from signal_playbooks.caller import LOCAL
from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, command
from signal_playbooks.cli.show import print_json, show_staged

app = command("List the acts that wait for approval.")


@app.command(epilog="Example: signal staged --limit 10")
def staged(
    limit: Annotated[int, typer.Option(help="How many at most, newest first.", min=1, max=1000)] = 50,
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """List the acts that wait for approval, newest first, with the command that approves each."""
    with opened(content, db) as app_:
        acts = asyncio.run(app_.tools.staged(LOCAL, limit))
    if as_json:
        print_json({"staged": [act.model_dump(mode="json", by_alias=True) for act in acts]})
    else:
        show_staged(acts)
