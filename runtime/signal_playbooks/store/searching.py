"""Searching one source's posts: the index says which and how well, the posts' own columns say when."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, literal_column, or_, select, text

from signal_playbooks.post import Post
from signal_playbooks.query import Query
from signal_playbooks.store.columns import as_post
from signal_playbooks.store.filing import source_id_of
from signal_playbooks.store.fulltext import unwanted, wanted
from signal_playbooks.store.parts import parts
from signal_playbooks.store.schema import ARCHIVE_POSTS, FULL_TEXT

_POST = ARCHIVE_POSTS.c
_MATCH = text(f"{FULL_TEXT} MATCH :words")
# The source's mark weighs nothing; a word in a title weighs as much as two in a body.
_BEST = literal_column(f"bm25({FULL_TEXT}, 0.0, 2.0, 1.0)")


def search(
    at: Connection, source: str, query: Query, since: datetime | None, until: datetime | None, limit: int
) -> list[Post]:
    """Return the posts of the source that fit; see `Archive.search`."""
    source_id = source_id_of(at, source)
    if source_id is None or limit < 1:
        return []
    words = wanted(query, source_id)
    chosen = _newest(query, source_id) if words is None else _best(words, source_id)
    ids = list(at.execute(_within(chosen, since, until).limit(limit)).scalars())
    return _in_order(at, source, ids)


def _best(words: str, source_id: int) -> Select[Any]:
    indexed = text(FULL_TEXT)
    joined = select(_POST.id).select_from(ARCHIVE_POSTS).join(indexed, literal_column(f"{FULL_TEXT}.rowid") == _POST.id)
    fitting = joined.where(_MATCH.bindparams(bindparam("words", words)), _POST.source_id == source_id)
    return fitting.order_by(_BEST, _POST.published_at.desc(), _POST.id.desc())


def _newest(query: Query, source_id: int) -> Select[Any]:
    chosen = select(_POST.id).where(_POST.source_id == source_id)
    if excluded := unwanted(query):
        having = text(f"SELECT rowid FROM {FULL_TEXT} WHERE {FULL_TEXT} MATCH :words")  # noqa: S608  (a name of our own)
        chosen = chosen.where(_POST.id.not_in(having.bindparams(words=excluded).columns(_POST.id).subquery()))
    return chosen.order_by(_POST.published_at.desc(), _POST.id.desc())


def _within(chosen: Select[Any], since: datetime | None, until: datetime | None) -> Select[Any]:
    when = _POST.published_at
    if since is not None:
        chosen = chosen.where(when >= since if until is None else and_(when >= since, when <= until))
    elif until is not None:
        chosen = chosen.where(or_(when.is_(None), when <= until))
    return chosen


def _in_order(at: Connection, source: str, ids: Sequence[int]) -> list[Post]:
    return [post for _, post in load(at, source, ids)]


def load(at: Connection, source: str, ids: Sequence[int]) -> list[tuple[int, Post]]:
    """Return the posts of these row numbers, in their order."""
    from signal_playbooks.store.archived import SELECTED
