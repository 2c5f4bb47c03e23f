"""Lanes that flow: reads begin while the listen streams, acts wait for the final ranking."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fakes import FakeTools, Memory, engine, run, signal
from signal_playbooks.caller import LOCAL
from signal_playbooks.content.steps import Status
from signal_playbooks.engine.ports import Watcher
from signal_playbooks.errors import SourceUnavailable

FLOWING = """
budget: {inspect: %d, stage: %d}
steps:
  - {id: find, tool: listen, args: {query: x, limit: %d}}
  - {id: look, tool: inspect, args: {depth: author}, for_each: signal%s}
  - {id: hand, tool: dispatch, args: {action: flag}}
"""


def book(inspect: int = 100, stage: int = 100, limit: int = 20, more: str = "") -> str:
    return FLOWING % (inspect, stage, limit, more)


def streaming(streamed: list[int], final: list[int], **more: Any) -> FakeTools:
    """Return tools whose listen streams some signals and then ranks others."""
    return FakeTools([signal(n) for n in final], streamed=[signal(n) for n in streamed], **more)


async def _rounds(times: int) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


def test_reads_begin_before_the_last_source_has_answered_and_acts_do_not() -> None:
    """The first signal should not wait for the slowest source; an act must."""
    seen: list[str] = []
    tools = streaming([1, 2], [2, 1])

    async def final() -> None:
        await _rounds(10)
        seen.extend(name for name, _ in tools.calls)

    tools.before_final = final
    result = run(tools, book())
    assert seen == ["listen", "inspect", "inspect"]
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_2", "sig_1"]
    assert [item.key for item in result.steps["look"].items or ()] == ["sig_2", "sig_1"]
    assert len(tools.made("inspect")) == 2


def test_a_signal_that_the_ranking_drops_ends_its_lane_as_skipped_and_is_not_acted_on() -> None:
    """It was looked at in vain, and that is told."""
    tools = streaming([1, 2, 3], [3, 1], before_final=lambda: _rounds(10))
    result = run(tools, book())
    items = result.steps["look"].items or ()
    assert [(item.key, item.status) for item in items] == [
        ("sig_3", "succeeded"), ("sig_1", "succeeded"), ("sig_2", "skipped"),
    ]  # fmt: skip
    assert "ranking" in (items[2].reason or "")
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_3", "sig_1"]
    assert result.exit_code == 0


def test_no_more_lanes_open_early_than_the_listen_can_keep() -> None:
    """Three hundred matches must not become three hundred looks for twenty places."""
    tools = streaming(list(range(50)), [49, 48], before_final=lambda: _rounds(100))
    run(tools, book(limit=2))
    assert len(tools.made("inspect")) <= 4
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_49", "sig_48"]


def test_with_a_tight_budget_nothing_is_read_before_the_final_order() -> None:
    """An early look at a signal that is dropped would take a better one's place."""
    seen: list[str] = []
    tools = streaming([1, 2, 3, 4], [4, 3, 2, 1])

    async def final() -> None:
        await _rounds(10)
        seen.extend(name for name, _ in tools.calls)

    tools.before_final = final
    result = run(tools, book(inspect=2, limit=4))
    assert seen == ["listen"]
    assert [r.signal_id for r in tools.made("inspect")] == ["sig_4", "sig_3"]
    assert result.budget["inspect"].left_out == 2


def test_a_tight_budget_for_acts_goes_to_the_best_though_others_were_read_first() -> None:
    """Reads may run ahead; the order of acts is the final one."""
    tools = streaming([1, 2, 3, 4], [4, 3, 2, 1], before_final=lambda: _rounds(3))
    run(tools, book(stage=2))
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_4", "sig_3"]


def test_limit_holds_over_the_final_order_also_for_lanes_that_were_open() -> None:
    """An early lane has no claim."""
    tools = streaming([1, 2, 3], [3, 2, 1], before_final=lambda: _rounds(10))
    result = run(tools, book(more=", limit: 1"))
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_3"]
    assert result.steps["look"].left_out == 2


def test_lanes_that_read_the_listens_own_result_wait_for_it() -> None:
    """`steps.find.output.summary` is there only at the end."""
    text = """
steps:
  - {id: find, tool: listen, args: {query: x}}
  - id: look
    for_each: signal
    steps:
      - {tool: inspect, args: {depth: author}}
      - {tool: dispatch, args: {action: flag, params: {note: "{{ steps.find.output.summary }}"}}}
"""
    tools = streaming([1], [1], before_final=lambda: _rounds(10))
    result = run(tools, text)
    assert tools.made("dispatch")[0].params.note == "Heard."
    assert result.exit_code == 0


def test_neighbouring_listens_run_at_once_and_lanes_flow_from_theirs() -> None:
    """Two slow sources take the time of one."""
    text = """
steps:
  - {id: a, tool: listen, args: {query: first}}
  - {id: b, tool: listen, args: {query: second}}
  - {id: look, for_each: steps.a.output.signals, steps: [{tool: inspect}]}
"""
    order: list[str] = []

    async def listening(request: Any) -> list[Any]:
        order.append(f"start {request.query}")
        await _rounds(5)
        order.append(f"end {request.query}")
        return [signal(request.query)]

    tools = FakeTools(on_listen=listening)
    result = run(tools, text)
    assert order[:2] == ["start first", "start second"]
    assert [r.signal_id for r in tools.made("inspect")] == ["sig_first"]
    assert result.exit_code == 0


def test_a_listen_that_refers_to_its_neighbour_waits_for_it() -> None:
    """Running at once is only for those that do not know each other."""
    text = """
steps:
  - {id: a, tool: listen, args: {query: first}}
  - {id: b, tool: listen, args: {query: "{{ steps.a.output.signals[0].headline }}"}}
  - {id: c, tool: listen, args: {query: third}, needs: [b]}
"""
    tools = FakeTools([signal(1)])
    run(tools, text)
    assert [r.query for r in tools.made("listen")] == ["first", "Post 1", "third"]


def test_when_the_listen_fails_its_early_lanes_go_no_further() -> None:
    """Nothing is acted on that was never ranked."""
    tools = streaming([1, 2], [], before_final=lambda: SourceUnavailable("all sources fell silent"))
    result = run(tools, book())
    assert tools.made("dispatch") == []
    assert result.exit_code == 1


def test_a_listen_that_failed_and_may_leaves_its_lanes_unopened() -> None:
    """The author said that the run goes on; there is just nothing to go over."""
    text = book().replace("limit: 20}}", "limit: 20}, on_error: continue}")
    tools = FakeTools(on_listen=lambda _: SourceUnavailable("down"))
    result = run(tools, text)
    assert result.steps["look"].status == "skipped"
    assert result.exit_code == 3


def test_only_signals_no_earlier_run_has_seen_are_brought() -> None:
    """A morning's run is about the morning."""
    memory = Memory()
    text = book().replace("limit: 20}}", "limit: 20}, new_only: true}")
    run(FakeTools([signal(1), signal(2)]), text, seen=memory)
    tools = FakeTools([signal(2), signal(3)])
    result = run(tools, text, seen=memory)
    assert [r.signal_id for r in tools.made("inspect")] == ["sig_3"]
    assert any("1 of 2 signals were seen" in note for note in result.notes)
    assert memory.seen == {"one": {"sig_1", "sig_2", "sig_3"}}


def test_what_the_budget_or_a_failure_left_undone_comes_again() -> None:
    """Seen means dealt with."""
    memory = Memory()
    text = book(stage=1).replace("limit: 20}}", "limit: 20}, new_only: true}")
    run(FakeTools([signal(1), signal(2)]), text, seen=memory)
    assert memory.seen == {"one": {"sig_1"}}


def test_whoever_watches_hears_signals_coverage_and_lanes() -> None:
    """Progress is told as it happens."""
    told: list[str] = []

    class Eye(Watcher):
        def heard(self, path: str, signal: Any) -> None:
            told.append(f"heard {signal.id}")

        def lane_opened(self, path: str, key: str, item: object) -> None:
            told.append(f"open {path} {key}")

        def lane_finished(self, path: str, key: str, status: Status) -> None:
            told.append(f"done {key} {status}")

        def step_finished(self, path: str, status: Status, reason: str | None) -> None:
            told.append(f"step {path} {status}")

    run(FakeTools([signal(1)]), book(), watch=Eye())
    assert told == [
        "heard sig_1", "open steps.look sig_1", "step steps.find succeeded", "done sig_1 succeeded",
        "step steps.look succeeded",
    ]  # fmt: skip


@given(
    streamed=st.lists(st.integers(0, 9), max_size=12),
    final=st.lists(st.integers(0, 9), unique=True, max_size=8),
    delay=st.integers(0, 12),
    slow=st.integers(0, 5),
    inspect=st.integers(0, 25),
    stage=st.integers(0, 9),
)
def test_however_the_stream_runs_the_acts_are_those_of_the_final_order(
    streamed: list[int], final: list[int], delay: int, slow: int, inspect: int, stage: int
) -> None:
    """What flows early may never change what is done: only when."""

    async def look(_request: Any) -> None:
        await _rounds(slow)

    tools = streaming(streamed, final, on_inspect=look, before_final=lambda: _rounds(delay))
    result = run(tools, book(inspect, stage, 8))
    acting = [f"sig_{n}" for n in final][:inspect][:stage]
    assert sorted(r.signal_id for r in tools.made("dispatch")) == sorted(acting)
    assert [act.signal_id for act in result.staged] == acting
    items = result.steps["look"].items or ()
    assert [item.key for item in items][: len(final)] == [f"sig_{n}" for n in final]
    assert sum((result.steps["look"].counts or {}).values()) == len(items)
    assert result.budget["inspect"].used == len(tools.made("inspect")) <= inspect


@pytest.mark.parametrize("rounds", [0, 3, 30])
def test_stopping_while_signals_stream_leaves_nothing_running(rounds: int) -> None:
    """Early lanes are the run's own, and end with it."""

    async def scenario() -> int:
        never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        tools = streaming(list(range(9)), [1], before_final=lambda: never, on_inspect=lambda _: never)
        task = asyncio.create_task(engine(tools, book()).run("one", {}, caller=LOCAL, run_id="run_1"))
        await _rounds(rounds)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return len(asyncio.all_tasks()) - 1

    assert asyncio.run(scenario()) == 0


def test_a_loop_with_a_limit_opens_no_lane_before_the_order_is_known() -> None:
    """At most so many lanes: one opened early for a signal that is then dropped would be one too many."""
    book = """
steps:
  - {id: find, tool: listen, args: {query: x}}
  - {id: each, tool: inspect, for_each: signal, limit: 2}
"""
    tools = FakeTools([signal(n) for n in range(5)])
    result = run(tools, book)
    assert [item.key for item in result.steps["each"].items or ()] == ["sig_0", "sig_1"]
    assert result.steps["each"].left_out == 3
    assert len(tools.made("inspect")) == 2
