"""One complaint about content: where, which rule, how bad, and a sentence."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
_ORDER: dict[str, int] = {"error": 0, "warning": 1, "note": 2}
_COLORS: dict[str, str] = {"error": "31", "warning": "33", "note": "36"}
_GITHUB: dict[str, str] = {"error": "error", "warning": "warning", "note": "notice"}
# Of a line longer than this many characters, only the part around the caret is shown.
_LONGEST_LINE = 200
_BEFORE_CARET = 60


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file. Lines and columns count from 1 in code points; `end_column` is exclusive.

    `text` is the source line itself (without its newline), for the caret.
    """

    file: str
    line: int = 1
    column: int = 1
    end_column: int = 2
    text: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A complaint at a span, by a rule; `related` points at the other half (an anchor, a first definition)."""

    span: Span
    rule: str
    message: str
    severity: Severity = "error"
    hint: str | None = None
    related: tuple[tuple[Span, str], ...] = field(default=())

    @property
    def sort_key(self) -> tuple[str, int, int, int, str]:
        """Return what problems are ordered by: file, line, column, severity, rule."""
        return (self.span.file, self.span.line, self.span.column, _ORDER[self.severity], self.rule)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form that `signal check --format json` prints."""
        body: dict[str, Any] = {
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "end_column": self.span.end_column,
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
        }
        if self.related:
            body["related"] = [
                {"file": at.file, "line": at.line, "column": at.column, "end_column": at.end_column, "message": words}
                for at, words in self.related
            ]
        return body


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems by file, line and column, each once."""
    return sorted(dict.fromkeys(problems), key=lambda problem: problem.sort_key)


def has_errors(problems: Iterable[Problem]) -> bool:
    """Tell whether any problem is an error; warnings and notes let content through."""
    return any(problem.severity == "error" for problem in problems)


def render_text(problem: Problem, *, color: bool = False) -> str:
    """Return the problem for a terminal: `file:line:column: message [rule]`, the source line and a caret under it.

    A hint and the related places follow. Control characters of the source are shown, never sent to the terminal.
    """
    severity = "" if problem.severity == "error" else f"{problem.severity}: "
    head = f"{_where(problem.span, color)}: {_paint(severity, _COLORS[problem.severity], color)}"
    parts = [f"{head}{_visible(problem.message)} [{_visible(problem.rule)}]"]
    parts += _excerpt(problem.span, _COLORS[problem.severity] if color else None)
    if problem.hint:
        parts.append(f"{' ' * (_gutter(problem.span) + 1)}= {_visible(problem.hint)}")
    for span, words in problem.related:
        parts.append(f"{_where(span, color)}: {_paint('note: ', _COLORS['note'], color)}{_visible(words)}")
        parts += _excerpt(span, _COLORS["note"] if color else None)
    return "\n".join(parts)


def render_github(problem: Problem) -> str:
    """Return the problem as a workflow command, which GitHub shows beside the line.

    The form and its escapes: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """
    span = problem.span
    properties = {
        "file": span.file,
        "line": str(span.line),
        "col": str(span.column),
        "endColumn": str(span.end_column),
        "title": problem.rule,
    }
    listed = ",".join(f"{name}={_github_property(value)}" for name, value in properties.items())
    words = f"{problem.message}\n{problem.hint}" if problem.hint else problem.message
    return f"::{_GITHUB[problem.severity]} {listed}::{_github_data(words)}"


def _github_data(text: str) -> str:
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")


def _paint(text: str, code: str, color: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if color and text else text


def _where(span: Span, color: bool) -> str:
    return _paint(f"{_visible(span.file)}:{span.line}:{span.column}", "1", color)


def _gutter(span: Span) -> int:
    return max(5, len(str(span.line)))


def _excerpt(span: Span, color: str | None) -> list[str]:
    """Return the source line and the caret line, both behind a gutter; nothing where the source line is not known."""
    if not span.text.strip():
        return []
    text, start, end = _cut(span.text, span.column - 1, span.end_column - 1)
    indent = "".join("\t" if letter == "\t" else " " * _width(letter) for letter in text[:start])
    wide = max(1, sum(_width(letter) for letter in text[start:end]))
    caret = _paint("^" + "~" * (wide - 1), color or "", color is not None)
    gutter = _gutter(span)
    return [f"{span.line:>{gutter}} | {_visible(text)}", f"{'':>{gutter}} | {indent}{caret}"]


def _cut(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the part of a very long line around the columns, and the columns in it."""
    if len(text) <= _LONGEST_LINE:
        return text, start, end
    first = max(0, min(start - _BEFORE_CARET, len(text) - _LONGEST_LINE))
    last = first + _LONGEST_LINE
    before, after = ("…" if first else ""), ("…" if last < len(text) else "")
    shift = len(before) - first
    return before + text[first:last] + after, start + shift, min(end, last) + shift


def _visible(text: str) -> str:
    """Return the text with everything that could steer a terminal, or cannot be encoded, as a sign of its own."""
    return text if text.isascii() and text.isprintable() else "".join(map(_sign, text))


def _sign(letter: str) -> str:
    code = ord(letter)
    if letter == "\t":
        return letter
    if code < 0x20:
        return chr(0x2400 + code)
    category = unicodedata.category(letter)
    # Cc and Cs: controls and lone surrogates; Zl and Zp: line breaks; and the marks that turn the reading direction.
    if category in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(letter) in _TURNING:
        return "\N{REPLACEMENT CHARACTER}"
    return letter


_TURNING = frozenset(("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def _width(letter: str) -> int:
    """Return how many columns of a terminal a character takes: two for wide ones, none for marks put on others."""
    if letter.isascii():
        return 1
    if _sign(letter) != letter:
        return 1
    if unicodedata.east_asian_width(letter) in ("W", "F"):
        return 2
    return 0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else 1
