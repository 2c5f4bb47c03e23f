"""A playbook that uses another: its inputs, outputs, budget and acts."""

import pytest

from engine.fakes import FakeTools, Ledger, run, signal
from signal_playbooks.errors import UnknownSignal

CALLER = """
inputs: {competitor: {default: Plinthly}}
budget: {stage: %d}
steps:
  - {id: brief, use: two, with: {topic: "{{ inputs.competitor }}"}}
outputs:
  found: steps.brief.output.found
"""
USED = """
inputs: {topic: {}, most: {type: integer, default: 5}}
budget: {stage: %d}
steps:
  - {id: find, tool: listen, args: {query: "{{ inputs.topic }}", limit: "{{ inputs.most }}"}}
  - {tool: dispatch, args: {action: flag}, for_each: signal}
outputs:
  found: "[s.id for s in steps.find.output.signals]"
"""


def test_a_used_playbook_gets_its_inputs_and_gives_its_outputs() -> None:
    """It is a function: values in, values out."""
    tools = FakeTools([signal(1), signal(2)])
    result = run(tools, CALLER % 9, USED % 9)
    assert tools.made("listen")[0].query == "Plinthly"
    assert tools.made("listen")[0].limit == 5
    assert result.outputs == {"found": ["sig_1", "sig_2"]}
    assert [act.signal_id for act in result.staged] == ["sig_1", "sig_2"]
    assert result.exit_code == 0


@pytest.mark.parametrize(("callers", "own", "acts"), [(9, 1, 1), (1, 9, 1), (0, 9, 0), (9, 9, 2)])
def test_it_keeps_its_own_budget_and_its_callers(callers: int, own: int, acts: int) -> None:
    """Neither author's promise is broken by the other."""
    tools = FakeTools([signal(1), signal(2)])
    result = run(tools, CALLER % callers, USED % own)
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_1", "sig_2"][:acts]
    assert result.status == ("succeeded" if acts == 2 else "partial")


def test_it_sees_nothing_but_its_declared_inputs() -> None:
    """Names of the caller would make it run differently for everyone."""
    used = "inputs: {topic: {}}\nsteps: [{tool: listen, args: {query: '{{ inputs.competitor }}'}}]"
    result = run(FakeTools(), CALLER % 9, used)
    assert result.exit_code == 1
    assert "competitor" in str(result.error)


def test_missing_and_unknown_inputs_of_a_used_playbook_are_refused() -> None:
    """As they are for a person."""
    caller = "steps: [{id: brief, use: two, with: {topci: x}}]"
    result = run(FakeTools(), caller, USED % 1)
    assert "did you mean 'topic'" in str(result.error)


def test_its_failure_is_the_steps_failure() -> None:
    """And may be allowed, like any other."""
    tools = FakeTools(on_listen=lambda _: UnknownSignal("nothing there"))
    result = run(tools, CALLER % 1, USED % 1)
    assert (result.status, str(result.error)) == ("failed", "nothing there")
    tolerant = (
        (CALLER % 1)
        .replace("use: two,", "use: two, on_error: continue,")
        .replace("steps.brief.output.found", "default(steps.brief.output.found, [])")
    )
    assert run(FakeTools(on_listen=lambda _: UnknownSignal("no")), tolerant, USED % 1).exit_code == 3


def test_a_playbook_that_uses_itself_is_refused_with_the_chain() -> None:
    """The checker finds it first; a run must still end."""
    result = run(FakeTools(), "inputs: {}\nsteps: [{use: two}]", "inputs: {}\nsteps: [{use: one}]")
    assert "one → two → one" in str(result.error)


def test_calls_of_a_used_playbook_have_their_own_paths() -> None:
    """Two uses of one playbook must not share a line of the journal."""
    ledger = Ledger()
    caller = "inputs: {}\nsteps: [{id: a, use: two, with: {topic: x}}, {id: b, use: two, with: {topic: y}}]"
    run(FakeTools([signal(1)]), caller, USED % 9, journal=ledger)
    intents = [path for path, phase, _ in ledger.lines() if phase == "intent"]
    assert intents == [
        "steps.a.find", "steps.a.dispatch_2[sig_1].dispatch_2",
        "steps.b.find", "steps.b.dispatch_2[sig_1].dispatch_2",
    ]  # fmt: skip


def test_a_used_playbook_runs_in_each_lane() -> None:
    """`use` is a step like any other."""
    caller = """
inputs: {}
steps:
  - id: each
    for_each: ["x", "y"]
    steps: [{id: brief, use: two, with: {topic: "{{ item }}"}}]
outputs:
  all: "[i.output.brief.found for i in steps.each.items]"
"""
    tools = FakeTools([signal(1)])
    result = run(tools, caller, USED % 9)
    assert sorted(r.query for r in tools.made("listen")) == ["x", "y"]
    assert result.outputs == {"all": [["sig_1"], ["sig_1"]]}
