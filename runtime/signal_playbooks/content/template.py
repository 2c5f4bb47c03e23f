"""A string argument: text with expressions in {{ }} and placeholders in <>; what they give is never read again."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from signal_playbooks.content.expression import Complaint, Expression, ExpressionInvalid, parse_expression
from signal_playbooks.content.values import MAX_TEXT, TellsTime, text_of
from signal_playbooks.errors import EvaluationFailed

_MARK = re.compile(r"\{\{|<([A-Za-z][A-Za-z0-9_]*)>")
_INSIDE = re.compile(r"""'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*"|\}\}|['"]""")


class Placeholder(NamedTuple):
    """A `<name>` and where it stands."""

    name: str
    start: int
    end: int


class Slot(NamedTuple):
    """An expression and where its `{{ }}` or `<>` stands, braces included."""

    expression: Expression
    start: int
    end: int


Part = str | Slot


@dataclass(frozen=True, eq=False)
class Template:
    """A text in parts: what stays as it is, and what is filled in."""

    text: str
    parts: tuple[Part, ...]
    placeholders: tuple[Placeholder, ...] = ()

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """Return every expression, in the order written; a placeholder is one too."""
        return tuple(part.expression for part in self.parts if isinstance(part, Slot))

    @cached_property
    def single(self) -> Expression | None:
        """Return the expression that is all of the text but blanks, so that its value keeps its type; else None."""
        is_one = len(self.expressions) == 1
        return self.expressions[0] if is_one and all(not part.strip() for part in self._literals) else None

    @property
    def _literals(self) -> Iterator[str]:
        return (part for part in self.parts if isinstance(part, str))


def has_marks(text: str) -> bool:
    """Tell whether anything in a text may have to be filled in; no number, boolean or null has such a mark."""
    return "{{" in text or "<" in text


def parse_template(text: str, placeholders: Collection[str] | None) -> Template:
    """Return the text in its parts; ExpressionInvalid, at offsets in the whole text, where an expression is wrong.

    `placeholders` are the names that `<name>` fills in; None: every `<name>` that could be one. A text with none of
    either is itself. `{{ '{{' }}` gives two braces.
    """
    parts: list[Part] = []
    found: list[Placeholder] = []
    at = 0
    while mark := _MARK.search(text, at):
        name = mark[1]
        if name is None:
            slot = _slot(text, mark.start())
        elif placeholders is None or name in placeholders:
            slot = _placeholder_slot(name, mark)
            found.append(Placeholder(name, *mark.span()))
        else:
            parts.append(text[at : mark.end()])
            at = mark.end()
            continue
        parts += [text[at : slot.start], slot]
        at = slot.end
    parts.append(text[at:])
    return Template(text, tuple(_merged(parts)), tuple(found))


def render(template: Template, names: Mapping[str, object], clock: TellsTime) -> object:
    """Return the text filled in, or the value itself, with its type, where the template is a single expression.

    In a text null is nothing, lists are joined by ", ", moments are RFC 3339 in UTC and maps compact JSON. Raises
    EvaluationFailed where an expression fails, or the text would pass a million characters.
    """
    from signal_playbooks.content.evaluation import evaluate  # noqa: PLC0415  # for start-up time: checking never renders

    if template.single is not None:
        return evaluate(template.single, names, clock)
    pieces: list[str] = []
    length = 0
    for part in template.parts:
        piece = part if isinstance(part, str) else _worded(part, evaluate(part.expression, names, clock))
        length += len(piece)
        if length > MAX_TEXT:
            words = f"the text would be longer than {MAX_TEXT:,} characters"
            raise EvaluationFailed(words, "fill in less", expression=template.text[:200])
        pieces.append(piece)
    return "".join(pieces)


def _worded(slot: Slot, value: object) -> str:
    try:
        return text_of(value)
    except EvaluationFailed as failure:
        failure.data.setdefault("expression", slot.expression.text)
        raise
    except RecursionError:
        words = "the data is nested too deep to be written as text"
        raise EvaluationFailed(words, "name a part of it", expression=slot.expression.text) from None


def _slot(text: str, start: int) -> Slot:
    end = _end_of(text, start)
    inside = text[start + 2 : end - 2]
    if not inside.strip():
        complaint = Complaint(start, end, "bad-syntax", "nothing stands between '{{' and '}}'")
        raise ExpressionInvalid(complaint)
    return Slot(parse_expression(inside, start + 2), start, end)


def _end_of(text: str, start: int) -> int:
    """Return the offset behind the `}}` that closes; one in quotes does not, unless the quote itself never closes."""
    for found in _INSIDE.finditer(text, start + 2):
        if found[0] == "}}":
            return found.end()
        if len(found[0]) == 1:
            break
    plain = text.find("}}", start + 2)
    if plain < 0:
        complaint = Complaint(start, start + 2, "bad-syntax", "this '{{' is never closed by '}}'")
        raise ExpressionInvalid(complaint)
    return plain + 2


def _placeholder_slot(name: str, mark: re.Match[str]) -> Slot:
    return Slot(parse_expression(f"inputs.{name}", place=mark.span()), *mark.span())


def _merged(parts: list[Part]) -> Iterator[Part]:
    """Yield the parts with neighbouring texts joined and empty ones left out."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            yield text
        yield part
        text = ""
    if text:
        yield text
