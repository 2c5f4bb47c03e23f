"""What may be repeated, what has to be approved, and what a budget cuts."""

import asyncio
from typing import Any

import pytest

from engine.fakes import FakeTools, Ledger, Person, Time, acted, engine, run, signal
from signal_playbooks.caller import LOCAL, Caller
from signal_playbooks.errors import RateLimited, SignalError, SourceUnavailable, TimedOut, UnknownSignal

ONE_LOOK = """
steps:
  - id: look
    tool: inspect
    args: {signal_id: sig_1}
    retry: {attempts: %d, wait: 2s, factor: 2, max_wait: 5s}
"""
COMMITS = """
budget: {commit: %d}
steps:
  - {id: find, tool: listen, args: {query: x}}
  - id: look
    for_each: signal
    steps:
      - {id: prepare, tool: dispatch, args: {action: route, params: {destination: outbox}}}
      - id: send
        tool: dispatch
        args: {action: route, params: {commit: true, handle: "{{ steps.prepare.output.handle }}"}}
"""


def failing(times: int, error: SignalError) -> Any:
    """Return a reply that fails so many times and then answers."""
    left = iter([error] * times)
    return lambda _request: next(left, None)


@pytest.mark.parametrize(
    ("attempts", "failures", "calls", "status"),
    [
        (1, 0, 1, "succeeded"), (1, 1, 1, "failed"),
        (2, 1, 2, "succeeded"), (2, 2, 2, "failed"),
        (3, 2, 3, "succeeded"), (3, 3, 3, "failed"), (3, 9, 3, "failed"),
    ],
)  # fmt: skip
def test_attempts_are_tries_in_all(attempts: int, failures: int, calls: int, status: str) -> None:
    """Off by one in a retry is either a lost answer or a blocked account."""
    tools = FakeTools(on_inspect=failing(failures, SourceUnavailable("down")))
    result = run(tools, ONE_LOOK % attempts)
    assert len(tools.made("inspect")) == calls
    assert result.steps["look"].status == status
    assert result.steps["look"].attempts == calls


def test_waits_grow_by_the_factor_up_to_the_longest() -> None:
    """Two, four, then five seconds, on the clock that was given."""
    time = Time()
    run(FakeTools(on_inspect=failing(9, SourceUnavailable("down"))), ONE_LOOK % 4, time=time)
    assert time.slept == [2, 4, 5]


def test_a_source_that_says_how_long_to_wait_is_heeded_within_bounds() -> None:
    """Asking earlier than told prolongs the limit."""
    time = Time()
    run(FakeTools(on_inspect=failing(1, RateLimited("slow down", retry_after_seconds=4))), ONE_LOOK % 2, time=time)
    assert time.slept == [4]


def test_an_error_that_a_retry_cannot_help_is_not_tried_again() -> None:
    """The signal will be as unknown in two seconds."""
    tools = FakeTools(on_inspect=failing(9, UnknownSignal("gone")))
    run(tools, ONE_LOOK % 3)
    assert len(tools.made("inspect")) == 1


def test_until_is_tried_again_even_after_success() -> None:
    """Waiting for a thing to appear is a retry too."""
    book = (ONE_LOOK % 3).replace("max_wait: 5s", "max_wait: 5s, until: attempt == 2 and output.status == 'live'")
    tools = FakeTools()
    result = run(tools, book)
    assert len(tools.made("inspect")) == 2
    assert result.steps["look"].status == "succeeded"


def test_until_that_never_holds_is_a_failure_that_says_so() -> None:
    """An author who waits for something wants to know that it never came."""
    book = (ONE_LOOK % 2).replace("max_wait: 5s", "max_wait: 5s, until: output.status == 'gone'")
    result = run(FakeTools(), book)
    assert result.steps["look"].status == "failed"
    assert "output.status == 'gone'" in str(result.steps["look"].error)


def test_retries_count_against_the_budget() -> None:
    """A budget is about calls, and a retry is a call."""
    tools = FakeTools(on_inspect=failing(9, SourceUnavailable("down")))
    result = run(tools, "budget: {inspect: 2}\n" + ONE_LOOK % 5)
    assert len(tools.made("inspect")) == 2
    assert result.budget["inspect"].as_dict() == {"allowed": 2, "used": 2, "left_out": 1}
    assert result.steps["look"].status == "failed"


def test_a_timeout_ends_one_attempt_and_may_be_retried() -> None:
    """Each attempt has the whole time."""
    time = Time()

    async def scenario() -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    async def hang() -> None:
        await (await scenario())

    book = (ONE_LOOK % 2) + "    timeout: 30s\n"
    tools = FakeTools(on_inspect=lambda _: hang())
    result = run(tools, book, time=time)
    assert len(tools.made("inspect")) == 2
    assert isinstance(result.steps["look"].error, TimedOut)
    assert time.slept == [30, 2, 30]
    assert tools.running == 0


def test_a_step_may_fail_and_the_next_run() -> None:
    """`on_error: continue` is the author's word that it does not matter, and the run says that something failed."""
    book = """
steps:
  - {id: look, tool: inspect, args: {signal_id: sig_1}, on_error: continue}
  - tool: dispatch
    args: {signal_id: sig_1, action: flag, params: {note: "{{ default(author.likely_role_hint, 'nobody') }}"}}
"""
    tools = FakeTools(on_inspect=failing(1, UnknownSignal("gone")))
    result = run(tools, book)
    assert tools.made("dispatch")[0].params.note == "nobody"
    assert (result.status, result.exit_code) == ("partial", 3)


def test_a_step_that_fails_stops_the_run() -> None:
    """The default: nothing builds on what is not there."""
    book = ONE_LOOK % 1 + "  - {tool: dispatch, args: {signal_id: sig_1, action: flag}}\n"
    tools = FakeTools(on_inspect=failing(1, UnknownSignal("gone")))
    result = run(tools, book)
    assert tools.made("dispatch") == []
    assert result.steps["dispatch_2"].status == "skipped"
    assert (result.status, result.exit_code) == ("failed", 1)


def test_without_a_budget_no_commit_happens_and_the_run_is_partial() -> None:
    """The default budget commits nothing."""
    book = (COMMITS % 0).replace("budget: {commit: 0}\n", "")
    person = Person()
    tools = FakeTools([signal(1)])
    result = run(tools, book, approve=person)
    assert [r.params.commit for r in tools.made("dispatch")] == [None]
    assert person.asked == []
    assert (result.status, result.exit_code) == ("partial", 3)
    assert len(result.staged) == 1


def test_a_commit_needs_the_budget_and_a_yes() -> None:
    """Both the author and the person who runs it have to want it."""
    person = Person()
    tools = FakeTools([signal(1)])
    result = run(tools, COMMITS % 5, approve=person)
    assert [r.params.commit for r in tools.made("dispatch")] == [None, True]
    question = person.asked[0]
    assert question.preview == "route sig_1"
    assert question.signal is not None
    assert question.signal.url == "https://forum.example/1"
    assert [act.handle for act in result.committed] == ["disp_sig_1_route"]
    assert result.staged == ()


@pytest.mark.parametrize("approve", [None, Person(answer=False)])
def test_without_a_yes_the_act_stays_staged_and_nothing_failed(approve: Person | None) -> None:
    """Declining is a decision, not an error, and costs no budget."""
    tools = FakeTools([signal(1)])
    result = run(tools, COMMITS % 5, approve=approve)
    assert [r.params.commit for r in tools.made("dispatch")] == [None]
    assert (result.exit_code, len(result.staged)) == (0, 1)
    assert result.budget["commit"].used == 0


def test_a_caller_without_the_commit_scope_is_refused_before_anyone_is_asked() -> None:
    """A person's yes cannot lend a key what it has not got."""
    person = Person()
    caller = Caller("ci", frozenset({"read", "stage"}))
    result = run(FakeTools([signal(1)]), COMMITS % 5, approve=person, caller=caller)
    assert person.asked == []
    lane = (result.steps["look"].items or ())[0]
    assert lane.error is not None
    assert lane.error.name == "not_allowed"


def test_an_act_in_doubt_wins_over_a_failed_lane() -> None:
    """Someone has to look at it before anything else."""

    def answer(request: Any) -> Any:
        if request.params.commit:
            return acted(request, status="in_doubt")
        return UnknownSignal("gone") if request.signal_id == "sig_2" else None

    result = run(FakeTools([signal(1), signal(2)], on_dispatch=answer), COMMITS % 5, approve=Person())
    assert [item.status for item in result.steps["look"].items or ()] == ["in_doubt", "failed"]
    assert (result.status, result.exit_code) == ("in_doubt", 4)
    assert [act["handle"] for act in result.as_dict()["in_doubt"]] == ["disp_sig_1_route"]


@pytest.mark.parametrize("error", [TimedOut("too slow"), ValueError("broken pipe")])
def test_a_commit_whose_end_nobody_saw_is_in_doubt_and_never_repeated(error: Exception) -> None:
    """It may have been delivered: a second try could deliver it twice."""
    book = (COMMITS % 5).replace("      - id: send\n", "      - id: send\n        retry: {attempts: 3}\n")
    tools = FakeTools([signal(1)], on_dispatch=lambda r: error if r.params.commit else None)
    result = run(tools, book, approve=Person())
    assert [r.params.commit for r in tools.made("dispatch")] == [None, True]
    assert result.exit_code == 4


def test_a_stage_may_be_retried_because_it_is_idempotent() -> None:
    """The same signal, action and params give the same handle."""
    book = """
steps:
  - {tool: dispatch, args: {signal_id: sig_1, action: flag}, retry: {attempts: 2, wait: 0s}}
"""
    tools = FakeTools(on_dispatch=failing(1, SourceUnavailable("store busy")))
    result = run(tools, book)
    assert result.exit_code == 0
    assert len(tools.made("dispatch")) == 2


def test_a_cancelled_commit_is_journalled_as_in_doubt() -> None:
    """The next run has to ask, not to repeat."""
    ledger = Ledger()

    async def scenario() -> None:
        never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        tools = FakeTools([signal(1)], on_dispatch=lambda r: never if r.params.commit else None)
        ready = engine(tools, COMMITS % 5, journal=ledger)
        task = asyncio.create_task(ready.run("one", {}, caller=LOCAL, run_id="run_1", approve=Person()))
        for _ in range(20):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    assert ledger.entries[-1].status == "in_doubt"
    assert ledger.entries[-1].effect == "commit"


def test_a_discard_costs_no_budget() -> None:
    """Throwing away is always affordable."""
    book = """
budget: {stage: 1}
steps:
  - {id: a, tool: dispatch, args: {signal_id: sig_1, action: flag}}
  - tool: dispatch
    args: {signal_id: sig_1, action: flag, params: {discard: true, handle: "{{ steps.a.output.handle }}"}}
"""
    result = run(FakeTools(), book)
    assert result.exit_code == 0
    assert result.budget["stage"].used == 1
    assert result.staged == ()


def test_what_does_not_fit_the_budget_is_skipped_in_final_order_and_told() -> None:
    """The best signals get the budget, whichever lane is quickest."""
    book = """
budget: {stage: 2}
steps:
  - {id: find, tool: listen, args: {query: x}}
  - id: look
    for_each: signal
    steps:
      - {tool: inspect}
      - {tool: dispatch, args: {action: flag}}
"""

    async def slowest_first(request: Any) -> None:
        for _ in range(50 - 10 * int(request.signal_id.removeprefix("sig_"))):
            await asyncio.sleep(0)

    tools = FakeTools([signal(n) for n in range(5)], on_inspect=slowest_first)
    result = run(tools, book)
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_0", "sig_1"]
    assert [item.status for item in result.steps["look"].items or ()] == ["succeeded"] * 2 + ["skipped"] * 3
    assert result.budget["stage"].left_out == 3
    assert any("3 stage calls did not fit the budget (stage: 2)" in note for note in result.notes)
    assert (result.status, result.exit_code) == ("partial", 3)


RACING = """
inputs: {rows: {type: list}}
budget: {stage: 3}
steps:
  - id: outer
    for_each: inputs.rows
    as: row
    steps:
      - id: inner
        for_each: ["0", "1", "2", "3"]
        as: column
        steps:
          - {tool: inspect, args: {signal_id: "{{ row }}{{ column }}"}}
          - filter: column != '1'
          - {tool: dispatch, args: {signal_id: "{{ row }}{{ column }}", action: flag}}
"""


@pytest.mark.parametrize("rows", [["1"], ["1", "2", "3"]])
def test_a_quick_lane_does_not_take_the_budget_of_one_before_it(rows: list[str]) -> None:
    """What is handed over must not depend on which source was quick today, in nested loops neither."""

    async def slowest_first(request: Any) -> None:
        for _ in range(100 - 2 * int(request.signal_id)):
            await asyncio.sleep(0)

    tools = FakeTools(on_inspect=slowest_first)
    result = run(tools, RACING, inputs={"rows": rows})
    assert sorted(r.signal_id for r in tools.made("dispatch")) == ["10", "12", "13"]
    assert result.budget["stage"].left_out == 3 * (len(rows) - 1)


def test_a_filtered_lane_leaves_its_share_of_the_budget_to_the_next() -> None:
    """Only calls count, not lanes."""
    book = """
budget: {stage: 2}
steps:
  - {id: find, tool: listen, args: {query: x}}
  - id: look
    for_each: signal
    steps:
      - filter: signal.engagement.score >= 10
      - {tool: dispatch, args: {action: flag}}
"""
    tools = FakeTools([signal(0, score=1), signal(1), signal(2, score=1), signal(3), signal(4)])
    run(tools, book)
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_1", "sig_3"]


def test_a_budget_of_nothing_makes_no_call_at_all() -> None:
    """Zero is a number."""
    tools = FakeTools([signal(1)])
    result = run(
        tools, "budget: {listen: 0}\nsteps: [{tool: listen, args: {query: x}}, {tool: inspect, for_each: signal}]"
    )
    assert tools.calls == []
    assert (result.status, result.exit_code) == ("partial", 3)
    assert result.steps["inspect_2"].status == "skipped"
