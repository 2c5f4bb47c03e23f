"""What the values of an expression do: their kinds, members, equality, order, and how they read as text."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from types import NoneType
from typing import Protocol

from pydantic import BaseModel

from signal_playbooks.contract.model import as_utc, rfc3339
from signal_playbooks.errors import EvaluationFailed

MAX_TEXT = 1_000_000
MAX_ITEMS = 10_000
MAX_PARTS = 500_000
MAX_COMPARED = 100_000
STRANGE = "value of no known kind"
_LARGEST = 2**63
_PLAIN_FLOAT = 1e15

_KINDS: Mapping[type, str] = {
    NoneType: "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "text",
    datetime: "moment",
    date: "moment",
    timedelta: "duration",
    list: "list",
    tuple: "list",
    dict: "map",
}
_FAMILIES: Sequence[tuple[type, str]] = (
    *((BaseModel, "map"), (Mapping, "map"), (bool, "boolean"), (int, "number"), (float, "number"), (str, "text")),
    *((datetime, "moment"), (date, "moment"), (timedelta, "duration"), (list, "list"), (tuple, "list")),
)
_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(\.\d{1,9})?(?:([Zz])|([+-]\d{2}:?\d{2}))?)?", re.ASCII
)


# What `member` gives where there is none: null is a value, and may well be the member's.
ABSENT = object()


class TellsTime(Protocol):
    """What an evaluation asks for the present moment; a Clock does. Checking must not pay for importing asyncio."""

    @property
    def now(self) -> Callable[[], datetime]:
        """Return what gives the moment, aware, in UTC."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A value that cannot be had; reading it, or anything of it, fails with `reason`, one sentence."""

    reason: str


def kind_of(value: object) -> str:
    """Return the kind of a value: null, boolean, number, text, moment, duration, list or map, else STRANGE."""
    found = _KINDS.get(type(value))
    if found is None:
        found = next((kind for family, kind in _FAMILIES if isinstance(value, family)), STRANGE)
    return found


def failed(message: str, suggested_action: str, *operands: object) -> EvaluationFailed:
    """Return the refusal; the kinds of the operands are in its data as `types`."""
    if not operands:
        return EvaluationFailed(message, suggested_action)
    return EvaluationFailed(message, suggested_action, types=[kind_of(operand) for operand in operands])


def present(value: object) -> object:
    """Return the value; EvaluationFailed with its reason where it is unavailable."""
    if type(value) is Unavailable:
        raise EvaluationFailed(value.reason, "wrap it in default(x, y) if it may be missing")
    return value


def member(holder: object, name: str) -> object:
    """Return the member of a map or model, ABSENT where there is none of that name.

    Keys win over everything; methods and private attributes are never reached.
    """
    if type(holder) is dict:
        return holder.get(name, ABSENT)
    if isinstance(holder, BaseModel):
        return _field(holder, name)
    if isinstance(holder, Mapping):
        try:
            return holder[name]
        except KeyError:
            return ABSENT
    return ABSENT


def _field(model: BaseModel, name: str) -> object:
    fields = type(model).__pydantic_fields__
    if name in fields:
        return getattr(model, name)
    return next((getattr(model, attribute) for attribute, info in fields.items() if info.alias == name), ABSENT)


def no_member(holder: object, name: str, written: str) -> EvaluationFailed:
    """Return the refusal of a member that is not there; `written` is the holder as the author wrote it."""
    if holder is None:
        return failed(f"{written} is null here, so it has no '{name}'", "write default(x, y) where it may be null")
    kind = kind_of(holder)
    if kind == "map":
        return failed(f"{written} has no '{name}'", "check the name, or write default(x, y) where it may be missing")
    if kind == "list":
        return failed(f"{written} is a list, so it has no '{name}'", "loop over it, or write [x.name for x in items]")
    return failed(f"{written} is a {kind}, so it has no '{name}'", "only maps have members")


def item(holder: object, key: object, written: str) -> object:
    """Return what stands in a list at a whole number (negative: from its end), or in a map at a text."""
    if isinstance(holder, list | tuple):
        return _placed(holder, key, written)
    if not isinstance(key, str):
        words = f"{written} is a {kind_of(holder)}, which has nothing at a {kind_of(key)}"
        raise failed(words, "write a['name'] for a map and a[0] for a list", holder, key)
    found = member(holder, key)
    if found is ABSENT:
        raise no_member(holder, key, written)
    return found


def _placed(holder: Sequence[object], key: object, written: str) -> object:
    if not isinstance(key, int) or isinstance(key, bool):
        words = f"{written} is a list: a place in it is a whole number, not a {kind_of(key)}"
        raise failed(words, "write a[0] for the first item", holder, key)
    try:
        return holder[key]
    except IndexError:
        words = f"{written} has {len(holder)} items, so there is none at [{key}]"
        raise failed(words, "check len(x) first, or write default(x, y)") from None


class Tally:
    """How many values were gone through: a list that holds another twice, and so on down, has no end to speak of."""

    def __init__(self, limit: int = MAX_PARTS) -> None:
        self.limit = limit
        self.counted = 0

    def count(self) -> None:
        """Count one; EvaluationFailed past the limit."""
        self.counted += 1
        if self.counted > self.limit:
            raise failed(f"a value of more than {self.limit:,} parts is too large to go through", "take a part of it")


def equal(one: object, other: object, tally: Tally | None = None) -> bool:
    """Tell whether two values are the same; of different kinds they never are: 1 is not true, '1' is not 1."""
    kind = kind_of(one)
    if kind != kind_of(other):
        return _same_moment(one, other)
    if kind in ("null", STRANGE):
        return one is other
    if kind in ("list", "map"):
        return one is other or _same_parts(one, other, tally or Tally(MAX_COMPARED))
    return moment(one) == moment(other) if kind == "moment" else bool(one == other)


def _same_moment(one: object, other: object) -> bool:
    if isinstance(one, date) and isinstance(other, str):
        return moment(one) == moment(other)
    return isinstance(other, date) and isinstance(one, str) and moment(one) == moment(other)


def _same_parts(one: object, other: object, tally: Tally) -> bool:
    tally.count()
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(_counted(tally, mine, theirs) for mine, theirs in pairs)
    mine, theirs = members(one), members(other)
    return mine.keys() == theirs.keys() and all(_counted(tally, value, theirs[key]) for key, value in mine.items())


def _counted(tally: Tally, one: object, other: object) -> bool:
    tally.count()
    return equal(one, other, tally)


def members(value: object) -> Mapping[str, object]:
    """Return the members of a map or model by their wire names; nothing of any other value."""
    if isinstance(value, BaseModel):
        fields = type(value).__pydantic_fields__
        return {info.alias or name: getattr(value, name) for name, info in fields.items()}
    return value if isinstance(value, Mapping) else {}


def in_order(one: object, other: object, test: Callable[[object, object], bool], sign: str) -> bool:
    """Return test(one, other) for values of one kind that has an order; false where either is null.

    A moment may be held against a text that is a date or an RFC 3339 time. Else EvaluationFailed, naming both kinds.
    """
    mine, theirs = kind_of(one), kind_of(other)
    if mine == theirs and mine in ("number", "text"):
        return test(one, other)
    if "null" in (mine, theirs):
        return False
    if {mine, theirs} in ({"moment"}, {"moment", "text"}):
        left, right = moment(one), moment(other)
        if left is not None and right is not None:
            return test(left, right)
        raise failed("a moment is held against a text that is no date", "write it such as '2026-04-16'", one, other)
    words = f"'{sign}' cannot hold a {mine} against a {theirs}" if mine != theirs else f"a {mine} has no order"
    raise failed(words, "compare two numbers, two texts or two moments", one, other)


def holds(container: object, wanted: object) -> bool:
    """Tell whether a list has the item, a text the piece or a map the key; null has nothing."""
    kind = kind_of(container)
    if isinstance(container, list | tuple):
        tally = Tally(MAX_COMPARED)
        return any(equal(present(one), wanted, tally) for one in container)
    if isinstance(container, str) and isinstance(wanted, str):
        return wanted in container
    if kind == "map":
        return isinstance(wanted, str) and wanted in members(container)
    if kind == "null" or (kind == "text" and wanted is None):
        return False
    raise failed(f"a {kind} cannot hold a {kind_of(wanted)}", "look in a list or a text", wanted, container)


def moment(value: object) -> datetime | None:
    """Return the point in time of a moment, a date (its midnight, UTC) or a text that is either; None for any other."""
    if isinstance(value, datetime):
        return as_utc(value)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    found = _MOMENT.fullmatch(value) if isinstance(value, str) else None
    return _read_moment(found) if found else None


def _read_moment(found: re.Match[str]) -> datetime | None:
    day, clock, fraction, zulu, zone = found.groups()
    text = day if clock is None else f"{day}T{clock}{(fraction or '')[:7]}{'+00:00' if zulu else zone or ''}"
    try:
        return as_utc(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return None


def bounded(value: object) -> object:
    """Return the value; EvaluationFailed where a text, a list or a number has grown past its limit."""
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise failed(f"the text would be longer than {MAX_TEXT:,} characters", "take less of it")
    if isinstance(value, list) and len(value) > MAX_ITEMS:
        raise failed(f"the list would have more than {MAX_ITEMS:,} items", "take fewer of them")
    if isinstance(value, int) and not -_LARGEST < value < _LARGEST:
        raise failed("the number is too large: whole numbers stay under 2 to the power of 63", "use smaller numbers")
    if isinstance(value, float) and not math.isfinite(value):
        raise failed("the number is too large", "use smaller numbers")
    return value


def text_of(value: object, tally: Tally | None = None) -> str:
    """Return the value as it reads inside a text: null is nothing, lists are joined by ", ", maps are compact JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    tally = tally or Tally()
    if isinstance(value, list | tuple):
        tally.count()
        return ", ".join(text_of(present(one), tally) for one in value)
    settled = plain(value, tally)
    if isinstance(settled, float):
        return _plain_number(settled)
    return settled if isinstance(settled, str) else json.dumps(settled, ensure_ascii=False, separators=(",", ":"))


def _plain_number(value: float) -> str:
    """Return 3 for 3.0 and 0.0000001 for 1e-07: a reader expects no exponents."""
    if value.is_integer() and abs(value) < _PLAIN_FLOAT:
        return str(int(value))
    return format(Decimal(repr(value)), "f")


def plain(value: object, tally: Tally | None = None) -> object:
    """Return the value as JSON knows it: models become maps, moments RFC 3339 in UTC, what is unavailable null."""
    kind = kind_of(value)
    if kind in ("list", "map"):
        return _plain_parts(value, tally or Tally())
    if kind == "moment":
        found = moment(value)
        return rfc3339(found) if found else None
    if isinstance(value, timedelta):
        return f"{int(value.total_seconds())}s"
    return None if kind == STRANGE else value


def _plain_parts(value: object, tally: Tally) -> object:
    tally.count()
    if isinstance(value, list | tuple):
        return [plain(one, tally) for one in value]
    return {str(key): plain(one, tally) for key, one in members(value).items()}
