"""Options that several commands take, each once."""

from pathlib import Path
from typing import Annotated

import typer

from signal_playbooks.errors import UsageError

ContentOption = Annotated[
    Path | None,
    typer.Option(
        "--content",
        metavar="DIR",
        help="Your content folder; also SIGNAL_CONTENT, or a signal.yaml here or above.",
        show_default=False,
    ),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option("--db", metavar="FILE", help="The database; also SIGNAL_DB.", show_default=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else.")]
SourcesOption = Annotated[
    str | None,
    typer.Option("--sources", metavar="A,B", help="Only these sources, by id; commas between.", show_default=False),
]


def command(help_text: str) -> typer.Typer:
    """Return an app for one command, plain and without completion."""
    return typer.Typer(help=help_text, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


def listed(words: str | None) -> list[str]:
    """Return `a,b` as its parts; nothing given is an empty list. Raises UsageError for one that names nothing.

    An unset variable in a script must not widen a search to every source.
    """
    if words is not None and not words.replace(",", "").strip():
        raise UsageError("--sources names no source.", "Name some, as a,b, or leave the option out.")
    return [part.strip() for part in (words or "").split(",") if part.strip()]
