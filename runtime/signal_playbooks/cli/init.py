"""signal init: make a content folder of one's own; asks nothing, overwrites nothing."""

from pathlib import Path
from typing import Annotated

import typer

from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, command
from signal_playbooks.cli.show import print_json
from signal_playbooks.errors import UsageError

app = command("Make a content folder.")

FOLDERS = (
    "playbooks",
    "prompts",
    "prompts/drafts",
    "lexicon",
    "catalog",
    "catalog/sources",
    "catalog/destinations",
)

SITE = """\
# This folder lies over the content that signal ships: a file with the same id replaces it, everything else stays.
signal: 1
shipped: true
"""

PLAYBOOK = """\
# Run it with: signal run-playbook my_first --set topic=Plinthly --sources demo
playbook: 1
id: my_first
title: My first playbook
inputs:
  topic:
    type: string
    description: What people should be talking about
    examples: [Plinthly]
steps:
  - id: find
    tool: listen
    args:
      query: "{{ inputs.topic }}"
      scope: {freshness: this_month}
      limit: 10
  - tool: inspect
    for_each: signal
    args: {depth: author}
  - tool: dispatch
    when: signal.intent == 'complaining'
    args: {action: flag, params: {label: unhappy}}
outputs:
  headlines: "[s.headline for s in steps.find.output.signals]"
expected_outcome: Unhappy people flagged, once you approve it.
"""

FILES = {"signal.yaml": SITE, "playbooks/my_first.yaml": PLAYBOOK}


@app.command(epilog="Example: signal init my-content; cd my-content; signal check")
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to make it.", show_default=False)],
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Make a content folder: four folders, a signal.yaml and a playbook to change. Nothing there is overwritten."""
    if not str(folder).strip() or str(folder) == ".":
        raise UsageError("init needs the name of a folder of its own.", "Write for example: signal init my-content")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file.", "Name a folder, or one that does not exist yet.")
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    made = [name for name, text in FILES.items() if _write_new(folder / name, text)]
    if as_json:
        print_json({"folder": str(folder), "made": made})
        return
    print(f"{folder} is a content folder now: {', '.join(made) or 'everything was there already'}.")
    print(f"Check it with: signal check {folder}")
    print(f"Run it with: signal run-playbook my_first --set topic=Plinthly --sources demo --content {folder}")


def _write_new(file: Path, text: str) -> bool:
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        return False
    return True
