"""The engine: runs a playbook over the tools, or says what a run would do."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from signal_playbooks.caller import Caller
from signal_playbooks.clock import Clock
from signal_playbooks.content.playbook import Playbook
from signal_playbooks.engine.acts import acts_of
from signal_playbooks.engine.estimate import PlanEstimate, estimate
from signal_playbooks.engine.inputs import read_inputs
from signal_playbooks.engine.lanes import within_limit
from signal_playbooks.engine.nodes import Loop
from signal_playbooks.engine.plan import Prepared, prepared, singles
from signal_playbooks.engine.ports import Approver, Journal, SeenSignals, Watcher
from signal_playbooks.engine.result import RunResult
from signal_playbooks.engine.steps import Outcome, Walk
from signal_playbooks.engine.surroundings import Surroundings
from signal_playbooks.errors import ArgumentError, InvalidArguments, UsageError
from signal_playbooks.suggestion import did_you_mean
from signal_playbooks.tools.protocol import Tools

_LONGEST_RUN_ID = 200
_OBJECTS_BEFORE_COLLECTING = 50_000


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    """Let the garbage collector look less often while a run goes on.

    A run keeps its results to its end, so looking through them over and over finds nothing, and takes a quarter of the
    time of ten thousand lanes. Of runs at the same time, the one that changed the setting puts it back.
    """
    before = gc.get_threshold()
    if before[0] >= _OBJECTS_BEFORE_COLLECTING:
        yield
        return
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTING, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Engine:
    """Playbooks over the three tools. Keeps each playbook prepared; a run's own state lives in the run."""

    def __init__(
        self,
        tools: Tools,
        playbooks: Mapping[str, Playbook],
        clock: Clock,
        *,
        journal: Journal | None = None,
        seen: SeenSignals | None = None,
    ) -> None:
        self._tools = tools
        self._playbooks = playbooks
        self._clock = clock
        self._journal = journal
        self._seen = seen
        self._prepared: dict[str, Prepared] = {}

    async def run(
        self,
        playbook_id: str,
        inputs: Mapping[str, object],
        *,
        caller: Caller,
        run_id: str,
        sources: Sequence[str] | None = None,
        approve: Approver | None = None,
        watch: Watcher | None = None,
    ) -> RunResult:
        """Run the playbook and return how it ended.

        Raises UsageError (InvalidArguments for inputs) before anything was called; afterwards everything that goes
        wrong is in the result. A cancellation comes out as it is, with the journal complete for what was finished.
        """
        _check_run_id(run_id)
        plan = self.prepared(playbook_id)
        values = read_inputs(plan.playbook, inputs)
        _refuse_too_many(plan, values)
        started = self._clock.now()
        around = Surroundings(
            self._tools,
            self._clock,
            replace(caller, run_id=run_id),
            watch or Watcher(),
            self._journal,
            self._seen,
            approve,
            None if sources is None else tuple(sources),
        )
        around.notes.extend(plan.program.notes)
        with _collecting_rarely():
            outcome = await Walk(around, plan, self.prepared).whole(values, run_id, started, None, "steps")
        return self._result(plan, run_id, started, around, outcome)

    def plan(
        self, playbook_id: str, inputs: Mapping[str, object], *, sources: Sequence[str] | None = None
    ) -> PlanEstimate:
        """Return what a run would do at most; calls nothing. Raises UsageError as `run` does."""
        plan = self.prepared(playbook_id)
        values = read_inputs(plan.playbook, inputs)
        _refuse_too_many(plan, values)
        return estimate(plan, values, self.prepared, self._clock, sources)

    def prepared(self, playbook_id: str) -> Prepared:
        """Return the playbook ready to run; UsageError where there is none of that id."""
        playbook = self._playbooks.get(playbook_id)
        if playbook is None:
            guess = did_you_mean(playbook_id, self._playbooks)
            known = ", ".join(sorted(self._playbooks)) or "none"
            raise UsageError(f"there is no playbook {playbook_id!r}{guess}", f"choose one of: {known}")
        kept = self._prepared.get(playbook_id)
        if kept is None or kept.playbook is not playbook:
            # Content may be loaded anew while the engine lives: the very playbook counts, not its name.
            kept = self._prepared[playbook_id] = prepared(playbook, self._clock)
        return kept

    def _result(
        self, plan: Prepared, run_id: str, started: datetime, around: Surroundings, outcome: Outcome
    ) -> RunResult:
        frame = outcome.frame
        ordered = {key: frame.results[key] for key in plan.places if key in frame.results}
        return RunResult(
            run_id,
            plan.program.id,
            outcome.status,
            ordered,
            outcome.outputs,
            acts_of(ordered, around.signals),
            frame.account.spent(),
            tuple(around.coverage),
            started,
            self._clock.now(),
            tuple(around.notes),
            outcome.error,
        )


def _check_run_id(run_id: str) -> None:
    if not run_id.strip() or len(run_id) > _LONGEST_RUN_ID or not run_id.isprintable():
        message = f"a run id has 1 to {_LONGEST_RUN_ID} printable characters and is not blank"
        raise InvalidArguments(message, [ArgumentError("run_id", message)], "leave it out to get a new one")


def _refuse_too_many(plan: Prepared, inputs: Mapping[str, object]) -> None:
    """Refuse a loop over too long an input before the first call of the run."""
    for node in singles(plan.program.body.nodes):
        if isinstance(node, Loop) and node.source is not None and node.source.mentions.names == {"inputs"}:
            items = node.source.value({"inputs": inputs})
            if isinstance(items, list | tuple):
                within_limit(node, items)
