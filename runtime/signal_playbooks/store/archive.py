"""The archive: posts that can be searched here, by source, with their conversations and authors."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select

from signal_playbooks.post import Post
from signal_playbooks.query import Query
from signal_playbooks.store.columns import as_post
from signal_playbooks.store.filing import Added, Filed, add, forget, prepared, stamp
from signal_playbooks.store.reader import Reader
from signal_playbooks.store.schema import ARCHIVE_POSTS, ARCHIVE_SOURCES
from signal_playbooks.store.searching import posts_of, search
from signal_playbooks.store.threads import read_thread
from signal_playbooks.store.writer import Writer

_POST = ARCHIVE_POSTS.c
_SOURCE = ARCHIVE_SOURCES.c


class Archive:
    """Every method raises StoreUnavailable."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    async def add(self, posts: Sequence[Post]) -> Added:
        """File the posts under their sources and return how many were new, changed and the same as before.

        A post without a root gets that of its parent, also when the parent comes later.
        """
        filed = await _prepared(posts)
        return await self._writer.write(lambda at: add(at, filed)) if filed else Added()

    async def replace(self, source: str, posts: Sequence[Post], fingerprint: str, at: datetime) -> Added:
        """Make these the source's posts, and stamp it, all in one transaction."""
        filed = await _prepared(posts)

        def work(to: Connection) -> Added:
            forget(to, source, keeping={each.native_id for each in filed if each.source == source})
            added = add(to, filed)
            stamp(to, source, fingerprint, at)
            return added

        return await self._writer.write(work)

    async def forget(self, source: str, native_ids: Iterable[str] | None = None) -> int:
        """Delete these posts of the source (all of them, and its stamp, with None) and return how many there were."""
        ids = None if native_ids is None else list(native_ids)
        return await self._writer.write(lambda at: forget(at, source, ids))

    async def search(
        self, source: str, query: Query, *, since: datetime | None, until: datetime | None = None, limit: int
    ) -> list[Post]:
        """Return the posts that fit, best first (newest first where the query has no word of what is wanted).

        `since` and `until` are inclusive; posts without a date are kept only where `since` is None.
        """
        return await self._reader.scan(lambda at: search(at, source, query, since=since, until=until, limit=limit))

    async def thread(self, source: str, root_id: str, limit: int) -> tuple[list[Post], int]:
        """Return the conversation in reading order, at most `limit` posts, and how many were left out."""
        return await self._reader.scan(lambda at: read_thread(at, source, root_id, limit))

    async def by_author(self, source: str, handle: str | None, limit: int) -> list[Post]:
        """Return the author's newest posts, undated ones last; none for a deleted author."""
        if handle is None:
            return []
        wanted = posts_of(source).where(_POST.author == handle)
        newest = wanted.order_by(_POST.published_at.desc(), _POST.id.desc()).limit(limit)
        rows = await self._reader.scan(lambda at: at.execute(newest).all())
        return [as_post(row, source) for row in rows]

    async def get(self, source: str, native_id: str) -> Post | None:
        """Return the post, None where it is not in the archive."""
        wanted = posts_of(source).where(_POST.native_id == native_id)
        row = self._reader.point(lambda at: at.execute(wanted).one_or_none())
        return None if row is None else as_post(row, source)

    async def count(self, source: str) -> int:
        """Return how many posts the source has here."""
        of_source = _POST.source_id == select(_SOURCE.id).where(_SOURCE.source == source).scalar_subquery()
        wanted = select(func.count()).select_from(ARCHIVE_POSTS).where(of_source)
        return await self._reader.scan(lambda at: int(at.execute(wanted).scalar() or 0))

    async def sources(self) -> list[str]:
        """Return the sources that have a post here, by name."""
        has_post = select(_POST.id).where(_POST.source_id == _SOURCE.id).exists()
        wanted = select(_SOURCE.source).where(has_post).order_by(_SOURCE.source)
        return await self._reader.scan(lambda at: list(at.execute(wanted).scalars()))

    async def stamp(self, source: str) -> tuple[str, datetime] | None:
        """Return the fingerprint of what the source was filled from, and when; None where it was not stamped."""
        wanted = select(_SOURCE.fingerprint, _SOURCE.stamped_at).where(_SOURCE.source == source)
        row = self._reader.point(lambda at: at.execute(wanted).one_or_none())
        return None if row is None or row.fingerprint is None else (row.fingerprint, row.stamped_at)

    async def set_stamp(self, source: str, fingerprint: str, at: datetime) -> None:
        """Note what the source was filled from, and when."""
        await self._writer.write(lambda to: stamp(to, source, fingerprint, at))


async def _prepared(posts: Sequence[Post]) -> list[Filed]:
    # Folding a thousand posts takes a while, which neither the event loop nor the others' writes should wait for.
    return await asyncio.to_thread(prepared, posts) if posts else []
