"""The inputs a playbook takes, declared or as placeholders, and how a value given for one is read."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime

from signal_playbooks.content.model import DURATION_PATTERN
from signal_playbooks.content.playbook import InputSpec, Playbook, Step
from signal_playbooks.content.template import has_marks, parse_template
from signal_playbooks.content.tokens import ExpressionInvalid
from signal_playbooks.suggestion import did_you_mean

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONGEST_TEXT = 100_000
_SHOWN = 60


class Unfit(Exception):
    """A value that is not what an input takes; says what was expected, and which item of a list it is about."""

    def __init__(self, words: str, place: int | None = None) -> None:
        super().__init__(words)
        self.place = place


def input_specs(playbook: Playbook) -> Mapping[str, InputSpec]:
    """Return the declared inputs, or, where the playbook declares none at all, one required text for each `<name>`."""
    if playbook.inputs is not None:
        return playbook.inputs
    return {name: InputSpec() for name in dict.fromkeys(_placeholders(playbook))}


def placeholders_of(playbook: Playbook) -> list[str] | None:
    """Return the names that `<name>` may stand for; None where every one is a placeholder."""
    return None if playbook.inputs is None else list(playbook.inputs)


def _placeholders(playbook: Playbook) -> Iterator[str]:
    for step in playbook.steps:
        for text in filter(has_marks, _texts_of(step)):
            try:
                yield from (placeholder.name for placeholder in parse_template(text, None).placeholders)
            except ExpressionInvalid:
                continue  # the checker tells it where it stands


def _texts_of(step: Step) -> Iterator[str]:
    yield from texts_in(step.args)
    yield from texts_in(step.with_)
    if isinstance(step.for_each, list):
        yield from texts_in(step.for_each)
    for inner in step.steps or ():
        yield from _texts_of(inner)


def texts_in(value: object) -> Iterator[str]:
    """Yield every text inside a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from texts_in(member)
    elif isinstance(value, list):
        for member in value:
            yield from texts_in(member)


def read_value(spec: InputSpec, value: object) -> object:
    """Return one value as the type its input declares; Unfit where it is none. Null is null, whatever the type."""
    if value is None:
        return None
    if spec.type == "list":
        return _list(spec, value)
    if spec.type == "choice":
        return _choice(spec, value)
    return _READERS[spec.type](value)


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise Unfit(f"expected text, not {shown(value)}: put it in quotes")
    if len(value) > _LONGEST_TEXT:
        raise Unfit(f"expected at most {_LONGEST_TEXT:,} characters, not {len(value):,}")
    return value


def _integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
        return int(value)
    raise Unfit(f"expected a whole number, not {shown(value)}")


def _number(value: object) -> int | float:
    number: int | float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        number = int(value) if _INTEGER.fullmatch(value.strip()) else float(value)
    if number is None or not math.isfinite(number):
        raise Unfit(f"expected a number, not {shown(value)}")
    return number


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip() in ("true", "false"):
        return value.strip() == "true"
    raise Unfit(f"expected true or false, not {shown(value)}")


def _date(value: object) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value.strip()):
        try:
            return date.fromisoformat(value.strip()).isoformat()
        except ValueError:
            raise Unfit(f"expected a date that exists, not {shown(value)}") from None
    raise Unfit(f"expected a date such as 2026-04-16, not {shown(value)}")


def _duration(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(DURATION_PATTERN, value.strip()):
        return value.strip()
    raise Unfit(f"expected a duration such as 30s, 5m, 2h or 3d, not {shown(value)}")


_READERS: Mapping[str, Callable[[object], object]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "date": _date,
    "duration": _duration,
}


def _choice(spec: InputSpec, value: object) -> str:
    choices = spec.choices or []
    if isinstance(value, str) and value in choices:
        return value
    guess = did_you_mean(value, choices) if isinstance(value, str) else ""
    raise Unfit(f"expected one of {', '.join(choices)}, not {shown(value)}{guess}")


def _list(spec: InputSpec, value: object) -> list[object]:
    items = _split(value) if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        raise Unfit(f'expected a list, not {shown(value)}: write a, b or ["a", "b"]')
    if spec.items is None:
        return list(items)
    read = _READERS[spec.items]
    values: list[object] = []
    for place, item in enumerate(items):
        try:
            values.append(read(item))
        except Unfit as unfit:
            raise Unfit(f"item {place}: {unfit}", place) from None
    return values


def _split(text: str) -> object:
    if not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unfit(f"expected a list, and {shown(text)} begins like JSON but is none") from None


def shown(value: object) -> str:
    """Return a value as it is shown in a complaint, short and on one line."""
    text = json.dumps(value, ensure_ascii=False, default=str) if not isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
