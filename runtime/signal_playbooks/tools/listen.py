"""listen: a wish in plain words, asked of all chosen sources at once; signals as found, the ranked whole last."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing

from signal_playbooks.caller import Caller
from signal_playbooks.clock import Clock
from signal_playbooks.content.source import SourceEntry
from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.listen import ChosenSource, Coverage, ListenInput, ListenOutput, QueryPlan
from signal_playbooks.errors import NotAllowed
from signal_playbooks.meaning.intent import IntentReader
from signal_playbooks.meaning.query import explain, read_query
from signal_playbooks.meaning.reason import summary
from signal_playbooks.query import Query
from signal_playbooks.sources.protocol import Source
from signal_playbooks.store.signals import Signals
from signal_playbooks.tools.asking import Answered, Ended, ask_all
from signal_playbooks.tools.choosing import choose
from signal_playbooks.tools.covering import held_back, silence
from signal_playbooks.tools.hearing import Hearing
from signal_playbooks.tools.protocol import Heard
from signal_playbooks.tools.shaping import Shaping

SECONDS = 45.0  # after which a listen ends with what it has; clients give up at fifty
CANDIDATES = 500  # posts that one source is asked for: enough to rank among, few enough to judge within a second


class Listen:
    """Listens to sources for a caller."""

    def __init__(
        self,
        signals: Signals,
        entries: Mapping[str, SourceEntry],
        sources: Mapping[str, Source],
        *,
        reader: IntentReader,
        vocabulary: Vocabulary,
        shaping: Shaping,
        clock: Clock,
        seconds: float = SECONDS,
    ) -> None:
        self._signals = signals
        self._entries = entries
        self._sources = sources
        self._reader = reader
        self._vocabulary = vocabulary
        self._shaping = shaping
        self._clock = clock
        self._seconds = seconds

    async def listen(self, request: ListenInput, caller: Caller) -> AsyncIterator[Heard]:
        """Yield each signal when found, each source's coverage when it has ended, and the ranked whole last.

        Raises InvalidArguments, NotAllowed, NotConfigured where there is no source, RateLimited or SourceUnavailable
        where none of them answered, and StoreUnavailable.
        """
        if not caller.may("read"):
            raise NotAllowed(f"{caller.name} does not have the scope read.", "Use a key that has it.", scope="read")
        now, ends = self._clock.now(), self._clock.monotonic() + self._seconds
        query = read_query(request.query, self._vocabulary, now=now, freshness=request.scope.freshness)
        chosen = choose(request.scope.sources, self._entries, caller, await self._ready(request))
        hearing = Hearing(
            request,
            query,
            vocabulary=self._vocabulary,
            reader=self._reader,
            shaping=self._shaping,
            signals=self._signals,
            caller=caller,
            now=now,
            in_time=lambda: self._clock.monotonic() < ends,
        )
        coverage: list[Coverage] = []
        waits: list[int] = []
        asked = {one.id: self._sources[one.id] for one in chosen}
        stream = ask_all(asked, query, limit=CANDIDATES, seconds=self._seconds, clock=self._clock)
        async with aclosing(stream):
            async for event in stream:
                match event:
                    case Answered():
                        async for signal in hearing.take(event.source, event.page):
                            yield signal
                    case Ended():
                        coverage.append(hearing.tally(event.source).covered(event))
                        waits += [event.trouble.retry_after] if event.trouble and event.trouble.retry_after else []
                        yield coverage[-1]
        if (error := silence(coverage, waits)) is not None:
            raise error
        yield await self._whole(request, query, hearing, chosen, coverage)

    async def _ready(self, request: ListenInput) -> set[str]:
        """Return the sources that can be heard; asked only where the choice is ours."""
        if request.scope.sources:
            return set()
        return {name for name, source in self._sources.items() if (await source.condition()).state == "ready"}

    async def _whole(
        self,
        request: ListenInput,
        query: Query,
        hearing: Hearing,
        chosen: list[ChosenSource],
        coverage: list[Coverage],
    ) -> ListenOutput:
        ranked = await hearing.ranked()
        order = {one.id: place for place, one in enumerate(chosen)}
        lines = [
            held_back(line, ranked.held_back.get(line.source, 0))
            for line in sorted(coverage, key=lambda line: order[line.source])
        ]
        return ListenOutput(
            signals=ranked.signals,
            summary=summary(request.query, request.scope.freshness, ranked.signals, ranked.more, lines),
            query_plan=self._plan(query, chosen),
            coverage=lines,
            more=ranked.more,
        )

    def _plan(self, query: Query, chosen: list[ChosenSource]) -> QueryPlan:
        read = explain(query, self._vocabulary)
        return QueryPlan.model_validate(
            {
                "must": read.must,
                "any": read.any,
                "not": read.without,
                "phrases": read.phrases,
                "hints": read.hints,
                "sources": chosen,
                "since": query.since,
            }
        )
