"""Runs of playbooks, their steps, and which signals each playbook has seen."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import IntegrityError

from signal_playbooks.clock import Clock
from signal_playbooks.errors import UsageError
from signal_playbooks.store.parts import parts
from signal_playbooks.store.reader import Reader
from signal_playbooks.store.schema import RUN_STEPS, RUNS, SEEN
from signal_playbooks.store.writer import Writer


@dataclass(frozen=True, slots=True)
class RunStep:
    """One call of a run at its stable path; the last record of a path is the one kept."""

    path: str
    kind: str
    status: str
    output: object | None = None
    error: dict[str, Any] | None = None
    attempts: int = 1
    started_at: datetime | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A run; `finished_at` and `outputs` are None while it goes on. `steps` is empty in listings."""

    run_id: str
    playbook: str
    content_hash: str
    caller: str
    status: str
    started_at: datetime
    finished_at: datetime | None
    inputs: dict[str, Any]
    outputs: Any
    summary: Any
    steps: tuple[RunStep, ...] = ()


_STEP_FIELDS = tuple(field.name for field in fields(RunStep))
_RUN_FIELDS = tuple(field.name for field in fields(Run) if field.name != "steps")
_PUT_STEP = insert(RUN_STEPS)
_KEEP_STEP = _PUT_STEP.on_conflict_do_update(
    index_elements=["run_id", "path"], set_={name: _PUT_STEP.excluded[name] for name in _STEP_FIELDS if name != "path"}
)
_KEEP_SEEN = insert(SEEN).on_conflict_do_nothing()


class Runs:
    """Every method raises StoreUnavailable."""

    def __init__(self, reader: Reader, writer: Writer, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock
        self._lock = threading.Lock()
        self._recorded: list[tuple[str, RunStep]] = []
        self._recording: list[Future[None]] = []

    async def start(self, run_id: str, playbook: str, inputs: dict[str, Any], content_hash: str, caller: str) -> None:
        """Note that a run began. Raises UsageError where there is one of that id already."""
        row = {
            "run_id": run_id,
            "playbook": playbook,
            "inputs": inputs,
            "content_hash": content_hash,
            "caller": caller,
            "status": "running",
            "started_at": self._clock.now(),
        }
        await self._writer.write(lambda at: _start(at, row))

    async def step(
        self,
        run_id: str,
        path: str,
        kind: str,
        status: str,
        *,
        output: object | None = None,
        error: dict[str, Any] | None = None,
        attempts: int = 1,
        started_at: datetime | None = None,
        finished_at: datetime | None = None,
    ) -> None:
        """Keep one step, in place of an earlier record of its path."""
        step = RunStep(path, kind, status, output, error, attempts, started_at, finished_at)
        await self.steps(run_id, [step])

    async def steps(self, run_id: str, steps: Sequence[RunStep]) -> None:
        """Keep several steps at once."""
        rows = [(run_id, step) for step in steps]
        if rows:
            await self._writer.write(lambda at: _keep_steps(at, rows))

    def record(self, run_id: str, step: RunStep) -> None:
        """Keep a step without waiting; `flush` and `finish` wait for all recorded ones and raise what went wrong."""
        with self._lock:
            if not self._recorded:
                self._recording = [each for each in self._recording if not each.done() or each.exception()]
                self._recording.append(self._writer.submit(_Batch(self._taken)))
            self._recorded.append((run_id, step))

    async def flush(self) -> None:
        """Wait until every recorded step is written."""
        running, self._recording = self._recording, []
        for each in running:
            await asyncio.wrap_future(each)

    async def finish(self, run_id: str, status: str, outputs: object, summary: object) -> None:
        """Note how the run ended, after its recorded steps; outputs and summary are JSON values."""
        await self.flush()
        ended = update(RUNS).where(RUNS.c.run_id == run_id)
        values = {"status": status, "outputs": outputs, "summary": summary, "finished_at": self._clock.now()}
        await self._writer.write(lambda at: at.execute(ended.values(**values)).rowcount)

    async def get(self, run_id: str) -> Run | None:
        """Return the run with its steps in the order of their first record, None where there is none."""
        return await self._reader.scan(lambda at: _load(at, run_id))

    async def listing(self, limit: int = 100) -> list[Run]:
        """Return the newest runs, without their steps."""
        wanted = select(RUNS).order_by(RUNS.c.id.desc()).limit(limit)
        return [_as_run(row) for row in await self._reader.scan(lambda at: at.execute(wanted).all())]

    async def seen(self, playbook: str, ids: Iterable[str]) -> set[str]:
        """Return those of the signal ids that runs of this playbook have marked as seen."""
        asked = list(ids)
        return self._reader.point(lambda at: _seen(at, playbook, asked))

    async def mark_seen(self, run_id: str, playbook: str, ids: Iterable[str]) -> None:
        """Mark the signals as seen by this playbook; those marked before keep their first run."""
        now = self._clock.now()
        rows = [{"playbook": playbook, "signal_id": each, "run_id": run_id, "at": now} for each in ids]
        if rows:
            await self._writer.write(lambda at: _mark_seen(at, rows))

    def _taken(self) -> list[tuple[str, RunStep]]:
        with self._lock:
            taken, self._recorded = self._recorded, []
        return taken


class _Batch:
    """Writes what was recorded up to its turn; tried again, it writes the same."""

    def __init__(self, take: Callable[[], list[tuple[str, RunStep]]]) -> None:
        self._take = take
        self._steps: list[tuple[str, RunStep]] | None = None

    def __call__(self, at: Connection) -> None:
        """Write the steps."""
        if self._steps is None:
            self._steps = self._take()
        _keep_steps(at, self._steps)


def _start(at: Connection, row: dict[str, Any]) -> None:
    try:
        at.execute(RUNS.insert().values(**row))
    except IntegrityError as error:
        raise UsageError(
            f"There is a run {row['run_id'][:80]} already.", "Choose another run id, or leave it out."
        ) from error


def _keep_steps(at: Connection, steps: Sequence[tuple[str, RunStep]]) -> None:
    if not steps:
        return
    rows = [{"run_id": run_id, **{name: getattr(step, name) for name in _STEP_FIELDS}} for run_id, step in steps]
    at.execute(_KEEP_STEP, rows)


def _mark_seen(at: Connection, rows: list[dict[str, Any]]) -> None:
    at.execute(_KEEP_SEEN, rows)


def _seen(at: Connection, playbook: str, ids: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for part in parts(ids):
        wanted = select(SEEN.c.signal_id).where(SEEN.c.playbook == playbook, SEEN.c.signal_id.in_(part))
        found.update(at.execute(wanted).scalars())
    return found


def _load(at: Connection, run_id: str) -> Run | None:
    row = at.execute(select(RUNS).where(RUNS.c.run_id == run_id)).one_or_none()
    if row is None:
        return None
    steps = at.execute(select(RUN_STEPS).where(RUN_STEPS.c.run_id == run_id).order_by(RUN_STEPS.c.id)).all()
    return _as_run(row, tuple(RunStep(*(step._mapping[name] for name in _STEP_FIELDS)) for step in steps))


def _as_run(row: Row[Any], steps: tuple[RunStep, ...] = ()) -> Run:
    return Run(**{name: row._mapping[name] for name in _RUN_FIELDS}, steps=steps)
