"""The inputs of a run: text or JSON values held against what the playbook declares, all complaints at once."""

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from signal_playbooks.content.inputs import input_specs
from signal_playbooks.content.model import DURATION_PATTERN
from signal_playbooks.content.playbook import InputSpec, Playbook
from signal_playbooks.errors import ArgumentError, InvalidArguments
from signal_playbooks.suggestion import did_you_mean

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONGEST_TEXT = 100_000
_SHOWN = 60


class _Unfit(Exception):
    """A value that is not what the input is; says what was expected."""


def read_inputs(playbook: Playbook, given: Mapping[str, object]) -> dict[str, object]:
    """Return a value for every input, typed; raise InvalidArguments that names every input which does not fit.

    Text is read by the input's type (`3` for an integer, `a, b` or `["a", "b"]` for a list), never guessed:
    `1.10` for a string stays `1.10`. A null for an input with a default is the default.
    """
    specs = input_specs(playbook)
    errors = [ArgumentError(name, _unknown(name, specs)) for name in given if name not in specs]
    values: dict[str, object] = {}
    missing: list[str] = []
    for name, spec in specs.items():
        value = given.get(name)
        if value is None and spec.required:
            missing.append(name)
            continue
        try:
            values[name] = read_value(spec, spec.default if value is None else value)
        except _Unfit as unfit:
            errors.append(ArgumentError(name, f"input {name}: {unfit}"))
    errors += [ArgumentError(name, f"input {name} is missing{_described(specs[name])}") for name in missing]
    if errors:
        raise InvalidArguments(_sentence(playbook.id, errors, missing), errors, _advice(specs, missing))
    return values


def read_value(spec: InputSpec, value: object) -> object:
    """Return one value as the type its input declares."""
    if value is None:
        return None
    if spec.type == "list":
        return _list(spec, value)
    if spec.type == "choice":
        return _choice(spec, value)
    return _READERS[spec.type](value)


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise _Unfit(f"expected text, not {_shown(value)}: put it in quotes")
    if len(value) > _LONGEST_TEXT:
        raise _Unfit(f"expected at most {_LONGEST_TEXT:,} characters, not {len(value):,}")
    return value


def _integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
        return int(value)
    raise _Unfit(f"expected a whole number, not {_shown(value)}")


def _number(value: object) -> int | float:
    number: int | float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        number = int(value) if _INTEGER.fullmatch(value.strip()) else float(value)
    if number is None or not math.isfinite(number):
        raise _Unfit(f"expected a number, not {_shown(value)}")
    return number


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip() in ("true", "false"):
        return value.strip() == "true"
    raise _Unfit(f"expected true or false, not {_shown(value)}")


def _date(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value.strip()):
        try:
            return date.fromisoformat(value.strip()).isoformat()
        except ValueError:
            raise _Unfit(f"expected a date that exists, not {_shown(value)}") from None
    raise _Unfit(f"expected a date such as 2026-04-16, not {_shown(value)}")


def _duration(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(DURATION_PATTERN, value.strip()):
        return value.strip()
    raise _Unfit(f"expected a duration such as 30s, 5m, 2h or 3d, not {_shown(value)}")


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
    raise _Unfit(f"expected one of {', '.join(choices)}, not {_shown(value)}{guess}")


def _list(spec: InputSpec, value: object) -> list[object]:
    items = _split(value) if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        raise _Unfit(f'expected a list, not {_shown(value)}: write a, b or ["a", "b"]')
    if spec.items is None:
        return list(items)
    read = _READERS[spec.items]
    values: list[object] = []
    for place, item in enumerate(items):
        try:
            values.append(read(item))
        except _Unfit as unfit:
            raise _Unfit(f"item {place}: {unfit}") from None
    return values


def _split(text: str) -> object:
    if not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _Unfit(f"expected a list, and {_shown(text)} begins like JSON but is none") from None


def _unknown(name: str, specs: Mapping[str, Any]) -> str:
    known = f"it has {', '.join(specs)}" if specs else "it has none"
    return f"{_shown(name)} is no input of this playbook ({known}){did_you_mean(name, specs)}"


def _described(spec: InputSpec) -> str:
    words = f": {spec.description.rstrip('.')}" if spec.description else ""
    if spec.choices:
        words += f" (one of {', '.join(spec.choices)})"
    elif spec.examples:
        words += f" (for example {spec.examples[0]})"
    return words


def _sentence(playbook: str, errors: list[ArgumentError], missing: list[str]) -> str:
    if len(errors) == 1:
        return f"playbook {playbook}: {errors[0].message}"
    if len(missing) == len(errors):
        return f"playbook {playbook} needs {len(missing)} more inputs: " + "; ".join(error.message for error in errors)
    return f"playbook {playbook}: {len(errors)} inputs do not fit: " + "; ".join(error.message for error in errors)


def _advice(specs: Mapping[str, InputSpec], missing: list[str]) -> str:
    if missing:
        return "give " + " ".join(f"--set {name}=…" for name in missing)
    if not specs:
        return "leave the inputs out"
    return "give each input as its type: " + ", ".join(f"{name} ({spec.type})" for name, spec in specs.items())


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str) if not isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
