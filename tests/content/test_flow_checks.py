"""What a step can see and where it may stand: lanes, `otherwise`, filters, listens side by side."""

from pathlib import Path

import pytest

from checked import errors, problems, rules

LISTEN = "  - {id: find, tool: listen, args: {query: Plinthly}}\n"
LANE = f"steps:\n{LISTEN}  - {{tool: inspect, args: {{depth: author}}, for_each: signal}}\n"
IN_LANES = "  - {tool: listen, args: {query: x}, for_each: [x]}\n"


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (LISTEN + IN_LANES + IN_LANES, []),
        (IN_LANES + IN_LANES, ["no-listen"]),
        (LISTEN + "  - {tool: listen, args: {query: y}}\n", ["which-listen"]),
        (LISTEN + IN_LANES + "  - {tool: listen, args: {query: y}}\n", []),
        ("  - {tool: listen, use: helper}\n" * 2, ["step-kind", "step-kind", "no-listen"]),
    ],
)
def test_only_listens_outside_lanes_stand_side_by_side(tmp_path: Path, steps: str, expected: list[str]) -> None:
    """Listens in lanes of their own hear nothing that the steps outside could mean."""
    text = f"steps:\n{steps}  - {{tool: inspect, for_each: signal}}\n"
    assert rules(tmp_path, text) == expected


@pytest.mark.parametrize("key", ["retry: {attempts: 2}", "timeout: 5s"])
def test_what_a_run_does_not_do_for_a_used_playbook_cannot_be_written_there(tmp_path: Path, key: str) -> None:
    """A retry that never happens is worse than none, because somebody relies on it."""
    text = f"steps:\n  - {{use: helper, with: {{topic: x}}, {key}}}\n"
    ((rule, message),) = errors(tmp_path, text)
    assert rule == "misplaced-key"
    assert "of a tool call" in message or "how a tool call" in message


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("  - {tool: dispatch, args: {action: flag}, when: signal.id == 'a'}\n", []),
        ("  - {use: helper, with: {topic: x}}\n", ["otherwise-alone"]),
    ],
)
def test_otherwise_needs_a_condition_before_it(tmp_path: Path, steps: str, expected: list[str]) -> None:
    text = f"{LANE}{steps}  - {{tool: dispatch, args: {{action: archive, signal_id: a}}, when: otherwise}}\n"
    assert rules(tmp_path, text) == expected


def test_otherwise_in_the_lane_of_the_step_before_it_is_the_other_case(tmp_path: Path) -> None:
    """The opening step of a compact loop is the first of its lane, so the next one may answer its condition."""
    opening = "  - {tool: dispatch, args: {action: flag}, for_each: signal, when: signal.engagement.comments > 3}\n"
    text = f"steps:\n{LISTEN}{opening}  - {{tool: dispatch, args: {{action: archive}}, when: otherwise}}\n"
    assert rules(tmp_path, text) == []


@pytest.mark.parametrize(
    "steps",
    [
        (
            "  - {for_each: [a], when: item == 'a', steps: [{tool: inspect, args: {signal_id: a}}]}\n"
            "  - {use: helper, with: {topic: x}, when: otherwise}\n"
        ),
        (
            "  - {tool: inspect, args: {signal_id: a}, when: inputs.on}\n"
            "  - {tool: inspect, args: {signal_id: b}, for_each: [a], when: otherwise}\n"
        ),
    ],
)
def test_otherwise_that_could_never_hold_is_refused(tmp_path: Path, steps: str) -> None:
    """The `when` of a loop is asked in each lane, so the loop itself is never skipped by it."""
    text = f"inputs: {{on: {{type: boolean, default: true}}}}\nsteps:\n{steps}"
    assert rules(tmp_path, text) == ["otherwise-alone"]


def test_a_block_may_be_the_other_case(tmp_path: Path) -> None:
    """`otherwise` of a block is asked once, for the block."""
    text = (
        "inputs: {on: {type: boolean, default: true}}\nsteps:\n"
        "  - {tool: inspect, args: {signal_id: a}, when: inputs.on}\n"
        "  - {for_each: [a], when: otherwise, steps: [{tool: inspect, args: {signal_id: '{{ item }}'}}]}\n"
    )
    assert rules(tmp_path, text) == []


def test_a_filter_outside_lanes_has_nothing_to_end(tmp_path: Path) -> None:
    text = f"steps:\n{LISTEN}  - {{filter: len(steps.find.output.signals) > 0}}\n"
    assert errors(tmp_path, text) == [("step-kind", "a filter ends a lane, and there is none here: use when")]


def test_a_filter_in_any_kind_of_lane_is_welcome(tmp_path: Path) -> None:
    """In a compact lane, in a block, and in a block inside one."""
    block = "  - {for_each: [a], steps: [{filter: item != 'b'}, {for_each: [c], as: other, steps: [{filter: other == item}]}]}\n"
    assert rules(tmp_path, f"{LANE}  - {{filter: author.likely_role_hint != 'student'}}\n{block}") == []


@pytest.mark.parametrize("name", ["item", "signal"])
def test_the_usual_name_of_a_variable_with_another_is_explained(tmp_path: Path, name: str) -> None:
    text = (
        f"steps:\n{LISTEN}  - for_each: steps.find.output.signals\n    as: prospect\n"
        f"    steps: [{{tool: dispatch, args: {{action: flag, params: {{note: '{{{{ {name}.url }}}}'}}}}}}]\n"
    )
    ((rule, message),) = errors(tmp_path, text)
    assert (rule, message) == (
        "unbound-name",
        f"'{name}' is not bound here: this lane's variable is called 'prospect'",
    )


def test_a_forgotten_name_for_the_variable_is_explained(tmp_path: Path) -> None:
    (problem,) = [
        one
        for one in problems(tmp_path, f"{LANE}  - {{filter: prospect.engagement.score > 3}}\n")
        if one.severity == "error"
    ]
    assert problem.rule == "unknown-name"
    assert problem.hint == "this lane's variable is called 'signal'; as: prospect gives it that name"


def test_a_field_of_the_output_is_found_where_it_is(tmp_path: Path) -> None:
    text = f"steps:\n{LISTEN}outputs: {{heard: len(steps.find.signals)}}\n"
    ((rule, message),) = errors(tmp_path, text)
    assert rule == "unknown-field"
    assert message.endswith("; did you mean steps.find.output.signals?")


def test_for_each_signals_is_one_letter_too_many(tmp_path: Path) -> None:
    text = f"steps:\n{LISTEN}  - {{tool: inspect, for_each: signals}}\n  - {{filter: signal.id != 'a'}}\n"
    assert errors(tmp_path, text)[0] == (
        "unknown-name",
        "nothing is called 'signals' here; did you mean signal?",
    )


@pytest.mark.parametrize(("depth", "bound"), [("surface", False), ("thread", False), ("{{ inputs.depth }}", True)])
def test_the_latest_inspect_decides_whether_the_author_is_known(tmp_path: Path, depth: str, bound: bool) -> None:
    """A surface inspect after one of the author forgets the author; a depth that is chosen later may be deep enough."""
    text = (
        "inputs: {depth: {type: choice, choices: [surface, author], default: author}}\n"
        f"{LANE}  - {{tool: inspect, args: {{depth: '{depth}'}}}}\n  - {{filter: author.likely_role_hint != 'student'}}\n"
    )
    assert rules(tmp_path, text) == ([] if bound else ["unbound-name"])


def test_params_that_are_one_expression_may_commit_and_are_not_retried(tmp_path: Path) -> None:
    """What they hold is known only in a run, so the stricter class counts, as it does there."""
    text = (
        "steps:\n  - for_each: [{commit: true}]\n    steps:\n"
        "      - {tool: dispatch, args: {signal_id: a, action: flag, params: '{{ item }}'}, retry: {attempts: 2}}\n"
    )
    assert "retry-commit" in rules(tmp_path, text)
