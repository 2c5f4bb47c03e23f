"""signal check: check content, and name every mistake with file, line and column."""

import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from signal_playbooks.cli.options import ContentOption, DatabaseOption, command
from signal_playbooks.cli.reading import settings_of
from signal_playbooks.content.library import check_paths
from signal_playbooks.problem import Problem, has_errors, render_github, render_text
from signal_playbooks.settings import wants_color

app = command("Check content.")


class Format(StrEnum):
    """How problems are printed."""

    text = "text"
    json = "json"
    github = "github"


@app.command(epilog="Examples: signal check; signal check my-content; signal check playbooks/churn.yaml --format json")
def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Files or content folders; none: all content in use."),
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="text, json or github.")] = Format.text,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Check content, and name every mistake with file, line and column.

    Exit codes: 0 clean (notes and warnings allowed), 1 with errors, 2 usage.
    """
    settings = settings_of(content, db)
    problems, files = check_paths(settings.shipped, settings.content, paths or (), shown_from=Path.cwd())
    _print(problems, files, Format.json if as_json else format_)
    raise typer.Exit(1 if has_errors(problems) else 0)


def _print(problems: list[Problem], files: int, format_: Format) -> None:
    if format_ is Format.json:
        print(json.dumps({"problems": [problem.as_dict() for problem in problems]}, ensure_ascii=False, indent=2))
        return
    if format_ is Format.github:
        for problem in problems:
            print(render_github(problem))
        return
    colored = sys.stdout.isatty() and wants_color(os.environ)
    for problem in problems:
        print(render_text(problem, color=colored))
    print(_summary(problems, files))


def _summary(problems: list[Problem], files: int) -> str:
    checked = f"{files} file{'s' if files != 1 else ''} checked"
    if not problems:
        return f"{checked}: clean."
    counts = [
        f"{count} {severity}{'s' if count != 1 else ''}"
        for severity in ("error", "warning", "note")
        if (count := sum(problem.severity == severity for problem in problems))
    ]
    return f"{checked}: {', '.join(counts)}."
