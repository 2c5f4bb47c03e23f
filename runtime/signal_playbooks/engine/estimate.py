"""What a run would do at most, without calling anything: arguments as far as they are known, and bounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isinf
from typing import Any

from signal_playbooks.clock import Clock
from signal_playbooks.content.inputs import input_specs
from signal_playbooks.contract.listen import ListenInput
from signal_playbooks.contract.model import rfc3339
from signal_playbooks.engine.frame import UNBOUND
from signal_playbooks.engine.inputs import read_inputs
from signal_playbooks.engine.lanes import early_lanes
from signal_playbooks.engine.nodes import (
    KINDS,
    MAX_LANES,
    READS,
    Call,
    Filter,
    Kind,
    Loop,
    Node,
    Program,
    Use,
    kind_of,
)
from signal_playbooks.engine.plan import Prepared, singles
from signal_playbooks.engine.result import as_json
from signal_playbooks.errors import SignalError

_DEFAULT_LISTEN = int(ListenInput.model_fields["limit"].default)
_CHOSEN = "chosen by the query"


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step of the plan: `times` is how often it runs at most; an argument not known yet is the text as written."""

    path: str
    what: str
    effect: str | None
    times: int
    arguments: Mapping[str, Any]
    when: str | None = None
    over: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "path": self.path,
            "what": self.what,
            "effect": self.effect,
            "times": self.times,
            "arguments": as_json(self.arguments),
            "when": self.when,
            "over": self.over,
        }


@dataclass(frozen=True, slots=True)
class PlanEstimate:
    """Upper bounds of a run: `calls` is what the steps could do, `allowed` the budget, `at_most` the smaller."""

    playbook: str
    inputs: Mapping[str, object]
    steps: Sequence[PlannedStep]
    calls: Mapping[str, int]
    allowed: Mapping[str, int]
    sources: Mapping[str, int]
    notes: Sequence[str] = field(default=())

    @property
    def at_most(self) -> dict[str, int]:
        """Return how many calls of each kind the run can make."""
        return {kind: min(calls, self.allowed[kind]) for kind, calls in self.calls.items()}

    @property
    def by_tool(self) -> dict[str, int]:
        """Return the bounds by tool."""
        most = self.at_most
        return {"listen": most["listen"], "inspect": most["inspect"], "dispatch": most["stage"] + most["commit"]}

    @property
    def by_effect(self) -> dict[str, int]:
        """Return the bounds by effect."""
        most = self.at_most
        return {"read": most["listen"] + most["inspect"], "stage": most["stage"], "commit": most["commit"]}

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "playbook": self.playbook,
            "inputs": as_json(self.inputs),
            "steps": [step.as_dict() for step in self.steps],
            "calls": dict(self.calls),
            "allowed": dict(self.allowed),
            "at_most": self.at_most,
            "by_tool": self.by_tool,
            "by_effect": self.by_effect,
            "by_source": dict(self.sources),
            "notes": list(self.notes),
        }


def estimate(
    plan: Prepared,
    inputs: Mapping[str, object],
    find: Callable[[str], Prepared],
    clock: Clock,
    sources: Sequence[str] | None,
) -> PlanEstimate:
    """Return what a run of the playbook with these inputs would do at most."""
    survey = _Survey(find, clock, sources, {kind: plan.program.allowed(kind) for kind in KINDS})
    calls = survey.program(plan.program, inputs, "steps", 1)
    notes = [*plan.program.notes, *survey.notes]
    allowed = {kind: plan.program.allowed(kind) for kind in KINDS}
    notes += [
        f"up to {calls[kind]:,} {kind} calls, of which the budget allows {allowed[kind]:,}: the rest is left out"
        for kind in KINDS
        if calls[kind] > allowed[kind]
    ]
    bounds: dict[str, int] = {kind: calls[kind] for kind in KINDS}
    return PlanEstimate(
        plan.program.id, inputs, survey.steps, bounds, {key: allowed[key] for key in KINDS}, survey.sources, notes
    )


class _Survey:
    """A walk over a program that counts instead of calling."""

    def __init__(
        self,
        find: Callable[[str], Prepared],
        clock: Clock,
        sources: Sequence[str] | None,
        allowed: Mapping[Kind, int],
    ) -> None:
        self._find = find
        self._allowed = allowed
        self._clock = clock
        self._override = None if sources is None else list(sources)
        self._most_signals: dict[str, int] = {}
        self.steps: list[PlannedStep] = []
        self.sources: dict[str, int] = {}
        self.notes: list[str] = []

    def program(self, program: Program, inputs: Mapping[str, object], root: str, times: int) -> dict[Kind, int]:
        """Return how many calls of each kind `times` passes over the program can make."""
        names = {
            **UNBOUND,
            "inputs": inputs,
            "run": {"id": "run_…", "playbook": program.id, "started_at": rfc3339(self._clock.now())},
        }
        names.pop("attempt"), names.pop("output")
        calls: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        self._nodes(program.body.nodes, names, root, times, calls)
        return calls

    def _nodes(
        self, nodes: Sequence[Node], names: Mapping[str, object], root: str, times: int, calls: dict[Kind, int]
    ) -> None:
        for node in singles(nodes):
            if isinstance(node, Call):
                self._call(node, names, root, times, calls)
            elif isinstance(node, Loop):
                self._loop(node, names, root, times, calls)
            elif isinstance(node, Use):
                self._use(node, names, root, times, calls)
            elif isinstance(node, Filter):
                self._add(node, "filter", None, root, times, {"condition": node.holds.text})

    def _call(self, call: Call, names: Mapping[str, object], root: str, times: int, calls: dict[Kind, int]) -> None:
        known = call.arguments.partly(names)
        if call.tool == "listen":
            known = self._listens(call, known, times)
        kind = kind_of(call.tool, call.effect)
        if not (call.tool == "dispatch" and _discards(known)):
            calls[kind] += times * call.retry.attempts
        self._add(call, call.tool, call.effect, root, times, known)

    def _listens(self, call: Call, known: dict[str, Any], times: int) -> dict[str, Any]:
        scope = known.get("scope")
        if self._override is not None:
            known = {**known, "scope": {**(scope if isinstance(scope, Mapping) else {}), "sources": self._override}}
        scope = known.get("scope")
        named = scope.get("sources") if isinstance(scope, Mapping) else None
        for source in named if isinstance(named, list) and named else [_CHOSEN if not named else str(named)]:
            self.sources[str(source)] = self.sources.get(str(source), 0) + times * call.retry.attempts
        limit = known.get("limit", _DEFAULT_LISTEN)
        self._most_signals[call.common.key] = limit if isinstance(limit, int) else 100
        return known

    def _loop(self, loop: Loop, names: Mapping[str, object], root: str, times: int, calls: dict[Kind, int]) -> None:
        key = loop.common.key
        lanes, is_known = self._lanes(loop, names)
        over = f"the signals of {loop.listen}" if loop.source is None else loop.source.text
        if not is_known:
            self.notes.append(f"{key}: how many lanes it opens is known only when it runs: at most {lanes:,}")
        if loop.flows:
            self._count_early(loop, lanes, calls)
        self._add(loop, "lanes", None, root, times * lanes, {"limit": loop.limit} if loop.limit else {}, over=over)
        bound = {loop.variable} if loop.variable else {"signal", "item"}
        inner = {name: value for name, value in names.items() if name not in bound}
        self._nodes(loop.body.nodes, inner, f"{root}.{key}[…]", times * lanes, calls)

    def _count_early(self, loop: Loop, lanes: int, calls: dict[Kind, int]) -> None:
        """Count what may be read for signals that the final ranking drops; see `early_lanes`."""
        early = early_lanes(loop, lanes, lambda kind: self._allowed[kind])
        if early == 0:
            return  # as where the lanes use a playbook: nobody can tell beforehand what that reads
        for kind in READS:
            worst = loop.body.worst.get(kind, 0)
            most = 0 if isinf(worst) else int(worst) * early
            calls[kind] += most
            if most:
                self.notes.append(
                    f"{loop.common.key}: up to {most:,} of the {kind} calls are for signals that are looked into "
                    "as they stream and that the final ranking drops"
                )

    def _lanes(self, loop: Loop, names: Mapping[str, object]) -> tuple[int, bool]:
        """Return how many lanes there can be, and whether that is more than the general bound."""
        if loop.listen is not None:
            return min(self._most_signals.get(loop.listen, 100), loop.most), True
        path = loop.source.path if loop.source else None
        for key, most in self._most_signals.items():
            if path == f"steps.{key}.output.signals":
                return min(most, loop.most), True
        try:
            items = loop.source.value(names) if loop.source else None
        except SignalError:
            items = None
        if isinstance(items, list | tuple):
            return min(len(items), loop.most), True
        return min(loop.most, MAX_LANES), loop.limit is not None

    def _use(self, use: Use, names: Mapping[str, object], root: str, times: int, calls: dict[Kind, int]) -> None:
        used = self._find(use.playbook)
        known = use.inputs.partly(names)
        self._add(use, f"use {use.playbook}", None, root, times, known)
        program = used.program
        try:
            inputs = read_inputs(used.playbook, known)
        except SignalError:
            # An input that is still an expression: the names are there, their values are not.
            inputs = {name: known.get(name, spec.default) for name, spec in input_specs(used.playbook).items()}
        inner = self.program(program, inputs, f"{root}.{use.common.key}", 1)
        for kind in KINDS:
            calls[kind] += times * min(inner[kind], program.allowed(kind))

    def _add(
        self,
        node: Call | Loop | Use | Filter,
        what: str,
        effect: str | None,
        root: str,
        times: int,
        known: Mapping[str, Any],
        *,
        over: str | None = None,
    ) -> None:
        common = node.common
        when = "otherwise" if common.otherwise else common.condition.text if common.condition else None
        self.steps.append(PlannedStep(f"{root}.{common.key}", what, effect, times, known, when, over))


def _discards(known: Mapping[str, Any]) -> bool:
    params = known.get("params")
    return isinstance(params, Mapping) and params.get("discard") is True
