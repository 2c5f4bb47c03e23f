"""A checked playbook made into a program: expressions read, lanes found, steps named, listens put side by side."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from signal_playbooks.clock import Clock
from signal_playbooks.content.inputs import input_specs, placeholders_of
from signal_playbooks.content.model import seconds
from signal_playbooks.content.playbook import OnError, Playbook, Retry, Step
from signal_playbooks.content.steps import (
    FOR_SIGNALS,
    OTHERWISE,
    effect_of,
    lane_length,
    step_key,
    without_lane,
)
from signal_playbooks.engine.binding import Arguments, Formula, Mentions, arguments, formula
from signal_playbooks.engine.nodes import (
    ONCE,
    Body,
    Call,
    Common,
    Filter,
    Loop,
    Node,
    Program,
    RetryPlan,
    Single,
    Together,
    Use,
    add_worst,
    mentions_in,
    worst_of,
)
from signal_playbooks.errors import UsageError


@dataclass(frozen=True, slots=True)
class Prepared:
    """A playbook and its program. `places` are its steps by key, with the loop each is inside of, None outside."""

    playbook: Playbook
    program: Program
    places: Mapping[str, str | None]
    filters: frozenset[str]


def prepared(playbook: Playbook, clock: Clock) -> Prepared:
    """Return the playbook ready to run; UsageError where its steps make no sense together."""
    program = prepare(playbook, clock)
    places: dict[str, str | None] = {}
    filters: set[str] = set()
    for node in singles(program.body.nodes):
        places[node.common.key] = None
        if isinstance(node, Filter):
            filters.add(node.common.key)
    for node in singles(program.body.nodes):
        if isinstance(node, Loop):
            for key in node.inner:
                places.setdefault(key, node.common.key)
    return Prepared(playbook, program, places, frozenset(filters))


def singles(nodes: Sequence[Node]) -> Iterator[Single]:
    """Yield the steps of a body, those that run side by side one by one."""
    for node in nodes:
        if isinstance(node, Together):
            yield from node.listens
            if node.flow is not None:
                yield node.flow
        else:
            yield node


def prepare(playbook: Playbook, clock: Clock) -> Program:
    """Return the playbook as a program; UsageError where its steps make no sense together."""
    planner = _Planner(clock, placeholders_of(playbook), _ids(playbook.steps))
    body = planner.body(playbook.steps, (), outermost=True)
    outputs = tuple((name, formula(text, clock)) for name, text in playbook.outputs.items())
    mentions = body.mentions
    for _, output in outputs:
        mentions |= output.mentions
    return Program(playbook.id, body, outputs, playbook.budget, mentions, _notes(playbook))


@dataclass(frozen=True, slots=True)
class _Planner:
    clock: Clock
    placeholders: Collection[str] | None
    taken: frozenset[str]

    def body(self, steps: Sequence[Step], around: tuple[str, ...], *, outermost: bool = False) -> Body:
        """Return the nodes of a list of steps; `around` are the listens before it, outwards, the nearest last."""
        nodes: list[Single] = []
        listens = around
        place = 0
        while place < len(steps):
            step, key = steps[place], step_key(steps[place], place, self.taken)
            if step.for_each is not None:
                length = lane_length(steps, place)
                nodes.append(self._loop(steps[place : place + length], key, place, listens))
                place += length
                continue
            nodes.append(self._plain(step, key))
            listens = (*listens, key) if step.tool == "listen" else listens
            place += 1
        return _whole(_flow(_together(nodes)) if outermost else _together(nodes))

    def _common(self, step: Step, key: str, *, loop: bool = False) -> Common:
        otherwise = step.when == OTHERWISE
        condition = self._formula(step.when) if step.when is not None and not otherwise else None
        default: OnError = "continue" if loop else "stop"
        return Common(key, condition, otherwise, tuple(step.needs), step.on_error or default)

    def _plain(self, step: Step, key: str) -> Single:
        common = self._common(step, key)
        if step.tool is not None:
            return self._call(step, common)
        if step.use is not None:
            return Use(common, step.use, self._arguments(step.with_))
        if step.filter is not None:
            return Filter(common, self._formula(step.filter))
        raise UsageError(f"step {key} does nothing", "give it a tool, use, filter, or steps with for_each")

    def _call(self, step: Step, common: Common) -> Call:
        args = step.args or {}
        effect = effect_of(step) or "read"
        retry = ONCE if effect == "commit" or step.retry is None else self._retry(step.retry)
        implied = step.tool != "listen" and "signal_id" not in args
        timeout = None if step.timeout is None else float(seconds(step.timeout))
        tool = step.tool or "listen"
        return Call(common, tool, self._arguments(args), effect, implied, retry, timeout, step.new_only)

    def _loop(self, steps: Sequence[Step], key: str, place: int, listens: tuple[str, ...]) -> Loop:
        opening = steps[0]
        if opening.steps is not None:
            body, common = self.body(opening.steps, listens), self._common(opening, key, loop=True)
        else:
            # What a lane does begins with the opening step itself, whose `when` is asked for each item.
            common = replace(self._common(opening, key, loop=True), condition=None, otherwise=False)
            body = self._lane(steps, key, place)
        over_signals = opening.for_each == FOR_SIGNALS
        return Loop(
            common,
            opening.as_,
            body,
            source=None if over_signals else self._list(opening.for_each, key),
            listen=_nearest(listens, key) if over_signals else None,
            limit=opening.limit,
            concurrency=opening.concurrency,
            inner=_ids(steps[1:]) | _ids(opening.steps or ()),
        )

    def _lane(self, steps: Sequence[Step], key: str, place: int) -> Body:
        nodes: list[Single] = [self._plain(without_lane(steps[0]), key)]
        nodes += [self._plain(step, step_key(step, place + n, self.taken)) for n, step in enumerate(steps) if n > 0]
        return _whole(nodes)

    def _list(self, written: Any, key: str) -> Formula:
        if isinstance(written, list):
            # A list written out: its texts may be templates, and it is one for every lane.
            given = arguments({"list": written}, self.placeholders, self.clock)
            return Formula(f"the list of {key}", given.mentions, lambda names: given.fill(names)["list"])
        return self._formula(str(written))

    def _formula(self, text: str) -> Formula:
        return formula(text, self.clock)

    def _arguments(self, written: dict[str, Any] | None) -> Arguments:
        return arguments(written or {}, self.placeholders, self.clock)

    def _retry(self, retry: Retry) -> RetryPlan:
        return RetryPlan(
            retry.attempts,
            float(seconds(retry.wait)),
            retry.factor,
            float(seconds(retry.max_wait)),
            frozenset(retry.on),
            self._formula(retry.until) if retry.until is not None else None,
        )


def _nearest(listens: tuple[str, ...], key: str) -> str:
    if listens:
        return listens[-1]
    raise UsageError(
        f"step {key} says 'for_each: signal', and no listen comes before it",
        "put a listen before it, or name a list: for_each: steps.<id>.output.signals",
    )


def _together(nodes: list[Single]) -> list[Node]:
    """Put neighbouring listens that do not refer to each other side by side."""
    grouped: list[Node] = []
    for node in nodes:
        before = grouped[-1] if grouped else None
        if isinstance(node, Call) and node.tool == "listen" and not node.common.otherwise:
            if isinstance(before, Together) and not _depends(node, before):
                grouped[-1] = Together((*before.listens, node))
            else:
                grouped.append(Together((node,)))
        else:
            grouped.append(node)
    return grouped


def _depends(node: Single, group: Together) -> bool:
    mentions = mentions_in(node)
    return any(mentions.reads_step(listen.common.key) for listen in group.listens)


def _flow(nodes: list[Node]) -> list[Node]:
    """Let the lanes right behind a group of listens open while it still streams, unless they read its results."""
    flowing: list[Node] = []
    for node in nodes:
        before = flowing[-1] if flowing else None
        if isinstance(node, Loop) and isinstance(before, Together) and not node.common.otherwise:
            listen = _streaming(node, before) if before.flow is None else None
            if listen is not None:
                flowing[-1] = replace(before, flow=replace(node, listen=listen, flows=True))
                continue
        flowing.append(node)
    return flowing


def _streaming(loop: Loop, group: Together) -> str | None:
    if loop.limit is not None:
        return None  # so many in final order: which they are is known at the end
    keys = [listen.common.key for listen in group.listens]
    over = {f"steps.{key}.output.signals": key for key in keys}
    listen = loop.listen if loop.source is None else over.get(loop.source.path or "")
    read = loop.body.mentions | (loop.common.condition.mentions if loop.common.condition else Mentions())
    return listen if listen in keys and not any(read.reads_step(key) for key in keys) else None


def _whole(nodes: Sequence[Node]) -> Body:
    worsts = [worst_of(node) for node in nodes]
    first = next((n for n, worst in enumerate(worsts) if worst.get("stage") or worst.get("commit")), len(nodes))
    mentions = Mentions()
    for node in nodes:
        mentions |= mentions_in(node)
    return Body(tuple(nodes), first, add_worst(worsts), mentions)


def _ids(steps: Sequence[Step]) -> frozenset[str]:
    found: set[str] = set()
    for step in steps:
        found |= _ids(step.steps or ())
        if step.id is not None:
            found.add(step.id)
    return frozenset(found)


def _notes(playbook: Playbook) -> tuple[str, ...]:
    if playbook.inputs is not None or not (names := input_specs(playbook)):
        return ()
    return (f"{playbook.id} declares no inputs: {', '.join(names)} taken from <…> as required text",)
