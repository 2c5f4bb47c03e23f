"""Where a step runs: the names it can read, the results so far, and the lane it belongs to."""

from collections.abc import Mapping
from typing import Any

from signal_playbooks.content.evaluation import Unavailable
from signal_playbooks.content.steps import Status
from signal_playbooks.contract.dispatch import DispatchOutput
from signal_playbooks.contract.inspect import InspectOutput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.engine.budget import Account, Turns
from signal_playbooks.engine.nodes import Loop
from signal_playbooks.engine.result import LaneItem, StepResult
from signal_playbooks.errors import SignalError

_NO_THREAD = Unavailable("thread is not known here: it comes from an inspect with depth: thread or author in this lane")
_NO_AUTHOR = Unavailable("author is not known here: it comes from an inspect with depth: author in this lane")
_NO_DISPATCHED = Unavailable("dispatched is not known here: it is the output of a dispatch that ran in this lane")
FRESH: Mapping[str, object] = {"thread": _NO_THREAD, "author": _NO_AUTHOR, "dispatched": _NO_DISPATCHED}
UNBOUND: Mapping[str, object] = {
    **FRESH,
    "signal": Unavailable("signal is known only in a lane: give the step for_each: signal"),
    "item": Unavailable("item is known only in a lane: give the step for_each with a list"),
    "attempt": Unavailable("attempt is known only in retry.until"),
    "output": Unavailable("output is known only in retry.until; elsewhere write steps.<id>.output"),
}


class Frame:
    """The outermost steps of a playbook, or one lane. State of a run, and of nobody else."""

    __slots__ = (
        "account",
        "cut",
        "doubtful",
        "end",
        "error",
        "flawed",
        "gated",
        "index",
        "item",
        "key",
        "label",
        "loop",
        "names",
        "parent",
        "passed_over",
        "position",
        "ran",
        "reason",
        "results",
        "root",
        "signal_id",
        "turns",
        "views",
    )

    def __init__(self, names: dict[str, object], account: Account, root: str) -> None:
        self.names = names
        self.account = account
        self.root = root
        self.views: dict[str, object] | None = None
        self.parent: Frame | None = None
        self.loop: Loop | None = None
        self.turns: Turns | None = None
        self.index = 0
        self.key = ""
        self.label = ""
        self.item: object = None
        self.signal_id: str | None = None
        self.position = 0
        self.gated = False
        self.passed_over = False
        self.ran = False
        self.flawed = False
        self.cut = False
        self.doubtful = False
        self.end: Status | None = None
        self.error: SignalError | None = None
        self.reason: str | None = None
        self.results: dict[str, StepResult] = {}

    def path(self, key: str) -> str:
        """Return the stable path of a step in here: `steps.look[sig_…].dispatch_3`."""
        if self.loop is None or self.parent is None:
            return f"{self.root}.{key}"
        return f"{self.lane_path()}.{key}"

    def lane_path(self) -> str:
        """Return the path of this lane itself."""
        if self.loop is None or self.parent is None:
            return self.root
        return f"{self.parent.path(self.loop.common.key)}[{self.label}]"

    def finish(self, status: Status, reason: str | None = None, error: SignalError | None = None) -> None:
        """End this lane, or the run, here."""
        self.end, self.reason, self.error = status, reason, error

    @property
    def status(self) -> Status:
        """Return how it ended, once it has; an act in doubt wins over everything else."""
        if self.doubtful:
            return "in_doubt"
        if self.end is not None:
            return self.end
        return "partial" if self.flawed else "succeeded" if self.ran else "skipped"

    @property
    def settled(self) -> bool:
        """Tell whether a lane has nothing left to do."""
        return self.end is not None or (self.loop is not None and self.position >= len(self.loop.body.nodes))

    @property
    def inside_lanes(self) -> bool:
        """Tell whether this is a lane, or inside one, be it of a playbook that uses this one."""
        place: Frame | None = self
        while place is not None:
            if place.loop is not None:
                return True
            place = place.parent
        return False

    def lane_item(self) -> LaneItem:
        """Return how the lane ended."""
        status = self.status
        reason = "nothing in it ran" if status == "skipped" and self.reason is None else self.reason
        return LaneItem(self.key, status, self.results, self.error, reason)

    def bind(self, output: object) -> None:
        """Bring thread, author or dispatched into scope, as the output of a tool has them."""
        if type(output) is InspectOutput:
            # What the latest inspect did not look up is not known any more: it may have been of another signal.
            self.names["thread"] = _NO_THREAD if output.thread is None else output.thread
            self.names["author"] = _NO_AUTHOR if output.author_context is None else output.author_context
        elif type(output) is DispatchOutput:
            self.names["dispatched"] = output

    def unbind(self, tool: str, key: str, result: StepResult) -> None:
        """Say why thread, author or dispatched are not there after a step that failed or was skipped."""
        why = f"was skipped ({result.reason})" if result.status == "skipped" else f"{result.status}: {result.error}"
        missing = Unavailable(f"there is none, because step {key} {why}")
        for name in ("dispatched",) if tool == "dispatch" else ("thread", "author") if tool == "inspect" else ():
            if isinstance(self.names.get(name), Unavailable):
                self.names[name] = missing


def open_lane(parent: Frame, loop: Loop, index: int, item: object, label: str | None = None) -> Frame:
    """Return the frame of a new lane: its variable bound; author, thread and dispatched unbound."""
    names: dict[str, Any] = {**parent.names, **FRESH, loop.called(item): item}
    lane = Frame(names, parent.account, parent.root)
    if parent.views is not None and "steps" in loop.body.mentions.names:
        lane.views = dict(parent.views)
        names["steps"] = lane.views
    lane.parent, lane.loop, lane.index, lane.item = parent, loop, index, item
    if type(item) is Signal:
        lane.signal_id = lane.key = item.id
    else:
        lane.signal_id, lane.key = parent.signal_id, str(index)
    lane.label = label or lane.key
    return lane
