"""Checks on the form of steps: what each is, which keys belong to it, ids, and where `otherwise` may stand."""

from collections.abc import Sequence

from signal_playbooks.content.checking.context import Check, Path, kind_of
from signal_playbooks.content.playbook import Step
from signal_playbooks.content.steps import OTHERWISE, openings

RESERVED = frozenset(
    {"inputs", "steps", "run", "signal", "thread", "author", "dispatched", "item", "attempt", "output"}
)

# Fields that only mean something beside another: the field, what has to be there, and the sentence's end.
_BELONGS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("args", ("tool",), "the arguments of a tool"),
    ("with_", ("use",), "the inputs of a used playbook"),
    ("as_", ("for_each",), "the name of a loop's variable"),
    ("limit", ("for_each",), "how many lanes a loop opens"),
    ("concurrency", ("for_each",), "how many lanes a loop runs at a time"),
    ("retry", ("tool",), "how a tool call is tried again"),
    ("timeout", ("tool",), "how long one attempt of a tool call may take"),
)


def check_structure(check: Check) -> None:
    """Check the form of every step."""
    for path, step in check.steps:
        _check_kind(check, path, step)
        _check_belongings(check, path, step)
        _check_lane_name(check, path, step)
    _check_ids(check)
    _check_lanes(check, check.playbook.steps, ("steps",))
    if any(step.needs for _, step in check.steps):
        everywhere = frozenset(step.id for _, step in check.steps if step.id)
        _check_needs(check, check.playbook.steps, ("steps",), frozenset(), everywhere)


def _check_kind(check: Check, path: Path, step: Step) -> None:
    present = [kind for kind in ("tool", "use", "filter", "steps") if getattr(step, kind) is not None]
    if not present:
        message = "this step does nothing: it needs one of tool, use, filter or steps"
        check.say(path, "step-kind", message, hint="write for example: tool: listen")
    elif len(present) > 1:
        message = f"a step is one thing, this one is {' and '.join(present)}: make it {len(present)} steps"
        check.say_key((*path, present[1]), "step-kind", message)
    elif present == ["steps"] and step.for_each is None:
        check.say_key((*path, "steps"), "step-kind", "a block of steps needs for_each: say what it is done for")
    elif present == ["filter"] and step.for_each is not None:
        check.say_key((*path, "for_each"), "step-kind", "a filter cannot open lanes; give the step before it for_each")
    elif present == ["filter"] and step.when is not None:
        check.say_key((*path, "when"), "step-kind", "a filter is a condition already: join the two with and")


def _check_belongings(check: Check, path: Path, step: Step) -> None:
    given = step.model_fields_set
    for name, owners, what in _BELONGS:
        if name in given and given.isdisjoint(owners):
            key = alias(name)
            message = f"{key} is {what}, and this step has no {' or '.join(owners)}"
            check.say_key((*path, key), "misplaced-key", message)
    if step.new_only and step.tool != "listen":
        message = "new_only keeps what a listen hears for the first time, and this step is no listen"
        check.say_key((*path, "new_only"), "misplaced-key", message)


def alias(name: str) -> str:
    """Return a field's name as it is written in a file."""
    return name.rstrip("_")


def _check_lane_name(check: Check, path: Path, step: Step) -> None:
    if step.as_ in RESERVED and not (step.as_ == "signal" and step.for_each is not None):
        message = f"{step.as_!r} is a reserved name: choose another for the loop's variable"
        check.say((*path, "as"), "reserved-name", message)


def _check_ids(check: Check) -> None:
    first: dict[str, Path] = {}
    for path, step in check.steps:
        if step.id is None:
            continue
        here = (*path, "id")
        if step.id in first:
            other = check.document.at(first[step.id])
            span = check.document.span(other) if other is not None else check.document.key_span(first[step.id])
            message = f"two steps are called {step.id!r}; the other stands at line {span.line}"
            check.say(here, "duplicate-id", message, related=((span, "the first of that name"),))
        else:
            first[step.id] = here


def _check_lanes(check: Check, steps: Sequence[Step], path: Path, *, inside: bool = False) -> None:
    """Check what depends on the lanes a step runs in: where `otherwise` may stand, and what a filter can end."""
    opened = openings(steps)
    for index, step in enumerate(steps):
        here = (*path, index)
        if step.when == OTHERWISE:
            _check_otherwise(check, steps, index, opened, here)
        if kind_of(step) == "filter" and opened[index] is None and not inside:
            message = "a filter ends a lane, and there is none here: use when"
            check.say_key((*here, "filter"), "step-kind", message)
        if step.steps is not None:
            _check_lanes(check, step.steps, (*here, "steps"), inside=True)


def _check_otherwise(check: Check, steps: Sequence[Step], index: int, opened: Sequence[int | None], here: Path) -> None:
    """Check one `otherwise`: it has to come after a `when` that is asked once where it is asked itself."""
    before = steps[index - 1] if index else None
    if steps[index].for_each is not None and steps[index].steps is None:
        message = "otherwise never holds here: for_each opens lanes, and in each this step is the first"
        hint = "write the condition out, or make for_each a block of steps"
    elif before is not None and opened[index - 1] is not None and opened[index] != opened[index - 1]:
        message = "otherwise never holds after lanes: their when is asked in each of them"
        hint = "write the condition out"
    elif before is None or before.when is None:
        message = "otherwise means that the step before it was skipped by its when; the step before has none"
        hint = None
    else:
        return
    check.say((*here, "when"), "otherwise-alone", message, hint=hint)


def _check_needs(
    check: Check, steps: Sequence[Step], path: Path, outer: frozenset[str], everywhere: frozenset[str]
) -> None:
    before = set(outer)
    for index, step in enumerate(steps):
        for position, name in enumerate(step.needs):
            here = (*path, index, "needs", position)
            if name in before:
                continue
            if name in everywhere:
                check.say(
                    here, "forward-reference", f"step {name!r} is not finished here: it stands later, or in a lane"
                )
            else:
                check.unknown(here, "unknown-step", "step", name, before)
        if step.id:
            before.add(step.id)
        if step.steps is not None:
            _check_needs(check, step.steps, (*path, index, "steps"), frozenset(before), everywhere)
