"""What each function of the expression language does with its values; the table that names them is in functions."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any

from signal_playbooks.content.values import (
    ABSENT,
    MAX_TEXT,
    Tally,
    bounded,
    failed,
    holds,
    in_order,
    kind_of,
    member,
    members,
    moment,
    no_member,
    plain,
    present,
    text_of,
)
from signal_playbooks.errors import EvaluationFailed

_MAX_DAYS = 36_500
_MAX_DIGITS = 12
_MAX_PATTERN = 1_000


def length(value: object) -> int:
    """Return the number of characters, items or members."""
    if isinstance(value, str | list | tuple | dict):
        return len(value)
    if kind_of(value) == "map":
        return len(members(value))
    raise _unfit("len", "a text, a list or a map", value)


def any_of(values: object) -> bool:
    """Return whether one of the booleans is true; false for an empty list."""
    return any(_boolean("any", value) for value in _items("any", values))


def all_of(values: object) -> bool:
    """Return whether every one of the booleans is true; true for an empty list."""
    return all(_boolean("all", value) for value in _items("all", values))


def least(*values: object) -> object:
    """Return the smallest of the values, or of the one list; null is left out, and all there is of nothing."""
    return _extreme("min", values, lambda one, best: one < best)


def greatest(*values: object) -> object:
    """Return the largest of the values, or of the one list; null is left out, and all there is of nothing."""
    return _extreme("max", values, lambda one, best: one > best)


def total(values: object) -> object:
    """Return the sum of the numbers; null is left out, and the sum of nothing is 0."""
    found: int | float = 0
    for value in _items("sum", values):
        if value is not None:
            found += _number("sum", value)
    return bounded(found)


def rounded(number: object, digits: object = 0) -> int | float:
    """Return the number to so many digits after the point, halves away from zero; whole where there are none."""
    places = _whole("round", digits, 0, _MAX_DIGITS)
    value = Decimal(repr(bounded(_number("round", number))))
    if value.adjusted() > _MAX_DIGITS:
        return int(value) if places == 0 else float(value)
    settled = value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return int(settled) if places == 0 else float(settled)


def lower(text: object) -> str | None:
    """Return the text in small letters; null stays null."""
    return None if text is None else _text("lower", text).lower()


def upper(text: object) -> str | None:
    """Return the text in capitals; null stays null."""
    return None if text is None else _text("upper", text).upper()


def trim(text: object) -> str | None:
    """Return the text without blanks at its ends; null stays null."""
    return None if text is None else _text("trim", text).strip()


def contains(container: object, wanted: object) -> bool:
    """Return whether the text has the piece, or the list the item; false for null."""
    return holds(container, wanted)


def matches(text: object, pattern: object) -> bool:
    """Return whether the RE2 pattern is found somewhere in the text; false for null."""
    found = compiled(_text("matches", pattern))
    return False if text is None else found.search(_text("matches", text)) is not None


def starts_with(text: object, beginning: object) -> bool:
    """Return whether the text begins so; false for null."""
    return False if text is None else _text("starts_with", text).startswith(_text("starts_with", beginning))


def joined(values: object, separator: object = ", ") -> str:
    """Return the items as one text, the separator between them; null items are left out."""
    between = _text("join", separator)
    tally = Tally()
    pieces = [text_of(value, tally) for value in _items("join", values) if value is not None]
    if sum(map(len, pieces)) + len(between) * len(pieces) > MAX_TEXT + len(between):
        raise failed(f"the text would be longer than {MAX_TEXT:,} characters", "take less of it")
    return between.join(pieces)


def unique(values: object, key: object = None) -> list[object]:
    """Return the items without those whose key stood before, in their order."""
    found: dict[tuple[str, object], object] = {}
    for value in _items("unique", values):
        found.setdefault(_identity(_along("unique", value, key)), value)
    return list(found.values())


def ascending(values: object, key: object = None) -> list[object]:
    """Return the items by their key, lowest first; equal ones stay in order, null comes last."""
    return _arranged("sorted", values, key, is_descending=False)


def top(values: object, count: object, key: object = None) -> list[object]:
    """Return so many items with the highest key, highest first; equal ones stay in order, null comes last."""
    limit = _whole("top", count, 0, 2**63 - 1)
    return _arranged("top", values, key, is_descending=True)[:limit]


def default(value: Callable[[], object], instead: Callable[[], object]) -> object:
    """Return the value, or the other one where it is null or cannot be had."""
    try:
        found = value()
    except EvaluationFailed:
        found = None
    return instead() if found is None else found


def now(moment_now: datetime) -> datetime:
    """Return the moment of the evaluation."""
    return moment_now


def days_ago(moment_now: datetime, days: object) -> datetime:
    """Return the moment so many days before the evaluation."""
    return _ago("days_ago", moment_now, days, 1)


def hours_ago(moment_now: datetime, hours: object) -> datetime:
    """Return the moment so many hours before the evaluation."""
    return _ago("hours_ago", moment_now, hours, 24)


@lru_cache(maxsize=128)  # a pure function of the pattern; compiling takes a hundred times longer than searching
def compiled(pattern: str) -> Any:
    """Return the RE2 pattern, ready to search; EvaluationFailed where it is none."""
    import re2  # noqa: PLC0415  # for start-up time: most files have no pattern

    if len(pattern) > _MAX_PATTERN:
        raise failed(f"a pattern has at most {_MAX_PATTERN:,} characters", "search for less at once")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if isinstance(error, re2.error) else "it has half a character in it"
        words = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise failed(f"the pattern is no RE2 pattern: {words}", "see github.com/google/re2/wiki/Syntax") from None


def _arranged(name: str, values: object, key: object, is_descending: bool) -> list[object]:
    keyed = [(_sortable(name, _along(name, value, key)), value) for value in _items(name, values)]
    kinds = {kind_of(mark) for mark, _ in keyed if mark is not None}
    if len(kinds) > 1:
        one, other = sorted(kinds)[:2]
        words = f"{name}() cannot put a {one} and a {other} in one order"
        raise EvaluationFailed(words, "sort by a key that is always of one kind", types=[one, other])
    ranked: list[tuple[Any, object]] = [pair for pair in keyed if pair[0] is not None]
    ranked.sort(key=lambda pair: pair[0], reverse=is_descending)
    return [value for _, value in ranked] + [value for mark, value in keyed if mark is None]


def _sortable(name: str, mark: object) -> object:
    kind = kind_of(mark)
    if kind == "moment":
        return moment(mark)
    if kind in ("null", "number", "text", "boolean"):
        return mark
    raise failed(f"{name}() cannot order by a {kind}", "name a number, a text or a moment in its key", mark)


def _identity(mark: object) -> tuple[str, object]:
    kind = kind_of(mark)
    if kind == "moment":
        return kind, moment(mark)
    if kind in ("list", "map"):
        return kind, json.dumps(plain(mark), sort_keys=True)
    return kind, mark


def _along(name: str, value: object, key: object) -> object:
    """Return what stands at the end of a dotted path in the value; null where the way there ends in null."""
    if key is None:
        return value
    written = "the item"
    for part in _text(name, key).split("."):
        if value is None:
            return None
        found = member(value, part)
        if found is ABSENT:
            raise no_member(value, part, written)
        value = present(found)
        written = f"its '{part}'"
    return value


def _extreme(name: str, values: Sequence[object], is_better: Callable[[Any, Any], bool]) -> object:
    best: object = None
    for value in _items(name, values[0]) if len(values) == 1 else values:
        if value is None:
            continue
        if kind_of(value) not in ("number", "text", "moment"):
            raise _unfit(name, "numbers, texts or moments", value)
        if best is None or in_order(value, best, is_better, name):
            best = value
    return best


def _ago(name: str, moment_now: datetime, count: object, parts_of_day: int) -> datetime:
    days = _number(name, count) / parts_of_day
    if abs(days) > _MAX_DAYS:
        raise failed(f"{name}() reaches at most {_MAX_DAYS:,} days", "use a smaller number")
    return moment_now - timedelta(days=days)


def _items(name: str, value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise _unfit(name, "a list", value)
    return [present(one) for one in value]


def _boolean(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _unfit(name, "booleans", value)
    return value


def _number(name: str, value: object) -> int | float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _unfit(name, "a number", value)
    return value


def _whole(name: str, value: object, low: int, high: int) -> int:
    bound = f"from {low} to {high}" if high < 2**32 else f"of {low} or more"
    if not isinstance(value, int) or isinstance(value, bool):
        raise _unfit(name, f"a whole number {bound}", value)
    if not low <= value <= high:
        raise failed(f"{name}() takes a whole number {bound}, and was given {value}", "check what it is given")
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _unfit(name, "a text", value)
    return value


def _unfit(name: str, wanted: str, value: object) -> EvaluationFailed:
    if value is None:
        return failed(f"{name}() takes {wanted}, and was given null", "write default(x, y) where it may be null", value)
    return failed(f"{name}() takes {wanted}, and was given a {kind_of(value)}", "check what it is given", value)
