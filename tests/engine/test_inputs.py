"""Inputs: text and JSON values become what the playbook declares, or everything that does not fit is named at once."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fakes import FakeTools, playbook, run
from signal_playbooks.content.playbook import InputSpec
from signal_playbooks.engine.inputs import read_inputs
from signal_playbooks.errors import InvalidArguments


def one(kind: str, **more: object) -> object:
    return playbook("steps: [{tool: inspect}]").model_copy(update={"inputs": {"x": InputSpec(type=kind, **more)}})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "given_value", "value"),
    [
        ("string", "1.10", "1.10"),
        ("string", "a: b\ndispatch: now", "a: b\ndispatch: now"),
        ("string", "", ""),
        ("string", "{{ secrets.token }} {% raw", "{{ secrets.token }} {% raw"),
        ("integer", "42", 42),
        ("integer", " -7 ", -7),
        ("integer", 3, 3),
        ("number", "1.10", 1.1),
        ("number", "3", 3),
        ("number", 2.5, 2.5),
        ("boolean", "false", False),
        ("boolean", "true", True),
        ("boolean", True, True),
        ("date", "2026-02-28", "2026-02-28"),
        ("duration", "90m", "90m"),
        ("list", "a, b ,c", ["a", "b", "c"]),
        ("list", '["a, b", "c"]', ["a, b", "c"]),
        ("list", "", []),
        ("list", ["x"], ["x"]),
    ],
)
def test_a_value_is_read_by_the_type_of_its_input(kind: str, given_value: object, value: object) -> None:
    """From a shell everything is text, and the type says what it means; nothing is guessed."""
    found = read_inputs(one(kind), {"x": given_value})["x"]  # type: ignore[arg-type]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("kind", "given_value", "words"),
    [
        ("string", 5, "expected text"),
        ("integer", "4.0", "whole number"),
        ("integer", True, "whole number"),
        ("integer", 1.0, "whole number"),
        ("integer", "٣", "whole number"),
        ("number", "nan", "a number"),
        ("number", math.inf, "a number"),
        ("number", "1e999", "a number"),
        ("number", False, "a number"),
        ("boolean", "no", "true or false"),
        ("boolean", "False", "true or false"),
        ("boolean", 0, "true or false"),
        ("date", "2026-02-30", "a date that exists"),
        ("date", "30.2.2026", "a date such as"),
        ("duration", "90", "a duration such as"),
        ("list", "[broken", "begins like JSON"),
        ("list", {"a": 1}, "expected a list"),
    ],
)
def test_what_does_not_fit_is_named_with_what_was_expected(kind: str, given_value: object, words: str) -> None:
    """The person at the other end has only this sentence."""
    with pytest.raises(InvalidArguments, match=words) as refused:
        read_inputs(one(kind), {"x": given_value})  # type: ignore[arg-type]
    assert refused.value.arguments[0].path == "x"
    assert refused.value.exit_code == 2


def test_a_choice_names_its_values_and_the_nearest() -> None:
    """A slip of the finger costs one look."""
    with pytest.raises(InvalidArguments, match=r"one of today, this_week, not 'this_wek'; did you mean 'this_week'"):
        read_inputs(one("choice", choices=["today", "this_week"]), {"x": "this_wek"})  # type: ignore[arg-type]


def test_items_of_a_list_have_a_type_too() -> None:
    """The place is named, for there may be a hundred."""
    spec = one("list", items="integer")
    assert read_inputs(spec, {"x": "1, 2"}) == {"x": [1, 2]}  # type: ignore[arg-type]
    with pytest.raises(InvalidArguments, match="item 1: expected a whole number"):
        read_inputs(spec, {"x": ["1", "b"]})  # type: ignore[arg-type]


def test_everything_that_is_missing_is_named_in_one_error() -> None:
    """Nobody wants to be asked one by one."""
    book = playbook(
        """
inputs:
  competitor: {description: Product people leave.}
  since: {type: choice, choices: [today, this_week]}
  rivals: {type: list, default: []}
steps: [{tool: inspect}]
"""
    )
    with pytest.raises(InvalidArguments) as refused:
        read_inputs(book, {})
    assert [argument.path for argument in refused.value.arguments] == ["competitor", "since"]
    assert "Product people leave" in refused.value.message
    assert "today, this_week" in refused.value.message


def test_an_unknown_input_is_refused_with_the_one_that_was_meant() -> None:
    """Ignored, it would run with the default and look right."""
    with pytest.raises(InvalidArguments, match="did you mean 'competitor'"):
        read_inputs(playbook("inputs: {competitor: {}}\nsteps: [{tool: inspect}]"), {"compettor": "x"})


def test_defaults_are_read_like_given_values_and_null_takes_them() -> None:
    """An author's default may be written in the short form, too."""
    book = playbook("inputs: {n: {type: integer, default: 5}, l: {type: list, default: [a]}}\nsteps: [{tool: inspect}]")
    assert read_inputs(book, {"n": None}) == {"n": 5, "l": ["a"]}


def test_refused_inputs_are_refused_before_any_call() -> None:
    """Half a run is worse than none."""
    tools = FakeTools()
    with pytest.raises(InvalidArguments):
        run(tools, "inputs: {n: {type: integer}}\nsteps: [{tool: listen, args: {query: x}}]", inputs={"n": "many"})
    assert tools.calls == []


@given(
    kind=st.sampled_from(["string", "integer", "number", "boolean", "choice", "list", "date", "duration"]),
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=5,
    ),
)
def test_any_value_is_read_or_refused(kind: str, value: object) -> None:
    """Inputs come from strangers: a value or a sentence, and no other exception."""
    spec = one(kind, **({"choices": ["a", "b"]} if kind == "choice" else {}))
    refusal, found = "", None
    try:
        found = read_inputs(spec, {"x": value})["x"]  # type: ignore[arg-type]
    except InvalidArguments as refused:
        refusal = refused.message
    if refusal:
        assert refusal.startswith("playbook one: input x")
        assert len(refusal) < 500
    else:
        expected = {"integer": int, "number": (int, float), "boolean": bool, "list": list}.get(kind, str)
        assert isinstance(found, expected)
