"""The function table: whole, documented, and true to its own examples."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expression_world import CLOCK, NAMES, NOW
from signal_playbooks.content import calls
from signal_playbooks.content.evaluation import evaluate
from signal_playbooks.content.expression import parse_expression
from signal_playbooks.content.functions import FUNCTIONS, Function
from signal_playbooks.content.inference import infer
from signal_playbooks.content.values import text_of
from signal_playbooks.errors import EvaluationFailed

# What the language promises; a function more or less is a change of the language.
NAMED = (
    "len any all min max sum round lower upper trim contains matches starts_with join unique sorted top default "
    "days_ago hours_ago now"
)


def _value(text: str) -> object:
    return evaluate(parse_expression(text), NAMES, CLOCK)


def _refusal(text: str) -> EvaluationFailed | None:
    try:
        _value(text)
    except EvaluationFailed as failure:
        return failure
    return None


def test_the_table_holds_the_functions_of_the_language() -> None:
    """Authors look nowhere else, and the reference is printed from it."""
    assert sorted(FUNCTIONS) == sorted(NAMED.split())


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_an_example_gives_what_it_says(function: Function) -> None:
    """An example that is wrong teaches the wrong thing, and it must pass the checker too."""
    expression = parse_expression(function.example)
    assert text_of(evaluate(expression, {}, CLOCK)) == function.result
    assert infer(expression, {})[1] == []
    assert f"{function.name}(" in function.example


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_function_says_what_it_does_in_a_sentence(function: Function) -> None:
    """The sentence is the hint under a wrong call."""
    assert function.doc.endswith(".")
    assert function.signature.startswith(f"{function.name}(")


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
@pytest.mark.parametrize("value", ["null", "1", "'a'", "true", "[]", "[null]", "inputs", "now()", "[[1]]"])
def test_a_value_that_does_not_fit_is_refused_and_never_worse(function: Function, value: str) -> None:
    """Where the data is of no known type, the checker lets it through to here."""
    for count in range(4):
        text = f"{function.name}({', '.join([value] * count)})"
        failure = _refusal(text)
        assert failure is None or failure.suggested_action


@settings(deadline=None)
@given(st.lists(st.integers(-5, 5) | st.none()))
def test_top_is_sorted_turned_round_with_null_last_in_both(numbers: list[int | None]) -> None:
    """A post without a score is neither the best nor the worst: it is not known."""
    known = [number for number in numbers if number is not None]
    nulls = [None] * numbers.count(None)
    assert calls.ascending(numbers) == sorted(known) + nulls
    assert calls.top(numbers, 99) == sorted(known, reverse=True) + nulls


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers())))
def test_equal_items_keep_their_order(pairs: list[tuple[int, int]]) -> None:
    """The list was ranked before; sorting by a score must not shuffle what has the same."""
    items = [{"score": score, "place": place} for score, place in pairs]
    assert calls.ascending(items, "score") == sorted(items, key=lambda one: one["score"])
    assert calls.top(items, 99, "score") == sorted(items, key=lambda one: -one["score"])


@settings(deadline=None)
@given(st.lists(st.sampled_from([1, 1.0, True, "1", None, "a"])))
def test_unique_keeps_the_first_of_each_and_never_takes_true_for_one(values: list[object]) -> None:
    """Python holds 1 and true for the same; the language does not."""
    found = calls.unique(values)
    kinds = [(type(one) is bool, one) for one in found]
    assert len(kinds) == len(set(kinds))
    assert {(type(one) is bool, one) for one in values} == set(kinds)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("round(0.5)", 1),
        ("round(1.5)", 2),
        ("round(-0.5)", -1),
        ("round(2.675, 2)", 2.68),
        ("round(3)", 3),
        ("round(1e300, 2)", 1e300),
        ("round(0.000001, 3)", 0.0),
    ],
)
def test_round_does_what_people_learned_at_school(text: str, value: float) -> None:
    """Half to even, and 2.675 that is a little less in binary, surprise everyone."""
    assert _value(text) == value


def test_null_is_left_out_of_sums_and_extremes() -> None:
    """A source that does not say a score has not said nought."""
    assert _value("sum([1, null, 2])") == 3
    assert _value("min([3, null, 2])") == 2
    assert _value("max(null, 2)") == 2
    assert _value("max([])") is None
    assert _value("join(['a', null, 'b'], '-')") == "a-b"


def test_the_moments_of_one_expression_agree() -> None:
    """A condition must not depend on how long it takes."""
    assert _value("now()") == NOW
    assert _value("days_ago(1.5)") == NOW - timedelta(hours=36)
    assert _value("hours_ago(-1)") == NOW + timedelta(hours=1)


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\bmac\b", "new mac out", True),
        (r"\bmac\b", "machine", False),
        ("(?i)MAC", "new mac", True),
        ("^a$", "ba", False),
        ("é+", "caféé", True),
        ("(x+x+)+y", "x" * 5_000, False),
    ],
)
def test_a_pattern_is_searched_and_cannot_hang(pattern: str, text: str, found: bool) -> None:
    """The last of these takes other engines longer than the world has existed."""
    assert calls.matches(text, pattern) is found


@pytest.mark.parametrize("pattern", ["(", "a{2000}", r"(?=a)", r"\1", "a" * 1_001, "((a{1000}){1000}){1000}", "\ud800"])
def test_a_pattern_that_re2_does_not_have_is_refused_in_words(pattern: str) -> None:
    """Look-ahead and back references are what makes other engines hang."""
    with pytest.raises(EvaluationFailed) as failure:
        calls.matches("a", pattern)
    assert "pattern" in failure.value.message


def test_a_key_reads_through_null_but_not_through_a_name_that_is_not_there() -> None:
    """A deleted author has no handle; a misspelt key would sort nothing and say nothing."""
    items = [{"author": {"handle": "b"}}, {"author": None}, {"author": {"handle": "a"}}]
    assert calls.ascending(items, "author.handle") == [items[2], items[0], items[1]]
    with pytest.raises(EvaluationFailed, match="its 'author' has no 'hndle'"):
        calls.ascending(items, "author.hndle")
