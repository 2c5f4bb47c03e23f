"""What the engine asks of its surroundings: a journal, a memory of seen signals, an approver, a watcher."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from pydantic import BaseModel

from signal_playbooks.content.steps import Effect, Status
from signal_playbooks.contract.listen import Coverage
from signal_playbooks.contract.signal import Signal
from signal_playbooks.contract.tools import ToolName
from signal_playbooks.errors import SignalError

Phase = Literal["intent", "result"]
CallStatus = Literal["started", "succeeded", "failed", "skipped", "in_doubt", "cancelled"]


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One line of the journal: written with phase `intent` before a call and with phase `result` after it.

    `path` is stable from run to run (`steps.look[sig_…].dispatch_3`); `arguments` are what the tool got.
    """

    path: str
    phase: Phase
    tool: ToolName
    effect: Effect
    status: CallStatus
    arguments: BaseModel
    attempts: int
    started_at: datetime
    finished_at: datetime | None = None
    output: BaseModel | None = None
    error: SignalError | None = None


class Journal(Protocol):
    """Where calls are written down, so that a run can be shown and resumed."""

    def record(self, entry: CallRecord) -> None:
        """Take one record; must return at once."""
        ...


class SeenSignals(Protocol):
    """Which signals earlier runs of a playbook have dealt with, for `new_only`."""

    async def unseen(self, playbook: str, ids: Collection[str]) -> set[str]:
        """Return those of the ids that no earlier run of the playbook has marked."""
        ...

    async def mark(self, playbook: str, ids: Collection[str]) -> None:
        """Remember the ids as seen by this playbook."""
        ...


@dataclass(frozen=True, slots=True)
class CommitRequest:
    """One act about to leave the process: what a person is asked about. `preview` and the rest may quote posts."""

    path: str
    action: str
    signal_id: str
    handle: str | None
    preview: str | None
    params: Mapping[str, Any]
    signal: Signal | None


class Approver(Protocol):
    """Says yes or no to each commit."""

    async def approve(self, request: CommitRequest) -> bool:
        """Tell whether this act may be committed."""
        ...


class Watcher:
    """Someone who follows a run; every method does nothing unless overridden, and must return at once."""

    def step_started(self, path: str, what: str) -> None:
        """Hear that a step outside a lane, or a loop, began; `what` is its tool, `use` or `lanes`."""

    def step_finished(self, path: str, status: Status, reason: str | None) -> None:
        """Hear how that step ended, and why where it was skipped or failed."""

    def heard(self, path: str, signal: Signal) -> None:
        """Hear of a signal the moment a listen streams it."""

    def covered(self, path: str, coverage: Coverage) -> None:
        """Hear what one source answered."""

    def lane_opened(self, path: str, key: str, item: object) -> None:
        """Hear that a lane of the loop at `path` began."""

    def lane_finished(self, path: str, key: str, status: Status) -> None:
        """Hear how that lane ended."""
