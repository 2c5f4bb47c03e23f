"""What a run gives back: frozen results of steps, lanes and the whole, and their JSON form.

Results of steps and lanes are named tuples: ten thousand lanes make thirty thousand of them, and a frozen dataclass
takes seven times as long to make.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import BaseModel

from signal_playbooks.content.evaluation import Unavailable
from signal_playbooks.content.steps import STATUSES, Status
from signal_playbooks.contract.listen import Coverage
from signal_playbooks.contract.model import rfc3339
from signal_playbooks.errors import SignalError

EXIT_CODES: Mapping[Status, int] = {"succeeded": 0, "skipped": 0, "failed": 1, "partial": 3, "in_doubt": 4}


class StepResult(NamedTuple):
    """How one step ended. A step with lanes has `items` in the order of its list, and `counts` that add up to them.

    `reason` says why it was skipped; `cut` that the budget did it, `passed_over` that its `when` did; `left_out` how
    many lanes its limit left out; `acts` are those of a used playbook.
    """

    status: Status
    output: object = None
    error: SignalError | None = None
    attempts: int = 0
    started_at: datetime | None = None
    finished_at: datetime | None = None
    reason: str | None = None
    cut: bool = False
    passed_over: bool = False
    items: "Sequence[LaneItem] | None" = None
    counts: Mapping[str, int] | None = None
    left_out: int = 0
    acts: "Sequence[Act]" = ()

    def __repr__(self) -> str:
        lanes = f", {len(self.items)} lanes" if self.items is not None else ""
        return f"StepResult({self.status}{lanes})"

    def view(self, key: str) -> dict[str, object]:
        """Return what an expression reads under `steps.<key>`; what is not there says why when it is touched."""
        view: dict[str, object] = {
            "status": self.status,
            "output": self._output(key),
            "error": _error_view(self.error),
            "attempts": self.attempts,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
        }
        if self.items is not None:
            view["items"] = [item.view() for item in self.items]
            view["counts"] = self.counts
        return view

    def _output(self, key: str) -> object:
        if self.items is not None:
            return Unavailable(f"step {key} has lanes: read steps.{key}.items or steps.{key}.counts")
        if self.status == "skipped":
            return Unavailable(f"step {key} was skipped ({self.reason or 'no reason given'}), so it has no output")
        if self.error is not None and self.output is None:
            return Unavailable(f"step {key} {_ended(self.status)}, so it has no output: {self.error.message}")
        return self.output

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        body: dict[str, Any] = {"status": self.status, "attempts": self.attempts}
        if self.items is None:
            body["output"] = as_json(self.output)
        else:
            body["counts"] = dict(self.counts or {})
            body["items"] = [item.as_dict() for item in self.items]
        body |= _present(self.error, self.reason)
        if self.left_out:
            body["left_out"] = self.left_out
        body["started_at"] = rfc3339(self.started_at) if self.started_at else None
        body["finished_at"] = rfc3339(self.finished_at) if self.finished_at else None
        return body


class LaneItem(NamedTuple):
    """How one lane ended: `key` is its signal's id, else its index in the list; `steps` its results by step."""

    key: str
    status: Status
    steps: Mapping[str, StepResult]
    error: SignalError | None = None
    reason: str | None = None

    def __repr__(self) -> str:
        return f"LaneItem({self.key!r}, {self.status})"

    @property
    def output(self) -> dict[str, object]:
        """Return the lane's outputs by step; a nested loop gives its items and counts, a step without one null."""
        return {key: _lane_output(result) for key, result in self.steps.items()}

    def view(self) -> dict[str, object]:
        """Return what an expression reads of an item of `steps.<loop>.items`."""
        return {
            "key": self.key,
            "status": self.status,
            "output": {key: _lane_view(key, result) for key, result in self.steps.items()},
            "error": _error_view(self.error),
            "reason": self.reason,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        body = {"key": self.key, "status": self.status, "output": as_json(self.output)}
        return body | _present(self.error, self.reason)


class Act(NamedTuple):
    """One act of the run, with what a person needs to judge it; the texts may quote posts."""

    handle: str
    action: str
    status: str
    signal_id: str
    preview: str
    expires_at: datetime | None = None
    receipt: str | None = None
    note: str | None = None
    url: str | None = None
    source: str | None = None
    headline: str | None = None
    author: str | None = None
    intent: str | None = None
    intent_confidence: float | None = None
    match_reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form, every field present."""
        return {name: as_json(value) for name, value in self._asdict().items()}


@dataclass(frozen=True, slots=True)
class Spent:
    """What became of one kind of call: how many the budget allows, were made, and did not fit."""

    allowed: int
    used: int
    left_out: int

    def as_dict(self) -> dict[str, int]:
        """Return the JSON form."""
        return {"allowed": self.allowed, "used": self.used, "left_out": self.left_out}


@dataclass(frozen=True, slots=True, repr=False)
class RunResult:
    """The whole run. `steps` are those outside lanes, by id or by place and tool (`inspect_2`)."""

    run_id: str
    playbook: str
    status: Status
    steps: Mapping[str, StepResult]
    outputs: Mapping[str, object]
    acts: Sequence[Act]
    budget: Mapping[str, Spent]
    coverage: Sequence[Coverage]
    started_at: datetime
    finished_at: datetime
    notes: Sequence[str] = field(default=())
    error: SignalError | None = None

    def __repr__(self) -> str:
        # asyncio writes a task's result out when it restores the signal handlers, so this must stay short.
        return f"RunResult({self.run_id!r}, {self.playbook}, {self.status}, {len(self.steps)} steps)"

    @property
    def staged(self) -> tuple[Act, ...]:
        """Return the acts that wait for a person, in the order of their lanes."""
        return tuple(act for act in self.acts if act.status == "staged")

    @property
    def committed(self) -> tuple[Act, ...]:
        """Return the acts that were executed."""
        return tuple(act for act in self.acts if act.status == "committed")

    @property
    def exit_code(self) -> int:
        """Return 0 succeeded, 1 failed, 3 partial, 4 an act is in doubt; a refused input is 2."""
        if self.status == "failed" and self.error is not None and self.error.exit_code == 130:
            return 130
        return EXIT_CODES[self.status]

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form; every value in it is text, number, boolean, null, list or map."""
        return {
            "run_id": self.run_id,
            "playbook": self.playbook,
            "status": self.status,
            "steps": {key: result.as_dict() for key, result in self.steps.items()},
            "outputs": as_json(self.outputs),
            "staged": [act.as_dict() for act in self.staged],
            "committed": [act.as_dict() for act in self.committed],
            "in_doubt": [act.as_dict() for act in self.acts if act.status == "in_doubt"],
            "budget": {kind: spent.as_dict() for kind, spent in self.budget.items()},
            "coverage": [as_json(line) for line in self.coverage],
            "notes": list(self.notes),
            "error": self.error.as_dict() if self.error else None,
            "started_at": rfc3339(self.started_at),
            "finished_at": rfc3339(self.finished_at),
        }


def as_json(value: object) -> Any:
    """Return any value a playbook can hold as plain JSON data; what is unavailable is null."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, Mapping):
        return {str(key): as_json(member) for key, member in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(member) for member in value]
    return None if isinstance(value, Unavailable) else str(value)


def count(items: Sequence[LaneItem]) -> dict[str, int]:
    """Return how many items have each status; the numbers add up to all of them."""
    counts: dict[str, int] = dict.fromkeys(STATUSES, 0)
    for item in items:
        counts[item.status] += 1
    return counts


def _lane_output(result: StepResult) -> object:
    if result.items is not None:
        return {
            "items": [{"key": item.key, "status": item.status, "output": item.output} for item in result.items],
            "counts": result.counts,
        }
    return result.output


def _lane_view(key: str, result: StepResult) -> object:
    """Return what stands for a step in a lane's output: its output, or, of a nested loop, the whole result."""
    view = result.view(key)
    return view if result.items is not None else view["output"]


def _error_view(error: SignalError | None) -> dict[str, Any] | None:
    return None if error is None else {"suggested_action": None} | error.as_dict()


def _present(error: SignalError | None, reason: str | None) -> dict[str, Any]:
    body: dict[str, Any] = {"error": error.as_dict() if error else None}
    return body | {"reason": reason} if reason else body


def _ended(status: Status) -> str:
    return {"failed": "failed", "in_doubt": "is in doubt", "partial": "was only done in part"}.get(status, status)
