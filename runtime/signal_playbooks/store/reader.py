"""Reading: points at once on one kept connection, scans in threads that keep one each; always of one moment."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from signal_playbooks.store.trouble import closed, unavailable
from signal_playbooks.store.writer import Line, line

T = TypeVar("T")
_SCANNING_THREADS = 2


class Reader:
    """Runs reads, each in a snapshot; connections are opened when first needed. Raises StoreUnavailable."""

    def __init__(self, connect: Callable[[], Connection], where: str) -> None:
        self._connect = connect
        self._where = where
        self._lock = threading.Lock()
        self._point: Line | None = None
        self._idle: list[Line] = []
        self._threads: ThreadPoolExecutor | None = None
        self._closed = False

    def point(self, work: Callable[[Connection], T]) -> T:
        """Return what a short read gives, at once: a fraction of a millisecond costs less than a change of thread."""
        with self._lock:
            if self._closed:
                raise closed()
            if self._point is None:
                self._point = self._opened()
            return self._read(self._point, work)

    async def scan(self, work: Callable[[Connection], T]) -> T:
        """Return what a read of unknown length gives, without holding up the event loop."""
        with self._lock:
            if self._closed:
                raise closed()
            if self._threads is None:
                self._threads = ThreadPoolExecutor(_SCANNING_THREADS, "signal-store-reader")
            running = self._threads.submit(self._scan, work)
        return await asyncio.wrap_future(running)

    def close(self) -> None:
        """Let running reads end and close the connections; a second call does nothing."""
        with self._lock:
            self._closed = True
            threads, self._threads = self._threads, None
            lines, self._point = ([self._point] if self._point else []), None
        if threads is not None:
            threads.shutdown()
        lines += self._idle
        self._idle = []
        for each in lines:
            each.connection.close()

    def _opened(self) -> Line:
        try:
            return line(self._connect())
        except (sqlite3.Error, DBAPIError) as error:
            raise unavailable(error, self._where) from error

    def _scan(self, work: Callable[[Connection], T]) -> T:
        with self._lock:
            at = self._idle.pop() if self._idle else None
        at = at or self._opened()
        try:
            return self._read(at, work)
        finally:
            with self._lock:
                self._idle.append(at)

    def _read(self, at: Line, work: Callable[[Connection], T]) -> T:
        try:
            at.raw.execute("BEGIN")
            try:
                return work(at.connection)
            finally:
                if at.raw.in_transaction:
                    at.raw.execute("COMMIT")
        except (sqlite3.Error, DBAPIError) as error:
            raise unavailable(error, self._where) from error
