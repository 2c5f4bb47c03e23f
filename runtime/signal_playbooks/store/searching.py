"""Searching one source's posts: the index says which and how well, the posts' own columns say when."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, column, literal_column, or_, select, table

from signal_playbooks.post import Post
from signal_playbooks.query import Query
from signal_playbooks.store.columns import as_post
from signal_playbooks.store.filing import source_id_of
from signal_playbooks.store.fulltext import unwanted, wanted
from signal_playbooks.store.parts import parts
from signal_playbooks.store.schema import ARCHIVE_POSTS, ARCHIVE_SOURCES, FULL_TEXT

_POST = ARCHIVE_POSTS.c
_INDEX = table(FULL_TEXT, column("rowid"))
_HAS_WORDS = literal_column(FULL_TEXT).op("MATCH")(bindparam("words"))
# The source's mark weighs nothing; a word in a title weighs as much as two in a body. The lower, the better.
_FIT: ColumnElement[float] = literal_column(f"bm25({FULL_TEXT}, 0.0, 2.0, 1.0)")


def search(
    at: Connection, source: str, query: Query, *, since: datetime | None, until: datetime | None, limit: int
) -> list[Post]:
    """Return the posts of the source that fit; see `Archive.search`."""
    source_id = source_id_of(at, source)
    if source_id is None or limit < 1:
        return []
    expression = wanted(query, source_id)
    words = unwanted(query) if expression is None else expression
    chosen = _newest(words is not None) if expression is None else _best()
    chosen = _within(chosen.where(_POST.source_id == bindparam("of_source")), since, until).limit(limit)
    found = at.execute(chosen, {"of_source": source_id} | ({} if words is None else {"words": words}))
    return load_posts(at, source, list(found.scalars()))


def posts_of(source: str) -> Select[Any]:
    """Return the selection of a source's posts."""
    numbers = select(ARCHIVE_SOURCES.c.id).where(ARCHIVE_SOURCES.c.source == source)
    return select(ARCHIVE_POSTS).where(_POST.source_id == numbers.scalar_subquery())


def load_posts(at: Connection, source: str, ids: Sequence[int]) -> list[Post]:
    """Return a source's posts by their row numbers, in that order."""
    found: dict[int, Post] = {}
    for part in parts(ids):
        rows = at.execute(select(ARCHIVE_POSTS).where(_POST.id.in_(part)))
        found.update({row.id: as_post(row, source) for row in rows})
    return [found[each] for each in ids]


def _best() -> Select[Any]:
    chosen = select(_POST.id).select_from(_INDEX.join(ARCHIVE_POSTS, _INDEX.c.rowid == _POST.id)).where(_HAS_WORDS)
    return chosen.order_by(_FIT, _POST.published_at.desc(), _POST.id.desc())


def _newest(without: bool) -> Select[Any]:
    chosen = select(_POST.id).order_by(_POST.published_at.desc(), _POST.id.desc())
    return chosen.where(_POST.id.not_in(select(_INDEX.c.rowid).where(_HAS_WORDS))) if without else chosen


def _within(chosen: Select[Any], since: datetime | None, until: datetime | None) -> Select[Any]:
    when = _POST.published_at
    if since is not None:
        return chosen.where(when >= since if until is None else and_(when >= since, when <= until))
    return chosen if until is None else chosen.where(or_(when.is_(None), when <= until))
