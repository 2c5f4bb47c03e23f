"""Staging within a write: the same wish finds its live act, a replaced one is superseded, each with its audit row."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, bindparam, select, text, update

from signal_playbooks.errors import AlreadySettled, UnknownHandle
from signal_playbooks.store.act import Act, Status, as_act, as_row, params_key
from signal_playbooks.store.audit import AuditRow, add_row
from signal_playbooks.store.schema import ACTS, LIVE
from signal_playbooks.store.settling import expire, load

LIVE_STATUSES: tuple[Status, ...] = ("staged", "committing", "committed", "in_doubt")
_COLUMN = ACTS.c
_INSERT = ACTS.insert()
_SAME_WISH = (
    select(ACTS)
    .where(_COLUMN.signal_id == bindparam("of_signal"), _COLUMN.action == bindparam("of_action"))
    .where(_COLUMN.params_key == bindparam("of_params"), text(LIVE))
)


def stage(at: Connection, act: Act, replaces: str | None, now: datetime) -> tuple[Act, bool]:
    """Return the act as staged and True, or the live act of the same wish and False; see `Acts.stage`."""
    live = _live(at, act, now)
    if replaces is not None and (live is None or live.handle != replaces):
        _supersede(at, replaces, act.staged_by, now)
    if live is not None:
        add_row(at, AuditRow(now, act.staged_by, "stage", live.handle, act.signal_id, f"unchanged: {live.status}"))
        return live, False
    staged = replace(act, status="staged")
    at.execute(_INSERT, as_row(staged))
    add_row(at, AuditRow(now, act.staged_by, "stage", act.handle, act.signal_id, "staged"))
    return staged, True


def _live(at: Connection, act: Act, now: datetime) -> Act | None:
    wish = {"of_signal": act.signal_id, "of_action": act.action, "of_params": params_key(act.params)}
    row = at.execute(_SAME_WISH, wish).one_or_none()
    if row is None:
        return None
    found = as_act(row, now)
    if found.status != "expired":
        return found
    expire(at, now, act.staged_by, handle=found.handle)
    return None


def _supersede(at: Connection, handle: str, by: str, now: datetime) -> None:
    old = load(at, handle, now)
    if old is None:
        raise UnknownHandle(
            f"There is no act {handle[:80]} to replace.", "Stage without a handle, or name a staged one."
        )
    if old.status != "staged":
        raise AlreadySettled(
            f"The act {handle} is {old.status} and cannot be replaced.",
            "Stage anew without a handle.",
            handle=handle,
            status=old.status,
        )
    at.execute(update(ACTS).where(_COLUMN.handle == handle).values(status="superseded", settled_at=now))
    add_row(at, AuditRow(now, by, "replace", handle, old.signal_id, "superseded"))
