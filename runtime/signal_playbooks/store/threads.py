"""A conversation in reading order: every answer under what it answers, older answers first."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from signal_playbooks.post import Post
from signal_playbooks.store.filing import source_id_of
from signal_playbooks.store.schema import ARCHIVE_POSTS
from signal_playbooks.store.searching import load_posts

_POST = ARCHIVE_POSTS.c


class Reply(NamedTuple):
    """A post of the conversation, as far as its place in it depends on it; `id` is its row number."""

    id: int
    native_id: str
    parent_id: str | None
    published_at: datetime | None


def read_thread(at: Connection, source: str, root_id: str, limit: int) -> tuple[list[Post], int]:
    """Return at most `limit` posts of the conversation in reading order, and how many were left out."""
    source_id = source_id_of(at, source)
    if source_id is None:
        return [], 0
    wanted = select(_POST.id, _POST.native_id, _POST.parent_id, _POST.published_at)
    rows = at.execute(wanted.where(_POST.source_id == source_id, _POST.root_id == root_id))
    ordered = reading_order([Reply(*row) for row in rows], root_id)
    shown = ordered[: max(limit, 0)]
    return load_posts(at, source, shown), len(ordered) - len(shown)


def reading_order(rows: Sequence[Reply], root_id: str) -> list[int]:
    """Return the row numbers in reading order: the root's branch first, then those whose parent is missing; each once,
    also where posts answer each other in a circle."""
    ids = {row.native_id for row in rows}
    answers: dict[str | None, list[Reply]] = {}
    for row in sorted(rows, key=_age):
        parent = row.parent_id if row.parent_id in ids and row.native_id != root_id else None
        answers.setdefault(parent, []).append(row)
    tops = sorted(answers.get(None, []), key=lambda row: row.native_id != root_id)
    ordered: dict[int, None] = {}
    for row in [*tops, *sorted(rows, key=_age)]:
        _walk(row, answers, ordered)
    return list(ordered)


def _walk(top: Reply, answers: dict[str | None, list[Reply]], ordered: dict[int, None]) -> None:
    waiting = [top]
    while waiting:
        row = waiting.pop()
        if row.id not in ordered:
            ordered[row.id] = None
            waiting.extend(reversed(answers.get(row.native_id, ())))


def _age(row: Reply) -> tuple[bool, datetime | int, int]:
    # Undated ones after dated ones; in the order they came where nothing else tells them apart.
    return (row.published_at is None, row.published_at or 0, row.id)
