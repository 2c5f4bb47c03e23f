"""Which params each action takes, checked and brought into one form, so that the same wish is the same act."""

from collections.abc import Collection, Mapping
from typing import Any

from signal_playbooks.content.model import seconds
from signal_playbooks.contract.dispatch import ACTION_PARAMS, PHASE_PARAMS, DispatchInput
from signal_playbooks.contract.reading import refusal, shown
from signal_playbooks.contract.vocabulary import Action
from signal_playbooks.errors import ArgumentError
from signal_playbooks.suggestion import did_you_mean
from signal_playbooks.text import clean

_LABEL = "flagged"
_FOLLOW_UP: Action = "draft_reply"


def given_params(request: DispatchInput) -> dict[str, Any]:
    """Return the params of the act itself, as JSON values: without those that choose its phase, and without nulls."""
    given = request.params.model_dump(mode="json", by_alias=True, exclude_none=True)
    kept = {name: value for name, value in given.items() if name not in PHASE_PARAMS and value is not False}
    return {name: clean(value) if isinstance(value, str) else value for name, value in kept.items()}


def checked_params(request: DispatchInput, destinations: Collection[str], default_destination: str) -> dict[str, Any]:
    """Return the params of the act with defaults filled in.

    Raises InvalidArguments for params that the action does not take, for a missing or unknown destination, and for a
    follow-up without exactly one of `at` and `in`.
    """
    given = given_params(request)
    complaints = _misplaced(request.action, given)
    complaints += _destinations(request.action, given, sorted(destinations))
    if request.action == "schedule_followup":
        complaints += _moments(given)
    if complaints:
        raise refusal(complaints, allowed_destinations=sorted(destinations))
    return _with_defaults(request.action, given, default_destination)


def _with_defaults(action: Action, given: dict[str, Any], default_destination: str) -> dict[str, Any]:
    match action:
        case "flag":
            return given | {"label": " ".join(given.get("label", _LABEL).split()) or _LABEL}
        case "draft_reply":
            return {"destination": default_destination} | given
        case "schedule_followup":
            return {"then_action": _FOLLOW_UP} | given
        case _:
            return given


def _misplaced(action: Action, given: Mapping[str, Any]) -> list[ArgumentError]:
    takes = ", ".join(sorted(ACTION_PARAMS[action]))
    return [
        ArgumentError(f"params.{name}", f"{action} does not take {name}; it takes {takes}")
        for name in given
        if name not in ACTION_PARAMS[action]
    ]


def _destinations(action: Action, given: Mapping[str, Any], known: list[str]) -> list[ArgumentError]:
    listed = f"one of {', '.join(known)}" if known else "there is none; declare one in catalog/destinations/"
    complaints = []
    if action == "route" and "destination" not in given:
        complaints.append(ArgumentError("params.destination", f"route needs a destination: {listed}"))
    if given.get("then_action") == "route" and "then_destination" not in given:
        complaints.append(ArgumentError("params.then_destination", f"route needs a destination: {listed}"))
    for name in ("destination", "then_destination"):
        asked = given.get(name)
        if asked is not None and asked not in known:
            hint = did_you_mean(asked, known)
            complaints.append(
                ArgumentError(f"params.{name}", f"there is no destination {shown(asked)}: {listed}{hint}")
            )
    return complaints


def _moments(given: Mapping[str, Any]) -> list[ArgumentError]:
    if ("at" in given) == ("in" in given):
        return [ArgumentError("params.at", "schedule_followup needs exactly one of at (RFC 3339) and in (such as 3d)")]
    if given.get("then_action") == "schedule_followup":
        return [ArgumentError("params.then_action", "a follow-up cannot schedule another; name what to do then")]
    if "in" in given and not 0 < seconds(given["in"]) <= 10 * 366 * 86_400:
        return [ArgumentError("params.in", f"{given['in']} is not between one second and ten years")]
    return []
