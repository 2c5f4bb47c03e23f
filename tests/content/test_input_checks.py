"""Inputs before a run: values that are written out, defaults, and what a used playbook is given."""

from pathlib import Path

import pytest

from checked import errors, problems, rules

ROUTES = """
inputs: {where: {}}
steps:
  - {tool: dispatch, args: {signal_id: a, action: route, params: {destination: "{{ inputs.where }}"}}}
"""
HEARS = """
inputs: {where: {type: list, items: string}}
steps:
  - {tool: listen, args: {query: x, scope: {sources: "{{ inputs.where }}"}}}
"""
PASSES_ON = """
inputs: {place: {}}
steps:
  - {use: routes, with: {where: "{{ 'outbox' if inputs.place == '' else inputs.place }}"}}
"""
LANES = """
inputs: {mine: {default: outbox}}
steps:
  - {id: find, tool: listen, args: {query: Plinthly}}
  - for_each: signal
    steps:
      - use: %s
        with: {%s}
"""
TAKES = """
inputs:
  text: {default: a}
  number: {type: number, default: 1}
  day: {type: date, default: 2026-01-01}
  wait: {type: duration, default: 1d}
  since: {type: choice, choices: [today, any], default: any}
  words: {type: list, items: integer, default: []}
  free: {type: list, default: []}
steps:
  - {tool: listen, args: {query: "{{ inputs.text }} {{ inputs.number }} {{ inputs.day }} {{ inputs.wait }}"}}
  - {tool: listen, args: {query: "{{ inputs.since }} {{ inputs.words }} {{ inputs.free }}"}}
"""


def used(folder: Path, name: str, given: str) -> list[str]:
    return rules(folder, LANES % (name, given), routes=ROUTES, hears=HEARS, passes=PASSES_ON)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("routes", 'where: "{{ signal.headline }}"'),
        ("routes", 'where: "out{{ signal.headline }}"'),
        ("passes", 'place: "{{ signal.headline }}"'),
        ("hears", 'where: ["{{ signal.headline }}"]'),
        ("hears", 'where: "{{ [signal.headline] }}"'),
    ],
)
def test_a_post_chooses_no_place_through_a_used_playbook_either(tmp_path: Path, name: str, given: str) -> None:
    """Otherwise two harmless files together let a stranger decide where something is sent."""
    assert used(tmp_path, name, given) == ["tainted-target"]


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("routes", "where: outbx", ["unknown-destination"]),
        ("hears", "where: [demo, dmo]", ["unknown-source"]),
        ("hears", "where: 'demo, dmo'", ["unknown-source"]),
        ("routes", "where: outbox", []),
        ("passes", "place: my_box", []),
        ("routes", 'where: "{{ inputs.mine }}"', []),
        ("hears", "where: [demo]", []),
    ],
)
def test_a_place_named_for_a_used_playbook_has_to_exist(
    tmp_path: Path, name: str, given: str, expected: list[str]
) -> None:
    """Only where the value is the whole name: what an expression makes of it, nobody can tell."""
    assert used(tmp_path, name, given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("day: 2026-01-01, wait: 3d, since: today, number: 2.5", []),
        ("number: '2.5', words: '1, 2', text: null", []),
        ("words: [1, 2], free: [1, a, {b: c}]", []),
        ("since: bogus", ["bad-arg"]),
        ("day: 2026-02-30", ["bad-arg"]),
        ("wait: soon", ["bad-arg"]),
        ("text: 5", ["bad-arg"]),
        ("words: [1, two]", ["bad-arg"]),
        ("words: [1, two, '{{ signal.engagement.comments }}']", ["bad-arg"]),
        ("words: [1, '{{ signal.url }}']", ["bad-arg"]),
        ("free: ['{{ signal.url }}', 3]", []),
        ("day: '{{ signal.captured_at }}'", []),
        ("number: '{{ signal.url }}'", ["bad-arg"]),
    ],
)
def test_what_is_given_is_read_as_a_run_reads_it(tmp_path: Path, given: str, expected: list[str]) -> None:
    """The same function reads what is typed, what stands in a file, and what is a default."""
    assert rules(tmp_path, LANES % ("takes", given), takes=TAKES) == expected


def test_an_item_that_does_not_fit_is_shown_itself(tmp_path: Path) -> None:
    (problem,) = [
        one for one in problems(tmp_path, LANES % ("takes", "words: [1, two]"), takes=TAKES) if one.rule == "bad-arg"
    ]
    assert problem.message == "words: item 1: expected a whole number, not 'two'"
    assert problem.span.column == 27


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("{type: date, default: 2026-02-30}", "the default of this date has to be a date that exists"),
        ("{type: date, default: tomorrow}", "a date such as 2026-04-16"),
        ("{type: integer, default: 1, examples: [2.5]}", "the example of this integer has to be a whole number"),
        ("{type: list, items: date, default: [2026-02-30]}", "an item of this list has to be a date that exists"),
        ("{type: list, items: string, default: 3}", "the default of a list is a list"),
        ("{type: list, default: [1, a, {b: c}]}", None),
        ("{type: list, items: integer, default: '1, 2'}", None),
        ("{type: integer, default: null}", None),
        ("{type: integer, default: null, examples: [null]}", "the example of this integer has to be a whole number"),
    ],
)
def test_a_default_is_read_as_a_run_reads_it(tmp_path: Path, spec: str, words: str | None) -> None:
    text = f"inputs: {{x: {spec}}}\nsteps: [{{tool: listen, args: {{query: 'a {{{{ inputs.x }}}}'}}}}]\n"
    found = errors(tmp_path, text)
    assert [rule for rule, _ in found] == (["input-default"] if words else [])
    assert all(words and words in message for _, message in found)


def test_a_schedule_needs_defaults_for_placeholders_too(tmp_path: Path) -> None:
    """A placeholder nobody declared is a required input, and at night nobody gives one."""
    text = 'schedule: {cron: "0 8 * * *"}\nsteps: [{tool: listen, args: {query: "<topic> pricing"}}]\n'
    ((rule, message),) = errors(tmp_path, text)
    assert rule == "schedule-input"
    assert "<topic>" in message


def test_a_placeholder_in_a_list_to_loop_over_is_an_input(tmp_path: Path) -> None:
    text = 'steps: [{tool: listen, args: {query: "{{ item }}"}, for_each: ["<rival> pricing", other]}]\n'
    assert [one.message for one in problems(tmp_path, text) if one.rule == "implicit-input"] == [
        "this playbook declares no inputs, so <rival> is taken as required text"
    ]
    assert rules(tmp_path, text) == []


@pytest.mark.parametrize(
    ("spec", "argument", "words"),
    [
        ("{type: integer, default: 800}", "limit: '{{ inputs.x }}'", "the default of input 'x' is 800"),
        ("{type: integer, default: 80}", "limit: '{{ inputs.x }}'", None),
        ("{type: integer}", "limit: '{{ inputs.x }}'", None),
        ("{type: integer, default: -1}", "scope: {min_engagement: '{{ inputs.x }}'}", "the default of input 'x' is -1"),
        ("{type: integer, default: 800}", "limit: '{{ min(inputs.x, 100) }}'", None),
        (
            "{type: choice, choices: [today, someday], default: today}",
            "scope: {freshness: '{{ inputs.x }}'}",
            "a choice of input 'x' is someday",
        ),
    ],
)
def test_a_default_that_its_argument_refuses_is_named(
    tmp_path: Path, spec: str, argument: str, words: str | None
) -> None:
    """Otherwise the run that nobody gave an input is the one that fails."""
    text = f"inputs: {{x: {spec}}}\nsteps: [{{tool: listen, args: {{query: a, {argument}}}}}]\n"
    found = errors(tmp_path, text)
    assert [rule for rule, _ in found] == (["bad-arg"] if words else [])
    assert all(words and words in message for _, message in found)


@pytest.mark.parametrize(
    ("default", "expected"), [("outbox", []), ("outbx", ["unknown-destination"]), ("''", []), ("null", [])]
)
def test_a_default_that_is_a_place_has_to_exist(tmp_path: Path, default: str, expected: list[str]) -> None:
    """Empty says that there is none, and is for a `when` to ask about."""
    assert rules(tmp_path, ROUTES.replace("where: {}", f"where: {{default: {default}}}")) == expected
