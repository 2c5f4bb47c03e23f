"""Arguments of calls: typed, exact, and post text as nothing but data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fakes import FakeTools, run, signal
from signal_playbooks.errors import InvalidArguments

HOSTILE = "{{ secrets.token }} {% raw %} <competitor> ${HOME} `rm` {{ steps.find.output }}"
NOTED = """
inputs: {competitor: {default: Plinthly}}
steps:
  - {tool: listen, args: {query: x}}
  - {tool: dispatch, args: {action: flag, params: {note: "{{ signal.excerpt }}"}}, for_each: signal}
  - {tool: dispatch, args: {action: archive, params: {note: "<competitor>: {{ signal.excerpt }}"}}}
"""


def test_post_text_arrives_byte_for_byte() -> None:
    """What a post says is never read again as a template."""
    tools = FakeTools([signal(1, text=HOSTILE)])
    run(tools, NOTED)
    assert [r.params.note for r in tools.made("dispatch")] == [HOSTILE, f"Plinthly: {HOSTILE}"]


@given(st.text(min_size=1, max_size=200).filter(lambda text: not any(0xD800 <= ord(c) < 0xE000 for c in text)))
def test_any_text_of_a_post_arrives_as_it_is(text: str) -> None:
    """Strangers write posts."""
    tools = FakeTools([signal(1, text=text)])
    run(tools, NOTED)
    assert [r.params.note for r in tools.made("dispatch")] == [text, f"Plinthly: {text}"]


def test_an_argument_that_is_one_expression_keeps_its_type() -> None:
    """A number stays a number, a list a list."""
    book = """
inputs: {limit: {type: integer, default: 7}, sources: {type: list, default: [forum]}, term: {default: "1.10"}}
steps:
  - tool: listen
    args: {query: "{{ inputs.term }}", limit: "{{ inputs.limit }}", scope: {sources: "{{ inputs.sources }}"}}
"""
    tools = FakeTools()
    run(tools, book)
    request = tools.made("listen")[0]
    assert (request.query, request.limit, request.scope.sources) == ("1.10", 7, ["forum"])


@pytest.mark.parametrize(
    ("args", "path", "words"),
    [
        ("{query: x, limit: '5'}", "limit", "expected a whole number, not the text '5'"),
        ("{query: x, intent_filter: buying}", "intent_filter", "expected a list, not the text 'buying'"),
        ("{query: x, intent_filter: [byuing]}", "intent_filter[0]", "'buying'"),
        ("{query: x, scope: {freshnes: today}}", "scope.freshnes", "did you mean 'freshness'"),
        ("{query: 5}", "query", "expected a text, not the number 5"),
        ("{query: x, limit: true}", "limit", "expected a whole number, not the boolean true"),
        ("{query: x, limit: 101}", "limit", "less than or equal to 100"),
        ("{limit: 5}", "query", "is missing"),
        ("{query: x, scope: all}", "scope", "expected a map"),
    ],
)
def test_arguments_are_held_exactly_against_the_schema(args: str, path: str, words: str) -> None:
    """In a playbook nothing is guessed; the refusal names the argument and what was due."""
    tools = FakeTools()
    result = run(tools, f"steps: [{{id: find, tool: listen, args: {args}}}]")
    assert tools.calls == []
    assert isinstance(result.error, InvalidArguments)
    assert result.error.arguments[0].path == path
    assert words in result.error.arguments[0].message
    assert result.exit_code == 1


def test_a_moment_may_be_written_as_text() -> None:
    """JSON and YAML have no other way."""
    book = """
steps:
  - tool: dispatch
    args: {signal_id: sig_1, action: schedule_followup, params: {at: "2026-05-01T09:00:00+02:00"}}
"""
    tools = FakeTools()
    run(tools, book)
    assert tools.made("dispatch")[0].params.at.isoformat() == "2026-05-01T07:00:00+00:00"


def test_a_text_that_is_no_moment_is_refused_as_such() -> None:
    """And nothing is scheduled."""
    book = "steps: [{tool: dispatch, args: {signal_id: sig_1, action: schedule_followup, params: {at: soon, note: x}}}]"
    tools = FakeTools()
    result = run(tools, book)
    assert tools.calls == []
    assert "params.at" in str(result.error)
    assert "2026-04-16T18:42:11Z" in str(result.error)


def test_sources_given_for_the_run_replace_what_the_playbook_names() -> None:
    """Trying a playbook on one source is a flag, not an edit."""
    book = """
steps:
  - {tool: listen, args: {query: x, scope: {sources: [forum], freshness: today}}}
  - {tool: listen, args: {query: y}}
"""
    tools = FakeTools()
    run(tools, book, sources=["board"])
    scopes = [r.scope for r in tools.made("listen")]
    assert [scope.sources for scope in scopes] == [["board"], ["board"]]
    assert scopes[0].freshness == "today"


def test_a_condition_that_is_no_boolean_is_refused() -> None:
    """The text 'false' is not false."""
    book = "inputs: {dry: {default: 'false'}}\nsteps: [{tool: listen, args: {query: x}, when: inputs.dry}]"
    result = run(FakeTools(), book)
    assert result.exit_code == 1
    assert "true or false" in str(result.error)


def test_a_text_held_against_a_number_names_both_types() -> None:
    """Only data can show it."""
    book = "inputs: {n: {default: '25'}}\nsteps: [{tool: listen, args: {query: x}, when: inputs.n > 10}]"
    result = run(FakeTools(), book)
    assert "text" in str(result.error)
    assert "number" in str(result.error)


def test_a_skipped_steps_status_can_be_read_and_its_output_says_that_it_was_skipped() -> None:
    """Asking is allowed, using what is not there is not."""
    book = """
steps:
  - {id: a, tool: listen, args: {query: x}, when: "1 > 2"}
  - {id: b, tool: listen, args: {query: y}, when: steps.a.status == 'skipped'}
outputs:
  status: steps.a.status
  summary: default(steps.a.output.summary, 'none')
"""
    tools = FakeTools()
    result = run(tools, book)
    assert [r.query for r in tools.made("listen")] == ["y"]
    assert result.outputs == {"status": "skipped", "summary": "none"}
    strict = run(FakeTools(), book.replace("default(steps.a.output.summary, 'none')", "steps.a.output.summary"))
    assert "step a was skipped" in str(strict.error)
    assert strict.exit_code == 1


def test_a_list_written_out_may_hold_templates() -> None:
    """`for_each` takes a list as well as its name."""
    book = """
inputs: {first: {default: a}}
steps:
  - for_each: ["{{ inputs.first }}", b]
    steps: [{tool: inspect, args: {signal_id: "{{ item }}"}}]
"""
    tools = FakeTools()
    run(tools, book)
    assert [r.signal_id for r in tools.made("inspect")] == ["a", "b"]


def test_a_for_each_that_is_no_list_is_refused() -> None:
    """A text would be looped over by its letters elsewhere."""
    book = "inputs: {name: {default: abc}}\nsteps: [{id: each, for_each: inputs.name, steps: [{tool: inspect}]}]"
    result = run(FakeTools(), book)
    assert "for_each of step each" in str(result.error)
