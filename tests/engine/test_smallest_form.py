"""The smallest form: a listen, lanes over its signals, and what runs in them."""

from engine.fakes import FakeTools, Ledger, acted, coverage, run, signal
from signal_playbooks.contract.dispatch import DispatchInput
from signal_playbooks.errors import SourceUnavailable, UnknownSignal

SMALLEST = """
steps:
  - tool: listen
    args: {query: "<competitor> frustrations", intent_filter: [complaining]}
  - tool: inspect
    args: {depth: author}
    for_each: signal
  - tool: dispatch
    args: {action: draft_reply}
    when: author.likely_role_hint == 'indie_founder'
expected_outcome: List of qualified prospects with drafted outreach.
"""
GIVEN = {"competitor": "Plinthly"}


def test_each_signal_is_inspected_and_dispatched_in_its_own_lane() -> None:
    """The lane goes on after the step that opened it: this is the whole point of the smallest form."""
    tools = FakeTools([signal(n) for n in range(3)])
    result = run(tools, SMALLEST, inputs=GIVEN)
    assert result.status == "succeeded"
    assert tools.made("listen")[0].query == "Plinthly frustrations"
    assert sorted(r.signal_id for r in tools.made("inspect")) == ["sig_0", "sig_1", "sig_2"]
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_0", "sig_1", "sig_2"]
    assert [act.signal_id for act in result.staged] == ["sig_0", "sig_1", "sig_2"]
    assert result.exit_code == 0


def test_an_undeclared_placeholder_becomes_a_required_input_and_a_note_says_so() -> None:
    """Without inputs in the file a reader must still learn what is expected."""
    result = run(FakeTools([]), SMALLEST, inputs=GIVEN)
    assert any("competitor" in note and "required" in note for note in result.notes)


def test_a_staged_act_carries_what_a_person_needs_to_judge_it() -> None:
    """The hand-over is read by a person: address, author, intent and reason belong to each act."""
    result = run(FakeTools([signal(7)]), SMALLEST, inputs=GIVEN)
    act = result.as_dict()["staged"][0]
    assert act["url"] == "https://forum.example/7"
    assert act["author"] == "user7"
    assert act["intent"] == "complaining"
    assert act["match_reason"]
    assert act["preview"] == "draft_reply sig_7"


def test_a_condition_that_is_false_skips_the_step_and_the_lane_goes_on() -> None:
    """`when` is no filter."""
    book = SMALLEST.replace("expected_outcome: List of qualified prospects with drafted outreach.", "").rstrip()
    book += "\n  - tool: dispatch\n    args: {action: flag, params: {label: seen}}\n"
    tools = FakeTools([signal(1)], role="student")
    result = run(tools, book, inputs=GIVEN)
    assert [r.action for r in tools.made("dispatch")] == ["flag"]
    assert result.status == "succeeded"


def test_a_second_for_each_signal_opens_new_lanes_over_all_signals_without_author() -> None:
    """What one set of lanes learnt does not leak into the next."""
    book = """
steps:
  - {id: find, tool: listen, args: {query: x}}
  - {tool: inspect, args: {depth: author}, for_each: signal}
  - filter: author.likely_role_hint == 'student'
  - id: second
    tool: dispatch
    args: {action: flag}
    for_each: signal
    when: default(author.likely_role_hint, 'none') == 'none'
"""
    tools = FakeTools([signal(n) for n in range(2)])
    result = run(tools, book, inputs={})
    assert result.steps["inspect_2"].counts == {
        "succeeded": 0, "failed": 0, "skipped": 2, "partial": 0, "in_doubt": 0,
    }  # fmt: skip
    assert [r.signal_id for r in tools.made("dispatch")] == ["sig_0", "sig_1"]


def test_author_before_an_inspect_says_what_to_write() -> None:
    """The commonest slip has to be answered in the author's words."""
    book = """
steps:
  - {tool: listen, args: {query: x}}
  - {tool: dispatch, args: {action: flag}, for_each: signal, when: author.likely_role_hint == 'student'}
"""
    result = run(FakeTools([signal(1)]), book)
    item = (result.steps["dispatch_2"].items or ())[0]
    assert item.status == "failed"
    assert item.error is not None
    assert "depth: author" in item.error.message
    assert (result.status, result.exit_code) == ("partial", 3)


def test_author_stays_unbound_where_inspect_was_not_deep_enough() -> None:
    """depth: thread knows the conversation and nobody in it."""
    book = """
steps:
  - {tool: listen, args: {query: x}}
  - {tool: inspect, for_each: signal}
  - {tool: dispatch, args: {action: flag, params: {note: "{{ thread[0].body }}"}}}
  - {tool: dispatch, args: {action: archive}, when: author.likely_role_hint == 'student'}
"""
    tools = FakeTools([signal(1)])
    result = run(tools, book)
    assert tools.made("dispatch")[0].params.note == "Hello"
    assert (result.steps["inspect_2"].items or ())[0].status == "failed"


def test_dispatched_is_known_after_a_dispatch_that_ran() -> None:
    """A later step of the lane may speak of the act."""
    book = """
steps:
  - {tool: listen, args: {query: x}}
  - {tool: dispatch, args: {action: flag}, for_each: signal}
  - {tool: dispatch, args: {action: archive, params: {note: "{{ dispatched.handle }}"}}}
"""
    tools = FakeTools([signal(1)])
    run(tools, book)
    assert tools.made("dispatch")[1].params.note == "disp_sig_1_flag"


def test_an_earlier_draft_to_the_same_author_counts_as_skipped() -> None:
    """The guard against a second draft is no success of this run, and no failure either."""

    def guarded(request: DispatchInput) -> object:
        return acted(request, handle="disp_old", note="this author had a draft on 1 April") if request else None

    result = run(FakeTools([signal(1)], on_dispatch=guarded), SMALLEST, inputs=GIVEN)
    lane = (result.steps["inspect_2"].items or ())[0]
    assert lane.steps["dispatch_3"].status == "skipped"
    assert "disp_old" in (lane.steps["dispatch_3"].reason or "")
    assert result.staged == ()
    assert result.exit_code == 0


def test_one_lane_that_fails_does_not_stop_the_others() -> None:
    """On a loop the default is to go on; the run says that it is partial."""

    def inspect(request: object) -> object:
        return UnknownSignal("no such signal") if getattr(request, "signal_id", "") == "sig_1" else None

    result = run(FakeTools([signal(n) for n in range(3)], on_inspect=inspect), SMALLEST, inputs=GIVEN)
    items = result.steps["inspect_2"].items or ()
    assert [item.status for item in items] == ["succeeded", "failed", "succeeded"]
    assert (result.status, result.exit_code) == ("partial", 3)


def test_a_listen_that_no_source_answered_fails_the_run() -> None:
    """Nothing was heard is not the same as nothing could be heard."""
    tools = FakeTools(on_listen=lambda _: SourceUnavailable("no source answered", "try later"))
    result = run(tools, SMALLEST, inputs=GIVEN)
    assert (result.status, result.exit_code) == ("failed", 1)
    assert result.error is not None
    assert result.error.name == "source_unavailable"
    assert result.steps["inspect_2"].status == "skipped"


def test_sick_sources_never_change_the_exit_code() -> None:
    """Coverage is told, not punished."""
    tools = FakeTools([signal(1)], coverage=[coverage("forum"), coverage("board", "blocked")])
    result = run(tools, SMALLEST, inputs=GIVEN)
    assert [line.state for line in result.coverage] == ["ok", "blocked"]
    assert result.exit_code == 0


def test_every_call_is_journalled_before_and_after_under_a_stable_path() -> None:
    """A crash between the two lines is how an unfinished call is known."""
    ledger = Ledger()
    run(FakeTools([signal(1)]), SMALLEST, inputs=GIVEN, journal=ledger)
    paths = [(path, phase) for path, phase, _ in ledger.lines()]
    assert paths.count(("steps.inspect_2[sig_1].dispatch_3", "intent")) == 1
    assert paths.index(("steps.inspect_2[sig_1].dispatch_3", "intent")) < paths.index(
        ("steps.inspect_2[sig_1].dispatch_3", "result")
    )
    assert {phase for path, phase in paths if path == "steps.listen_1"} == {"intent", "result"}


def test_every_call_carries_the_run_id() -> None:
    """Acts staged by a run must be found by it."""
    tools = FakeTools([signal(1)])
    run(tools, SMALLEST, inputs=GIVEN, run_id="run_42")
    assert {caller.run_id for caller in tools.callers} == {"run_42"}
