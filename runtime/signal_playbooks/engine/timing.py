"""A time limit on the clock that was passed in, so that a test need not wait."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from signal_playbooks.errors import TimedOut

T = TypeVar("T")


async def limited(
    work: Coroutine[Any, Any, T], limit: float, sleep: Callable[[float], Awaitable[None]], what: str
) -> T:
    """Return what the work gives; TimedOut where it takes longer than `limit` seconds.

    Work that is late is cancelled and waited for; what it still gives then counts, for it has happened.
    """
    task = asyncio.create_task(work)
    alarm = asyncio.create_task(_asleep(sleep, limit))
    try:
        await asyncio.wait({task, alarm}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
        if not task.cancelled():
            return task.result()
    finally:
        task.cancel()
        alarm.cancel()
        await asyncio.gather(task, alarm, return_exceptions=True)
    raise TimedOut(f"{what} did not answer within {limit:g} s", "raise its timeout, or try again later")


async def _asleep(sleep: Callable[[float], Awaitable[None]], limit: float) -> None:
    await sleep(limit)
