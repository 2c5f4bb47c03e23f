"""What the checker and the engine both have to know of steps: their keys, which lanes they run in, what they can do."""

from collections.abc import Sequence
from typing import Literal, get_args

from signal_playbooks.content.playbook import Step

FOR_SIGNALS = "signal"
OTHERWISE = "otherwise"
Status = Literal["succeeded", "failed", "skipped", "partial", "in_doubt"]
STATUSES: tuple[Status, ...] = get_args(Status)
Effect = Literal["read", "stage", "commit"]


def step_key(step: Step, place: int, taken: frozenset[str]) -> str:
    """Return a step's id, or the stable key of one without: what it is and its place, such as `inspect_2`.

    `taken` are the ids of the playbook, none of which such a key may be.
    """
    if step.id is not None:
        return step.id
    kind = step.tool or ("use" if step.use else "filter" if step.filter else "lanes")
    key = f"{kind}_{place + 1}"
    while key in taken:
        key += "_"
    return key


def lane_length(steps: Sequence[Step], place: int) -> int:
    """Return how many steps, the opening one included, run in the lanes that the for_each step at the place opens."""
    opening = steps[place]
    if opening.steps is not None or opening.for_each != FOR_SIGNALS:
        return 1
    end = place + 1
    while end < len(steps) and steps[end].for_each is None and steps[end].tool != "listen" and not steps[end].use:
        end += 1
    return end - place


def openings(steps: Sequence[Step]) -> list[int | None]:
    """Return of each step the place of the for_each step whose lanes it runs in, its own included, None outside."""
    found: list[int | None] = []
    while len(found) < len(steps):
        place = len(found)
        opens = steps[place].for_each is not None
        found += [place] * lane_length(steps, place) if opens else [None]
    return found


def without_lane(step: Step) -> Step:
    """Return the step as it stands inside the lane it opens; what it does about errors is then the loop's."""
    return step.model_copy(update={"for_each": None, "as_": None, "limit": None, "on_error": None})


def commits(step: Step) -> bool:
    """Tell whether a call may commit: its params.commit is there and not literally false (or null, which is absent).

    Params that are one expression as a whole count: what they hold is known only in a run, so the stricter class does.
    """
    params = (step.args or {}).get("params") if step.tool == "dispatch" else None
    if isinstance(params, str):
        return True
    commit = params.get("commit") if isinstance(params, dict) else None
    return commit is not None and commit is not False


def effect_of(step: Step) -> Effect | None:
    """Return the class of a call, which decides what may be repeated; None where the step is no call."""
    if step.tool is None:
        return None
    if step.tool != "dispatch":
        return "read"
    return "commit" if commits(step) else "stage"
