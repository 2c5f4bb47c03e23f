"""What a model refuses, in words an author knows: the rule, the sentence, and what to write instead."""

import ast
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Union

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from signal_playbooks.content.model import DURATION_PATTERN, ID_PATTERN, ContentModel
from signal_playbooks.content.node import Mapping, Node, Scalar, Sequence
from signal_playbooks.suggestion import nearest

Words = tuple[str, str, str | None]
_BUILTIN = frozenset(typing.get_args(ErrorType))
_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "none_required": "empty",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "date_type": "a date",
    "datetime_type": "a date and time",
}
_BOUNDS = {
    "greater_than": ("gt", "must be more than {}"),
    "greater_than_equal": ("ge", "must be at least {}"),
    "less_than": ("lt", "must be less than {}"),
    "less_than_equal": ("le", "must be at most {}"),
    "multiple_of": ("multiple_of", "must be a multiple of {}"),
}
_YES_NO = frozenset(("yes", "no", "on", "off", "y", "n"))
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Misfit:
    """One error of a model: what pydantic found, and where it stands in the YAML.

    `node` is the deepest node of its place, `holder` what holds that, under `key`; `path` leads to it from the node
    that was fitted. `models` are the models that place may be an instance of.
    """

    details: ErrorDetails
    node: Node
    holder: Node | None
    key: str | int | None
    path: tuple[str | int, ...]
    models: tuple[type[BaseModel], ...]

    @property
    def kind(self) -> str:
        """Return pydantic's slug of the error."""
        return self.details["type"]

    @property
    def context(self) -> dict[str, Any]:
        """Return what pydantic adds to it: bounds, choices, the exception raised."""
        return self.details.get("ctx", {})

    @property
    def at_key(self) -> bool:
        """Tell whether the problem is about the key itself rather than its value."""
        return self.kind == "extra_forbidden" or self.details["loc"][-1:] == ("[key]",)

    @property
    def name(self) -> str:
        """Return what the author calls the place: its key, or its number in a list."""
        if not self.path:
            return _what(self.models) or "this file"
        last = self.path[-1]
        if isinstance(last, str):
            return _short(last)
        parent = self.path[-2] if len(self.path) > 1 and isinstance(self.path[-2], str) else "the list"
        return f"item {last + 1} of {_short(parent)}"


def words_for(misfit: Misfit) -> Words:
    """Return (rule, message, hint) for a misfit."""
    kind = misfit.kind
    if kind not in _BUILTIN:
        return kind.replace("_", "-"), misfit.details["msg"], None
    if kind in ("value_error", "assertion_error"):
        error = misfit.context.get("error")
        return "bad-value", str(error) if error else misfit.details["msg"], None
    if kind in _WORDS:
        return _WORDS[kind](misfit)
    if kind in _KINDS:
        return _bad_type(misfit)
    if kind in _BOUNDS:
        key, sentence = _BOUNDS[kind]
        return "bad-value", f"{misfit.name} {sentence.format(_number(misfit.context.get(key)))}", None
    message = misfit.details["msg"]
    return "bad-value", f"{misfit.name} does not fit: {message[:1].lower()}{message[1:]}", None


def _unknown_key(misfit: Misfit) -> Words:
    key = str(misfit.details["loc"][-1])
    allowed = allowed_keys(misfit.models)
    present = {name.text for name, _ in misfit.holder.entries} if isinstance(misfit.holder, Mapping) else set()
    guess = nearest(key, [name for name in allowed if name not in present]) or nearest(key, allowed)
    what = _what(misfit.models) or "this mapping"
    message = f"'{_short(key)}' is not a key of {what}"
    if guess:
        return "unknown-key", f"{message}; did you mean '{guess}'?", f"its keys are {', '.join(allowed)}"
    expected = f": expected one of {', '.join(allowed)}" if allowed else ", which has none"
    return "unknown-key", message + expected, None


def _missing_key(misfit: Misfit) -> Words:
    key = str(misfit.details["loc"][-1])
    what = _what(misfit.models) or ("this" if not misfit.path else f"'{misfit.name}'")
    known = next((field for model in misfit.models for name, field in _fields(model) if name == key), None)
    hint = f"{key}: {known.description}" if known and known.description else None
    return "missing-key", f"{what} needs the key '{key}'", hint


def _bad_choice(misfit: Misfit) -> Words:
    choices = _choices(str(misfit.context.get("expected", "")))
    node = misfit.node
    if not isinstance(node, Scalar):
        return "bad-type", f"{misfit.name} must be one of {', '.join(choices)}, not {describe(node)}", None
    expected = choices[0] if len(choices) == 1 else f"one of {', '.join(choices)}"
    if node.text in choices and node.style != "plain":
        return "bad-type", f"{misfit.name} must be {expected} without quotes", "take the quotes away"
    guess = nearest(node.text, choices)
    shown = f"'{_short(node.text)}'" if isinstance(node.value, str) else _short(node.text) or "empty"
    return "bad-value", f"{misfit.name} must be {expected}, not {shown}" + _meant(guess), None


def _meant(guess: str | None) -> str:
    return f"; did you mean '{guess}'?" if guess else ""


def _bad_type(misfit: Misfit) -> Words:
    kinds = misfit.context.get("kinds", [misfit.kind])
    expected = list(dict.fromkeys(_KINDS.get(kind, "something else") for kind in kinds))
    wanted = expected[0] if len(expected) == 1 else f"{', '.join(expected[:-1])} or {expected[-1]}"
    what = _what(misfit.models)
    if wanted == "a mapping" and misfit.path and what and what.startswith(("a ", "an ")):
        wanted = f"{what}, written as a mapping"
    return "bad-type", f"{misfit.name} must be {wanted}, not {describe(misfit.node)}", _type_hint(misfit.node, expected)


def _type_hint(node: Node, expected: list[str]) -> str | None:
    if not isinstance(node, Scalar):
        return "write it as one text" if expected == ["text"] else None
    text = _short(node.text)
    if node.value is None:
        return "write a value, or leave the key out"
    if "text" in expected and not isinstance(node.value, str):
        return f'put it in quotes: "{text}"'
    if "true or false" in expected and node.text.casefold() in _YES_NO:
        return f"write true or false; in YAML 1.2, {text} is a text"
    if node.style in ("single", "double") and {"a number", "a whole number", "true or false"}.intersection(expected):
        return "take the quotes away"
    if "a list" in expected and node.text:
        return f"write [{text}] for a list of one" if node.style == "plain" else "write a list of one: [ … ]"
    return None


def _length(misfit: Misfit) -> Words:
    context = misfit.context
    if misfit.kind.startswith("string"):
        most, least, unit = context.get("max_length"), context.get("min_length"), "character"
        found = len(misfit.node.text) if isinstance(misfit.node, Scalar) else None
    else:
        most, least, unit = context.get("max_length"), context.get("min_length"), "item"
        found = context.get("actual_length")
    if not found and least == 1:
        return "bad-value", f"{misfit.name} must not be empty", None
    bound, count = ("at least", least) if "short" in misfit.kind else ("at most", most)
    has = f", not {found:,}" if isinstance(found, int) else ""
    return "bad-value", f"{misfit.name} must have {bound} {count:,} {unit}{'' if count == 1 else 's'}{has}", None


def _pattern(misfit: Misfit) -> Words:
    node = misfit.node
    key = misfit.at_key and isinstance(misfit.key, str)
    text = str(misfit.key) if key else node.text if isinstance(node, Scalar) else misfit.name
    subject = f"the key '{_short(text)}'" if key else f"{misfit.name} '{_short(text)}'"
    pattern = str(misfit.context.get("pattern", ""))
    words = _PATTERN_WORDS.get(pattern, f"match {pattern}")
    shown = f" ({pattern})" if pattern in _SHOWN_PATTERNS else ""
    return "bad-value", f"{subject} must {words}{shown}", None


def _bad_tag(misfit: Misfit) -> Words:
    """Return the words for a tagged union whose tag is unknown or missing."""
    choices = _choices(str(misfit.context.get("expected_tags", "")))
    tag = tag_of(misfit.details)
    if misfit.kind == "union_tag_not_found":
        return "missing-key", f"'{misfit.name}' needs the key '{tag}'", None
    node = misfit.node
    text = node.text if isinstance(node, Scalar) else ""
    found = f"'{_short(text)}'" if text else describe(node)
    expected = f"{tag} must be one of {', '.join(choices)}, not {found}"
    return "bad-value", expected + _meant(nearest(text, choices)), None


def tag_of(details: ErrorDetails) -> str:
    """Return the key that tells the members of a tagged union apart."""
    return str(details.get("ctx", {}).get("discriminator", "")).strip("'")


_PATTERN_WORDS = {
    ID_PATTERN: "begin with a small letter and go on with small letters, digits and _",
    DURATION_PATTERN: "be a whole number and s, m, h or d, such as 30s or 3d",
}
_SHOWN_PATTERNS = frozenset({ID_PATTERN})  # what people ask for by name; the others say less than their words
_WORDS: dict[str, Callable[[Misfit], Words]] = {
    "extra_forbidden": _unknown_key,
    "missing": _missing_key,
    "literal_error": _bad_choice,
    "enum": _bad_choice,
    "union_tag_invalid": _bad_tag,
    "union_tag_not_found": _bad_tag,
    "string_too_short": _length,
    "string_too_long": _length,
    "too_short": _length,
    "too_long": _length,
    "string_pattern_mismatch": _pattern,
}


def describe(node: Node) -> str:
    """Return what a node is in an author's words: `text`, `a number`, `a list`…"""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    value = node.value
    if value is None:
        return "empty" if not node.text else "null"
    if isinstance(value, bool):
        return "true or false"
    return "text" if isinstance(value, str) else "a whole number" if isinstance(value, int) else "a decimal number"


def _number(bound: Any) -> str:
    return f"{bound:.12g}" if isinstance(bound, float) else str(bound)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _choices(expected: str) -> list[str]:
    """Return the values in pydantic's list of them: `'a', 'b' or 1`."""
    parts = expected.replace(" or ", ", ").split(", ")
    values: list[str] = []
    for part in parts:
        try:
            values.append(str(ast.literal_eval(part)))
        except (ValueError, SyntaxError):
            values.append(part.strip("'"))
    return values


# -- which models may stand at a place


def models_at(model: type[BaseModel], loc: tuple[str | int, ...]) -> tuple[type[BaseModel], ...]:
    """Return the models that the deepest place of `loc` which holds a model may be an instance of."""
    found: tuple[type[BaseModel], ...] = (model,)
    candidates: list[Any] = [model]
    for part in loc:
        below = [inner for candidate in candidates for inner in _inside(candidate, part)]
        if not below:
            continue
        candidates = [alternative for annotation in below for alternative in _alternatives(annotation)]
        found = tuple(kind for kind in candidates if isinstance(kind, type) and issubclass(kind, BaseModel))
    return found


def allowed_keys(models: tuple[type[BaseModel], ...]) -> list[str]:
    """Return the keys the models know, as an author writes them, in the order they are declared."""
    return list(dict.fromkeys(name for model in models for name, _ in _fields(model)))


def _what(models: tuple[type[BaseModel], ...]) -> str | None:
    what = getattr(models[0], "what", None) if models else None
    return None if what == ContentModel.what else what


def _fields(model: type[BaseModel]) -> list[tuple[str, FieldInfo]]:
    return [(field.alias or name, field) for name, field in model.model_fields.items()]


def _alternatives(annotation: Any) -> list[Any]:
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _alternatives(typing.get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return [kind for part in typing.get_args(annotation) for kind in _alternatives(part)]
    return [annotation]


def _inside(kind: Any, part: str | int) -> list[Any]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [field.annotation for name, field in _fields(kind) if part in (name, *_python_name(kind, field))]
    arguments = typing.get_args(kind)
    if not arguments:
        return []
    if isinstance(part, str):
        return [arguments[-1]] if typing.get_origin(kind) is dict else []
    return [argument for argument in arguments if argument is not Ellipsis]


def _python_name(model: type[BaseModel], field: FieldInfo) -> list[str]:
    return [name for name, known in model.model_fields.items() if known is field]
