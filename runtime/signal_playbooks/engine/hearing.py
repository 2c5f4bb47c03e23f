"""Listening: a stream of signals and coverage taken in as it comes, with those left out that earlier runs have seen."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

from signal_playbooks.contract.listen import Coverage, ListenInput, ListenOutput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.engine.surroundings import Hears, Surroundings
from signal_playbooks.errors import SourceUnavailable
from signal_playbooks.tools.protocol import Heard

_MOST = 100  # what listen gives at most: contract, limit


class Hearing:
    """One listen of a playbook; `new_only` leaves out what earlier runs of that playbook have seen."""

    def __init__(
        self, around: Surroundings, playbook: str, key: str, path: str, *, new_only: bool, hears: Hears | None
    ) -> None:
        self._around = around
        self._playbook = playbook
        self._key = key
        self._path = path
        self._new_only = new_only
        self._hears = hears

    async def listen(self, request: ListenInput) -> ListenOutput:
        """Return the ranked whole; SourceUnavailable where the stream ends without one."""
        around, whole = self._around, None
        if self._hears is not None:
            self._hears.begin(request)
        async with aclosing(_closed_after(around.tools.listen(self._asked(request), around.caller))) as stream:
            async for heard in stream:
                if isinstance(heard, Signal):
                    await self._hear(heard)
                elif isinstance(heard, Coverage):
                    around.watch.covered(self._path, heard)
                else:
                    whole = heard
        if whole is None:
            raise SourceUnavailable("the listen ended without an answer", "try again later")
        return await self._kept(whole, request.limit)

    def _asked(self, request: ListenInput) -> ListenInput:
        """Return what is asked of the tool: for new signals alone as many as it gives, for the best may be known."""
        return request.model_copy(update={"limit": _MOST}) if self._new_only else request

    async def _hear(self, signal: Signal) -> None:
        if not await self._unseen([signal]):
            return
        self._around.signals[signal.id] = signal
        self._around.watch.heard(self._path, signal)
        # Of more than are wanted, only the end tells which; no lane may open for one that is then left out.
        if self._hears is not None and not self._new_only:
            self._hears.hear(signal)

    async def _kept(self, whole: ListenOutput, limit: int) -> ListenOutput:
        around, kept = self._around, await self._unseen(whole.signals)
        around.coverage.extend(whole.coverage)
        around.signals.update((signal.id, signal) for signal in kept)
        known = len(whole.signals) - len(kept)
        if not known and len(kept) <= limit:
            return whole
        if known:
            around.notes.append(f"{self._key}: {known} of {len(whole.signals)} signals were seen by an earlier run")
        return whole.model_copy(update={"signals": kept[:limit], "more": whole.more + len(kept[limit:])})

    async def _unseen(self, signals: Sequence[Signal]) -> list[Signal]:
        seen = self._around.seen
        if seen is None or not self._new_only or not signals:
            return list(signals)
        unseen = await seen.unseen(self._playbook, [signal.id for signal in signals])
        return [signal for signal in signals if signal.id in unseen]


async def _closed_after(stream: AsyncIterator[Heard]) -> AsyncGenerator[Heard, None]:
    """Yield from the stream, and close it when this generator is closed, whatever kind of iterator it is."""
    try:
        async for heard in stream:
            yield heard
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
