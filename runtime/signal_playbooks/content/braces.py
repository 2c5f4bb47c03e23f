"""`{{ … }}` without quotes, which YAML reads as a mapping in a mapping: recognised, named, and read as it was meant."""

import re
from collections.abc import Mapping

from signal_playbooks.content.lines import Lines
from signal_playbooks.problem import Problem

_BRACES = re.compile(r"\{\{[^\r\n]*?\}\}|\{\{[^\r\n]*")


def braces_end(text: str, start: int) -> int | None:
    """Return where the braces that open at `start` close on their line, or where it ends; None where there are none."""
    match = _BRACES.match(text, start)
    return match.end() if match else None


def masked(text: str, masks: Mapping[int, int]) -> str:
    """Return the text with as many plain letters in place of each mask, so that every place stays what it is."""
    parts, at = [], 0
    for start, end in sorted(masks.items()):
        parts += [text[at:start], "x" * (end - start)]
        at = end
    return "".join([*parts, text[at:]]) if masks else text


def braces_problem(lines: Lines, start: int, end: int) -> Problem:
    """Return the problem that quotes are missing around the braces."""
    words = lines.text[start:end]
    message = "quotes are missing around {{ }}: without them YAML reads a mapping"
    hint = f'put the whole value in quotes, such as "{words}"' if '"' not in words else "put the value in '…'"
    return Problem(lines.span(start, end), "yaml-braces", message, hint=hint)
