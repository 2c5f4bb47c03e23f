"""Expressions and arguments of a step, read once and prepared: afterwards each is a function of the names in scope."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from signal_playbooks.clock import Clock
from signal_playbooks.content.evaluation import compile_expression
from signal_playbooks.content.expression import Expression, parse_expression
from signal_playbooks.content.template import parse_template, render
from signal_playbooks.content.values import member
from signal_playbooks.errors import EvaluationFailed, SignalError

_PLAIN = frozenset({str, int, float, bool, list, dict})
Names = Mapping[str, object]
Fill = Callable[[Names], Any]


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a part of a playbook reads: names in scope, and ids of steps. `any_step` where the ids cannot be told."""

    names: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()
    any_step: bool = False

    def __or__(self, other: "Mentions") -> "Mentions":
        return Mentions(self.names | other.names, self.steps | other.steps, self.any_step or other.any_step)

    def reads_step(self, key: str) -> bool:
        """Tell whether the step's result may be read here."""
        return self.any_step or key in self.steps


@dataclass(frozen=True, slots=True)
class Formula:
    """A prepared expression; `value` raises EvaluationFailed over data it cannot work on."""

    text: str
    mentions: Mentions
    value: Callable[[Names], object]
    path: str | None = None

    def holds(self, names: Names) -> bool:
        """Return the value as a condition; EvaluationFailed where it is no boolean."""
        value = self.value(names)
        if value is True or value is False:
            return value
        raise EvaluationFailed(
            f"the condition {self.text!r} is {type(value).__name__}, and a condition has to be true or false",
            "compare it with something, for example == or >=",
            expression=self.text,
        )


@dataclass(frozen=True, slots=True)
class Arguments:
    """A prepared map of arguments.

    `fill` returns them for the names in scope, constant parts shared; `partly` does too, and leaves a text as it is
    written where something in it is not known yet.
    """

    fill: Fill
    partly: Fill
    mentions: Mentions


def formula(text: str, clock: Clock) -> Formula:
    """Return the expression prepared; ExpressionInvalid where it is none."""
    expression = parse_expression(text)
    only = expression.paths[0] if len(expression.paths) == 1 else None
    path = only.text if only is not None and only.text == expression.text.strip() else None
    return Formula(text, mentions_of(expression), _prepared(expression, clock), path)


def arguments(written: Mapping[str, Any], placeholders: Collection[str] | None, clock: Clock) -> Arguments:
    """Return the arguments prepared; strings are templates, everything else is as it stands."""
    fill, mentions = _prepare(written, placeholders, clock)
    constant = dict(written)
    return Arguments(
        fill or (lambda _names: constant), lambda names: _partly(written, names, placeholders, clock), mentions
    )


def _prepared(expression: Expression, clock: Clock) -> Fill:
    """Return what evaluates the expression; a mere path, the most frequent kind, is followed without an evaluator."""
    evaluate = compile_expression(expression, clock)
    paths = expression.paths
    if len(paths) != 1 or paths[0].text != expression.text.strip():
        return evaluate
    name, *members = paths[0].parts
    parts = [str(part) for part in members]

    def follow(names: Names) -> Any:
        value = names.get(str(name))
        for part in parts:
            value = member(value, part)
        # Whatever is out of the ordinary is the evaluator's to name.
        return value if type(value) in _PLAIN else evaluate(names)

    return evaluate if any(isinstance(part, int) for part in members) else follow


def mentions_of(expression: Expression) -> Mentions:
    """Return what the expression reads."""
    steps: set[str] = set()
    any_step = False
    for path in expression.paths:
        if path.parts[0] != "steps":
            continue
        if len(path.parts) > 1 and isinstance(path.parts[1], str):
            steps.add(path.parts[1])
        else:
            any_step = True
    return Mentions(expression.names, frozenset(steps), any_step)


def _partly(value: object, names: Names, placeholders: Collection[str] | None, clock: Clock) -> Any:
    if isinstance(value, Mapping):
        return {key: _partly(part, names, placeholders, clock) for key, part in value.items()}
    if isinstance(value, list):
        return [_partly(part, names, placeholders, clock) for part in value]
    fill, _ = _prepare(value, placeholders, clock)
    try:
        return value if fill is None else fill(names)
    except SignalError:
        return value


def _prepare(value: object, placeholders: Collection[str] | None, clock: Clock) -> tuple[Fill | None, Mentions]:
    """Return how to fill the value, None where it is constant, and what it reads."""
    if isinstance(value, str):
        return _prepare_text(value, placeholders, clock)
    if isinstance(value, Mapping):
        return _prepare_map(value, placeholders, clock)
    if isinstance(value, list):
        return _prepare_list(value, placeholders, clock)
    return None, Mentions()


def _prepare_text(text: str, placeholders: Collection[str] | None, clock: Clock) -> tuple[Fill | None, Mentions]:
    template = parse_template(text, placeholders)
    mentions = Mentions()
    for expression in template.expressions:
        mentions |= mentions_of(expression)
    if not template.expressions:
        return None, mentions
    if template.single is not None:
        return _prepared(template.single, clock), mentions
    return lambda names: render(template, names, clock), mentions


def _prepare_map(
    written: Mapping[str, Any], placeholders: Collection[str] | None, clock: Clock
) -> tuple[Fill | None, Mentions]:
    mentions = Mentions()
    constant: dict[str, Any] = {}
    filled: list[tuple[str, Fill]] = []
    for key, part in written.items():
        fill, read = _prepare(part, placeholders, clock)
        mentions |= read
        constant[key] = part
        if fill is not None:
            filled.append((key, fill))
    if not filled:
        return None, mentions

    def fill_map(names: Names) -> Any:
        given = constant.copy()
        for key, fill in filled:
            given[key] = fill(names)
        return given

    return fill_map, mentions


def _prepare_list(
    written: list[Any], placeholders: Collection[str] | None, clock: Clock
) -> tuple[Fill | None, Mentions]:
    prepared = [_prepare(part, placeholders, clock) for part in written]
    mentions = Mentions()
    for _, read in prepared:
        mentions |= read
    if all(fill is None for fill, _ in prepared):
        return None, mentions
    parts = [(fill, part) for (fill, _), part in zip(prepared, written, strict=True)]
    return lambda names: [part if fill is None else fill(names) for fill, part in parts], mentions
