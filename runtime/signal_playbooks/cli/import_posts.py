"""signal import: add posts of one's own to the archive, from JSON Lines."""

from pathlib import Path
from typing import Annotated

import typer

from signal_playbooks.cli.opening import opened
from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption, command
from signal_playbooks.cli.show import plain, print_json

app = command("Add posts of your own to the archive.")

_SHOWN = 20


@app.command(
    name="import",
    epilog='Example: signal import posts.jsonl; then: signal listen "…" --sources archive --freshness any',
)
def import_posts(
    file: Annotated[Path, typer.Argument(help="One post a line; the shape is in the reference.", show_default=False)],
    source: Annotated[str, typer.Option(help="The archive source they belong to.")] = "archive",
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Add posts to the archive. A bad line is told by its number and set aside; importing again adds nothing twice."""
    with opened(content, db, sound=False) as app_:
        report = app_.import_posts(file, source)
    if as_json:
        print_json(report.as_dict())
    else:
        counts = f"{report.new} new, {report.changed} changed, {report.same} known before"
        print(f"{file}: {counts}; {len(report.bad)} set aside.")
        for bad in report.bad[:_SHOWN]:
            print(f"  line {bad.number}: {plain(bad.sentence)}")
        if len(report.bad) > _SHOWN:
            print(f"  and {len(report.bad) - _SHOWN} more; --json lists them all.")
    raise typer.Exit(1 if report.bad and not report.kept else 0)
