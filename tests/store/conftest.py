"""A store in a folder of its own, a clock that is turned by hand, and makers of posts, acts and signals."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from signal_playbooks.clock import Clock
from signal_playbooks.contract.signal import Engagement, Signal, SignalAuthor
from signal_playbooks.post import Post
from signal_playbooks.store.act import Act
from signal_playbooks.store.database import Store, open_store

T = TypeVar("T")
START = datetime(2026, 4, 16, 12, 0, tzinfo=UTC)


@dataclass
class Dial:
    """A clock that shows what it was turned to."""

    now: datetime = START

    def turn(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.now)


@pytest.fixture
def dial() -> Dial:
    return Dial()


@pytest.fixture
def do() -> Iterator[Callable[[Coroutine[Any, Any, T]], T]]:
    """Run one coroutine after the other on one event loop."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "signal.db"


@pytest.fixture
def store(file: Path, dial: Dial) -> Iterator[Store]:
    opened = open_store(str(file), dial.clock)
    yield opened
    opened.close()


@pytest.fixture
def post() -> Callable[..., Post]:
    def made(native_id: str = "1", source: str = "board", **fields: Any) -> Post:
        defaults = {"url": f"https://{source}.example/{native_id}", "title": "A title", "published_at": START}
        return Post(source=source, native_id=native_id, **defaults | fields)

    return made


@pytest.fixture
def act() -> Callable[..., Act]:
    def made(handle: str = "disp_1", **fields: Any) -> Act:
        defaults: dict[str, Any] = {
            "signal_id": "sig_1",
            "action": "route",
            "params": {"destination": "outbox"},
            "status": "staged",
            "preview": "Would file it.",
            "payload": {"text": "all of it"},
            "author_key": None,
            "created_at": START,
            "expires_at": START + timedelta(hours=24),
            "staged_by": "ci",
        }
        return Act(handle=handle, **defaults | fields)

    return made


@pytest.fixture
def shaped() -> Callable[..., Signal]:
    def made(signal_id: str, **fields: Any) -> Signal:
        defaults: dict[str, Any] = {
            "source": "board",
            "url": "https://board.example/1",
            "headline": "A title",
            "excerpt": "Words that matter",
            "intent": "complaining",
            "intent_confidence": 0.8,
            "other_intents": [],
            "author": SignalAuthor(handle="mira", karma_bucket="medium"),
            "engagement": Engagement(score=3, comments=None),
            "captured_at": START,
            "first_seen_at": START,
            "freshness_bucket": "today",
            "match_reason": "It says 'matter'.",
            "also_seen": [],
            "language": "en",
        }
        return Signal(id=signal_id, **defaults | fields)

    return made
