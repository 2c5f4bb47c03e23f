"""Posts in JSON Lines: the shape of one line, checked, and a reader that streams a file of them.

id            text, required: what the post is called at its place (a whole number is taken as its digits)
url           text, required: where a person can read it, http or https
link          the address it is about, http or https; leave out where the post is its own subject
title, body   plain text; one of them is required
author        the handle; null where deleted
author_karma, score, comments    whole numbers; leave out what the place does not say
published_at  RFC 3339 (no zone: UTC) or RFC 822
age           instead of published_at, for samples: 20m, 3h, 5d before now
language      BCP 47, such as en or pt-BR
place         where within the source, such as a community's name
parent_id     the id of the post that it answers
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from signal_playbooks.post import Post
from signal_playbooks.sources.dates import read_age, read_date
from signal_playbooks.suggestion import nearest
from signal_playbooks.text import clean, visible

LONGEST_LINE = 1_000_000  # bytes; a longer line is no post, and is never held in memory whole
_LONGEST_ADDRESS = 4_000
_LARGEST = 2**53
_FUTURE = timedelta(days=1)  # clocks differ; a post from next week is a mistake that would never go stale
_NOBODY = frozenset({"", "[deleted]", "[removed]"})
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}")


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no post: its number, counted from 1, and a sentence that says why."""

    number: int
    sentence: str


class _Misfit(Exception):
    """Why a line is no post."""


def read_line(text: str, number: int, source: str, now: datetime) -> Post | BadLine:
    """Return the post that one line of JSON describes, or what is wrong with the line; never raises.

    `now` is what an `age` counts back from. Characters that no text may hold (NUL, lone surrogates) are removed.
    """
    if len(text) > LONGEST_LINE:
        return BadLine(number, f"The line is longer than {LONGEST_LINE:,} bytes.")
    try:
        return _post(_fields(text.lstrip("\ufeff").strip()), source, now)
    except _Misfit as misfit:
        return BadLine(number, str(misfit))


def read_posts(path: Path, source: str, now: datetime) -> Iterator[Post | BadLine]:
    """Yield each line of a file as a post or a bad line, holding one line at a time; blank lines are passed over.

    Raises OSError where the file cannot be read.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                _skip_rest(file.readline)
            if line.strip():
                yield _read_bytes(line, number, source, now)


def _read_bytes(line: bytes, number: int, source: str, now: datetime) -> Post | BadLine:
    if len(line) > LONGEST_LINE:
        return BadLine(number, f"The line is longer than {LONGEST_LINE:,} bytes.")
    try:
        return read_line(line.decode("utf-8"), number, source, now)
    except UnicodeDecodeError as error:
        return BadLine(number, f"The line is not UTF-8 (byte {error.start + 1}); save the file as UTF-8.")


def _skip_rest(readline: Callable[[int], bytes]) -> None:
    while (piece := readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
        pass


def _fields(text: str) -> Mapping[str, Any]:
    try:
        value = _JSON.decode(text)
    except RecursionError:
        raise _Misfit("The line is nested too deeply.") from None
    except ValueError as error:
        where = f" at column {error.colno}: {error.msg.lower()}" if isinstance(error, json.JSONDecodeError) else ""
        raise _Misfit(f"The line is not JSON{where}.") from None
    if not isinstance(value, dict):
        raise _Misfit("The line is not a JSON object, { … }.")
    if unknown := value.keys() - _READERS.keys():
        raise _Misfit(_unknown(min(unknown)))
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _Misfit("The line gives one field twice.")
    return value


def _no_constant(word: str) -> None:
    raise _Misfit(f"{word} is no number that JSON knows.")


# Made once: json.loads with hooks makes one for every line.
_JSON = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


def _unknown(key: str) -> str:
    near = nearest(key[:80], _READERS)
    hint = f"did you mean {near}?" if near else f"known are {', '.join(_READERS)}."
    return f"There is no field {key[:40]!a}; {hint}"


def _post(given: Mapping[str, Any], source: str, now: datetime) -> Post:
    read = {name: reader(name, given.get(name)) for name, reader in _READERS.items()}
    for name in ("id", "url"):
        if read[name] is None:
            raise _Misfit(f"{name} is missing.")
    title, body = " ".join((read.pop("title") or "").split()), (read.pop("body") or "").strip()
    if not title and not body:
        raise _Misfit("Both title and body are empty; a post needs one of them.")
    age, published = read.pop("age"), read.pop("published_at")
    return Post(
        source=source,
        native_id=read.pop("id"),
        published_at=_published(age, published, now),
        title=title,
        body=body,
        **read,
    )


def _published(age: str | None, published: datetime | None, now: datetime) -> datetime | None:
    if age is None:
        if published is not None and published > now + _FUTURE:
            raise _Misfit("published_at lies in the future.")
        return published
    if published is not None:
        raise _Misfit("Give published_at or age, not both.")
    moment = read_age(age, now)
    if moment is None:
        raise _Misfit(f"age {age[:40]!a} is no age; write a whole number and m, h or d, such as 3h.")
    return moment


# --- one reader a field: the value, or None where the line does not say -----------------------------------------------


def _text(name: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise _Misfit(f"{name} must be text, not {_kind(value)}.")
    return clean(value)


def _word(name: str, value: object) -> str | None:
    text = _text(name, value)
    if text is None:
        return None
    text = " ".join(text.split())
    if len(text) > 200:
        raise _Misfit(f"{name} is longer than 200 characters.")
    return text or None


def _identity(name: str, value: object) -> str | None:
    return _word(name, str(value) if type(value) is int and abs(value) < _LARGEST else value)


def _author(name: str, value: object) -> str | None:
    handle = _word(name, value)
    return None if handle is None or handle.casefold() in _NOBODY else handle


def _address(name: str, value: object) -> str | None:
    text = _text(name, value)
    if text is None:
        return None
    text = text.strip()
    try:
        parts = urlsplit(text)
        sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None
        sound = sound and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    sound = sound and visible(text) == text  # an address that reads backwards is there to deceive
    if not sound or len(text) > _LONGEST_ADDRESS or re.search(r"[\s<>\"\\^`{}|]", text):
        raise _Misfit(f"{name} {text[:60]!a} is no http or https address.")
    return text


def _number(name: str, value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Misfit(f"{name} must be a whole number, not {_kind(value)}.")
    if abs(value) >= _LARGEST:
        raise _Misfit(f"{name} is too large a number.")
    return value


def _count(name: str, value: object) -> int | None:
    number = _number(name, value)
    if number is not None and number < 0:
        raise _Misfit(f"{name} must not be negative.")
    return number


def _date(name: str, value: object) -> datetime | None:
    text = _text(name, value)
    if text is None:
        return None
    moment = read_date(text)
    if moment is None:
        raise _Misfit(f"{name} {text[:40]!a} is no date; write RFC 3339, such as 2026-04-16T18:42:11Z.")
    return moment


def _language(name: str, value: object) -> str | None:
    text = _word(name, value)
    if text is not None and not _LANGUAGE.fullmatch(text):
        raise _Misfit(f"{name} {text[:40]!a} is no language tag; write one such as en or pt-BR.")
    return text


def _kind(value: object) -> str:
    if isinstance(value, str):
        return f"the text {value[:40]!a}"
    if isinstance(value, bool):
        return "true or false"
    return {dict: "an object", list: "a list", float: "a fraction"}.get(type(value), "a number")


_READERS: Mapping[str, Callable[[str, object], Any]] = {
    "id": _identity,
    "url": _address,
    "link": _address,
    "title": _text,
    "body": _text,
    "author": _author,
    "author_karma": _number,
    "score": _number,
    "comments": _count,
    "published_at": _date,
    "age": _word,
    "language": _language,
    "place": _word,
    "parent_id": _identity,
}
