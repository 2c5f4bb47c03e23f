"""What is found wrong with an expression while its types are worked out: complaints, and the words they share."""

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from signal_playbooks.content.expression import Complaint, Expression
from signal_playbooks.content.grammar import span_of
from signal_playbooks.content.types import List, Record, Type, required
from signal_playbooks.suggestion import did_you_mean

Severity = Literal["error", "warning"]

_MOST_NAMED = 30
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Operand:
    """A part of an expression and the type it has."""

    node: ast.expr
    type: Type

    @property
    def literal(self) -> str | None:
        """Return the text it is, None where it is no text in quotes."""
        if isinstance(self.node, ast.Constant) and isinstance(self.node.value, str):
            return self.node.value
        return None


@dataclass(slots=True)
class Findings:
    """The complaints about one expression, in the order found."""

    expression: Expression
    complaints: list[Complaint] = field(default_factory=list)
    _ignored: set[str] = field(default_factory=set)

    def report(
        self,
        where: ast.AST | tuple[int, int],
        rule: str,
        message: str,
        hint: str | None = None,
        severity: Severity = "error",
    ) -> None:
        """Add a complaint about a node, or about a span of the expression's own text."""
        if rule in self._ignored:
            return
        span = where if isinstance(where, tuple) else span_of(where)
        self.complaints.append(Complaint(*self.expression.outside(span), rule, message, severity, hint))

    def written(self, node: ast.AST) -> str:
        """Return a part as the author wrote it, on one line and not too long."""
        source = self.expression.source_of(node)
        return source if len(source) <= _LONGEST else f"{source[: _LONGEST - 1]}…"

    @contextmanager
    def ignoring(self, rule: str) -> Iterator[None]:
        """Leave out complaints of a rule for a while: what default() catches is no mistake."""
        before, self._ignored = self._ignored, self._ignored | {rule}
        try:
            yield
        finally:
            self._ignored = before

    def in_source_order(self) -> list[Complaint]:
        """Return the complaints by where they stand, each once."""
        if not self.complaints:
            return []
        return sorted(dict.fromkeys(self.complaints), key=lambda one: (one.start, one.end))


def expected(word: str, known: Iterable[str]) -> str:
    """Return ": expected one of a, b, c; did you mean 'b'?", or nothing where nothing is known."""
    names = list(known)
    if not names:
        return ""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f": expected one of {', '.join(names[:_MOST_NAMED])}{more}{did_you_mean(word, names)}"


def list_inside(written: str, kind: Type) -> str | None:
    """Return "did you mean x.signals?" for a map where a list is due and one stands inside it."""
    if not isinstance(kind, Record):
        return None
    lists = [name for name, field in kind.fields.items() if isinstance(required(field.type), List)]
    return f"did you mean {written}.{lists[0]}?" if lists else None


def in_output(written: str, step: Record, name: str) -> str | None:
    """Return "; did you mean x.output.signals?" for a finished step whose output, not itself, has the field."""
    output = step.fields.get("output") if step.name == "step" else None
    inner = required(output.type) if output is not None and output.missing is None else None
    return f"; did you mean {written}.output.{name}?" if isinstance(inner, Record) and name in inner.fields else None
