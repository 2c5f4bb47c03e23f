"""Asking sources: all at once, each in its own time, and what it means when one does not answer."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from signal_playbooks.clock import Clock
from signal_playbooks.contract.vocabulary import CoverageState
from signal_playbooks.errors import (
    NotConfigured,
    RateLimited,
    SignalError,
    SourceUnavailable,
    StoreUnavailable,
    TimedOut,
)
from signal_playbooks.query import Query
from signal_playbooks.sources.protocol import Page, Source

T = TypeVar("T")

_STATES: frozenset[CoverageState] = frozenset({"blocked", "unreachable", "changed", "needs_auth", "error"})
_GRACE = 1.0  # seconds that a cancelled source has to let go before it is left behind


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a source did not answer, for its line of coverage; `retry_after` in seconds where it said so."""

    state: CoverageState
    note: str
    suggested_action: str | None = None
    retry_after: int | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """A page that a source gave; it may give more."""

    source: str
    page: Page


@dataclass(frozen=True, slots=True)
class Ended:
    """A source has given all it will, in `waited_ms` milliseconds; `trouble` where it broke off."""

    source: str
    waited_ms: int
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class _Broken:
    error: StoreUnavailable


_Event = Answered | Ended | _Broken | Literal["time is up"]


async def ask_all(
    sources: Mapping[str, Source], query: Query, *, limit: int, seconds: float, clock: Clock
) -> AsyncGenerator[Answered | Ended, None]:
    """Yield the pages of all the sources as they come, and for each source, once, that it has ended.

    A source that fails is told as trouble and delays nobody; after `seconds` those still silent have timed out. Raises
    StoreUnavailable, which no other source can make up for.
    """
    events: asyncio.Queue[_Event] = asyncio.Queue()
    started = clock.monotonic()
    tasks = [asyncio.create_task(_ask(source, query, limit, clock, events)) for source in sources.values()]
    tasks.append(asyncio.create_task(_ring(seconds, clock, events)))
    silent = list(sources)
    try:
        while silent and not isinstance(event := await events.get(), str):
            if isinstance(event, _Broken):
                raise event.error
            if isinstance(event, Ended):
                silent.remove(event.source)
            yield event
        for name in silent:
            yield Ended(name, _milliseconds(clock, started), _late(seconds))
    finally:
        await _let_go(tasks)


async def within(seconds: float, clock: Clock, question: Coroutine[Any, Any, T]) -> T:
    """Return what the question is answered with; raises TimedOut after so many seconds."""
    asked = asyncio.ensure_future(question)
    alarm = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait((asked, alarm), return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise TimedOut(f"There was no answer within {seconds:g} seconds.", "Ask again later.")
        return asked.result()
    finally:
        await _let_go((asked, alarm))


def trouble_of(error: Exception) -> Trouble:
    """Return what an error means for coverage; nothing internal of an unforeseen one is told."""
    if not isinstance(error, SignalError):
        return Trouble("error", "It failed in a way that was not foreseen; the log says more.")
    state: CoverageState = "error"
    match error:
        case RateLimited():
            state = "rate_limited"
        case NotConfigured():
            state = "needs_auth"
        case TimedOut():
            state = "timeout"
        case SourceUnavailable():
            told = error.data.get("state")
            state = told if told in _STATES else "unreachable"
        case _:
            pass
    after = error.data.get("retry_after_seconds")
    return Trouble(state, error.message, error.suggested_action, after if isinstance(after, int) else None)


async def _ask(source: Source, query: Query, limit: int, clock: Clock, events: asyncio.Queue[_Event]) -> None:
    started = clock.monotonic()
    trouble: Trouble | None = None
    try:
        async for page in source.search(query, since=query.since, limit=limit):
            events.put_nowait(Answered(source.id, page))
    except StoreUnavailable as error:
        events.put_nowait(_Broken(error))
        return
    except Exception as error:
        if not isinstance(error, SignalError):
            logging.getLogger(__name__).exception("source %s failed", source.id)
        trouble = trouble_of(error)
    events.put_nowait(Ended(source.id, _milliseconds(clock, started), trouble))


async def _ring(seconds: float, clock: Clock, events: asyncio.Queue[_Event]) -> None:
    await clock.sleep(seconds)
    events.put_nowait("time is up")


async def _let_go(tasks: Iterable[asyncio.Future[Any]]) -> None:
    pending = [task for task in tasks if not task.done()]
    for task in pending:
        task.cancel()
    if pending:
        await asyncio.wait(pending, timeout=_GRACE)


def _late(seconds: float) -> Trouble:
    return Trouble(
        "timeout", f"It gave no whole answer within {seconds:g} seconds.", "Listen again later, or name fewer sources."
    )


def _milliseconds(clock: Clock, started: float) -> int:
    return max(round((clock.monotonic() - started) * 1_000), 0)
