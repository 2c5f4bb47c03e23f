"""Lanes: one pass over a loop's body for each item, a few at a time, in order, or flowing while a listen streams."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as counting
from typing import Any

from signal_playbooks.clock import Clock
from signal_playbooks.content.steps import Status
from signal_playbooks.contract.listen import ListenInput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.engine.budget import Turns
from signal_playbooks.engine.frame import Frame, open_lane
from signal_playbooks.engine.nodes import MAX_LANES, READS, Kind, Loop
from signal_playbooks.engine.ports import Watcher
from signal_playbooks.engine.result import LaneItem, StepResult, count
from signal_playbooks.errors import ArgumentError, InvalidArguments

CarryOut = Callable[[Frame], Awaitable[None]]
_BREATH = 256


@dataclass(frozen=True, slots=True)
class Opening:
    """What every lane of a loop needs: the loop, the frame around it, and how a lane is carried out."""

    loop: Loop
    parent: Frame
    carry_out: CarryOut
    watch: Watcher
    clock: Clock
    path: str

    def lane(self, index: int, item: object, label: str | None = None) -> Frame:
        """Return a new lane's frame, and tell whoever watches."""
        lane = open_lane(self.parent, self.loop, index, item, label)
        self.watch.lane_opened(self.path, lane.key, item)
        return lane

    def scarce(self, lanes: int) -> bool:
        """Tell whether the budget might not do for so many lanes."""
        account = self.parent.account
        return any(calls * lanes > account.remaining(kind) for kind, calls in self.loop.body.worst.items())


async def run_lanes(opening: Opening, items: Sequence[object]) -> StepResult:
    """Return how the loop over the items ended; InvalidArguments where they are more than a step may have."""
    started = opening.clock.now()
    kept, left_out = within_limit(opening.loop, items)
    # Where the lanes around share a tight budget, their own turns keep them apart: here only these lanes count.
    pool = _Pool(opening, kept, {}, Turns(len(kept)) if opening.scarce(len(kept)) else None)
    await pool.run(opening.loop.concurrency)
    return pool.result(started, left_out, ())


def within_limit(loop: Loop, items: Sequence[object]) -> tuple[Sequence[object], int]:
    """Return the items that get a lane, and how many the loop's limit leaves out."""
    if loop.limit is not None and len(items) > loop.limit:
        return items[: loop.limit], len(items) - loop.limit
    if len(items) > MAX_LANES:
        key = loop.common.key
        message = f"step {key} would open {len(items):,} lanes, and a step has at most {MAX_LANES:,}"
        raise InvalidArguments(
            message, [ArgumentError(f"steps.{key}.for_each", message)], "give the step a limit, or a shorter list"
        )
    return items, 0


def early_lanes(loop: Loop, kept: int, remaining: Callable[[Kind], int]) -> int:
    """Return how many lanes may open before the final ranking, of which `kept` at most will have a place."""
    if loop.body.first_act == 0:
        return 0
    worst = loop.body.worst
    spare = (remaining(kind) // worst[kind] - kept for kind in READS if worst.get(kind))
    return int(max(0, min(kept, *spare, kept)))


class _Pool:
    """A fixed number of workers that take the lanes in order. A lane costs no task of its own."""

    def __init__(
        self, opening: Opening, items: Sequence[object], early: Mapping[int, Frame], turns: Turns | None
    ) -> None:
        self._opening = opening
        self._items = items
        self._early = early
        self._turns = turns
        self._labels = _labels(items)
        self._done: list[LaneItem | None] = [None] * len(items)
        self._order: Iterator[int] = iter(range(len(items)))
        self._undone: list[int] = []
        self._stopped: LaneItem | None = None
        self._cut = False

    async def run(self, concurrency: int, elsewhere: Iterable[int] = ()) -> None:
        """Carry out every lane that is not settled; `elsewhere` are those that someone else is carrying out."""
        busy = frozenset(elsewhere)
        for index, lane in self._early.items():
            if lane.settled:
                self.close(index, lane)
        self._order = (n for n in range(len(self._items)) if self._done[n] is None and n not in busy)
        await self._share(min(concurrency, len(self._items)) - 1)

    async def _share(self, helpers: int) -> None:
        """Work through the lanes here; helpers join in once a lane has to wait, so that quick lanes need no task."""
        tasks: list[asyncio.Task[None]] = []
        joining = asyncio.get_running_loop().call_soon(
            lambda: tasks.extend(asyncio.create_task(self._work()) for _ in range(helpers))
        )
        try:
            await self._work()
            joining.cancel()
            if tasks:
                await asyncio.gather(*tasks)
        except BaseException:
            joining.cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise

    async def _work(self) -> None:
        opening, turns = self._opening, self._turns
        for index in self._order:
            if self._stopped is not None:
                self._undone.append(index)
                continue
            lane = self._early.get(index) or opening.lane(index, self._items[index], self._labels.get(index))
            lane.turns = turns
            await opening.carry_out(lane)
            self.close(index, lane)
            if index % _BREATH == _BREATH - 1:
                # Lanes that never wait must not keep the rest of the process waiting.
                await asyncio.sleep(0)

    def close(self, index: int, lane: Frame) -> None:
        """Take down how a lane ended."""
        item = self._done[index] = lane.lane_item()
        self._cut = self._cut or lane.cut
        if self._turns is not None:
            self._turns.finish(index)
        if item.status == "failed" and self._opening.loop.common.on_error == "stop" and self._stopped is None:
            self._stopped = item
        self._opening.watch.lane_finished(self._opening.path, item.key, item.status)

    def result(self, started: Any, left_out: int, dropped: Sequence[LaneItem]) -> StepResult:
        """Return the loop's result: items in final order, dropped lanes last."""
        items = [item or self._not_started(index) for index, item in enumerate(self._done)]
        items += dropped
        counts = count(items)
        error = self._stopped.error if self._stopped else None
        status = "failed" if self._stopped else _status(counts, cut=self._cut)
        return StepResult(
            status,
            error=error,
            attempts=1,
            started_at=started,
            finished_at=self._opening.clock.now(),
            cut=self._cut,
            items=items,
            counts=counts,
            left_out=left_out,
        )

    def _not_started(self, index: int) -> LaneItem:
        item = self._items[index]
        key = item.id if isinstance(item, Signal) else str(index)
        stopped = self._stopped.key if self._stopped else "?"
        return LaneItem(key, "skipped", {}, None, f"not started, because lane {stopped} failed")


class Flow:
    """Lanes that open as a listen streams their signals: reads begin at once, acts wait for the final ranking.

    No more lanes open early than the listen could keep, and no more than the budget has to spare beyond all the kept
    ones: so what flows early, and is dropped, never takes a call from a better signal.
    """

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._most = 0
        self._opened: dict[str, Frame] = {}
        self._waiting: deque[Frame] = deque()
        self._running: set[str] = set()
        self._workers: set[asyncio.Task[None]] = set()

    def begin(self, request: ListenInput) -> None:
        """Decide how many lanes may open early."""
        loop, account = self._opening.loop, self._opening.parent.account
        self._most = early_lanes(loop, min(request.limit, loop.most), account.remaining)

    def hear(self, signal: Signal) -> None:
        """Open a lane for the signal, if it may flow."""
        if signal.id in self._opened or len(self._opened) >= self._most:
            return
        lane = self._opening.lane(len(self._opened), signal)
        lane.gated = True
        self._opened[signal.id] = lane
        self._waiting.append(lane)
        if len(self._workers) < self._opening.loop.concurrency:
            worker = asyncio.create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def settle(self, signals: Sequence[object]) -> StepResult:
        """Return how the loop ended, once the final ranking is known."""
        opening, started = self._opening, self._opening.clock.now()
        kept, left_out = within_limit(opening.loop, signals)
        early = self._placed(kept)
        dropped = self._drop({lane.key for lane in early.values()}, signals)
        self._waiting.clear()
        scarce = opening.scarce(len(kept))
        if scarce:
            # A tight budget goes to the best: nobody acts before all know their places.
            await self._idle()
        pool = _Pool(opening, kept, early, Turns(len(kept)) if scarce else None)
        busy = [index for index, lane in early.items() if lane.key in self._running]
        for lane in early.values():
            lane.gated = False
        await pool.run(max(1, opening.loop.concurrency - len(busy)), busy)
        await self._idle()
        for index in busy:
            pool.close(index, early[index])
        return pool.result(started, left_out, self._ended(dropped))

    async def abandon(self) -> None:
        """Stop what still runs."""
        for worker in tuple(self._workers):
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def _placed(self, kept: Sequence[object]) -> dict[int, Frame]:
        early: dict[int, Frame] = {}
        placed: set[str] = set()
        for index, signal in enumerate(kept):
            if isinstance(signal, Signal) and signal.id in self._opened and signal.id not in placed:
                lane = self._opened[signal.id]
                lane.index, lane.item = index, signal
                lane.names[self._opening.loop.called(signal)] = signal
                early[index] = lane
                placed.add(signal.id)
        return early

    def _drop(self, kept: set[str], signals: Sequence[object]) -> dict[str, str]:
        """End the lanes that were not kept; return why, by signal."""
        ranked = {signal.id for signal in signals if isinstance(signal, Signal)}
        dropped: dict[str, str] = {}
        for key, lane in self._opened.items():
            if key not in kept:
                dropped[key] = "left out by limit" if key in ranked else "the final ranking did not keep it"
                lane.end = lane.end or "skipped"
        return dropped

    def _ended(self, dropped: Mapping[str, str]) -> list[LaneItem]:
        opening = self._opening
        for key in dropped:
            opening.watch.lane_finished(opening.path, key, "skipped")
        return [LaneItem(key, "skipped", self._opened[key].results, None, why) for key, why in dropped.items()]

    async def _idle(self) -> None:
        if self._workers:
            await asyncio.gather(*self._workers)

    async def _work(self) -> None:
        while self._waiting:
            lane = self._waiting.popleft()
            self._running.add(lane.key)
            try:
                await self._opening.carry_out(lane)
            finally:
                self._running.discard(lane.key)


async def together(work: Sequence[Coroutine[Any, Any, Any]]) -> list[Any]:
    """Return what all of it gives, in order; where one raises, the rest is cancelled and waited for."""
    tasks = [asyncio.create_task(part) for part in work]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _status(counts: Mapping[str, int], *, cut: bool) -> Status:
    if counts["in_doubt"]:
        return "in_doubt"
    return "partial" if cut or counts["failed"] or counts["partial"] else "succeeded"


def _labels(items: Sequence[object]) -> dict[int, str]:
    """Return a label for each signal that stands in the list a second time, so that paths stay distinct."""
    keys = [item.id for item in items if isinstance(item, Signal)]
    if len(set(keys)) == len(keys):
        return {}
    labels: dict[int, str] = {}
    times: dict[str, counting[int]] = {}
    for index, item in enumerate(items):
        if isinstance(item, Signal):
            time = next(times.setdefault(item.id, counting(1)))
            if time > 1:
                labels[index] = f"{item.id}#{time}"
    return labels
