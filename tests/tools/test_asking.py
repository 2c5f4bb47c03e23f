"""Asking several sources at once: none delays or fails another, and time ends for all of them."""

import asyncio

import pytest

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
from signal_playbooks.sources.protocol import Page
from signal_playbooks.tools.asking import Answered, Ended, ask_all, trouble_of, within
from tools.world import Scripted, Time, post


def _ask(*sources: Scripted, time: Time | None = None, seconds: float = 45) -> list[Answered | Ended]:
    time = time or Time()

    async def ask() -> list[Answered | Ended]:
        asked = {source.id: source for source in sources}
        events = []
        async for event in ask_all(asked, Query("x"), limit=10, seconds=seconds, clock=time.clock()):
            events.append(event)
            if isinstance(event, Ended) and any(source.silent for source in sources):
                time.passes(seconds=seconds)
        return events

    return asyncio.run(ask())


def test_every_page_is_told_before_its_source_has_ended() -> None:
    """Coverage counts what came before it."""
    pages = [Page((post("1"),)), Page((post("2"),))]
    events = _ask(Scripted("a", pages), Scripted("b"))
    assert [event.page for event in events if isinstance(event, Answered)] == pages
    assert isinstance(events[-1], Ended)
    assert {event.source for event in events if isinstance(event, Ended)} == {"a", "b"}


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (RateLimited("wait", retry_after_seconds=7), "rate_limited"),
        (NotConfigured("no token"), "needs_auth"),
        (TimedOut("late"), "timeout"),
        (SourceUnavailable("down"), "unreachable"),
        (SourceUnavailable("no entry", state="blocked"), "blocked"),
        (SourceUnavailable("odd", state="changed"), "changed"),
        (SourceUnavailable("odd", state="nonsense"), "unreachable"),
        (SignalError("other"), "error"),
    ],
)
def test_each_failure_has_its_state_and_the_other_source_answers(error: SignalError, state: CoverageState) -> None:
    """Blocked is never told as no results, and one failing source is a line, not an end."""
    events = _ask(Scripted("sick", error=error), Scripted("well", [Page((post(),))]))
    [sick] = [event for event in events if isinstance(event, Ended) and event.source == "sick"]
    assert sick.trouble is not None
    assert (sick.trouble.state, sick.trouble.note) == (state, error.message)
    assert any(isinstance(event, Answered) and event.source == "well" for event in events)


def test_what_nobody_foresaw_is_told_without_what_is_inside(caplog: pytest.LogCaptureFixture) -> None:
    """A connector with a mistake must not end the listen, and its words (paths, secrets) stay in the log."""
    events = _ask(Scripted("sick", error=ValueError("secret-token")), Scripted("well"))
    [sick] = [event for event in events if isinstance(event, Ended) and event.source == "sick"]
    assert sick.trouble == trouble_of(ValueError())
    assert "secret-token" not in sick.trouble.note
    assert "source sick failed" in caplog.text


def test_a_silent_source_is_timed_out_and_its_pages_are_kept() -> None:
    """The listen ends by itself, with what it has."""
    events = _ask(Scripted("slow", [Page((post(),))], silent=True), Scripted("quick"))
    [slow] = [event for event in events if isinstance(event, Ended) and event.source == "slow"]
    assert slow.trouble is not None
    assert slow.trouble.state == "timeout"
    assert slow.waited_ms == 45_000
    assert any(isinstance(event, Answered) for event in events)


def test_a_broken_store_is_an_error_of_the_whole() -> None:
    """No other source can make up for a database that is gone."""
    with pytest.raises(StoreUnavailable):
        _ask(Scripted("kept", error=StoreUnavailable("locked")), Scripted("well"))


def test_a_question_that_is_not_answered_in_time_is_let_go() -> None:
    """Nothing may wait for ever."""

    async def ask() -> None:
        time, cancelled = Time(), asyncio.Event()

        async def never() -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.set()
                raise

        waiting = asyncio.create_task(within(5, time.clock(), never()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        time.passes(seconds=5)
        with pytest.raises(TimedOut):
            await waiting
        assert cancelled.is_set()

    asyncio.run(ask())


def test_who_stops_listening_stops_the_asking() -> None:
    """A client that goes away leaves no task behind."""

    async def ask() -> int:
        stream = ask_all(
            {"a": Scripted("a", [Page((post(),))], silent=True)}, Query("x"), limit=1, seconds=45, clock=Time().clock()
        )
        await anext(stream)
        await stream.aclose()
        return len(asyncio.all_tasks())

    assert asyncio.run(ask()) == 1
