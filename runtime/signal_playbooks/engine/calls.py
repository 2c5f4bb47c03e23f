"""The single place every tool call goes through: arguments, budget, approval, time limit, retry and journal."""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pydantic import BaseModel

from signal_playbooks.content.steps import Effect, Status
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.contract.inspect import InspectInput, InspectOutput
from signal_playbooks.contract.listen import ListenOutput
from signal_playbooks.contract.tools import Request
from signal_playbooks.engine.frame import Frame
from signal_playbooks.engine.hearing import Hearing
from signal_playbooks.engine.nodes import ONCE, Call, Kind
from signal_playbooks.engine.ports import CallRecord, CallStatus, CommitRequest
from signal_playbooks.engine.request import request_of
from signal_playbooks.engine.result import StepResult
from signal_playbooks.engine.surroundings import Hears, Surroundings
from signal_playbooks.engine.timing import limited
from signal_playbooks.errors import EvaluationFailed, Interrupted, NotAllowed, SignalError, TimedOut

Output = ListenOutput | InspectOutput | DispatchOutput


@dataclass(slots=True)
class _Try:
    """One call under way."""

    call: Call
    frame: Frame
    request: Request
    effect: Effect
    started: datetime
    hears: Hears | None
    attempts: int = 0

    @property
    def key(self) -> str:
        return self.call.common.key

    @property
    def path(self) -> str:
        return self.frame.path(self.call.common.key)


class _Answer(NamedTuple):
    """What one attempt gave; `unsure` where nobody knows whether a commit happened."""

    output: Output | None = None
    error: SignalError | None = None
    unsure: bool = False


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
            return StepResult("failed", None, error, 0, started, self._now())
        effect, kind = _class_of(call, request)
        trial = _Try(call, frame, request, effect, started, hears)
        if kind is not None and not await _admit(frame, kind):
            return self._cut(trial, kind)
        if effect == "commit" and (refusal := await self._permit(trial)) is not None:
            return refusal
        if self._journal is not None:
            return await self._journalled(trial, kind)
        if call.retry is ONCE:
            trial.attempts = 1
            return self._result(trial, await self._attempt(trial))
        return await self._until_done(trial, kind)

    async def _permit(self, trial: _Try) -> StepResult | None:
        """Ask whether the act may be committed; a result where it may not."""
        around = self._around
        if not around.caller.may("commit"):
            error = NotAllowed(
                f"step {trial.key} may not commit: {around.caller.name} has no commit scope",
                "run it with a key that has the commit scope, or leave the acts staged",
            )
            refusal = StepResult("failed", None, error, 0, trial.started, self._now())
        elif around.approver is None:
            refusal = self._skipped(trial, "nobody was there to approve the commit, so it stays staged")
        else:
            async with around.asking:
                if await around.approver.approve(self._question(trial)):
                    return None
            refusal = self._skipped(trial, "the commit was not approved")
        trial.frame.account.release("commit")
        return refusal

    def _question(self, trial: _Try) -> CommitRequest:
        request = trial.request
        if not isinstance(request, DispatchInput):
            raise TypeError("only a dispatch commits")
        known = self._around.dispatched.get(request.params.handle or "")
        return CommitRequest(
            trial.path,
            request.action,
            request.signal_id,
            request.params.handle,
            known.preview if known else None,
            request.params.model_dump(mode="json", by_alias=True, exclude_none=True),
            self._around.signals.get(request.signal_id),
        )

    async def _journalled(self, trial: _Try, kind: Kind | None) -> StepResult:
        self._write(trial, "started")
        try:
            result = await self._until_done(trial, kind)
        except BaseException:
            # Cancelled, or a fault of ours: a commit may have happened, everything else may be repeated.
            self._write(trial, "in_doubt" if trial.effect == "commit" else "cancelled", ended=True)
            raise
        self._write(trial, "succeeded" if result.status == "partial" else result.status, result, ended=True)
        return result

    async def _until_done(self, trial: _Try, kind: Kind | None) -> StepResult:
        retry = trial.call.retry
        while True:
            trial.attempts += 1
            answer = await self._attempt(trial)
            if retry is ONCE:
                return self._result(trial, answer)
            again, error = _verdict(trial, answer)
            if not again or trial.attempts >= retry.attempts:
                return self._result(trial, _Answer(answer.output, error, answer.unsure))
            await self._around.clock.sleep(retry.pause(trial.attempts, _asked(error)))
            if kind is not None and not await _admit(trial.frame, kind):
                cut = self._cut(trial, kind)
                return cut if error is None else cut._replace(status="failed", error=error)

    async def _attempt(self, trial: _Try) -> _Answer:
        limit = trial.call.timeout
        try:
            if limit is None:
                # `type(…) is` and not isinstance: on pydantic's classes that costs as much as the rest of the call.
                request = trial.request
                if type(request) is InspectInput:
                    return _Answer(await self._tools.inspect(request, self._caller))
                if type(request) is DispatchInput:
                    return _Answer(await self._tools.dispatch(request, self._caller))
                return _Answer(await self._ask(trial))
            sleep = self._around.clock.sleep
            what = f"step {trial.key} ({trial.call.tool})"
            return _Answer(await limited(self._ask(trial), limit, sleep, what))
        except Interrupted:
            raise
        except SignalError as error:
            return _Answer(None, error, trial.effect == "commit" and isinstance(error, TimedOut))
        except Exception as error:
            # The border of a tool call: one bad answer must not end the run.
            logging.getLogger(__name__).error("a %s call failed unexpectedly", trial.call.tool, exc_info=error)
            words = f"{trial.call.tool} failed unexpectedly ({type(error).__name__})"
            unknown = SignalError(words, "look into the log; if it happens again, report it")
            return _Answer(None, unknown, trial.effect == "commit")

    async def _ask(self, trial: _Try) -> Output:
        request = trial.request
        if isinstance(request, InspectInput):
            return await self._tools.inspect(request, self._caller)
        if isinstance(request, DispatchInput):
            return await self._tools.dispatch(request, self._caller)
        new_only = trial.call.new_only
        hearing = Hearing(self._around, self._playbook, trial.key, trial.path, new_only=new_only, hears=trial.hears)
        return await hearing.listen(request)

    def _result(self, trial: _Try, answer: _Answer) -> StepResult:
        error, output, finished = answer.error, answer.output, self._now()
        if error is not None:
            status: Status = "in_doubt" if answer.unsure else "failed"
            return StepResult(status, None, error, trial.attempts, trial.started, finished)
        if type(output) is DispatchOutput:
            return self._acted(trial, output, finished)
        return StepResult("succeeded", output, None, trial.attempts, trial.started, finished)

    def _acted(self, trial: _Try, output: DispatchOutput, finished: datetime) -> StepResult:
        attempts, started = trial.attempts, trial.started
        if output.note is not None and _is_guarded(trial.request, output):
            reason = f"{output.note} ({output.handle})"
            return StepResult("skipped", None, None, attempts, started, finished, reason)
        self._around.dispatched[output.handle] = output
        if output.status == "in_doubt":
            return StepResult("in_doubt", output, None, attempts, started, finished, output.note)
        if output.status == "failed":
            words = f"the act {output.handle} failed: nothing was delivered"
            error = SignalError(words, output.note, handle=output.handle)
            return StepResult("failed", output, error, attempts, started, finished)
        return StepResult("succeeded", output, None, attempts, started, finished)

    def _cut(self, trial: _Try, kind: Kind) -> StepResult:
        return self._skipped(trial, f"the budget allows no further {kind} call")._replace(cut=True)

    def _skipped(self, trial: _Try, reason: str) -> StepResult:
        return StepResult("skipped", None, None, trial.attempts, trial.started, self._now(), reason)

    def _write(self, trial: _Try, status: CallStatus, result: StepResult | None = None, *, ended: bool = False) -> None:
        if self._journal is None:
            return
        output = result.output if result is not None else None
        self._journal.record(
            CallRecord(
                trial.path,
                "result" if ended else "intent",
                trial.call.tool,
                trial.effect,
                status,
                trial.request,
                trial.attempts,
                trial.started,
                self._now() if ended else None,
                output if isinstance(output, BaseModel) else None,
                result.error if result is not None else None,
            )
        )


async def _admit(frame: Frame, kind: Kind) -> bool:
    """Reserve one attempt, in turn; False where it does not fit the budget."""
    account = frame.account
    lane: Frame | None = frame
    while lane is not None:
        if lane.turns is not None and lane.loop is not None:
            most = lane.loop.body.worst.get(kind, 1)
            if not lane.turns.has_turn(lane.index, most, account, kind):
                await lane.turns.await_turn(lane.index, most, account, kind)
        lane = lane.parent
    return account.reserve(kind)


def _class_of(call: Call, request: Request) -> tuple[Effect, Kind | None]:
    """Return what this call can do, now that its arguments are known, and what it counts as; a discard is free."""
    if type(request) is not DispatchInput:
        return "read", "listen" if call.tool == "listen" else "inspect"
    if request.params.commit:
        return "commit", "commit"
    return "stage", None if request.params.discard else "stage"


def _verdict(trial: _Try, answer: _Answer) -> tuple[bool, SignalError | None]:
    """Return whether the step's retry wants another attempt, and the error if there is none."""
    retry, error = trial.call.retry, answer.error
    if error is not None:
        return error.name in retry.causes, error
    if retry.until is None:
        return False, None
    try:
        done = retry.until.holds({**trial.frame.names, "attempt": trial.attempts, "output": answer.output})
    except EvaluationFailed as failed:
        return False, failed
    if done or trial.attempts < retry.attempts:
        return not done, None
    words = f"after {trial.attempts} attempts, '{retry.until.text}' was still false"
    return False, SignalError(words, "raise retry.attempts, or loosen retry.until")


def _is_guarded(request: Request, output: DispatchOutput) -> bool:
    """Tell whether an earlier draft to the same author came back, with a note, instead of a new one."""
    if type(request) is not DispatchInput or request.action != "draft_reply" or request.params.again:
        return False
    if request.params.commit or request.params.discard:
        return False
    # The same act may carry a note of its own: of why it failed, or is in doubt.
    return output.signal_id != request.signal_id or output.status not in ("failed", "in_doubt")


def _asked(error: SignalError | None) -> float:
    """Return the seconds a source asks us to wait."""
    wish = error.data.get("retry_after_seconds") if error is not None else None
    return float(wish) if isinstance(wish, int | float) and wish > 0 else 0.0
