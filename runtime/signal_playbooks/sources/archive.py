"""The archive connector: posts that are kept here, filled by `signal import` or from a folder of JSON Lines."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from signal_playbooks.clock import Clock
from signal_playbooks.content.source import SourceEntry
from signal_playbooks.post import Post
from signal_playbooks.query import Query
from signal_playbooks.sources.posts import BadLine, read_posts
from signal_playbooks.sources.protocol import Condition, Conversation, Existence, Page
from signal_playbooks.store.archive import Archive

_SHAPE = b"posts 1\n"  # part of every fingerprint: a release that reads lines otherwise fills the archive again
_NO_SHIFT = timedelta(0)


@dataclass(frozen=True, slots=True)
class _Filled:
    """What the archive was last filled from: the folder's files as they stood, when, and what could not be read."""

    standing: tuple[tuple[str, int, int], ...]
    at: datetime
    bad: str | None = None


class ArchiveSource:
    """A source over kept posts. One with a folder fills itself from it whenever the folder's content has changed.

    Where ages are relative, every post is shown as old as its line says, however long ago the archive was filled.
    """

    def __init__(self, entry: SourceEntry, archive: Archive, folder: Path | None, clock: Clock) -> None:
        self._id = entry.id
        self._relative = entry.options.ages == "relative"
        self._archive = archive
        self._folder = folder
        self._clock = clock
        self._filled: _Filled | None = None
        self._filling = asyncio.Lock()

    @property
    def id(self) -> str:
        """Return its catalog id."""
        return self._id

    async def condition(self) -> Condition:
        """Return whether there is anything in it, or a folder that fills it."""
        if self._folder is not None or await self._archive.count(self._id):
            return Condition("ready")
        return Condition("empty", f"nothing imported yet: signal import posts.jsonl --source {self._id}")

    async def search(self, query: Query, *, since: datetime | None, limit: int) -> AsyncIterator[Page]:
        """Yield one page: the posts that hold the words, best first; a note where nothing is kept here at all."""
        shift = await self._ready()
        found = await self._archive.search(self._id, query, since=since and since - shift, limit=limit + 1)
        note, action = (self._filled.bad if self._filled else None), None
        if not found and not await self._archive.count(self._id):
            note, action = self._empty(note)
        elif len(found) > limit:
            note = f"More than {limit} posts hold these words; the best {limit} were read."
        yield Page(self._shown(found[:limit], shift), partial=len(found) > limit, note=note, suggested_action=action)

    async def thread(self, post: Post, *, limit: int) -> Conversation:
        """Return the conversation that the post stands in, in reading order."""
        shift = await self._ready()
        kept = await self._archive.get(self._id, post.native_id)
        if kept is None:
            return Conversation((post,))
        posts, more = await self._archive.thread(self._id, kept.root_id or kept.native_id, limit)
        return Conversation(self._shown(posts, shift), more)

    async def author(self, handle: str, *, limit: int) -> tuple[Post, ...]:
        """Return what is kept here by this author, newest first."""
        shift = await self._ready()
        return self._shown(await self._archive.by_author(self._id, handle, limit), shift)

    async def exists(self, post: Post) -> Existence:
        """Tell whether the post is still kept."""
        await self._ready()
        return "gone" if await self._archive.get(self._id, post.native_id) is None else "there"

    def _shown(self, posts: Sequence[Post], shift: timedelta) -> tuple[Post, ...]:
        if shift == _NO_SHIFT:
            return tuple(posts)
        return tuple(replace(post, published_at=post.published_at and post.published_at + shift) for post in posts)

    def _empty(self, bad: str | None) -> tuple[str, str]:
        if self._folder is None:
            return (
                "Nothing has been imported here yet.",
                f"Add posts with: signal import posts.jsonl --source {self._id}",
            )
        return bad or "Its folder of posts is empty.", "Put .jsonl files with one post a line into its folder."

    # --- filling it from its folder ----------------------------------------------------------------------------------

    async def _ready(self) -> timedelta:
        """Fill the archive where its folder has changed; return how much later than kept the posts are shown."""
        if self._folder is None:
            return _NO_SHIFT
        async with self._filling:
            standing = _standing(self._folder)
            if self._filled is None or self._filled.standing != standing:
                self._filled = await self._fill(self._folder, standing)
        return max(self._clock.now() - self._filled.at, _NO_SHIFT) if self._relative else _NO_SHIFT

    async def _fill(self, folder: Path, standing: tuple[tuple[str, int, int], ...]) -> _Filled:
        files = [folder / name for name, _, _ in standing]
        fingerprint = await asyncio.to_thread(_fingerprint, files)
        stamp = await self._archive.stamp(self._id)
        if stamp is not None and stamp[0] == fingerprint:
            return _Filled(standing, stamp[1])
        now = self._clock.now()
        reading = _Reading(self._id, files, now)
        await self._archive.replace(self._id, await asyncio.to_thread(list, reading), fingerprint, now)
        return _Filled(standing, now, reading.complaint())


class _Reading:
    """The posts of some files, read while they are asked for; lines that are no posts are counted."""

    def __init__(self, source: str, files: Sequence[Path], now: datetime) -> None:
        self._source, self._files, self._now = source, files, now
        self._bad = 0
        self._first = ""

    def __iter__(self) -> Iterator[Post]:
        for file in self._files:
            for line in read_posts(file, self._source, self._now):
                if isinstance(line, Post):
                    yield line
                else:
                    self._count(file, line)

    def complaint(self) -> str | None:
        """Return what could not be read, in a sentence, or None."""
        if not self._bad:
            return None
        lines = "1 line" if self._bad == 1 else f"{self._bad} lines"
        return f"{lines} of its posts could not be read; the first is {self._first}"

    def _count(self, file: Path, line: BadLine) -> None:
        self._bad += 1
        self._first = self._first or f"line {line.number} of {file.name}: {line.sentence}"


def _standing(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of each file: cheap enough to look at before every search."""
    if not folder.is_dir():
        return ()
    found = ((path.name, path.stat()) for path in folder.iterdir() if path.suffix == ".jsonl" and path.is_file())
    return tuple(sorted((name, about.st_size, about.st_mtime_ns) for name, about in found))


def _fingerprint(files: Sequence[Path]) -> str:
    digest = hashlib.sha256(_SHAPE)
    for path in files:
        with path.open("rb") as file:
            digest.update(f"{path.name}\n".encode())
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
