"""Checks on what an action needs and takes, where the action is written out."""

from collections.abc import Mapping

from signal_playbooks.content.checking.context import Check, Path
from signal_playbooks.content.playbook import Step
from signal_playbooks.contract.dispatch import ACTION_PARAMS, PHASE_PARAMS
from signal_playbooks.suggestion import did_you_mean


def check_action(check: Check, step: Step, here: Path) -> None:
    """Check the params of a dispatch against its action; what an expression decides is left to the run."""
    args = step.args or {}
    action, params = args.get("action"), args.get("params", {})
    if step.tool != "dispatch" or not isinstance(action, str) or action not in ACTION_PARAMS:
        return
    if not isinstance(params, Mapping):
        return
    path = (*here, "args", "params")
    takes = ACTION_PARAMS[action]
    for name in params:
        if any(name in taken for taken in ACTION_PARAMS.values()) and name not in takes:
            near = did_you_mean(name, takes)
            message = f"{action} takes no {name}: it takes {', '.join(sorted(takes))}{near}"
            check.say_key((*path, name), "unknown-arg", message)
    if not PHASE_PARAMS & params.keys():
        _check_needed(check, here, action, params)


def _check_needed(check: Check, here: Path, action: str, params: Mapping[str, object]) -> None:
    """Check a first staging: a later phase finds what it needs in the act."""
    path = (*here, "args", "params" if params else "action")
    if action == "route" and "destination" not in params:
        known = ", ".join(sorted(check.names.destinations))
        check.say_key(path, "missing-arg", "route needs params.destination", hint=f"destinations are {known}")
    if action != "schedule_followup":
        return
    if "at" in params and "in" in params:
        where = (*here, "args", "params", "in")
        check.say_key(where, "bad-arg", "a follow-up is due at a moment or in a while: take one of at and in")
    elif "at" not in params and "in" not in params:
        check.say_key(path, "missing-arg", "schedule_followup needs params.at or params.in", hint="in: 3d")
    if params.get("then_action") == "route" and "then_destination" not in params:
        check.say_key(path, "missing-arg", "then_action: route needs params.then_destination")
    if params.get("then_action") == "schedule_followup":
        there = (*here, "args", "params", "then_action")
        check.say(there, "bad-arg", "a follow-up cannot schedule another: name what to do then")
