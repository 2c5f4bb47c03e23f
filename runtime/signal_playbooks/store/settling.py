"""The end of acts within a write: every move depends on where the act stands, so only one caller makes it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, select, update

from signal_playbooks.contract.vocabulary import ActStatus
from signal_playbooks.errors import AlreadySettled, UnknownHandle
from signal_playbooks.store.act import Act, as_act, stands
from signal_playbooks.store.audit import AuditRow, add_row
from signal_playbooks.store.columns import Instant
from signal_playbooks.store.schema import ACTS

_COLUMN = ACTS.c
_BY_HANDLE = select(ACTS).where(_COLUMN.handle == bindparam("of_handle"))
_MOMENT = bindparam("moment", type_=Instant)
_HERE = update(ACTS).where(_COLUMN.handle == bindparam("of_handle"))
_BEGIN = _HERE.where(stands(["staged"])).values(status="committing", committer=bindparam("name"))
_DISCARD = _HERE.where(stands(["staged"])).values(status="discarded", settled_at=_MOMENT)
_SETTLE = _HERE.where(_COLUMN.status.in_(("committing", "in_doubt"))).values(
    status=bindparam("ended"), receipt=bindparam("left"), note=bindparam("said"), settled_at=_MOMENT
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a commit ended, who says so, and when."""

    status: ActStatus
    receipt: str | None
    note: str | None
    by: str
    now: datetime


def load(at: Connection, handle: str, now: datetime) -> Act | None:
    """Return the act of that handle, None where there is none."""
    row = at.execute(_BY_HANDLE, {"of_handle": handle}).one_or_none()
    return None if row is None else as_act(row, now)


def begin(at: Connection, handle: str, by: str, committer: str, now: datetime) -> Act | None:
    """Return the act moved from staged to committing, None where it was not staged."""
    moved = at.execute(_BEGIN, {"of_handle": handle, "moment": now, "name": committer}).rowcount == 1
    act = load(at, handle, now)
    if act is not None:
        add_row(at, _row(act, "commit", "committing" if moved else f"refused: {act.status}", by, now))
    return act if moved else None


def settle(at: Connection, handle: str, outcome: Outcome) -> Act:
    """Return the act with the outcome of its commit; raises UnknownHandle, AlreadySettled."""
    act = _settled(at, handle, outcome)
    if act is None:
        raise _not_open(load(at, handle, outcome.now), handle)
    add_row(at, _row(act, "commit", outcome.status, outcome.by, outcome.now))
    return act


def recover(at: Connection, handle: str, outcome: Outcome, is_alive: Callable[[str | None], bool]) -> Act | None:
    """Return the interrupted act with its outcome, None where it is not interrupted: a living one's is not touched."""
    held = select(_COLUMN.committer).where(_COLUMN.handle == handle, _COLUMN.status == "committing")
    row = at.execute(held).one_or_none()
    if row is None or is_alive(row.committer):
        return None
    act = _settled(at, handle, outcome)
    if act is not None:
        add_row(at, _row(act, "recover", outcome.status, outcome.by, outcome.now))
    return act


def discard(at: Connection, handle: str, by: str, now: datetime) -> Act | None:
    """Return the act moved from staged to discarded, None where it was not staged."""
    if at.execute(_DISCARD, {"of_handle": handle, "moment": now}).rowcount == 0:
        return None
    act = load(at, handle, now)
    if act is not None:
        add_row(at, _row(act, "discard", "discarded", by, now))
    return act


def expire(at: Connection, now: datetime, by: str, *, handle: str | None = None) -> list[str]:
    """Return the handles of the staged acts past their time (of one only, where named), written as expired."""
    over = (_COLUMN.status == "staged") & (_COLUMN.expires_at <= now)
    if handle is not None:
        over &= _COLUMN.handle == handle
    rows = at.execute(select(_COLUMN.id, _COLUMN.handle, _COLUMN.signal_id).where(over)).all()
    for row in rows:
        at.execute(update(ACTS).where(_COLUMN.id == row.id).values(status="expired", settled_at=now))
        add_row(at, AuditRow(now, by, "expire", row.handle, row.signal_id, "expired"))
    return [row.handle for row in rows]


def _settled(at: Connection, handle: str, outcome: Outcome) -> Act | None:
    values = {"ended": outcome.status, "left": outcome.receipt, "said": outcome.note, "moment": outcome.now}
    settled = at.execute(_SETTLE, {"of_handle": handle} | values).rowcount == 1
    return load(at, handle, outcome.now) if settled else None


def _row(act: Act, what: str, outcome: str, by: str, now: datetime) -> AuditRow:
    return AuditRow(now, by, what, act.handle, act.signal_id, outcome)


def _not_open(act: Act | None, handle: str) -> UnknownHandle | AlreadySettled:
    if act is None:
        return UnknownHandle(f"There is no act {handle[:80]}.", "Stage it first; the answer holds its handle.")
    return AlreadySettled(
        f"The act {handle} is {act.status}; nothing is left to settle.",
        "Stage it anew if it is still wanted.",
        handle=handle,
        status=act.status,
    )
