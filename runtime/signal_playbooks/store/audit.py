"""The audit: who staged, committed or discarded what, when, and with which outcome; rows are only ever added."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from signal_playbooks.clock import Clock
from signal_playbooks.store.reader import Reader
from signal_playbooks.store.schema import AUDIT
from signal_playbooks.store.writer import Writer


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One line: `what` is stage, replace, commit, discard, expire or recover; `outcome` how it ended."""

    at: datetime
    who: str
    what: str
    handle: str | None
    signal_id: str | None
    outcome: str


_ADD = AUDIT.insert()


class Audit:
    """The audit, newest first. Every method raises StoreUnavailable."""

    def __init__(self, reader: Reader, writer: Writer, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock

    async def listing(self, limit: int = 100, *, handle: str | None = None) -> list[AuditRow]:
        """Return the newest rows, of one act where its handle is given."""
        wanted = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
        if handle is not None:
            wanted = wanted.where(AUDIT.c.handle == handle)
        rows = await self._reader.scan(lambda at: at.execute(wanted).all())
        return [AuditRow(row.at, row.who, row.what, row.handle, row.signal_id, row.outcome) for row in rows]

    async def write(self, who: str, what: str, outcome: str, *, handle: str | None, signal_id: str | None) -> None:
        """Add a row for something that changed nothing here, such as a commit that was not allowed."""
        row = AuditRow(self._clock.now(), who, what, handle, signal_id, outcome)
        await self._writer.write(lambda at: add_row(at, row), durable=True)


def add_row(at: Connection, row: AuditRow) -> None:
    """Add the row within a write, so that it stands exactly where what it tells of does."""
    at.execute(_ADD, asdict(row))
