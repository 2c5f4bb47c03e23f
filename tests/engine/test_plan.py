"""What a playbook is made into before it runs, and what `--plan` says about it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fakes import FakeTools, Time, engine, playbook, run, signal
from signal_playbooks.engine.nodes import Loop, Together
from signal_playbooks.engine.plan import prepared, singles
from signal_playbooks.errors import InvalidArguments, UsageError

WHOLE = """
inputs:
  competitor: {}
  since: {type: choice, choices: [today, this_week], default: this_week}
budget: {listen: 5, inspect: 100, stage: 10, commit: 0}
steps:
  - id: find
    tool: listen
    args:
      query: "{{ inputs.competitor }} too expensive"
      scope: {sources: [forum], freshness: "{{ inputs.since }}"}
      limit: 30
    retry: {attempts: 2}
  - id: look
    for_each: steps.find.output.signals
    as: prospect
    limit: 25
    steps:
      - {tool: inspect, args: {depth: author}}
      - filter: author.likely_role_hint != 'student'
      - tool: dispatch
        args: {action: route, params: {destination: outbox, note: "{{ inputs.competitor }}: {{ prospect.url }}"}}
"""


def keys(text: str) -> list[str]:
    return [node.common.key for node in singles(prepared(playbook(text), Time().clock()).program.body.nodes)]


def test_steps_without_an_id_get_one_from_place_and_tool() -> None:
    """The journal needs a name that is the same tomorrow."""
    text = """
steps:
  - {tool: listen, args: {query: x}}
  - {id: mine, tool: listen, args: {query: y}}
  - {use: other}
  - {for_each: ["a"], steps: [{tool: inspect}]}
"""
    assert keys(text) == ["listen_1", "mine", "use_3", "lanes_4"]


def test_a_made_up_id_never_takes_one_that_the_author_gave() -> None:
    """Two steps of one name would share results."""
    assert keys("steps: [{tool: listen, args: {query: x}}, {id: listen_1, tool: inspect}]") == ["listen_1_", "listen_1"]


@pytest.mark.parametrize(
    ("after", "inside"),
    [
        ("{tool: dispatch, args: {action: flag}}", 3),
        ("{filter: 'true'}", 3),
        ("{tool: listen, args: {query: y}}", 2),
        ("{use: other}", 2),
        ("{tool: inspect, for_each: signal}", 2),
        ("{for_each: ['a'], steps: [{tool: inspect}]}", 2),
    ],
)
def test_a_lane_goes_on_until_a_loop_a_listen_a_use_or_the_end(after: str, inside: int) -> None:
    """This is where an author's steps run once, and where many times."""
    text = f"""
steps:
  - {{tool: listen, args: {{query: x}}}}
  - {{tool: inspect, for_each: signal}}
  - {{tool: dispatch, args: {{action: archive}}}}
  - {after}
"""
    loop = next(
        node for node in singles(prepared(playbook(text), Time().clock()).program.body.nodes) if isinstance(node, Loop)
    )
    assert len(loop.body.nodes) == inside


def test_a_loop_over_a_list_of_its_own_is_that_step_alone() -> None:
    """Only `for_each: signal` takes the following steps with it."""
    book = """
steps:
  - {tool: inspect, for_each: ["a"], args: {signal_id: "{{ item }}"}}
  - {tool: dispatch, args: {signal_id: sig_1, action: flag}}
"""
    assert keys(book) == ["inspect_1", "dispatch_2"]


def test_for_each_signal_without_a_listen_is_refused() -> None:
    """There is nothing to go over."""
    with pytest.raises(UsageError, match="no listen comes before it"):
        keys("steps: [{tool: inspect, for_each: signal}]")


def test_listens_that_do_not_refer_to_each_other_stand_side_by_side() -> None:
    """Time is what a person waits for."""
    text = """
steps:
  - {id: a, tool: listen, args: {query: x}}
  - {id: b, tool: listen, args: {query: y}, needs: [a]}
  - {id: c, tool: listen, args: {query: z}}
"""
    groups = prepared(playbook(text), Time().clock()).program.body.nodes
    assert [[listen.common.key for listen in group.listens] for group in groups if isinstance(group, Together)] == [
        ["a"], ["b", "c"],
    ]  # fmt: skip


def test_an_unknown_playbook_is_refused_with_the_nearest() -> None:
    """And with what there is."""
    with pytest.raises(UsageError, match="did you mean 'one'"):
        run(FakeTools(), "steps: [{tool: inspect}]", playbook_id="onne")


@pytest.mark.parametrize("run_id", ["", "   ", "x" * 300, "run\n1", "run\x001"])
def test_a_run_id_that_is_no_name_is_refused(run_id: str) -> None:
    """It becomes a key, a line and an address."""
    with pytest.raises(InvalidArguments):
        run(FakeTools(), "steps: [{tool: inspect}]", run_id=run_id)


def test_a_plan_calls_nothing_and_bounds_every_kind_of_call() -> None:
    """The bounds are what a careful person asks for before the first run."""
    tools = FakeTools([signal(1)])
    plan = engine(tools, WHOLE).plan("one", {"competitor": "Plinthly"})
    assert tools.calls == []
    assert plan.calls == {"listen": 2, "inspect": 25, "stage": 25, "commit": 0}
    assert plan.at_most == {"listen": 2, "inspect": 25, "stage": 10, "commit": 0}
    assert plan.by_tool == {"listen": 2, "inspect": 25, "dispatch": 10}
    assert plan.by_effect == {"read": 27, "stage": 10, "commit": 0}
    assert plan.sources == {"forum": 2}
    assert any("25 stage calls, of which the budget allows 10" in note for note in plan.notes)


def test_a_plan_counts_what_may_be_read_for_signals_that_are_then_dropped() -> None:
    """Lanes without a limit open while the listen streams, so more may be read than is kept."""
    plan = engine(FakeTools([signal(1)]), WHOLE.replace("    limit: 25\n", "")).plan("one", {"competitor": "Plinthly"})
    assert plan.calls["inspect"] == 60
    assert any("30 of the inspect calls" in note and "drops" in note for note in plan.notes)


def test_a_plan_fills_in_what_is_known_and_leaves_the_rest_as_written() -> None:
    """What is open is shown as the question it is."""
    steps = {step.path: step for step in engine(FakeTools(), WHOLE).plan("one", {"competitor": "Plinthly"}).steps}
    assert steps["steps.find"].arguments["query"] == "Plinthly too expensive"
    assert steps["steps.find"].arguments["scope"] == {"sources": ["forum"], "freshness": "this_week"}
    assert steps["steps.look[…].dispatch_3"].arguments["params"] == {
        "destination": "outbox",
        "note": "{{ inputs.competitor }}: {{ prospect.url }}",
    }
    assert steps["steps.look[…].dispatch_3"].times == 25


def test_a_plan_shows_the_sources_given_for_the_run() -> None:
    """They replace the playbook's, and that has to be seen."""
    plan = engine(FakeTools(), WHOLE).plan("one", {"competitor": "x"}, sources=["a", "b"])
    assert plan.sources == {"a": 2, "b": 2}
    assert plan.steps[0].arguments["scope"] == {"sources": ["a", "b"], "freshness": "this_week"}


def test_a_plan_counts_a_used_playbook_within_its_own_budget() -> None:
    """Its author promised no more."""
    caller = "inputs: {}\nsteps: [{for_each: ['a', 'b', 'c'], steps: [{use: two, with: {topic: '{{ item }}'}}]}]"
    used = """
inputs: {topic: {}}
budget: {stage: 5}
steps: [{tool: listen, args: {query: '{{ inputs.topic }}'}}, {tool: dispatch, args: {action: flag}, for_each: signal}]
"""
    plan = engine(FakeTools(), caller, used).plan("one", {})
    assert plan.calls == {"listen": 3, "inspect": 0, "stage": 15, "commit": 0}


def test_a_plan_says_where_a_number_of_lanes_is_known_only_later() -> None:
    """An unknown is told as one."""
    text = """
inputs: {}
steps:
  - {id: find, tool: listen, args: {query: x}}
  - {id: each, for_each: "[p for p in steps.find.output.signals if p.engagement.score > 3]", steps: [{tool: inspect}]}
"""
    plan = engine(FakeTools(), text).plan("one", {})
    assert plan.calls["inspect"] == 10_000
    assert any("each: how many lanes" in note for note in plan.notes)


def test_a_plan_refuses_what_a_run_would_refuse() -> None:
    """It would be no plan of a run."""
    with pytest.raises(InvalidArguments):
        engine(FakeTools(), WHOLE).plan("one", {})


@given(
    limit=st.integers(1, 12),
    lanes=st.integers(1, 12),
    budget=st.fixed_dictionaries({"inspect": st.integers(0, 40), "stage": st.integers(0, 15)}),
    streamed=st.lists(st.integers(0, 30), max_size=20),
    final=st.lists(st.integers(0, 30), max_size=12, unique=True),
)
def test_a_run_never_does_more_than_its_plan_says(
    limit: int, lanes: int, budget: dict[str, int], streamed: list[int], final: list[int]
) -> None:
    """An upper bound that a run can pass is no bound."""
    text = f"""
budget: {budget}
steps:
  - {{id: find, tool: listen, args: {{query: x, limit: {limit}}}}}
  - {{id: look, tool: inspect, for_each: signal, limit: {lanes}}}
  - {{tool: dispatch, args: {{action: flag}}}}
"""
    tools = FakeTools([signal(n) for n in final], streamed=[signal(n) for n in streamed])
    most: Any = engine(tools, text).plan("one", {}).by_tool
    run(tools, text)
    for tool, bound in most.items():
        assert len(tools.made(tool)) <= bound


def test_the_answer_is_plain_json() -> None:
    """Whoever reads it has no Python."""
    result = run(FakeTools([signal(1)]), WHOLE, inputs={"competitor": "x"})
    body = json.loads(json.dumps(result.as_dict()))
    assert list(body)[:5] == ["run_id", "playbook", "status", "steps", "outputs"]
    assert body["steps"]["look"]["items"][0]["output"]["dispatch_3"]["status"] == "staged"
    assert body["budget"]["stage"] == {"allowed": 10, "used": 1, "left_out": 0}
    assert json.loads(json.dumps(engine(FakeTools(), WHOLE).plan("one", {"competitor": "x"}).as_dict()))["by_effect"]
