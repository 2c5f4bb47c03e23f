"""The end of acts within a write: every move is conditional on where the act stands, so that only one caller makes it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, select, update

from signal_playbooks.contract.vocabulary import ActStatus
from signal_playbooks.errors import AlreadySettled, UnknownHandle
from signal_playbooks.store.act import Act, as_act, stands
from signal_playbooks.store.audit import AuditRow, add_row
from signal_playbooks.store.schema import ACTS

_COLUMN = ACTS.c
_OPEN = ("committing", "in_doubt")


def load(at: Connection, handle: str, now: datetime) -> Act | None:
    """Return the act of that handle, None where there is none."""
    row = at.execute(select(ACTS).where(_COLUMN.handle == handle)).one_or_none()
    return None if row is None else as_act(row, now)


def begin(at: Connection, handle: str, by: str, committer: str, now: datetime) -> Act | None:
    """Return the act moved from staged to committing, None where it was not staged."""
    moved = _move(at, handle, stands(["staged"], now), status="committing", committer=committer)
    act = load(at, handle, now)
    if act is not None:
        _note(at, act, by, "commit", "committing" if moved else f"refused: {act.status}", now)
    return act if moved else None


def settle(
    at: Connection, handle: str, status: ActStatus, receipt: str | None, note: str | None, by: str, now: datetime
) -> Act:
    """Return the act with the outcome of its commit; raises UnknownHandle, AlreadySettled."""
    act = _settled(at, handle, status, receipt, note, now)
    if act is None:
        raise _not_open(load(at, handle, now), handle)
    _note(at, act, by, "commit", status, now)
    return act


def recover(
    at: Connection,
    handle: str,
    status: ActStatus,
    receipt: str | None,
    note: str | None,
    by: str,
    now: datetime,
    is_alive: Callable[[str | None], bool],
) -> Act | None:
    """Return the interrupted act with its outcome, None where it is not interrupted: a living one's is not touched."""
    held = select(_COLUMN.committer).where(_COLUMN.handle == handle, _COLUMN.status == "committing")
    row = at.execute(held).one_or_none()
    if row is None or is_alive(row.committer):
        return None
    act = _settled(at, handle, status, receipt, note, now)
    if act is not None:
        _note(at, act, by, "recover", status, now)
    return act


def discard(at: Connection, handle: str, by: str, now: datetime) -> Act | None:
    """Return the act moved from staged to discarded, None where it was not staged."""
    if not _move(at, handle, stands(["staged"], now), status="discarded", settled_at=now):
        return None
    act = load(at, handle, now)
    if act is not None:
        _note(at, act, by, "discard", "discarded", now)
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


def _settled(
    at: Connection, handle: str, status: ActStatus, receipt: str | None, note: str | None, now: datetime
) -> Act | None:
    values: dict[str, Any] = {"status": status, "settled_at": now, "receipt": receipt, "note": note}
    return load(at, handle, now) if _move(at, handle, _COLUMN.status.in_(_OPEN), **values) else None


def _move(at: Connection, handle: str, where: ColumnElement[bool], **values: object) -> bool:
    return at.execute(update(ACTS).where(_COLUMN.handle == handle, where).values(**values)).rowcount == 1


def _note(at: Connection, act: Act, by: str, what: str, outcome: str, now: datetime) -> None:
    add_row(at, AuditRow(now, by, what, act.handle, act.signal_id, outcome))


def _not_open(act: Act | None, handle: str) -> UnknownHandle | AlreadySettled:
    if act is None:
        return UnknownHandle(f"There is no act {handle[:80]}.", "Stage it first; the answer holds its handle.")
    return AlreadySettled(
        f"The act {handle} is {act.status}; nothing is left to settle.",
        "Stage it anew if it is still wanted.",
        handle=handle,
        status=act.status,
    )
