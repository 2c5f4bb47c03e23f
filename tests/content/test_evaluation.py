"""Evaluation: bounded, without side effects, and never reaching past the data it was given."""

import copy
import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from expression_grammar import WILD
from expression_world import CLOCK, NAMES, NOW
from signal_playbooks.clock import Clock
from signal_playbooks.content import values
from signal_playbooks.content.evaluation import MAX_WORK, Unavailable, compile_expression, evaluate
from signal_playbooks.content.expression import parse_expression
from signal_playbooks.content.grammar import MAX_DEPTH
from signal_playbooks.errors import EvaluationFailed


def _value(text: str, names: Mapping[str, object] = NAMES) -> object:
    return evaluate(parse_expression(text), names, CLOCK)


def _outcome(text: str) -> object:
    """Return the value as JSON knows it, or the refusal."""
    try:
        return values.plain(_value(text))
    except EvaluationFailed as failure:
        return failure


def _failure(text: str, names: Mapping[str, object] = NAMES) -> EvaluationFailed:
    with pytest.raises(EvaluationFailed) as failure:
        _value(text, names)
    return failure.value


class Untouchable(list[object]):
    """A list that may be counted and handed on, and must not be walked through."""

    def __iter__(self) -> Iterator[object]:
        raise AssertionError("walked through a list that the expression does not read")

    def __getitem__(self, index: object) -> object:
        raise AssertionError("read from a list that the expression does not read")


class Guarded(BaseModel):
    """A model with all that an expression must not reach."""

    model_config = ConfigDict(frozen=True)

    name: str = "visible"
    not_: list[str] = Field(default=["x"], alias="not")
    _secret: str = "hidden"

    @property
    def computed(self) -> str:
        """A property is code, and code is not data."""
        raise AssertionError("a property was run")

    def method(self) -> str:
        """A method is code too."""
        raise AssertionError("a method was run")


@settings(deadline=None)
@given(WILD)
@example("[[[1 for x in huge] for x in huge] for x in huge]")
@example("[[len(unique(x)) for x in [inputs.rivals]] for x in [flags]]")
def test_any_expression_gives_a_value_or_a_refusal_and_changes_nothing(text: str) -> None:
    """Whatever the data turns out to be, a lane gets one of the two."""
    before = copy.deepcopy(dict(NAMES))
    found = _outcome(text)
    if isinstance(found, EvaluationFailed):
        assert found.message
        assert "\n" not in found.message
        assert found.suggested_action
    assert dict(NAMES) == before


def test_an_expression_costs_what_it_reads_whatever_else_is_in_scope() -> None:
    """With 10,000 signals in scope a condition in a lane must cost what it costs with ten."""
    names = {"signal": {"score": 3}, "all": Untouchable(range(10_000)), "nested": {"all": Untouchable()}}
    assert _value("signal.score >= 3 and len(all) == 10000 and nested != null", names) is True


def test_only_the_names_that_are_read_are_made() -> None:
    """A lazy mapping may build a step's result when it is first asked for."""

    class Lazy(Mapping[str, object]):
        read: list[str] = []  # noqa: RUF012  # one instance, in one test

        def __getitem__(self, name: str) -> object:
            if name not in ("a", "b"):
                raise KeyError(name)
            self.read.append(name)
            return {"b": 1}

        def __iter__(self) -> Iterator[str]:
            raise AssertionError("every name was made")

        def __len__(self) -> int:
            raise AssertionError("every name was made")

    names = Lazy()
    assert _value("a.b == 1 or b.b == 1", names) is True
    assert names.read == ["a"]
    assert _value("nested.deep", {"nested": {"deep": names}}) is names


@pytest.mark.parametrize(
    "path", ["_secret", "method", "computed", "model_dump", "model_fields", "model_config", "__class__", "copy", "dict"]
)
def test_of_a_model_only_its_fields_can_be_read(path: str) -> None:
    """Everything else is code or belongs to us."""
    assert "has no" in _failure(f"model['{path}']", {"model": Guarded()}).message


def test_a_field_goes_by_its_wire_name_or_its_own() -> None:
    """The checker knows it as the JSON does."""
    assert _value("model['not'] == model.not_ and model.name == 'visible'", {"model": Guarded()}) is True


def test_a_key_always_wins_over_a_method() -> None:
    """A post with a field `items` or `get` is nothing special."""
    data = {"items": 3, "keys": 1, "get": 2, "pop": 4, "update": 5}
    assert _value("d.items + d.keys + d.get + d.pop + d['update']", {"d": data}) == 15


@pytest.mark.parametrize("value", [print, open, Path, Path(), object(), b"bytes", 1j, {1, 2}, type, ValueError("x")])
def test_a_value_of_no_known_kind_can_be_handed_on_and_nothing_else(value: object) -> None:
    """A mistake of ours that puts such a thing in scope must not become a way out of the language."""
    names = {"odd": value}
    assert _value("odd", names) is value
    for text in (
        "odd.name",
        "odd['name']",
        "odd[0]",
        "odd + odd",
        "odd < odd",
        "odd and true",
        "1 in odd",
        "-odd",
        "len(odd)",
    ):
        assert "no known kind" in _failure(text, names).message
    assert _failure("odd()", names).message == "odd is not a function"
    assert _value("odd == 1 or odd != odd", names) is False
    assert values.plain(value) is None


@pytest.mark.parametrize(
    "text",
    [
        "[[s for s in big] for b in big]",
        "[len(unique(big, 'n')) for b in big]",
        "[b for b in big if b in big]",
        "[big == big for b in big]",
        "[long + long for b in big]",
        "[upper(long) for b in big]",
        "[join(big, long) for b in big]",
        "[sum([n.n for n in big]) for b in big]",
        "[contains(long, 'x') for b in big]",
        "[matches(long, 'x') for b in big]",
        "['x' in long for b in big]",
        "[[1 for x in big if x.n > b.n] for b in big]",
    ],
)
def test_work_that_grows_with_the_square_of_the_data_is_cut_short(text: str) -> None:
    """One such condition in a loop would hold up every other lane."""
    names = {"big": [{"n": number} for number in range(5_000)], "long": "a" * 200_000}
    assert "too much to do" in _failure(text, names).message or "longer than" in _failure(text, names).message


def test_ordinary_work_over_a_full_list_is_not() -> None:
    """The bound is for accidents: ten thousand items through a few functions is a report."""
    names = {"big": [{"n": number, "t": "a" * 500} for number in range(10_000)]}
    assert (
        _value("len([b for b in top(sorted(big, 'n'), 9000, 'n') if contains(b.t, 'a') and b.n > 5])", names) == 9_000
    )
    assert MAX_WORK > 100 * values.MAX_ITEMS


@pytest.mark.parametrize("text", ["long + long", "join([long, long])", "join([long, long], long)", "upper(long) + 'a'"])
def test_a_text_does_not_grow_past_a_million_characters(text: str) -> None:
    """A text of our own making may not fill the memory."""
    assert "longer than 1,000,000" in _failure(text, {"long": "a" * 1_000_000}).message


def test_data_nested_deeper_than_the_stack_is_a_refusal() -> None:
    """JSON from outside may be nested as deep as it likes."""
    deep: list[object] = []
    for _ in range(50_000):
        deep = [deep]
    assert "nested too deep" in _failure("a == b", {"a": deep, "b": [deep]}).message
    while deep:  # taken apart by hand, as freeing it would need the stack too
        deep = deep[0]  # type: ignore[assignment]


def test_a_list_that_holds_itself_many_times_over_is_a_refusal() -> None:
    """Thirty doublings are a billion items, though only sixty lists stand in memory."""
    text = "1"
    for level in range(24):
        text = f"[[v{level}, v{level}] for v{level} in [{text}]]"
    assert len(parse_expression(text).text) < 1_000
    assert "too large to go through" in _failure(f"{text} == {text}").message
    with pytest.raises(EvaluationFailed, match="too large to go through"):
        values.plain(_value(text))


def test_the_deepest_expression_that_can_be_written_can_be_evaluated() -> None:
    """What the reader lets through must not fail on the stack it is evaluated with."""
    assert _value("1 + " * (MAX_DEPTH - 2) + "1") == MAX_DEPTH - 1
    assert _value("not " * (MAX_DEPTH - 2) + "true") is (MAX_DEPTH % 2 == 0)


def test_what_is_unavailable_fails_with_its_reason_wherever_it_is_touched() -> None:
    """`steps.a.output.x` says that a was skipped, not that null has no x."""
    gone = Unavailable("the step 'a' was skipped, so it has no output")
    names = {"gone": gone, "map": {"gone": gone}, "list": [gone]}
    for text in ("gone", "gone.x", "map.gone", "map['gone'].x", "list[0]", "gone == null", "join(list)", "3 in list"):
        assert _failure(text, names).message == gone.reason
    assert _value("default(gone.x.y, 'none')", names) == "none"
    assert _value("map != null and len(list) == 1", names) is True
    assert values.plain(_value("list", names)) == [None]


def test_default_is_lazy_on_both_sides() -> None:
    """The second value is often the one that would fail, or the dear one."""
    assert _value("default(1, nothing_here)") == 1
    assert _failure("default(nothing_here, nothing_there)").message == "nothing is called 'nothing_there' here"
    assert _value("default(default(nothing_here, null), 2)") == 2


def test_a_variable_of_a_list_hides_a_name_and_gives_it_back() -> None:
    """Brackets inside brackets each have their own, and a failure inside leaves nothing behind."""
    names = {"x": 1, "items": [{"n": 5}, {}]}
    assert _value("[[x for x in [2]][0] + x for x in [10]] + [x]", names) == [12, 1]
    assert _value("default([x.n for x in items][0], x)", names) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NOW, "2026-04-20T12:00:00Z"),
        (NOW, "2026-04-20t12:00:00.000z"),
        (NOW, "2026-04-20T14:00:00+02:00"),
        (NOW, "2026-04-20 12:00"),
        (NOW, datetime(2026, 4, 20, 14, 0, tzinfo=timezone(timedelta(hours=2)))),
        (NOW, datetime(2026, 4, 20, 12, 0)),  # one without a zone is UTC
        (datetime(2026, 4, 20, tzinfo=UTC), "2026-04-20"),
        (datetime(2026, 4, 20, tzinfo=UTC), date(2026, 4, 20)),
    ],
)
def test_a_moment_is_the_same_however_it_is_written(one: object, other: object) -> None:
    """Posts come in every zone, and an input of type date is a text."""
    names = {"a": one, "b": other}
    assert _value("a == b and b == a and a >= b and b <= a and not (a < b) and a in [b]", names) is True


@settings(deadline=None)
@given(st.text())
def test_a_text_that_is_no_date_is_no_moment(text: str) -> None:
    """It equals none, and has no order with one; no text raises anything else."""
    if values.moment(text) is None:
        assert _value("a == b", {"a": NOW, "b": text}) is False
        assert "no date" in _failure("a < b", {"a": NOW, "b": text}).message


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers(-1, 1) | st.text(max_size=1), st.lists, max_leaves=5))
def test_equality_is_that_of_the_value_with_its_kind(value: object) -> None:
    """The same as JSON would write it: 1 is not true, and '1' is not 1."""
    other = copy.deepcopy(value)
    assert values.equal(value, other)
    assert values.equal(value, 1) is (value == 1 and value is not True)
    assert values.equal(value, [value]) is False


def test_now_is_asked_for_once_in_an_expression() -> None:
    """Two moments in one condition are the same moment."""
    moments = iter([NOW, NOW + timedelta(days=1)])
    clock = Clock(now=lambda: next(moments))
    assert evaluate(parse_expression("now() == now() and hours_ago(1) < now()"), {}, clock) is True


def test_a_prepared_expression_can_be_shared() -> None:
    """Lanes run side by side over one playbook; none may see another's names."""
    prepared = compile_expression(parse_expression("[x + n for x in items]"), CLOCK)
    found: dict[int, object] = {}

    def run(number: int) -> None:
        found[number] = [prepared({"n": number, "items": list(range(50))}) for _ in range(50)]

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [[x + number for x in range(50)]] * 50 for number in range(4)}


@settings(deadline=None)
@given(st.text(min_size=1).filter(lambda text: "'" not in text and "\\" not in text and "\n" not in text))
def test_what_a_post_says_is_data_and_never_an_expression(text: str) -> None:
    """A headline that reads `{{ secrets.token }}` or `1/0` is a headline."""
    names = {"signal": {"headline": text}}
    assert _value("signal.headline", names) == text
    assert _value("signal.headline + '!'", names) == f"{text}!"


def test_a_refusal_does_not_quote_what_a_post_says() -> None:
    """Errors are logged and shown: they name kinds and the author's own words."""
    names = {"signal": {"headline": "@everyone <b>", "tags": ["@everyone"]}}
    for text in ("signal.headline > 3", "signal.tags > 3", "sum(signal.tags)", "signal.headline.x", "-signal.headline"):
        failure = _failure(text, names)
        assert "everyone" not in f"{failure.message}{failure.suggested_action}{failure.data}"
