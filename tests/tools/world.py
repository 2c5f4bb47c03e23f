"""A small world for the tools: a time that passes when told, sources that answer as scripted, the shipped lexicon."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from signal_playbooks.caller import LOCAL, Caller
from signal_playbooks.clock import Clock
from signal_playbooks.content.library import Library
from signal_playbooks.content.source import SourceEntry
from signal_playbooks.contract.listen import Coverage, ListenInput, ListenOutput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.destinations.protocol import Delivery, Destination
from signal_playbooks.post import Post
from signal_playbooks.query import Query
from signal_playbooks.sources.protocol import Condition, Conversation, Existence, Page, Source
from signal_playbooks.store.database import Store, open_store
from signal_playbooks.tools.dispatch import DispatchRules
from signal_playbooks.tools.toolbox import Toolbox

NOW = datetime(2026, 4, 16, 12, 0, tzinfo=UTC)


class Time:
    """A time that stands still until it is told to pass; ids count up."""

    def __init__(self, moment: datetime = NOW) -> None:
        self.moment = moment
        self._made = 0
        self._sleepers: list[tuple[datetime, asyncio.Event]] = []

    def passes(self, **by: float) -> None:
        """Let so much time go by, and wake who waited for it."""
        self.moment += timedelta(**by)
        for due, woken in self._sleepers:
            if due <= self.moment:
                woken.set()

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time was made to pass."""
        woken = asyncio.Event()
        self._sleepers.append((self.moment + timedelta(seconds=seconds), woken))
        await woken.wait()

    def clock(self) -> Clock:
        """Return the clock that shows this time."""
        return Clock(self._now, self._monotonic, self.sleep, self._ulid)

    def _now(self) -> datetime:
        return self.moment

    def _monotonic(self) -> float:
        return self.moment.timestamp()

    def _ulid(self) -> str:
        self._made += 1
        return f"01HZ{self._made:022d}"


@dataclass
class Scripted:
    """A source that answers as it was told: pages, then an error or silence; threads and authors by id."""

    id: str
    pages: Sequence[Page] = ()
    error: Exception | None = None
    silent: bool = False
    threads: dict[str, Conversation] = field(default_factory=dict)
    authors: dict[str, tuple[Post, ...]] = field(default_factory=dict)
    existence: Existence = "there"
    asked: list[str] = field(default_factory=list)

    async def condition(self) -> Condition:
        return Condition("ready")

    async def search(self, query: Query, *, since: datetime | None, limit: int) -> AsyncIterator[Page]:
        self.asked.append("search")
        for page in self.pages:
            yield page
        if self.error:
            raise self.error
        if self.silent:
            await asyncio.Event().wait()

    async def thread(self, post: Post, *, limit: int) -> Conversation:
        return await self._answer("thread", self.threads.get(post.native_id, Conversation((post,))))

    async def author(self, handle: str, *, limit: int) -> tuple[Post, ...]:
        return await self._answer(f"author {handle}", self.authors.get(handle, ()))

    async def exists(self, post: Post) -> Existence:
        return await self._answer("exists", self.existence)

    async def _answer(self, what: str, answer: Any) -> Any:
        self.asked.append(what)
        if self.error:
            raise self.error
        if self.silent:
            await asyncio.Event().wait()
        return answer


@dataclass
class Recorder:
    """A destination that keeps what it was given, and may be told to fail."""

    id: str = "outbox"
    error: Exception | None = None
    taken: list[Delivery] = field(default_factory=list)
    arrived: set[str] = field(default_factory=set)

    async def deliver(self, delivery: Delivery) -> str:
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        self.taken.append(delivery)
        self.arrived.add(delivery.handle)
        return f"{self.id}:{delivery.handle}"

    async def delivered(self, delivery: Delivery) -> str | None:
        return f"{self.id}:{delivery.handle}" if delivery.handle in self.arrived else None


def entry(source_id: str, **more: Any) -> SourceEntry:
    """Return a catalog entry of a source."""
    least = {
        "id": source_id,
        "title": source_id.title(),
        "kind": "forum",
        "regions": ["en"],
        "update_cadence": "minutes",
        "strengths": ["complaints"],
        "weaknesses": ["noise"],
        "connector": "archive",
        "karma": {"low": 10, "medium": 100, "high": 1000, "established": 5000},
    }
    return SourceEntry.model_validate(least | more)


def post(native_id: str = "1", source: str = "board", **fields: Any) -> Post:
    """Return a complaint about Plinthly, an hour old, unless told otherwise."""
    least: dict[str, Any] = {
        "url": f"https://{source}.example/{native_id}",
        "title": f"Plinthly doubled its price again ({native_id})",
        "body": "We are leaving Plinthly, the price is ridiculous and support never answers.",
        "author": f"ana{native_id}",
        "author_karma": 250,
        "score": 12,
        "comments": 3,
        "published_at": NOW - timedelta(hours=1),
        "language": "en",
    }
    return Post(source=source, native_id=native_id, **(least | fields))


class World:
    """A toolbox over scripted sources, a recording destination and a store in a file."""

    def __init__(
        self,
        library: Library,
        sources: Sequence[Source],
        *,
        destinations: Sequence[Destination] | None = None,
        file: Path | None = None,
        rules: DispatchRules | None = None,
        time: Time | None = None,
        entries: Sequence[SourceEntry] | None = None,
        reader: Any = None,
    ) -> None:
        self.time = time or Time()
        self.store: Store = open_store(str(file) if file else ":memory:", self.time.clock())
        self.outbox = Recorder()
        self.tools = Toolbox(
            store=self.store,
            entries={one.id: one for one in entries or [entry(source.id) for source in sources]},
            sources={source.id: source for source in sources},
            destinations={one.id: one for one in (destinations if destinations is not None else [self.outbox])},
            reader=reader,
            vocabulary=library.vocabulary,
            drafts=library.drafts,
            clock=self.time.clock(),
            rules=rules,
        )

    async def heard(self, query: str = "Plinthly", caller: Caller = LOCAL, **arguments: Any) -> "Told":
        """Listen to the end and return all that was told."""
        told = Told()
        async for one in self.tools.listen(ListenInput.model_validate({"query": query, **arguments}), caller):
            match one:
                case Signal():
                    told.signals.append(one)
                case Coverage():
                    told.coverage.append(one)
                case ListenOutput():
                    told.whole = one
        return told


@dataclass
class Told:
    """What a listen told, in order of kind."""

    signals: list[Signal] = field(default_factory=list)
    coverage: list[Coverage] = field(default_factory=list)
    whole: ListenOutput | None = None

    @property
    def output(self) -> ListenOutput:
        """Return the whole."""
        assert self.whole is not None
        return self.whole
