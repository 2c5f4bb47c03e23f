"""What was read around signals: conversations and authors' histories, as the source last gave them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, select, update
from sqlalchemy.dialects.sqlite import insert

from signal_playbooks.post import Post
from signal_playbooks.store.columns import posts_from_json, posts_to_json, storable
from signal_playbooks.store.reader import Reader
from signal_playbooks.store.schema import AUTHORS, THREADS
from signal_playbooks.store.writer import Writer


class Contexts:
    """Threads by signal, histories by author. Every method raises StoreUnavailable."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def keep_thread(self, signal_id: str, posts: Sequence[Post], more: int, at: datetime) -> None:
        """Keep a signal's conversation as read at that moment, `more` posts left out, in place of an earlier one."""
        row = {"signal_id": signal_id, "at": at, "more": more, "posts": posts_to_json(posts)}
        await self._writer.write(lambda to: _put(to, THREADS, row))

    async def thread(self, signal_id: str) -> tuple[tuple[Post, ...], int, datetime] | None:
        """Return the conversation kept, how many posts were left out, and when it was read; None where none is kept."""
        wanted = select(THREADS).where(THREADS.c.signal_id == signal_id)
        row = self._reader.point(lambda at: at.execute(wanted).one_or_none())
        return None if row is None else (posts_from_json(row.posts), row.more, row.at)

    async def keep_author(self, source: str, handle: str, posts: Sequence[Post], at: datetime) -> None:
        """Keep an author's history as read at that moment, in place of an earlier one."""
        row = {"source": source, "handle": handle, "at": at, "posts": posts_to_json(posts)}
        await self._writer.write(lambda to: _put(to, AUTHORS, row))

    async def author(self, source: str, handle: str) -> tuple[tuple[Post, ...], datetime] | None:
        """Return the history kept and when it was read, None where none is kept."""
        wanted = select(AUTHORS).where(AUTHORS.c.source == source, AUTHORS.c.handle == handle)
        row = self._reader.point(lambda at: at.execute(wanted).one_or_none())
        return None if row is None else (posts_from_json(row.posts), row.at)

    @staticmethod
    def forget(at: Connection, posts: Sequence[Post]) -> None:
        """Take these posts out of their authors' histories, within a write."""
        for post in posts:
            if post.author is None:
                continue
            here = (AUTHORS.c.source == post.source) & (AUTHORS.c.handle == storable(post.author))
            kept = at.execute(select(AUTHORS.c.posts).where(here)).scalar()
            if kept:
                rest = [row for row in kept if storable(row["native_id"]) != post.native_id]
                at.execute(update(AUTHORS).where(here).values(posts=rest))


def _put(at: Connection, table: Table, row: dict[str, Any]) -> None:
    statement = insert(table).values(**row)
    keys = [column.name for column in table.primary_key]
    newest = {name: statement.excluded[name] for name in row if name not in keys}
    at.execute(statement.on_conflict_do_update(index_elements=keys, set_=newest))
