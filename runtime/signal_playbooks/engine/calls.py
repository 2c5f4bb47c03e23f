"""The single place every tool call goes through: arguments, budget, approval, time limit, retry and journal."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from pydantic import BaseModel

from signal_playbooks.caller import Caller
from signal_playbooks.clock import Clock
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.contract.inspect import InspectInput, InspectOutput
from signal_playbooks.contract.listen import Coverage, ListenInput, ListenOutput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.engine.frame import Frame
from signal_playbooks.engine.nodes import Call, Kind
from signal_playbooks.engine.ports import (
    Approver,
    CallRecord,
    CallStatus,
    CommitRequest,
    Effect,
    Journal,
    SeenSignals,
    Watcher,
)
from signal_playbooks.engine.request import Request, request_of
from signal_playbooks.engine.result import StepResult
from signal_playbooks.errors import Interrupted, NotAllowed, SignalError, SourceUnavailable, TimedOut
from signal_playbooks.tools.protocol import Tools

Output = ListenOutput | InspectOutput | DispatchOutput


class Hears(Protocol):
    """Someone who takes a listen's signals as they come."""

    def begin(self, request: ListenInput) -> None:
        """Be told that the listen starts, or starts again."""
        ...

    def hear(self, signal: Signal) -> None:
        """Take one signal."""
        ...


@dataclass(slots=True)
class Surroundings:
    """What a run works with, and what it has gathered so far; shared with the playbooks it uses."""

    tools: Tools
    clock: Clock
    caller: Caller
    watch: Watcher
    journal: Journal | None = None
    seen: SeenSignals | None = None
    approver: Approver | None = None
    sources: tuple[str, ...] | None = None
    signals: dict[str, Signal] = field(default_factory=dict)
    staged: dict[str, DispatchOutput] = field(default_factory=dict)
    coverage: list[Coverage] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class _Try:
    """One call under way."""

    call: Call
    frame: Frame
    request: Request
    effect: Effect
    kind: Kind | None
    started: datetime
    hears: Hears | None
    attempts: int = 0


class Calls:
    """The tools, as the steps of one playbook call them."""

    def __init__(self, around: Surroundings, playbook: str) -> None:
        self._around = around
        self._playbook = playbook
        self._tools = around.tools
        self._caller = around.caller
        self._now = around.clock.now
        self._journal = around.journal

    async def make(self, call: Call, frame: Frame, hears: Hears | None = None) -> StepResult:
        """Return how the call ended; refusals are results. `hears` gets a listen's signals as they come."""
        started = self._now()
        try:
            request = request_of(call, frame, self._around.sources)
        except SignalError as error:
            return StepResult("failed", error=error, started_at=started, finished_at=self._now())
        effect, kind = _class_of(call, request)
        trial = _Try(call, frame, request, effect, kind, started, hears)
        if kind is not None and (refusal := await self._admit(trial, kind)) is not None:
            return refusal
        if effect == "commit" and (refusal := await self._permit(trial)) is not None:
            return refusal
        if self._journal is not None:
            return await self._journalled(trial)
        return await self._until_done(trial)

    async def _admit(self, trial: _Try, kind: Kind) -> StepResult | None:
        """Reserve one attempt, in turn; a result where it does not fit the budget."""
        account = trial.frame.account
        lane: Frame | None = trial.frame
        while lane is not None:
            if lane.turns is not None and lane.loop is not None:
                most = lane.loop.body.worst.get(kind, 1)
                if not lane.turns.has_turn(lane.index, most, account, kind):
                    await lane.turns.await_turn(lane.index, most, account, kind)
            lane = lane.parent
        if account.reserve(kind):
            return None
        return self._skipped(trial, f"the budget allows no further {kind} call", cut=True)

    async def _permit(self, trial: _Try) -> StepResult | None:
        """Ask whether the act may be committed; a result where it may not."""
        frame, around = trial.frame, self._around
        if not around.caller.may("commit"):
            frame.account.release("commit")
            error = NotAllowed(
                f"step {trial.call.common.key} may not commit: {around.caller.name} has no commit scope",
                "run it with a key that has the commit scope, or leave the acts staged",
            )
            return StepResult("failed", error=error, started_at=trial.started, finished_at=self._now())
        if around.approver is None:
            frame.account.release("commit")
            return self._skipped(trial, "nobody was there to approve the commit: run with --commit")
        async with around.asking:
            approved = await around.approver.approve(self._question(trial))
        if approved:
            return None
        frame.account.release("commit")
        return self._skipped(trial, "the commit was not approved")

    def _question(self, trial: _Try) -> CommitRequest:
        request = trial.request
        if not isinstance(request, DispatchInput):
            raise TypeError("only a dispatch commits")
        known = self._around.staged.get(request.params.handle or "")
        return CommitRequest(
            trial.frame.path(trial.call.common.key),
            request.action,
            request.signal_id,
            request.params.handle,
            known.preview if known else None,
            request.params.model_dump(mode="json", by_alias=True, exclude_none=True),
            self._around.signals.get(request.signal_id),
        )

    async def _journalled(self, trial: _Try) -> StepResult:
        self._write(trial, "started")
        try:
            result = await self._until_done(trial)
        except BaseException:
            # Cancelled, or a fault of ours: a commit may have happened, everything else may be repeated.
            self._write(trial, "in_doubt" if trial.effect == "commit" else "cancelled", finished=True)
            raise
        status = "succeeded" if result.status == "partial" else result.status
        self._write(trial, status, result, finished=True)
        return result

    async def _until_done(self, trial: _Try) -> StepResult:
        retry, frame = trial.call.retry, trial.frame
        while True:
            trial.attempts += 1
            output, error, unsure = await self._attempt(trial)
            again = error is not None and error.name in retry.causes
            if error is None and retry.until is not None:
                try:
                    again = not retry.until.holds({**frame.names, "attempt": trial.attempts, "output": output})
                except SignalError as failed:
                    error, again = failed, False
                if again and trial.attempts >= retry.attempts:
                    error = SignalError(
                        f"after {trial.attempts} attempts, '{retry.until.text}' was still false",
                        "raise retry.attempts, or loosen retry.until",
                    )
            if not again or trial.attempts >= retry.attempts:
                return self._result(trial, output, error, unsure=unsure)
            await self._around.clock.sleep(retry.pause(trial.attempts, _asked(error)))
            if trial.kind is not None and (cut := await self._admit(trial, trial.kind)) is not None:
                return cut if error is None else cut._replace(status="failed", error=error)

    async def _attempt(self, trial: _Try) -> tuple[Output | None, SignalError | None, bool]:
        """Return what came back, the error, and whether nobody knows what happened."""
        call, request = trial.call, trial.request
        try:
            if call.timeout is not None:
                return await self._limited(self._ask(request, trial), call.timeout, call), None, False
            if isinstance(request, InspectInput):
                return await self._tools.inspect(request, self._caller), None, False
            if isinstance(request, DispatchInput):
                return await self._tools.dispatch(request, self._caller), None, False
            return await self._listen(request, trial), None, False
        except Interrupted:
            raise
        except SignalError as error:
            return None, error, trial.effect == "commit" and isinstance(error, TimedOut)
        except Exception as error:
            # The border of a tool call: one bad answer must not end the run.
            logging.getLogger(__name__).error("a %s call failed unexpectedly", call.tool, exc_info=error)
            words = f"{call.tool} failed unexpectedly ({type(error).__name__})"
            return (
                None,
                SignalError(words, "look into the log; if it happens again, report it"),
                trial.effect == "commit",
            )

    async def _ask(self, request: Request, trial: _Try) -> Output:
        if isinstance(request, InspectInput):
            return await self._tools.inspect(request, self._caller)
        if isinstance(request, DispatchInput):
            return await self._tools.dispatch(request, self._caller)
        return await self._listen(request, trial)

    async def _limited(self, work: Coroutine[Any, Any, Output], limit: float, call: Call) -> Output:
        """Return what the work gives; TimedOut where the clock is faster. The work is cancelled and waited for."""
        task = asyncio.create_task(work)
        alarm = asyncio.ensure_future(_sleep(self._around.clock.sleep, limit))
        try:
            await asyncio.wait({task, alarm}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
            if not task.cancelled():
                return task.result()
        finally:
            for pending in (task, alarm):
                pending.cancel()
            await asyncio.gather(task, alarm, return_exceptions=True)
        raise TimedOut(
            f"step {call.common.key} ({call.tool}) did not answer within {limit:g} s",
            "raise its timeout, or try again later",
        )

    async def _listen(self, request: ListenInput, trial: _Try) -> ListenOutput:
        around, whole = self._around, None
        path = trial.frame.path(trial.call.common.key)
        if trial.hears is not None:
            trial.hears.begin(request)
        async with aclosing(_closable(self._tools.listen(request, self._caller))) as stream:
            async for heard in stream:
                if isinstance(heard, Signal):
                    await self._hear(heard, path, trial)
                elif isinstance(heard, Coverage):
                    around.watch.covered(path, heard)
                else:
                    whole = heard
        if whole is None:
            raise SourceUnavailable("the listen ended without an answer", "try again later")
        return await self._kept(whole, trial)

    async def _hear(self, signal: Signal, path: str, trial: _Try) -> None:
        if trial.call.new_only and not await self._unseen([signal.id]):
            return
        self._around.signals[signal.id] = signal
        self._around.watch.heard(path, signal)
        if trial.hears is not None:
            trial.hears.hear(signal)

    async def _kept(self, whole: ListenOutput, trial: _Try) -> ListenOutput:
        """Return the answer without the signals that earlier runs have seen, where only new ones are wanted."""
        self._around.coverage.extend(whole.coverage)
        if trial.call.new_only and whole.signals:
            unseen = await self._unseen([signal.id for signal in whole.signals])
            kept = [signal for signal in whole.signals if signal.id in unseen]
            if known := len(whole.signals) - len(kept):
                self._around.notes.append(
                    f"{trial.call.common.key}: {known} of {len(whole.signals)} signals were seen by an earlier run"
                )
            whole = whole.model_copy(update={"signals": kept})
        self._around.signals.update((signal.id, signal) for signal in whole.signals)
        return whole

    async def _unseen(self, ids: list[str]) -> set[str]:
        seen = self._around.seen
        return set(ids) if seen is None else await seen.unseen(self._playbook, ids)

    def _result(self, trial: _Try, output: Output | None, error: SignalError | None, *, unsure: bool) -> StepResult:
        times = (trial.attempts, trial.started, self._now())
        if error is not None:
            return StepResult("in_doubt" if unsure else "failed", None, error, *times)
        if isinstance(output, DispatchOutput):
            return self._acted(trial, output, times)
        return StepResult("succeeded", output, None, *times)

    def _acted(self, trial: _Try, output: DispatchOutput, times: tuple[int, datetime, datetime]) -> StepResult:
        if _is_guarded(trial.request, output):
            return StepResult("skipped", None, None, *times, reason=f"{output.note} ({output.handle})")
        self._around.staged[output.handle] = output
        if output.status == "in_doubt":
            return StepResult("in_doubt", output, None, *times, reason=output.note)
        if output.status == "failed":
            error = SignalError(
                f"the act {output.handle} failed: nothing was delivered", output.note, handle=output.handle
            )
            return StepResult("failed", output, error, *times)
        return StepResult("succeeded", output, None, *times)

    def _skipped(self, trial: _Try, reason: str, *, cut: bool = False) -> StepResult:
        return StepResult("skipped", None, None, trial.attempts, trial.started, self._now(), reason, cut)

    def _write(
        self, trial: _Try, status: CallStatus, result: StepResult | None = None, *, finished: bool = False
    ) -> None:
        if self._journal is None:
            return
        output = (
            result.output
            if result and isinstance(result.output, ListenOutput | InspectOutput | DispatchOutput)
            else None
        )
        self._journal.record(
            CallRecord(
                trial.frame.path(trial.call.common.key),
                "result" if finished else "intent",
                trial.call.tool,
                trial.effect,
                status,
                trial.request,
                trial.attempts,
                trial.started,
                self._now() if finished else None,
                output if isinstance(output, BaseModel) else None,
                result.error if result else None,
            )
        )


def _class_of(call: Call, request: Request) -> tuple[Effect, Kind | None]:
    """Return what this call can do, now that its arguments are known, and what it counts as; a discard is free."""
    if call.tool != "dispatch" or not isinstance(request, DispatchInput):
        return "read", "listen" if call.tool == "listen" else "inspect"
    if request.params.commit:
        return "commit", "commit"
    return "stage", None if request.params.discard else "stage"


def _is_guarded(request: Request, output: DispatchOutput) -> bool:
    """Tell whether an earlier draft to the same author came back instead of a new one."""
    if not isinstance(request, DispatchInput) or request.action != "draft_reply" or request.params.again:
        return False
    if output.note is None or request.params.commit or request.params.discard:
        return False
    # The same act may carry a note of its own: of why it failed, or is in doubt.
    return output.signal_id != request.signal_id or output.status not in ("failed", "in_doubt")


def _asked(error: SignalError | None) -> float:
    wish = error.data.get("retry_after_seconds") if error is not None else None
    return float(wish) if isinstance(wish, int | float) and wish > 0 else 0.0


async def _sleep(sleep: Callable[[float], Awaitable[None]], limit: float) -> None:
    await sleep(limit)


async def _closable(stream: Any) -> Any:
    """Yield from the stream, and close it when this generator is closed, whatever kind of iterator it is."""
    try:
        async for heard in stream:
            yield heard
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
