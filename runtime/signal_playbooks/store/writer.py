"""The one thread that writes: whatever waits is committed together, each caller's part in a savepoint of its own."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from signal_playbooks.store.trouble import closed, unavailable

T = TypeVar("T")
Work = Callable[[Connection], T]
_MOST_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class _Job:
    work: Work[Any]
    durable: bool
    answer: Future[Any]


@dataclass(frozen=True, slots=True)
class Line:
    """A connection, and the driver's own beneath it, by which transactions are begun and ended."""

    connection: Connection
    raw: sqlite3.Connection


def line(connection: Connection) -> Line:
    """Return the connection with its driver's."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)  # noqa: S101  (narrows: the engine makes no other)
    return Line(connection, raw)


class Writer:
    """Runs writes in order on a connection of its own, opened with the first of them.

    A write is answered once it is committed, so what was acknowledged survives the end of the process.
    """

    def __init__(self, connect: Callable[[], Connection], where: str) -> None:
        self._connect = connect
        self._where = where
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._line: Line | None = None
        self._durable = False
        self._closed = False

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Run the work in a transaction and return its result once committed; `durable` also survives a power cut.

        An exception of the work undoes its part alone and is raised here. A caller cancelled before its turn writes
        nothing. Raises StoreUnavailable.
        """
        return await asyncio.wrap_future(self.submit(work, durable=durable))

    def submit(self, work: Work[T], *, durable: bool = False) -> "Future[T]":
        """Queue the work and return its future at once; for those who cannot await."""
        answer: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise closed()
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="signal-store-writer", daemon=True)
                self._thread.start()
            self._queue.put(_Job(work, durable, answer))
        return answer

    def close(self) -> None:
        """Finish what is queued, then stop; a second call does nothing."""
        with self._lock:
            already, self._closed = self._closed, True
        if already or self._thread is None:
            return
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        going = True
        while going:
            jobs, going = self._waiting()
            ready = [job for job in jobs if job.answer.set_running_or_notify_cancel()]
            if ready:
                self._answer(ready)
        if self._line is not None:
            self._line.connection.close()

    def _waiting(self) -> tuple[list[_Job], bool]:
        """Return the jobs that wait, at least one, and whether more may come."""
        jobs: list[_Job] = []
        job = self._queue.get()
        while job is not None:
            jobs.append(job)
            if len(jobs) == _MOST_AT_ONCE:
                return jobs, True
            try:
                job = self._queue.get_nowait()
            except Empty:
                return jobs, True
        return jobs, False

    def _answer(self, jobs: list[_Job]) -> None:
        try:
            outcomes = self._transaction(jobs)
        except Exception as error:  # noqa: BLE001  (the border of the thread: every caller has to get an answer)
            if len(jobs) > 1:
                # The whole transaction is lost (a full disk, a lock): each alone, so that one does not fail the rest.
                for job in jobs:
                    self._answer([job])
                return
            outcomes = [error]
        for job, outcome in zip(jobs, outcomes, strict=True):
            if isinstance(outcome, _Done):
                job.answer.set_result(outcome.result)
            else:
                job.answer.set_exception(self._told(outcome))

    def _told(self, error: Exception) -> Exception:
        return unavailable(error, self._where) if isinstance(error, sqlite3.Error | DBAPIError) else error

    def _transaction(self, jobs: list[_Job]) -> "list[_Done | Exception]":
        if self._line is None:
            self._line = line(self._connect())
        raw = self._line.raw
        self._keep(raw, durable=any(job.durable for job in jobs))
        raw.execute("BEGIN IMMEDIATE")
        try:
            outcomes = [_part(self._line, job.work) for job in jobs]
            raw.execute("COMMIT")
        finally:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
        return outcomes

    def _keep(self, raw: sqlite3.Connection, *, durable: bool) -> None:
        if durable != self._durable:
            raw.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            self._durable = durable


@dataclass(frozen=True, slots=True)
class _Done:
    result: Any


def _part(at: Line, work: Work[Any]) -> "_Done | Exception":
    """Return what one caller's work gave, or the exception that undid it."""
    at.raw.execute("SAVEPOINT part")
    try:
        done = _Done(work(at.connection))
    except Exception as error:
        if not at.raw.in_transaction:
            raise  # SQLite gave up the whole transaction, the others' parts with it
        at.raw.execute("ROLLBACK TO part")
        at.raw.execute("RELEASE part")
        return error
    at.raw.execute("RELEASE part")
    return done
