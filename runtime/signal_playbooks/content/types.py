"""What kind of value an expression can have: a small algebra, and how the contract's models are read into it."""

import enum
import types as builtin_types
import typing
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo


class _Alike:
    """A type with nothing more to say: every one of its class is the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Any(_Alike):
    """Nothing is known about it, so nothing about it is refused."""

    __slots__ = ()


class Null(_Alike):
    """Only null."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Boolean:
    """true or false; `known` where it is certain before anything runs."""

    known: bool | None = None


class Integer(_Alike):
    """A whole number."""

    __slots__ = ()


class Number(_Alike):
    """A number, whole or not."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, init=False)
class Text:
    """A text; `values` are all it can be, in their declared order, None where it can be any."""

    values: tuple[str, ...] | None

    def __init__(self, values: Collection[str] | None = None) -> None:
        if isinstance(values, AbstractSet):
            values = sorted(values)
        object.__setattr__(self, "values", None if values is None else tuple(dict.fromkeys(values)))


class Moment(_Alike):
    """A point in time."""

    __slots__ = ()


class Duration(_Alike):
    """A length of time, written such as 3d: a text that has no order."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class List:
    """A list whose items are of one type."""

    item: "Type"


@dataclass(frozen=True, slots=True)
class Map:
    """A map from texts that are not known beforehand to values of one type."""

    value: "Type"


@dataclass(frozen=True, slots=True)
class Field:
    """One member of a record. `missing`, where set, is the sentence that says why it cannot be read here."""

    type: "Type"
    doc: str | None = None
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A map whose members are known. `noun` is what a member is called in a complaint: "has no step 'fnd'"."""

    name: str
    fields: Mapping[str, Field] = field(hash=False)
    noun: str = "field"


@dataclass(frozen=True, slots=True)
class Optional:
    """A value, or null."""

    inner: "Type"


@dataclass(frozen=True, slots=True)
class Unbound:
    """A name that exists, but not here; `reason` says why, and what to write instead."""

    reason: str


Type = (
    Any | Null | Boolean | Integer | Number | Text | Moment | Duration | List | Map | Record | Optional | Unbound
)  # fmt: skip
Scope = Mapping[str, Type]

ANY = Any()
NULL = Null()
BOOLEAN = Boolean()
INTEGER = Integer()
NUMBER = Number()
TEXT = Text()
MOMENT = Moment()
DURATION = Duration()

# Tuples, as a union made anew for every question asked costs more than the question.
UNKNOWN = (Any, Unbound)
_MAY_BE_NULL = (Any, Null, Optional, Unbound)

_ARTICLES: Mapping[type, str] = {
    Any: "anything",
    Null: "null",
    Boolean: "a boolean",
    Integer: "a whole number",
    Number: "a number",
    Text: "a text",
    Moment: "a moment",
    Duration: "a duration",
    Map: "a map",
    Unbound: "nothing",
}


def describe(kind: Type) -> str:
    """Return the type in words, with its article: "a number", "a list of Signal", "a text or null"."""
    if isinstance(kind, Optional):
        return f"{describe(kind.inner)} or null"
    if isinstance(kind, Record):
        return _article(kind.name) if kind.noun == "field" else f"a map of {kind.noun}s"
    if isinstance(kind, List):
        return "a list" if isinstance(kind.item, Any) else f"a list of {_plural(kind.item)}"
    return _ARTICLES[type(kind)]


def _article(name: str) -> str:
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def _plural(kind: Type) -> str:
    if isinstance(kind, Optional):
        return f"{_plural(kind.inner)} or null"
    if isinstance(kind, Record) and kind.noun == "field":
        return kind.name
    words = describe(kind)
    noun, of, rest = words.removeprefix("a ").partition(" of ")
    return f"{noun}s{of}{rest}" if words.startswith("a ") else words


def optional(kind: Type) -> Type:
    """Return the type, or null as well."""
    return kind if isinstance(kind, _MAY_BE_NULL) else Optional(kind)


def required(kind: Type) -> Type:
    """Return the type without null."""
    return kind.inner if isinstance(kind, Optional) else kind


def join(one: Type, other: Type) -> Type:
    """Return the narrowest type that both fit: what a list of both, or a choice between them, holds."""
    if one == other:
        return one
    if isinstance(one, Null) or isinstance(other, Null):
        return optional(other if isinstance(one, Null) else one)
    if isinstance(one, Optional) or isinstance(other, Optional):
        return optional(join(required(one), required(other)))
    if isinstance(one, Text) and isinstance(other, Text):
        return TEXT if one.values is None or other.values is None else Text((*one.values, *other.values))
    if isinstance(one, Integer | Number) and isinstance(other, Integer | Number):
        return NUMBER
    if isinstance(one, List) and isinstance(other, List):
        return List(join(one.item, other.item))
    if isinstance(one, Map) and isinstance(other, Map):
        return Map(join(one.value, other.value))
    return BOOLEAN if isinstance(one, Boolean) and isinstance(other, Boolean) else ANY


def fits(kind: Type, wanted: Type) -> bool:
    """Tell whether a value of the type may stand where `wanted` is due.

    A value that may be null fits: whether it is null shows only when it is there.
    """
    kind = required(kind)
    if isinstance(kind, UNKNOWN) or isinstance(wanted, Any):
        return True
    if isinstance(wanted, Optional):
        return isinstance(kind, Null) or fits(kind, wanted.inner)
    if isinstance(wanted, List):
        return isinstance(kind, List) and fits(kind.item, wanted.item)
    if isinstance(wanted, Map):
        return isinstance(kind, Record) or (isinstance(kind, Map) and fits(kind.value, wanted.value))
    if isinstance(wanted, Record):
        return isinstance(kind, Record) and kind.name == wanted.name
    if isinstance(wanted, Text):
        return isinstance(kind, Duration) or (isinstance(kind, Text) and may_meet(kind, wanted))
    return isinstance(kind, type(wanted)) or (isinstance(wanted, Number) and isinstance(kind, Integer))


def may_meet(one: Text, other: Text) -> bool:
    """Tell whether two texts can ever be the same."""
    return one.values is None or other.values is None or not set(one.values).isdisjoint(other.values)


def from_model(annotation: object) -> Type:
    """Return the type of a pydantic model or an annotation; members go by alias, their description is their doc."""
    return _read(annotation, ())


def _read(annotation: object, above: tuple[object, ...]) -> Type:
    if isinstance(annotation, type) and annotation in _SCALARS:
        return _SCALARS[annotation]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _record(annotation, above)
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return _literal([member.value for member in annotation])
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _read(arguments[0], above)
    if origin is Literal:
        return _literal(arguments)
    if origin in (Union, builtin_types.UnionType):
        return _union(arguments, above)
    if isinstance(origin, type):
        return _container(origin, arguments, above)
    return _read(annotation.__value__, above) if hasattr(annotation, "__value__") else ANY


_SCALARS: Mapping[object, Type] = {
    str: TEXT,
    int: INTEGER,
    float: NUMBER,
    bool: BOOLEAN,
    type(None): NULL,
    datetime: MOMENT,
    date: MOMENT,
    timedelta: DURATION,
    list: List(ANY),
    tuple: List(ANY),
    dict: Map(ANY),
}


def _record(model: type[BaseModel], above: tuple[object, ...]) -> Type:
    if model in above:
        return ANY  # a model inside itself: a type has an end, so what lies deeper is not known
    fields = {
        _wire_name(name, info): Field(_read(info.annotation, (*above, model)), info.description)
        for name, info in model.model_fields.items()
    }
    return Record(model.__name__, fields)


def _wire_name(name: str, info: FieldInfo) -> str:
    return info.alias or name


def _literal(values: Sequence[object]) -> Type:
    kinds: set[Type] = {_SCALARS.get(type(value), ANY) for value in values}
    if kinds == {TEXT}:
        return Text(tuple(str(value) for value in values))
    return kinds.pop() if len(kinds) == 1 else ANY


def _union(members: Sequence[object], above: tuple[object, ...]) -> Type:
    kinds = [_read(member, above) for member in members]
    found = kinds[0]
    for kind in kinds[1:]:
        found = join(found, kind)
    return found


def _container(origin: type, arguments: tuple[object, ...], above: tuple[object, ...]) -> Type:
    if issubclass(origin, Mapping):
        return Map(_read(arguments[1], above) if len(arguments) == 2 else ANY)
    if issubclass(origin, tuple):
        return List(_union([argument for argument in arguments if argument is not ...] or [typing.Any], above))
    if issubclass(origin, Sequence | AbstractSet):
        return List(_read(arguments[0], above) if arguments else ANY)
    return ANY
