"""Acts: staged, committed once, settled; each step and its audit row in one transaction."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, literal_column, select, update

from signal_playbooks.clock import Clock
from signal_playbooks.contract.vocabulary import ActStatus
from signal_playbooks.store.act import Act, Status, as_act, stands, stands_each
from signal_playbooks.store.committer import Committer
from signal_playbooks.store.parts import parts
from signal_playbooks.store.reader import Reader
from signal_playbooks.store.schema import ACTS
from signal_playbooks.store.settling import Outcome, begin, discard, expire, load, recover, settle
from signal_playbooks.store.staging import LIVE_STATUSES, stage
from signal_playbooks.store.writer import Writer

_COLUMN = ACTS.c
_CLOCK = "clock"
_OF_SIGNAL = (
    select(ACTS)
    .where(_COLUMN.signal_id == bindparam("of_signal"), _COLUMN.action == bindparam("of_action"))
    .order_by(_COLUMN.id.desc())
)
_DRAFTED = (
    select(ACTS)
    .where(_COLUMN.author_key == bindparam("of_author"), _COLUMN.created_at >= bindparam("since"))
    .where(_COLUMN.action == "draft_reply", stands(LIVE_STATUSES))
    .order_by(_COLUMN.created_at.desc(), _COLUMN.id.desc())
    .limit(1)
)


class Acts:
    """A staged act past its time reads as expired, written so or not. Every method raises StoreUnavailable."""

    def __init__(self, reader: Reader, writer: Writer, clock: Clock, committer: Committer) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock
        self._committer = committer

    async def stage(self, act: Act, *, replaces: str | None = None) -> tuple[Act, bool]:
        """Return the staged act and True, or the live act of the same signal, action and params and False.

        `replaces` supersedes that staged act in the same transaction; raises UnknownHandle where there is none of that
        handle, AlreadySettled where it is no longer staged.
        """
        now = self._clock.now()
        return await self._writer.write(lambda at: stage(at, act, replaces, now))

    async def get(self, handle: str) -> Act | None:
        """Return the act, None where there is none of that handle."""
        now = self._clock.now()
        return self._reader.point(lambda at: load(at, handle, now))

    async def find(self, signal_id: str, action: str, *statuses: Status) -> list[Act]:
        """Return the acts of this kind on the signal, newest first; those of the statuses where any are given."""
        now = self._clock.now()
        wanted = _OF_SIGNAL.where(stands(statuses)) if statuses else _OF_SIGNAL
        named = {"of_signal": signal_id, "of_action": action} | ({"moment": now} if statuses else {})
        rows = self._reader.point(lambda at: at.execute(wanted, named).all())
        return [as_act(row, now) for row in rows]

    async def listing(self, statuses: Iterable[Status] = (), limit: int = 100, offset: int = 0) -> list[Act]:
        """Return acts newest first; of the statuses where any are given."""
        now = self._clock.now()
        asked = tuple(statuses)
        rows = await self._reader.scan(lambda at: _listed(at, asked, now, slice(offset, offset + limit)))
        return [as_act(row, now) for row in rows]

    async def counts(self) -> dict[str, int]:
        """Return how many acts have each status; a status without any is left out."""
        now = self._clock.now()
        return await self._reader.scan(lambda at: _counts(at, now))

    async def drafted_since(self, author_key: str, since: datetime) -> Act | None:
        """Return the newest live draft to this author created at or after that moment, or None."""
        now = self._clock.now()
        named = {"of_author": author_key, "since": since, "moment": now}
        row = self._reader.point(lambda at: at.execute(_DRAFTED, named).one_or_none())
        return None if row is None else as_act(row, now)

    async def begin_commit(self, handle: str, by: str) -> Act | None:
        """Move a staged act to committing and return it; None to everyone but the one who does.

        What is returned has to be settled; should this process die before, `interrupted` lists it.
        """
        now, name = self._clock.now(), self._committer.name()
        return await self._writer.write(lambda at: begin(at, handle, by, name, now), durable=True)

    async def settle(
        self, handle: str, status: ActStatus, *, receipt: str | None = None, note: str | None = None, by: str
    ) -> Act:
        """Write how a commit ended (or what a person found out about one in doubt), and return the act.

        Raises UnknownHandle, and AlreadySettled where it is neither committing nor in doubt.
        """
        now = self._clock.now()
        return await self._writer.write(
            lambda at: settle(at, handle, Outcome(status, receipt, note, by, now)), durable=True
        )

    async def discard(self, handle: str, by: str) -> Act | None:
        """Throw a staged act away and return it; None where it is not staged."""
        now = self._clock.now()
        return await self._writer.write(lambda at: discard(at, handle, by, now))

    async def expire_due(self, now: datetime) -> list[str]:
        """Write the staged acts past their time as expired, and return their handles."""
        over = select(_COLUMN.id).where(_COLUMN.status == "staged", _COLUMN.expires_at <= now).limit(1)
        if self._reader.point(lambda at: at.execute(over).scalar()) is None:
            return []
        return await self._writer.write(lambda at: expire(at, now, _CLOCK))

    async def interrupted(self) -> list[Act]:
        """Return the acts whose commit was begun by a process that is gone, oldest first."""
        now = self._clock.now()
        wanted = select(ACTS).where(_COLUMN.status == "committing").order_by(_COLUMN.id)
        rows = self._reader.point(lambda at: at.execute(wanted).all())
        return [as_act(row, now) for row in rows if not self._committer.is_alive(row.committer)]

    async def recover(
        self, handle: str, status: ActStatus, *, receipt: str | None = None, note: str | None = None, by: str
    ) -> Act | None:
        """Settle an interrupted act and return it; None where it is not (or no longer) interrupted."""
        now = self._clock.now()
        alive = self._committer.is_alive
        return await self._writer.write(
            lambda at: recover(at, handle, Outcome(status, receipt, note, by, now), alive), durable=True
        )

    async def due(self, now: datetime) -> list[Act]:
        """Return the committed follow-ups that are due and were not yet followed up, the longest due first."""
        # The plus keeps SQLite from walking all committed acts instead of those that wait to be followed up.
        committed = literal_column("+acts.status") == "committed"
        wanted = select(ACTS).where(_COLUMN.due_at <= now, _COLUMN.followed_at.is_(None), committed)
        wanted = wanted.where(_COLUMN.action == "schedule_followup")
        rows = self._reader.point(lambda at: at.execute(wanted.order_by(_COLUMN.due_at, _COLUMN.id)).all())
        return [as_act(row, now) for row in rows]

    async def followed(self, handle: str) -> bool:
        """Note that a due follow-up was followed up; True to the one who noted it first."""
        here = (_COLUMN.handle == handle) & _COLUMN.due_at.is_not(None) & _COLUMN.followed_at.is_(None)
        done = update(ACTS).where(here).values(followed_at=self._clock.now())
        return await self._writer.write(lambda at: at.execute(done).rowcount == 1)


def _listed(at: Connection, statuses: tuple[str, ...], now: datetime, which: slice) -> Sequence[Row[Any]]:
    newest = select(_COLUMN.id).order_by(_COLUMN.id.desc()).limit(which.stop)
    if statuses:
        each = [at.execute(newest.where(clause), {"moment": now}).scalars() for clause in stands_each(statuses)]
        ids = sorted(chain.from_iterable(each), reverse=True)[which]
    else:
        ids = list(at.execute(newest).scalars())[which]
    found = {row.id: row for part in parts(ids) for row in at.execute(select(ACTS).where(_COLUMN.id.in_(part)))}
    return [found[each] for each in ids]


def _counts(at: Connection, now: datetime) -> dict[str, int]:
    rows = at.execute(select(_COLUMN.status, func.count()).group_by(_COLUMN.status))
    counts: dict[str, int] = {row[0]: row[1] for row in rows}
    over = select(func.count()).where(_COLUMN.status == "staged", _COLUMN.expires_at <= now)
    late = int(at.execute(over).scalar() or 0)
    counts["expired"] = counts.get("expired", 0) + late
    counts["staged"] = counts.get("staged", 0) - late
    return {status: count for status, count in counts.items() if count}
