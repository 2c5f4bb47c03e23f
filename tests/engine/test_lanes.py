"""Lanes: their number, order, results and limits."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fakes import FakeTools, Ledger, acted, engine, run, signal
from signal_playbooks.caller import LOCAL
from signal_playbooks.contract.dispatch import DispatchInput
from signal_playbooks.errors import UnknownSignal

OVER_ITEMS = """
inputs: {names: {type: list}}
steps:
  - id: each
    for_each: inputs.names
    steps:
      - {id: look, tool: inspect, args: {signal_id: "{{ item }}"}}
"""
NESTED = """
inputs: {rows: {type: list}, columns: {type: list}}
steps:
  - id: outer
    for_each: inputs.rows
    as: row
    steps:
      - id: inner
        for_each: inputs.columns
        as: column
        steps:
          - {id: look, tool: inspect, args: {signal_id: "{{ row }}_{{ column }}"}}
outputs:
  ids: "[[j.output.look.signal.id for j in i.output.inner.items] for i in steps.outer.items]"
"""


def items_of(result: object, key: str = "each") -> list[object]:
    return list(result.steps[key].items)  # type: ignore[attr-defined]


def test_an_empty_list_opens_no_lane_and_has_no_items() -> None:
    """Nothing to do is a success."""
    result = run(FakeTools(), OVER_ITEMS, inputs={"names": []})
    assert result.status == "succeeded"
    assert items_of(result) == []
    assert sum((result.steps["each"].counts or {}).values()) == 0


def test_equal_items_are_two_calls_with_results_0_and_1() -> None:
    """A list is a list: nobody asked to make its items distinct."""
    tools = FakeTools()
    result = run(tools, OVER_ITEMS, inputs={"names": ["a", "a"]})
    assert len(tools.made("inspect")) == 2
    assert [item.key for item in result.steps["each"].items or ()] == ["0", "1"]


def test_maps_can_be_items() -> None:
    """An item is any value."""
    book = OVER_ITEMS.replace("{{ item }}", "{{ item.id }}-{{ item['class'] }}")
    tools = FakeTools()
    run(tools, book, inputs={"names": [{"id": "sig_1", "class": "x"}]})
    assert tools.made("inspect")[0].signal_id == "sig_1-x"


def test_two_loops_nested_give_each_result_at_its_place() -> None:
    """Two times three lanes are six results, none under another's name."""
    result = run(FakeTools(), NESTED, inputs={"rows": ["a", "b"], "columns": ["x", "y", "z"]})
    assert result.error is None
    assert result.outputs["ids"] == [["sig_a_x", "sig_a_y", "sig_a_z"], ["sig_b_x", "sig_b_y", "sig_b_z"]]


def test_fifty_thousand_items_are_refused_before_the_first_call() -> None:
    """A run that cannot end well must not begin: not even the listen before the loop is made."""
    book = OVER_ITEMS.replace("steps:\n", "steps:\n  - {tool: listen, args: {query: x}}\n", 1)
    tools = FakeTools([signal(1)])
    with pytest.raises(Exception, match="10,000"):
        run(tools, book, inputs={"names": ["a"] * 50_000})
    assert tools.calls == []


def test_what_limit_leaves_out_is_reported() -> None:
    """A limit is a wish, so the run is a success; what it cost is told."""
    book = OVER_ITEMS.replace("    for_each: inputs.names\n", "    for_each: inputs.names\n    limit: 2\n")
    tools = FakeTools()
    result = run(tools, book, inputs={"names": ["a", "b", "c"]})
    assert [r.signal_id for r in tools.made("inspect")] == ["a", "b"]
    assert result.steps["each"].left_out == 1
    assert any("left out 1 of 3" in note for note in result.notes)
    assert result.exit_code == 0


def test_limit_takes_the_first_before_any_filter() -> None:
    """`limit` is about lanes, and a filtered lane was one."""
    book = """
inputs: {names: {type: list}}
steps:
  - id: each
    for_each: inputs.names
    limit: 2
    steps:
      - filter: item != 'a'
      - {tool: inspect, args: {signal_id: "{{ item }}"}}
"""
    tools = FakeTools()
    result = run(tools, book, inputs={"names": ["a", "b", "c"]})
    assert [r.signal_id for r in tools.made("inspect")] == ["b"]
    assert [item.status for item in result.steps["each"].items or ()] == ["skipped", "succeeded"]


def test_no_more_lanes_run_at_a_time_than_concurrency_says() -> None:
    """The number protects a source from us."""

    async def slow() -> None:
        for _ in range(3):
            await asyncio.sleep(0)

    book = OVER_ITEMS.replace("    for_each: inputs.names\n", "    for_each: inputs.names\n    concurrency: 3\n")
    tools = FakeTools(on_inspect=lambda _: slow())
    run(tools, book, inputs={"names": [str(n) for n in range(20)]})
    assert tools.most_running == 3


def test_items_stand_in_the_order_of_the_list_whatever_finishes_first() -> None:
    """A reader compares by place."""

    async def unequal(request: object) -> None:
        for _ in range(20 - int(getattr(request, "signal_id", "0"))):
            await asyncio.sleep(0)

    names = [str(n) for n in range(20)]
    result = run(FakeTools(on_inspect=unequal), OVER_ITEMS, inputs={"names": names})
    found = [item.steps["look"].output.signal.id for item in result.steps["each"].items or ()]  # type: ignore[attr-defined]
    assert found == [f"sig_{name}" for name in names]


def test_good_bad_good_gives_three_results_in_order_and_a_partial_run() -> None:
    """One bad item must neither hide nor take the others with it."""
    tools = FakeTools(on_inspect=lambda r: UnknownSignal("gone") if r.signal_id == "bad" else None)
    result = run(tools, OVER_ITEMS, inputs={"names": ["good", "bad", "fine"]})
    assert [item.status for item in result.steps["each"].items or ()] == ["succeeded", "failed", "succeeded"]
    assert (result.status, result.exit_code) == ("partial", 3)


def test_on_error_stop_ends_the_loop_and_the_run() -> None:
    """What has not begun is named as such, not lost."""
    book = OVER_ITEMS.replace(
        "    for_each: inputs.names\n", "    for_each: inputs.names\n    on_error: stop\n    concurrency: 1\n"
    )
    tools = FakeTools(on_inspect=lambda r: UnknownSignal("gone") if r.signal_id == "bad" else None)
    result = run(tools, book, inputs={"names": ["good", "bad", "fine"]})
    assert [item.status for item in result.steps["each"].items or ()] == ["succeeded", "failed", "skipped"]
    assert (result.status, result.exit_code) == ("failed", 1)
    assert result.error is not None
    assert result.error.message == "gone"


def test_a_filter_that_is_false_ends_the_lane_as_skipped() -> None:
    """A filtered lane is neither a success nor a failure."""
    book = OVER_ITEMS.replace("    steps:\n", "    steps:\n      - filter: item != 'b'\n")
    result = run(FakeTools(), book, inputs={"names": ["a", "b"]})
    items = result.steps["each"].items or ()
    assert [item.status for item in items] == ["succeeded", "skipped"]
    assert "filter" in (items[1].reason or "")
    assert result.exit_code == 0


def test_when_on_a_block_is_asked_for_each_item() -> None:
    """The condition may speak of the item, so it is the lane's and not the loop's."""
    book = OVER_ITEMS.replace("    for_each: inputs.names\n", "    for_each: inputs.names\n    when: item == 'b'\n")
    tools = FakeTools()
    result = run(tools, book, inputs={"names": ["a", "b"]})
    assert [item.status for item in result.steps["each"].items or ()] == ["skipped", "succeeded"]
    assert [r.signal_id for r in tools.made("inspect")] == ["b"]


def test_otherwise_runs_where_the_step_before_was_passed_over() -> None:
    """Two ways, one of them always taken."""
    book = """
steps:
  - {id: find, tool: listen, args: {query: x}}
  - id: look
    for_each: steps.find.output.signals
    as: prospect
    steps:
      - {id: hand_over, tool: dispatch, args: {action: flag}, when: prospect.engagement.score >= 10}
      - {id: quiet, tool: dispatch, args: {action: archive}, when: otherwise}
outputs:
  handed_over: "[i.key for i in steps.look.items if default(i.output.hand_over.handle, '') != '']"
"""
    tools = FakeTools([signal(1, score=50), signal(2, score=1), signal(3, score=None)])
    result = run(tools, book)
    assert [(r.signal_id, r.action) for r in tools.made("dispatch")] == [
        ("sig_1", "flag"), ("sig_2", "archive"), ("sig_3", "archive"),
    ]  # fmt: skip
    assert result.outputs == {"handed_over": ["sig_1"]}


def test_a_lane_of_signals_is_known_by_the_signals_id() -> None:
    """Places change from run to run, ids do not."""
    book = """
steps:
  - {id: find, tool: listen, args: {query: x}}
  - {id: look, tool: inspect, for_each: signal}
outputs:
  keys: "[i.key for i in steps.look.items if i.status == 'succeeded']"
"""
    result = run(FakeTools([signal("b"), signal("a")]), book)
    assert result.outputs == {"keys": ["sig_b", "sig_a"]}


def test_steps_of_the_same_lane_are_this_lanes_own() -> None:
    """`steps.look` inside a lane must never be a neighbour's."""

    async def slow(request: object) -> None:
        await asyncio.sleep(0)

    book = """
inputs: {names: {type: list}}
steps:
  - id: each
    for_each: inputs.names
    steps:
      - {id: look, tool: inspect, args: {signal_id: "{{ item }}"}}
      - tool: dispatch
        args: {signal_id: "{{ item }}", action: flag, params: {note: "{{ steps.look.output.signal.id }}"}}
"""
    tools = FakeTools(on_inspect=slow)
    run(tools, book, inputs={"names": ["a", "b", "c"]})
    assert {(r.signal_id, r.params.note) for r in tools.made("dispatch")} == {
        ("a", "sig_a"), ("b", "sig_b"), ("c", "sig_c"),
    }  # fmt: skip


def test_a_step_with_lanes_has_items_and_no_output() -> None:
    """The refusal says what to write instead."""
    book = OVER_ITEMS + "outputs:\n  x: steps.each.output.look\n"
    result = run(FakeTools(), book, inputs={"names": ["a"]})
    assert result.error is not None
    assert "steps.each.items" in result.error.message


def test_a_step_inside_lanes_cannot_be_read_from_outside() -> None:
    """There are as many of it as there are lanes."""
    book = OVER_ITEMS + "outputs:\n  x: steps.look.output.signal.id\n"
    result = run(FakeTools(), book, inputs={"names": ["a"]})
    assert result.error is not None
    assert "steps.each.items" in result.error.message


def test_the_same_signal_twice_has_two_journal_paths() -> None:
    """One path for two calls would let a resumed run skip one of them."""
    book = """
inputs: {}
steps:
  - {id: find, tool: listen, args: {query: x}}
  - {id: each, for_each: steps.find.output.signals + steps.find.output.signals, steps: [{tool: inspect}]}
"""
    ledger = Ledger()
    run(FakeTools([signal(1)]), book, journal=ledger)
    intents = [path for path, phase, _ in ledger.lines() if phase == "intent"]
    assert len(set(intents)) == len(intents) == 3


def test_signal_id_is_the_innermost_lane_variable_that_is_a_signal() -> None:
    """An inner loop over words still acts on the signal around it."""
    book = """
inputs: {labels: {type: list, default: [x, y]}}
steps:
  - {id: find, tool: listen, args: {query: x}}
  - id: outer
    for_each: signal
    steps:
      - id: inner
        for_each: inputs.labels
        steps:
          - {tool: dispatch, args: {action: flag, params: {label: "{{ item }}"}}}
"""
    tools = FakeTools([signal(1)])
    run(tools, book)
    assert [(r.signal_id, r.params.label) for r in tools.made("dispatch")] == [("sig_1", "x"), ("sig_1", "y")]


def test_a_nested_lane_does_not_inherit_author_thread_or_dispatched() -> None:
    """What was learnt of one thing must not be read as if it were of another."""
    book = """
inputs: {}
steps:
  - {id: find, tool: listen, args: {query: x}}
  - id: outer
    for_each: signal
    steps:
      - {tool: inspect, args: {depth: author}}
      - {tool: dispatch, args: {action: flag}}
      - id: inner
        for_each: ["x"]
        steps:
          - tool: dispatch
            args:
              action: archive
              params:
                note: >-
                  {{ default(author.likely_role_hint, 'a') + default(dispatched.handle, 'd')
                  + default(thread[0].id, 't') }}
"""
    tools = FakeTools([signal(1)])
    run(tools, book)
    assert tools.made("dispatch")[1].params.note == "adt"


def test_without_a_signal_around_a_missing_signal_id_is_named() -> None:
    """The tool would say it too, but not what to write."""
    result = run(FakeTools(), "steps: [{tool: inspect}]")
    assert result.error is not None
    assert "signal_id is missing" in result.error.message


def test_an_unexpected_exception_in_one_lane_is_one_failed_lane() -> None:
    """A bug in a tool must not take the run with it, nor show its text."""
    tools = FakeTools(on_inspect=lambda r: ValueError("secret host 10.0.0.1") if r.signal_id == "bad" else None)
    result = run(tools, OVER_ITEMS, inputs={"names": ["good", "bad"]})
    failed = (result.steps["each"].items or ())[1]
    assert failed.status == "failed"
    assert failed.error is not None
    assert "10.0.0.1" not in failed.error.message


def test_a_cancelled_run_leaves_no_lane_behind_and_the_journal_says_what_was_cut_off() -> None:
    """Ctrl-C has to be quick, and honest about what was under way."""
    ledger = Ledger()

    async def scenario() -> list[str]:
        never: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        tools = FakeTools(on_inspect=lambda r: never if r.signal_id != "0" else None)
        ready = engine(tools, OVER_ITEMS, journal=ledger)
        task = asyncio.create_task(
            ready.run("one", {"names": [str(n) for n in range(30)]}, caller=LOCAL, run_id="run_1")
        )
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return [other.get_name() for other in asyncio.all_tasks() if other is not asyncio.current_task()]

    assert asyncio.run(scenario()) == []
    intents = {path for path, phase, _ in ledger.lines() if phase == "intent"}
    results = {path: status for path, phase, status in ledger.lines() if phase == "result"}
    assert set(results) == intents
    assert results["steps.each[0].look"] == "succeeded"
    assert "cancelled" in results.values()


@given(
    st.lists(st.sampled_from(["good", "bad", "filtered", "guarded", "doubt"]), max_size=12),
    st.integers(1, 4),
    st.integers(0, 12),
)
def test_counts_add_up_to_the_items_whatever_happens(kinds: list[str], concurrency: int, stage: int) -> None:
    """A total that does not add up is a lane nobody knows of."""
    book = f"""
inputs: {{names: {{type: list}}}}
budget: {{stage: {stage}}}
steps:
  - id: each
    for_each: inputs.names
    concurrency: {concurrency}
    steps:
      - filter: item != 'filtered'
      - {{tool: dispatch, args: {{signal_id: "{{{{ item }}}}", action: draft_reply}}}}
"""

    def answer(request: DispatchInput) -> object:
        changes = {"guarded": {"note": "before"}, "doubt": {"status": "in_doubt"}}
        if request.signal_id == "bad":
            return UnknownSignal("gone")
        return acted(request, **changes.get(request.signal_id, {}))

    tools = FakeTools(on_dispatch=answer)
    result = run(tools, book, inputs={"names": list(kinds)})
    loop = result.steps["each"]
    items, counts = loop.items or (), loop.counts or {}
    assert sum(counts.values()) == len(items) == len(kinds)
    assert all(counts[status] == sum(item.status == status for item in items) for status in counts)
    acting = [kind for kind in kinds if kind != "filtered"]
    assert len(tools.made("dispatch")) == min(len(acting), stage)
    assert [r.signal_id for r in tools.made("dispatch")] == acting[:stage]
    assert result.budget["stage"].left_out == max(0, len(acting) - stage)
    made = acting[:stage]
    expected = 4 if "doubt" in made else 3 if "bad" in made or len(acting) > stage else 0
    assert result.exit_code == expected


def test_a_lane_over_listed_signals_calls_its_item_signal() -> None:
    """What an author writes in a lane depends on what the items are, not on how the list was named."""
    book = """
steps:
  - {id: find, tool: listen, args: {query: x}}
  - id: each
    for_each: steps.find.output.signals
    steps:
      - {id: mark, tool: dispatch, args: {action: flag, params: {label: "{{ signal.intent }}"}}}
"""
    tools = FakeTools([signal(1)])
    assert run(tools, book).status == "succeeded"
    (asked,) = tools.made("dispatch")
    assert isinstance(asked, DispatchInput)
    assert asked.params.label == "complaining"


@pytest.mark.parametrize(("depth", "status"), [("surface", "failed"), ("thread", "failed"), ("author", "succeeded")])
def test_the_latest_inspect_decides_whether_the_author_is_known(depth: str, status: str) -> None:
    """It may have been of another signal, so what it did not look up is forgotten; the checker says so beforehand."""
    text = f"""
    steps:
      - {{tool: listen, args: {{query: a}}}}
      - {{tool: inspect, args: {{depth: author}}, for_each: signal}}
      - {{tool: inspect, args: {{depth: {depth}}}}}
      - {{filter: author.likely_role_hint == 'indie_founder'}}
    """
    result = run(FakeTools([signal(1)]), text)
    [item] = result.steps["inspect_2"].items or ()
    assert item.status == status
