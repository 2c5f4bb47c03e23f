"""Kind reading of raw arguments: what an agent or a shell plausibly meant, held against a wire model."""

import json
import math
import re
import types
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from signal_playbooks.contract.model import WireModel
from signal_playbooks.errors import ArgumentError, InvalidArguments
from signal_playbooks.suggestion import did_you_mean

M = TypeVar("M", bound=WireModel)

_SHOWN = 60
_MOST_ERRORS = 20


def read_input(model: type[M], raw: object) -> M:
    """Return the model that the raw arguments mean.

    Understood beyond the schema: a bare text for a list, a list or object encoded as JSON text, an explicit null for an
    optional value, a whole number or true/false written as text. Unknown fields are refused. Raises InvalidArguments
    with a path and a sentence for each misfit.
    """
    complaints: list[ArgumentError] = []
    value = _object(model, {} if raw is None else raw, "", complaints)
    if not complaints:
        try:
            return model.model_validate(value)
        except ValidationError as error:
            complaints.extend(_complaint(detail) for detail in error.errors(include_url=False))
    raise refusal(complaints)


def refusal(complaints: Sequence[ArgumentError], suggested_action: str | None = None, **data: Any) -> InvalidArguments:
    """Return the error that names the first misfit in its message and all of them (at most 20) in its data."""
    first, more = complaints[0], len(complaints) - 1
    rest = f" (and {more} more)" if more else ""
    message = f"{first.path}: {first.message}{rest}" if first.path else f"{first.message}{rest}"
    action = suggested_action or "Correct what is named, and try again."
    return InvalidArguments(message, complaints[:_MOST_ERRORS], action, **data)


def shown(value: object) -> str:
    """Return a value as it can be quoted in a sentence: printable, and never longer than 60 characters."""
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


# --- normalising, by the annotation that a field has -----------------------------------------------------------------


def _object(model: type[BaseModel], raw: object, path: str, complaints: list[ArgumentError]) -> object:
    raw = _decoded(raw, dict)
    if isinstance(raw, BaseModel):
        return raw
    if not isinstance(raw, Mapping):
        complaints.append(ArgumentError(path, f"expected an object with named fields, not {_kind(raw)}"))
        return raw
    fields = {info.alias or name: info for name, info in model.model_fields.items()}
    value: dict[str, object] = {}
    for key, given in raw.items():
        where = _join(path, str(key))
        if key not in fields:
            complaints.append(_unknown(where, str(key), sorted(fields)))
        elif given is not None or fields[key].is_required():
            value[key] = _value(fields[key].annotation, given, where, complaints)
    missing = [key for key, info in fields.items() if info.is_required() and key not in value]
    complaints.extend(ArgumentError(_join(path, key), "is required") for key in missing)
    return value


def _value(annotation: Any, raw: object, path: str, complaints: list[ArgumentError]) -> object:
    wanted = _bare(annotation)
    if isinstance(wanted, type) and issubclass(wanted, BaseModel):
        return _object(wanted, raw, path, complaints)
    if get_origin(wanted) is list:
        return _list(get_args(wanted)[0], raw, path, complaints)
    if get_origin(wanted) is Literal:
        return _choice(get_args(wanted), raw, path, complaints)
    return _scalar(wanted, raw, path, complaints)


def _list(item: Any, raw: object, path: str, complaints: list[ArgumentError]) -> object:
    raw = _decoded(raw, list)
    given = ([raw] if raw.strip() else []) if isinstance(raw, str) else raw
    if not isinstance(given, list | tuple):
        complaints.append(ArgumentError(path, f"expected a list, not {_kind(raw)}"))
        return raw
    return [_value(item, one, f"{path}[{at}]", complaints) for at, one in enumerate(given)]


def _choice(allowed: Sequence[str], raw: object, path: str, complaints: list[ArgumentError]) -> object:
    word = raw.strip().casefold() if isinstance(raw, str) else raw
    if word in allowed:
        return word
    hint = did_you_mean(word, allowed) if isinstance(word, str) else ""
    complaints.append(ArgumentError(path, f"{shown(raw)} is not one of {', '.join(allowed)}{hint}"))
    return raw


def _scalar(wanted: Any, raw: object, path: str, complaints: list[ArgumentError]) -> object:
    read = _SCALARS.get(wanted)
    if read is None:
        return raw
    name, convert = read
    value = convert(raw)
    if value is None:
        complaints.append(ArgumentError(path, f"expected {name}, not {_kind(raw)}"))
    return value


def _as_text(raw: object) -> str | None:
    return raw if isinstance(raw, str) else None


def _as_boolean(raw: object) -> bool | None:
    if isinstance(raw, bool):
        return raw
    return {"true": True, "false": False}.get(raw.strip().casefold()) if isinstance(raw, str) else None


def _as_integer(raw: object) -> int | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, float):
        return int(raw) if math.isfinite(raw) and raw.is_integer() else None
    if isinstance(raw, str):
        return int(raw) if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", raw) else None
    return raw if isinstance(raw, int) else None


_SCALARS: Mapping[Any, tuple[str, Any]] = types.MappingProxyType(
    {
        str: ("a text", _as_text),
        bool: ("true or false", _as_boolean),
        int: ("a whole number", _as_integer),
    }
)


def _decoded(raw: object, kind: type[dict[Any, Any]] | type[list[Any]]) -> object:
    """Return the list or object inside a JSON text; anything else as it is."""
    if not isinstance(raw, str) or raw.strip()[:1] != ("{" if kind is dict else "["):
        return raw
    try:
        inside = json.loads(raw)
    except (ValueError, RecursionError):
        return raw
    return inside if isinstance(inside, kind) else raw


def _bare(annotation: Any) -> Any:
    """Return the annotation without Annotated and without `| None`."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, types.UnionType):
        inside = [one for one in get_args(annotation) if one is not type(None)]
        return _bare(inside[0]) if len(inside) == 1 else annotation
    return annotation


# --- sentences -------------------------------------------------------------------------------------------------------


def _unknown(path: str, key: str, fields: Sequence[str]) -> ArgumentError:
    hint = did_you_mean(key, fields) or f"; known are {', '.join(fields)}"
    return ArgumentError(_cut(path), f"there is no field {shown(key)}{hint}")


def _complaint(detail: Mapping[str, Any]) -> ArgumentError:
    path = ""
    for part in detail["loc"]:
        path = f"{path}[{part}]" if isinstance(part, int) else _join(path, str(part))
    return ArgumentError(_cut(path), _sentence(detail))


def _sentence(detail: Mapping[str, Any]) -> str:
    given, limits = detail.get("input"), detail.get("ctx", {})
    match detail["type"]:
        case "string_too_short":
            return "must not be empty"
        case "string_too_long":
            return f"has {len(str(given))} characters; at most {limits['max_length']} are allowed"
        case "greater_than_equal":
            return f"{shown(given)} is too small; at least {limits['ge']}"
        case "less_than_equal":
            return f"{shown(given)} is too large; at most {limits['le']}"
        case "string_pattern_mismatch":
            return f"{shown(given)} is no duration; write a whole number and s, m, h or d, such as 3d"
        case "string_unicode":
            return "holds half of a surrogate pair, which is no character"
        case kind if kind.startswith(("datetime", "timezone")):
            return f"{shown(given)} is no moment; write RFC 3339, such as 2026-04-16T18:42:11Z"
        case _:
            return f"{shown(given)} does not fit: {detail['msg'][:1].lower()}{detail['msg'][1:]}"


def _kind(raw: object) -> str:
    names = {
        dict: "an object",
        list: "a list",
        bool: "true or false",
        type(None): "null",
        int: "a number",
        float: "a number",
    }
    return f"the text {shown(raw)}" if isinstance(raw, str) else names.get(type(raw), "that")


def _join(path: str, key: str) -> str:
    return _cut(f"{path}.{key}" if path else key)


def _cut(path: str) -> str:
    printable = path if path.isprintable() else ascii(path)[1:-1]
    return printable if len(printable) <= 120 else f"{printable[:119]}…"
