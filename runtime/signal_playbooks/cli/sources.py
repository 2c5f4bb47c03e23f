"""signal sources: list the sources, and whether each can be heard."""

import asyncio

from signal_playbooks.caller import LOCAL
from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, command
from signal_playbooks.cli.show import print_json, table

app = command("List the sources.")


@app.command(epilog="Example: signal sources --json")
def sources(as_json: JsonOption = False, content: ContentOption = None, db: DatabaseOption = None) -> None:
    """List the sources: what each is good and bad at, and whether it can be heard now."""
    with opened(content, db, sound=False) as app_:
        listed = asyncio.run(app_.catalog(LOCAL))
    if as_json:
        print_json({"sources": listed})
        return
    rows = [
        (entry["id"], entry["state"], entry["kind"], "; ".join(entry["strengths"]), entry["note"] or "")
        for entry in listed
    ]
    table(("id", "state", "kind", "good at", "note"), rows)
