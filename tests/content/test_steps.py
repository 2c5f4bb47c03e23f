"""Rules about steps that the checker and the engine share: keys, lanes, effects."""

from typing import Any

import pytest

from signal_playbooks.content.playbook import Step
from signal_playbooks.content.steps import commits, effect_of, lane_length, openings, step_key, without_lane


def steps(*written: dict[str, Any]) -> list[Step]:
    return [Step.model_validate(one) for one in written]


LISTEN, INSPECT, FLAG = {"tool": "listen"}, {"tool": "inspect"}, {"tool": "dispatch"}


@pytest.mark.parametrize(
    ("written", "places"),
    [
        ([LISTEN, INSPECT | {"for_each": "signal"}, FLAG, {"filter": "true"}, LISTEN], [None, 1, 1, 1, None]),
        ([INSPECT | {"for_each": "signal"}, FLAG, INSPECT | {"for_each": "signal"}, FLAG], [0, 0, 2, 2]),
        ([INSPECT | {"for_each": "signal"}, {"use": "other"}, FLAG], [0, None, None]),
        ([INSPECT | {"for_each": "steps.find.output.signals"}, FLAG], [0, None]),
        ([{"for_each": "signal", "steps": [FLAG]}, FLAG], [0, None]),
        ([LISTEN | {"for_each": "signal"}, FLAG], [0, 0]),
    ],
)
def test_a_step_runs_in_the_lanes_of_the_last_for_each_signal(
    written: list[dict[str, Any]], places: list[int | None]
) -> None:
    """Until a step with its own for_each, a listen, a use, or the end; a block and a list keep to themselves."""
    assert openings(steps(*written)) == places
    for place, opened in enumerate(places):
        if opened == place:
            assert lane_length(steps(*written), place) == places.count(place)


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ({"id": "find", "tool": "listen"}, "find"),
        (INSPECT, "inspect_3_"),
        ({"use": "other"}, "use_3"),
        ({"filter": "true"}, "filter_3"),
        ({"for_each": "signal", "steps": [FLAG]}, "lanes_3"),
    ],
)
def test_a_step_without_an_id_has_a_key_that_no_id_is(written: dict[str, Any], key: str) -> None:
    """Results are read by it, so a step that is called like another's key must not hide that one."""
    assert step_key(Step.model_validate(written), 2, frozenset({"inspect_3"})) == key


def test_the_step_in_a_lane_has_nothing_of_the_loop() -> None:
    loop = {"for_each": "signal", "as": "one", "limit": 3, "on_error": "continue", "when": "true", "timeout": "5s"}
    (inner,) = steps(INSPECT | loop)
    left = without_lane(inner)
    assert (left.for_each, left.as_, left.limit, left.on_error) == (None, None, None, None)
    assert (left.when, left.timeout) == ("true", "5s")


@pytest.mark.parametrize(
    ("params", "effect"),
    [
        ({}, "stage"),
        ({"commit": False}, "stage"),
        ({"commit": None}, "stage"),
        ({"commit": True}, "commit"),
        ({"commit": 0}, "commit"),
        ({"commit": "{{ inputs.really }}"}, "commit"),
        ("{{ item.params }}", "commit"),
    ],
)
def test_a_call_that_may_commit_counts_as_a_commit(params: object, effect: str) -> None:
    """What is never repeated has to be known before anything runs; in doubt the stricter class holds."""
    (step,) = steps(FLAG | {"args": {"action": "flag", "params": params}})
    assert effect_of(step) == effect
    assert commits(step) is (effect == "commit")


@pytest.mark.parametrize(
    ("written", "effect"), [(LISTEN, "read"), (INSPECT, "read"), (FLAG, "stage"), ({"use": "other"}, None)]
)
def test_other_calls_read_or_stage(written: dict[str, Any], effect: str | None) -> None:
    (step,) = steps(written)
    assert effect_of(step) == effect
