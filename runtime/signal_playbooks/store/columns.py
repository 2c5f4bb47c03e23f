"""How values stand in columns: moments as microseconds, any text as valid UTF-8, whole numbers in range, JSON."""

import json
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Column, Dialect, Row, Text
from sqlalchemy.types import TypeDecorator

from signal_playbooks.contract.model import as_utc
from signal_playbooks.post import Post
from signal_playbooks.text import clean

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LARGEST = 2**63 - 1
POST_FIELDS = tuple(field.name for field in fields(Post))


class Instant(TypeDecorator[datetime]):
    """An aware moment in UTC, kept to the microsecond as a number, so that it sorts and compares quickly."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Return microseconds since 1970; a moment without a zone is taken as UTC."""
        return None if value is None else (as_utc(value) - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """Return the moment, in UTC."""
        return None if value is None else _EPOCH + timedelta(microseconds=value)


class PlainText(TypeDecorator[str]):
    """Text from anywhere: half a surrogate pair, which SQLite cannot bind, is replaced instead of failing the write."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text, cleaned only where it is no valid UTF-8."""
        return None if value is None else storable(value)


class Whole(TypeDecorator[int]):
    """A count a stranger wrote: held within 64 bits, because a larger one would fail the whole batch."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        """Return the number within the column's range."""
        return None if value is None else max(-_LARGEST, min(_LARGEST, value))


class Json(TypeDecorator[Any]):
    """A JSON value; None is NULL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any | None, dialect: Dialect) -> str | None:
        """Return the JSON text, in ASCII so that any text inside survives."""
        return None if value is None else json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: Any | None, dialect: Dialect) -> Any:
        """Return the value."""
        return None if value is None else json.loads(value)


def storable(text: str) -> str:
    """Return the text as it is kept: itself, or, where it is no valid UTF-8, cleaned."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return clean(text)
    return text


def post_columns() -> list[Column[Any]]:
    """Return fresh columns for a Post's fields, the small ones first (SQLite reads a row from its beginning)."""
    return [
        Column("native_id", PlainText, nullable=False),
        Column("published_at", Instant),
        Column("score", Whole),
        Column("comments", Whole),
        Column("author_karma", Whole),
        Column("author", PlainText),
        Column("parent_id", PlainText),
        Column("root_id", PlainText),
        Column("language", PlainText),
        Column("place", PlainText),
        Column("url", PlainText, nullable=False),
        Column("link", PlainText),
        Column("title", PlainText, nullable=False),
        Column("body", PlainText, nullable=False),
    ]


def as_post(row: Row[Any], source: str | None = None) -> Post:
    """Return the post of a row that has a column for each of its fields (but for `source`, where that is given)."""
    mapping = row._mapping
    values = {name: mapping[name] for name in POST_FIELDS if name != "source"}
    return Post(source=mapping["source"] if source is None else source, **values)


def as_values(post: Post) -> dict[str, Any]:
    """Return a post's fields by column name."""
    return {name: getattr(post, name) for name in POST_FIELDS}


def posts_to_json(posts: Iterable[Post]) -> list[dict[str, Any]]:
    """Return posts as JSON values, their moments in microseconds."""
    rows = [as_values(post) for post in posts]
    for row in rows:
        if (at := row["published_at"]) is not None:
            row["published_at"] = (as_utc(at) - _EPOCH) // _MICROSECOND
    return rows


def posts_from_json(rows: list[dict[str, Any]]) -> tuple[Post, ...]:
    """Return the posts that `posts_to_json` made these values of."""
    return tuple(Post(**row | {"published_at": _moment(row["published_at"])}) for row in rows)


def _moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else _EPOCH + timedelta(microseconds=microseconds)
