"""Walking a program: each step asked whether it runs, carried out, and its result taken into the frame it ran in."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from signal_playbooks.content.evaluation import Unavailable
from signal_playbooks.content.steps import Status
from signal_playbooks.contract.listen import ListenOutput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.engine.acts import acts_of
from signal_playbooks.engine.budget import Account
from signal_playbooks.engine.calls import Calls
from signal_playbooks.engine.frame import UNBOUND, Frame
from signal_playbooks.engine.inputs import read_inputs
from signal_playbooks.engine.judging import (
    admits,
    judge,
    list_of,
    listened,
    passed_over,
    run_status,
    skipped_by_when,
    what,
)
from signal_playbooks.engine.lanes import Flow, Opening, run_lanes, together
from signal_playbooks.engine.nodes import Call, Filter, Loop, Program, Single, Together, Use
from signal_playbooks.engine.plan import Prepared
from signal_playbooks.engine.result import StepResult
from signal_playbooks.engine.surroundings import Hears, Surroundings
from signal_playbooks.errors import EvaluationFailed, Interrupted, SignalError, UsageError

_MAX_USES = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one playbook ended, the outermost or a used one."""

    status: Status
    outputs: dict[str, object]
    error: SignalError | None
    frame: Frame


class Walk:
    """One playbook under way."""

    def __init__(
        self,
        around: Surroundings,
        prepared: Prepared,
        find: Callable[[str], Prepared],
        uses: tuple[str, ...] = (),
    ) -> None:
        self._around = around
        self._prepared = prepared
        self._program: Program = prepared.program
        self._find = find
        self._uses = (*uses, prepared.program.id)
        self._calls = Calls(around, prepared.program.id)
        self._mentions = prepared.program.mentions
        self._undone: set[str] = set()
        self._waiting_marks: list[ListenOutput] = []

    async def whole(
        self, inputs: dict[str, object], run_id: str, started: datetime, outer: Frame | None, root: str
    ) -> Outcome:
        """Return how the playbook ended; refusals are in the outcome, only a cancellation comes out as an exception."""
        account = Account(self._program.budget, outer.account if outer else None)
        frame = Frame(self._names(inputs, run_id, started), account, root)
        frame.views = self._unrun()
        frame.names["steps"] = frame.views
        frame.parent = outer
        await self._carry_out(frame)
        self._skip_unreached(frame)
        outputs, error = self._outputs(frame)
        if error is not None and frame.error is None and frame.end is None:
            frame.finish("failed", error=error)
        await self._mark_seen(frame)
        for refusal in account.refusals():
            self._around.notes.append(refusal if outer is None else f"{root}: {refusal}")
        return Outcome(run_status(frame), outputs, frame.error, frame)

    def _names(self, inputs: dict[str, object], run_id: str, started: datetime) -> dict[str, object]:
        run = {"id": run_id, "playbook": self._program.id, "started_at": started}
        return {**UNBOUND, "inputs": inputs, "run": run}

    def _unrun(self) -> dict[str, object]:
        """Return what each step that is read somewhere says before it has run."""
        views: dict[str, object] = {}
        for key, loop in self._prepared.places.items():
            if self._mentions.reads_step(key):
                views[key] = Unavailable(
                    f"step {key} runs in the lanes of {loop}: read steps.{loop}.items"
                    if loop
                    else f"step {key} has not run yet"
                )
        return views

    async def _carry_out(self, frame: Frame) -> None:
        """Run the steps from where the frame stands, until it ends or has to wait for the final ranking."""
        body = self._program.body if frame.loop is None else frame.loop.body
        try:
            if frame.loop is not None and frame.position == 0 and not admits(frame.loop, frame):
                return
            while frame.end is None and frame.position < len(body.nodes):
                if frame.gated and frame.position >= body.first_act:
                    return
                node = body.nodes[frame.position]
                frame.position += 1
                if isinstance(node, Together):
                    await self._side_by_side(node, frame)
                elif isinstance(node, Call) and frame.loop is not None:
                    # Whoever watches hears of the lane, not of each call in it.
                    passed = self._passed(node, frame)
                    self._take(node, frame, passed or await self._calls.make(node, frame))
                else:
                    self._take(node, frame, await self._outcome(node, frame))
        except SignalError as error:
            if isinstance(error, Interrupted):
                raise
            frame.finish("failed", error=error)
        except Exception as error:
            # The border of a lane: one broken lane must not end the others.
            logging.getLogger(__name__).error("a step failed unexpectedly", exc_info=error)
            words = f"a step failed unexpectedly ({type(error).__name__})"
            frame.finish("failed", error=SignalError(words, "look into the log; if it happens again, report it"))

    async def _side_by_side(self, group: Together, frame: Frame) -> None:
        """Run neighbouring listens at once, with the lanes that flow from one of them."""
        # Inside lanes several listens would stream at once against one budget: there, the final order comes first.
        flows = group.flow is not None and not frame.inside_lanes
        flow = Flow(self._opening(group.flow, frame)) if group.flow is not None and flows else None
        try:
            results = await self._listens(group, frame, flow)
            for listen, result in zip(group.listens, results, strict=True):
                self._take(listen, frame, result)
            if group.flow is not None and frame.end is None:
                self._take(group.flow, frame, await self._outcome(group.flow, frame, flow=flow))
        finally:
            if flow is not None:
                await flow.abandon()

    async def _listens(self, group: Together, frame: Frame, flow: Flow | None) -> list[StepResult]:
        streaming = group.flow.listen if group.flow is not None else None
        work = [
            self._outcome(listen, frame, hears=flow if listen.common.key == streaming else None)
            for listen in group.listens
        ]
        return [await work[0]] if len(work) == 1 else await together(work)

    async def _outcome(
        self, node: Single, frame: Frame, *, hears: Hears | None = None, flow: Flow | None = None
    ) -> StepResult:
        """Return how one step ended, its `when` asked first."""
        common = node.common
        path = frame.path(common.key)
        self._around.watch.step_started(path, what(node))
        try:
            reason = passed_over(node, common, frame)
            result = await self._run(node, frame, hears, flow) if reason is None else skipped_by_when(reason)
        except Interrupted:
            raise
        except SignalError as error:
            result = self._refused(error)
        reason = result.error.message if result.error else result.reason
        self._around.watch.step_finished(path, result.status, reason)
        return result

    def _passed(self, call: Call, frame: Frame) -> StepResult | None:
        """Return the result of a call that its `when` keeps from running, or None."""
        try:
            reason = passed_over(call, call.common, frame)
        except SignalError as error:
            return self._refused(error)
        return None if reason is None else skipped_by_when(reason)

    def _refused(self, error: SignalError) -> StepResult:
        now = self._around.clock.now()
        return StepResult("failed", error=error, started_at=now, finished_at=now)

    async def _run(self, node: Single, frame: Frame, hears: Hears | None, flow: Flow | None) -> StepResult:
        if isinstance(node, Call):
            return await self._calls.make(node, frame, hears)
        if isinstance(node, Loop):
            return await self._loop(node, frame, flow)
        if isinstance(node, Filter):
            return self._filter(node, frame)
        if isinstance(node, Use):
            return await self._use(node, frame)
        assert_never(node)

    def _take(self, node: Single, frame: Frame, result: StepResult) -> None:
        """Take a result into the frame: names, results, and whether the lane or the run goes on."""
        key = node.common.key
        frame.passed_over = result.passed_over
        if not isinstance(node, Filter) or result.error is not None:
            frame.results[key] = result
        if frame.views is not None and self._mentions.reads_step(key):
            frame.views[key] = result.view(key)
        if isinstance(node, Call):
            self._bind(node, frame, result)
        judge(node, frame, result)

    def _bind(self, call: Call, frame: Frame, result: StepResult) -> None:
        if result.status == "succeeded":
            frame.bind(result.output)
            if call.new_only and isinstance(result.output, ListenOutput):
                self._waiting_marks.append(result.output)
        else:
            frame.unbind(call.tool, call.common.key, result)

    def _filter(self, node: Filter, frame: Frame) -> StepResult:
        if node.holds.holds(frame.names):
            return StepResult("succeeded")
        frame.finish("skipped", f"the filter was false: {node.holds.text}")
        return StepResult("skipped", reason=f"the filter was false: {node.holds.text}")

    async def _use(self, node: Use, frame: Frame) -> StepResult:
        if node.playbook in self._uses or len(self._uses) > _MAX_USES:
            chain = " → ".join((*self._uses, node.playbook))
            raise UsageError(f"playbook {node.playbook} uses itself: {chain}", "take one of them out of the chain")
        started = self._around.clock.now()
        used = self._find(node.playbook)
        inputs = read_inputs(used.playbook, node.inputs.fill(frame.names))
        run = frame.names["run"]
        run_id = str(run["id"]) if isinstance(run, dict) else ""
        walk = Walk(self._around, used, self._find, self._uses)
        outcome = await walk.whole(inputs, run_id, started, frame, frame.path(node.common.key))
        return StepResult(
            outcome.status,
            outcome.outputs,
            outcome.error,
            1,
            started,
            self._around.clock.now(),
            outcome.frame.reason,
            cut=any(spent.left_out for spent in outcome.frame.account.spent().values()),
            acts=acts_of(outcome.frame.results, self._around.signals),
        )

    async def _loop(self, loop: Loop, frame: Frame, flow: Flow | None) -> StepResult:
        items = self._items(loop, frame)
        if isinstance(items, StepResult):
            return items
        result = await (flow.settle(items) if flow is not None else run_lanes(self._opening(loop, frame), items))
        self._note_undone(items, result)
        if result.left_out:
            path = frame.path(loop.common.key).removeprefix("steps.")
            self._around.notes.append(f"{path}: limit {loop.limit} left out {result.left_out} of {len(items)}")
        return result

    def _items(self, loop: Loop, frame: Frame) -> Sequence[object] | StepResult:
        """Return the loop's list, or a result where the listen it goes over gave none."""
        if loop.source is not None:
            return list_of(loop, loop.source.value(frame.names))
        heard = listened(loop.listen or "", frame)
        if heard is not None and isinstance(heard.output, ListenOutput):
            for signal in heard.output.signals:
                self._around.signals.setdefault(signal.id, signal)
            return heard.output.signals
        status = heard.status if heard is not None else "not run"
        return StepResult(
            "skipped", reason=f"step {loop.listen} was {status}, so there are no signals", passed_over=False
        )

    def _opening(self, loop: Loop, frame: Frame) -> Opening:
        return Opening(
            loop, frame, self._carry_out, self._around.watch, self._around.clock, frame.path(loop.common.key)
        )

    def _note_undone(self, items: Sequence[object], result: StepResult) -> None:
        """Remember which signals this run has not dealt with, so that `new_only` brings them again."""
        left_out = items[len(items) - result.left_out :] if result.left_out else ()
        self._undone.update(item.id for item in left_out if isinstance(item, Signal))
        for item in result.items or ():
            if item.status == "failed" or (result.cut and item.status == "skipped"):
                self._undone.add(item.key)

    async def _mark_seen(self, frame: Frame) -> None:
        seen = self._around.seen
        if seen is None or frame.end == "failed":
            return
        ids = {signal.id for output in self._waiting_marks for signal in output.signals} - self._undone
        if ids:
            await seen.mark(self._program.id, ids)

    def _outputs(self, frame: Frame) -> tuple[dict[str, object], SignalError | None]:
        outputs: dict[str, object] = {}
        first: SignalError | None = None
        for name, output in self._program.outputs:
            try:
                outputs[name] = output.value(frame.names)
            except EvaluationFailed as error:
                outputs[name] = None
                first = first or EvaluationFailed(
                    f"output {name}: {error.message}", error.suggested_action, **error.data
                )
        return outputs, first

    def _skip_unreached(self, frame: Frame) -> None:
        for key, loop in self._prepared.places.items():
            if loop is None and key not in frame.results and key not in self._prepared.filters:
                frame.results[key] = StepResult("skipped", reason="the run ended before it")
