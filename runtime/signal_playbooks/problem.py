"""One complaint about content: where, which rule, how bad, and a sentence."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
_ORDER: dict[str, int] = {"error": 0, "warning": 1, "note": 2}


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
