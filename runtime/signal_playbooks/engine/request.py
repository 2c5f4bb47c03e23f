"""The arguments of one call, rendered and held exactly against the tool's model: a bare text is no list."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from signal_playbooks.contract.tools import INPUTS, Request, ToolName
from signal_playbooks.engine.frame import Frame
from signal_playbooks.engine.nodes import Call
from signal_playbooks.errors import ArgumentError, InvalidArguments
from signal_playbooks.suggestion import did_you_mean

_EXPECTED: Mapping[str, str] = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a map",
    "model_type": "a map",
    "model_attributes_type": "a map",
    "datetime_type": "a moment such as 2026-04-16T18:42:11Z",
}


def request_of(call: Call, frame: Frame, sources: Sequence[str] | None) -> Request:
    """Return the call's arguments for the names in scope, validated.

    `sources` replaces the scope of a listen. Raises InvalidArguments naming each argument that does not fit, and
    EvaluationFailed where an expression cannot be evaluated.
    """
    given: dict[str, Any] = call.arguments.fill(frame.names)
    if call.implied_id:
        given = {**given, "signal_id": _implied(frame, call)}
    elif sources is not None and call.tool == "listen":
        given = _with_sources(given, sources)
    return validated(call.tool, given, call.common.key)


def validated(tool: ToolName, given: Mapping[str, Any], key: str) -> Request:
    """Return the arguments as the tool's input model; InvalidArguments where they do not fit it exactly."""
    model = INPUTS[tool]
    try:
        request: Request = model.__pydantic_validator__.validate_python(given, strict=True)
    except ValidationError as refused:
        return _again(model, given, refused, f"step {key} ({tool})")
    return request


def _again(model: type[Request], given: Mapping[str, Any], refused: ValidationError, where: str) -> Request:
    """Read moments written as text, which strictness knows only as values, and try once more."""
    errors = refused.errors(include_url=False)
    if all(error["type"] == "datetime_type" and isinstance(error["input"], str) for error in errors):
        try:
            return model.model_validate(_with_moments(given, errors), strict=True)
        except ValidationError as still:
            errors = still.errors(include_url=False)
    raise _invalid(model, errors, where)


def _with_moments(given: Mapping[str, Any], errors: list[ErrorDetails]) -> dict[str, Any]:
    read = dict(given)
    for error in errors:
        target = read
        for part in error["loc"][:-1]:
            target[str(part)] = dict(target[str(part)])
            target = target[str(part)]
        target[str(error["loc"][-1])] = _moment(error["input"])
    return read


def _moment(text: str) -> datetime | str:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return text


def _implied(frame: Frame, call: Call) -> str:
    if frame.signal_id is not None:
        return frame.signal_id
    key = call.common.key
    message = f"step {key}: signal_id is missing, and no lane variable here is a signal"
    raise InvalidArguments(
        message,
        [ArgumentError("signal_id", message)],
        "write signal_id, or loop over signals with for_each: signal",
    )


def _with_sources(given: dict[str, Any], sources: Sequence[str]) -> dict[str, Any]:
    scope = given.get("scope")
    kept = scope if isinstance(scope, Mapping) else {}
    return {**given, "scope": {**kept, "sources": list(sources)}}


def _invalid(model: type[BaseModel], errors: list[ErrorDetails], where: str) -> InvalidArguments:
    arguments = [ArgumentError(_path(error), _sentence(model, error)) for error in errors]
    words = "; ".join(f"{argument.path}: {argument.message}" for argument in arguments)
    return InvalidArguments(f"{where}: {words}", arguments, "correct the arguments of this step")


def _path(error: ErrorDetails) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error["loc"]).lstrip(".")


def _sentence(model: type[BaseModel], error: ErrorDetails) -> str:
    kind = error["type"]
    if kind == "extra_forbidden":
        known = _fields(model, error["loc"][:-1])
        return f"no such argument, expected one of {', '.join(known)}{did_you_mean(str(error['loc'][-1]), known)}"
    if kind == "missing":
        return "is missing"
    if kind == "literal_error":
        return f"expected {error['ctx']['expected']}, not {_kind(error['input'])}"
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind]}, not {_kind(error['input'])}"
    return _lowered(error["msg"])


def _fields(model: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    for part in loc:
        found = next((field for name, field in model.model_fields.items() if part in (name, field.alias)), None)
        if found is None or not isinstance(found.annotation, type) or not issubclass(found.annotation, BaseModel):
            return []
        model = found.annotation
    return [field.alias or name for name, field in model.model_fields.items()]


_KINDS: tuple[tuple[type | tuple[type, ...], Callable[[Any], str]], ...] = (
    (type(None), lambda _: "null"),
    (bool, lambda value: f"the boolean {str(value).lower()}"),
    ((int, float), lambda value: f"the number {value}"),
    (str, lambda value: f"the text {value if len(value) <= 40 else value[:39] + '…'!r}"),
    ((list, tuple), lambda value: f"a list of {len(value)}"),
    (Mapping, lambda _: "a map"),
)


def _kind(value: object) -> str:
    for kind, words in _KINDS:
        if isinstance(value, kind):
            return words(value)
    return f"a {type(value).__name__}"


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
