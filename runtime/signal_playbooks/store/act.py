"""An act on a signal, from its staging to its end, and how it stands in a row."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, and_, bindparam, false, or_

from signal_playbooks.contract.vocabulary import ActStatus
from signal_playbooks.store.columns import Instant, storable
from signal_playbooks.store.schema import ACTS

Status = ActStatus | Literal["committing"]
_COLUMN = ACTS.c


@dataclass(frozen=True, slots=True)
class Act:
    """What was previewed and what became of it. Moments are aware UTC.

    `payload` is what will be delivered, exactly as previewed. The status
    `committing` stands between a commit and its outcome.
    `author_key` names the author a draft answers, `due_at` when a follow-up is due. `expires_at` None means never.
    """

    handle: str
    signal_id: str
    action: str
    params: dict[str, Any]
    status: Status
    preview: str
    payload: dict[str, Any]
    author_key: str | None
    created_at: datetime
    expires_at: datetime | None
    staged_by: str
    settled_at: datetime | None = None
    receipt: str | None = None
    note: str | None = None
    run_id: str | None = None
    due_at: datetime | None = None


_FIELDS = tuple(field.name for field in fields(Act))


def params_key(params: dict[str, Any]) -> str:
    """Return a key that equal params share, whatever the order of their names."""
    return hashlib.sha256(json.dumps(params, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def as_act(row: Row[Any], now: datetime) -> Act:
    """Return the act of a row, as it stands at that moment: one past its time reads as expired."""
    values = {name: row._mapping[name] for name in _FIELDS}
    if row.status == "staged" and row.expires_at is not None and row.expires_at <= now:
        values["status"] = "expired"
    return Act(**values)


def as_row(act: Act) -> dict[str, Any]:
    """Return the act by column name."""
    return {name: getattr(act, name) for name in _FIELDS} | {"params_key": params_key(act.params)}


def stands(statuses: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that an act has one of the statuses at the moment bound as `moment`, written so or not."""
    return or_(false(), *stands_each(statuses))


def stands_each(statuses: Iterable[str]) -> list[ColumnElement[bool]]:
    """Return that condition in parts, each of one written status, as an index by status can answer it."""
    moment = bindparam("moment", type_=Instant)
    staged = _COLUMN.status == "staged"
    clauses: list[ColumnElement[bool]] = []
    for status in dict.fromkeys(statuses):
        if status == "staged":
            clauses.append(and_(staged, or_(_COLUMN.expires_at.is_(None), _COLUMN.expires_at > moment)))
        else:
            clauses.append(_COLUMN.status == storable(status))
        if status == "expired":
            clauses.append(and_(staged, _COLUMN.expires_at <= moment))
    return clauses
