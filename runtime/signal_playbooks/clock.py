"""Time and identity as things passed in, so that nothing below reads the wall clock by itself."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from ulid import ULID


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _new_ulid() -> str:
    return str(ULID())


@dataclass(frozen=True, slots=True)
class Clock:
    """What time it is, and what the next id is.

    `now` returns an aware UTC datetime; `monotonic` seconds that only grow; `sleep` waits that many seconds;
    `ulid` a fresh 26-character ULID.
    """

    now: Callable[[], datetime] = _utc_now
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ulid: Callable[[], str] = _new_ulid

    def new_id(self, prefix: str) -> str:
        """Return a new id such as `sig_01J…`: the prefix, an underscore and a ULID."""
        return f"{prefix}_{self.ulid()}"
