"""What a step's `when` and its result mean for the lane or the run it stands in."""

from collections.abc import Sequence

from signal_playbooks.content.steps import Status
from signal_playbooks.engine.frame import Frame
from signal_playbooks.engine.nodes import Call, Common, Filter, Loop, Single, Use
from signal_playbooks.engine.result import StepResult
from signal_playbooks.errors import EvaluationFailed

_WHAT = {Call: "call", Use: "use", Filter: "filter", Loop: "lanes"}


def admits(loop: Loop, lane: Frame) -> bool:
    """Ask a block's `when` of this lane; a lane that is not admitted ends as skipped."""
    condition = loop.common.condition
    if condition is None or condition.holds(lane.names):
        return True
    lane.finish("skipped", f"its when was false: {condition.text}")
    return False


def passed_over(node: Single, common: Common, frame: Frame) -> str | None:
    """Return why the step does not run, or None where it does. A loop's condition is asked for each of its lanes."""
    if common.otherwise:
        return None if frame.passed_over else "the step before it ran"
    if common.condition is None or isinstance(node, Loop) or common.condition.holds(frame.names):
        return None
    return f"its when was false: {common.condition.text}"


def skipped_by_when(reason: str) -> StepResult:
    """Return the result of a step that was passed over."""
    return StepResult("skipped", reason=reason, passed_over=True)


def judge(node: Single, frame: Frame, result: StepResult) -> None:
    """Decide what a step's result means for the lane or run it is in."""
    if result.status == "skipped":
        if result.cut and frame.loop is not None:
            frame.cut = True
            frame.finish("skipped", result.reason)
        frame.cut = frame.cut or result.cut
        frame.flawed = frame.flawed or result.cut
        return
    frame.ran = frame.ran or not isinstance(node, Filter)
    frame.cut = frame.cut or result.cut
    if result.status == "in_doubt":
        frame.doubtful = True
        if isinstance(node, Call):
            frame.finish("in_doubt", result.reason, result.error)
    elif result.status == "partial":
        frame.flawed = True
    elif result.status == "failed":
        frame.flawed = True
        if node.common.on_error == "stop" or isinstance(node, Loop):
            frame.finish("failed", error=result.error)


def list_of(loop: Loop, value: object) -> Sequence[object]:
    """Return the value as the list to go over; EvaluationFailed where it is none."""
    if isinstance(value, list | tuple):
        return value
    key = loop.common.key
    raise EvaluationFailed(
        f"for_each of step {key} is no list but {type(value).__name__}",
        "name a list, such as steps.find.output.signals or inputs.names",
        expression=loop.source.text if loop.source else "signal",
    )


def listened(key: str, frame: Frame) -> StepResult | None:
    """Return the result of a listen before this place, here or in the lanes around; None where it did not run."""
    place: Frame | None = frame
    while place is not None:
        if key in place.results:
            return place.results[key]
        place = place.parent if place.loop is not None else None
    return None


def run_status(frame: Frame) -> Status:
    """Return how a playbook ended; an act in doubt wins over everything, for someone has to look at it."""
    if frame.doubtful:
        return "in_doubt"
    if frame.end == "failed":
        return "failed"
    return "partial" if frame.flawed else "succeeded"


def what(node: Single) -> str:
    """Return what the step is, in a word."""
    return node.tool if isinstance(node, Call) else _WHAT[type(node)]
