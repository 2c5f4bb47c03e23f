"""The acts of a run, gathered from its results in the order of their lanes, with what a person needs to judge each."""

from collections.abc import Mapping

from signal_playbooks.contract.dispatch import DispatchOutput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.engine.result import Act, StepResult

_KEPT = ("staged", "committed", "in_doubt")


def acts_of(results: Mapping[str, StepResult], signals: Mapping[str, Signal]) -> tuple[Act, ...]:
    """Return each act once, as its last call left it, at the place of its first."""
    found: dict[str, DispatchOutput | Act] = {}
    _gather(results, found)
    kept = (act for act in found.values() if act.status in _KEPT)
    return tuple(act if isinstance(act, Act) else _act(act, signals.get(act.signal_id)) for act in kept)


def _gather(results: Mapping[str, StepResult], found: dict[str, DispatchOutput | Act]) -> None:
    for result in results.values():
        output = result.output
        if type(output) is DispatchOutput:
            found[output.handle] = output
        for act in result.acts:
            found[act.handle] = act
        for item in result.items or ():
            _gather(item.steps, found)


def _act(output: DispatchOutput, signal: Signal | None) -> Act:
    return Act(
        output.handle,
        output.action,
        output.status,
        output.signal_id,
        output.preview,
        output.expires_at,
        output.receipt,
        output.note,
        url=signal.url if signal else None,
        source=signal.source if signal else None,
        headline=signal.headline if signal else None,
        author=signal.author.handle if signal else None,
        intent=signal.intent if signal else None,
        intent_confidence=signal.intent_confidence if signal else None,
        match_reason=signal.match_reason if signal else None,
    )
