"""Types before anything runs: what is right passes with its type, and no expression at all can break the checker."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expression_grammar import KINDS, WILD, right
from expression_world import CLOCK, NAMES, SCOPE
from signal_playbooks.content import types as t
from signal_playbooks.content.evaluation import evaluate
from signal_playbooks.content.expression import Complaint, parse_expression
from signal_playbooks.content.inference import check_condition, check_list, infer, infer_template
from signal_playbooks.content.template import parse_template
from signal_playbooks.content.values import kind_of

_KIND_OF_TYPE: dict[type, str] = {
    t.Integer: "number",
    t.Number: "number",
    t.Text: "text",
    t.Boolean: "boolean",
    t.Moment: "moment",
    t.List: "list",
}


def _type(text: str) -> t.Type:
    kind, complaints = infer(parse_expression(text), SCOPE)
    assert [complaint.message for complaint in complaints if complaint.severity == "error"] == []
    return kind


def _errors(complaints: list[Complaint]) -> list[Complaint]:
    return [complaint for complaint in complaints if complaint.severity == "error"]


@settings(deadline=None)
@given(st.data())
def test_what_is_right_passes_and_gives_a_value_of_its_type(data: st.DataObject) -> None:
    """A checker that refuses good playbooks is switched off; one that types them wrongly misleads every step after."""
    wanted = data.draw(st.sampled_from(KINDS))
    text = data.draw(right(wanted))
    kind = _type(text)
    if isinstance(t.required(kind), t.Any):
        return
    value = evaluate(parse_expression(text), NAMES, CLOCK)
    if value is None:
        assert isinstance(kind, t.Optional | t.Null)
    else:
        assert kind_of(value) == _KIND_OF_TYPE[type(t.required(kind))]
    if isinstance(kind, t.Text) and kind.values is not None:
        assert value in kind.values
    if isinstance(kind, t.Boolean) and kind.known is not None:
        assert value is kind.known


@settings(deadline=None)
@given(WILD)
def test_no_expression_breaks_the_checker(text: str) -> None:
    """It runs over files that are half written, on each key press of an editor."""
    expression = parse_expression(text)
    for complaint in [*infer(expression, SCOPE)[1], *check_condition(expression, {}), *check_list(expression, {})[1]]:
        assert 0 <= complaint.start < complaint.end <= len(text)
        assert complaint.rule
        assert complaint.message


@settings(deadline=None)
@given(right("boolean"), st.sampled_from(["inputs.topci", "nobody", "signal.headlin", "thread", "steps.gone.output"]))
def test_a_mistake_is_found_wherever_it_stands(text: str, wrong: str) -> None:
    """Everything found is reported at once: nothing to the left of a mistake may hide it."""
    for whole in (f"{text} and {wrong} == 1", f"({wrong} == 1 or {text})", f"any([{text}, {wrong} == 1])"):
        complaints = _errors(check_condition(parse_expression(whole), SCOPE))
        word = wrong.split(".")[1 if "." in wrong else 0]
        assert any(whole[one.start : one.end] == word for one in complaints), [one.message for one in complaints]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("inputs.limit + 1", t.INTEGER),
        ("inputs.limit / 1", t.NUMBER),
        ("inputs.limit + 1.5", t.NUMBER),
        ("round(1.5)", t.INTEGER),
        ("'a' if inputs.dry else 'b'", t.Text(["a", "b"])),
        ("'a' if inputs.dry else null", t.Optional(t.Text(["a"]))),
        ("signal.language", t.Optional(t.TEXT)),
        ("lower(signal.language)", t.Optional(t.TEXT)),
        ("default(signal.language, 'en')", t.TEXT),
        ("[1, 2.5]", t.List(t.NUMBER)),
        ("[]", t.List(t.ANY)),
        ("[s.captured_at for s in steps.find.output.signals]", t.List(t.Optional(t.MOMENT))),
        ("max([s.engagement.score for s in steps.find.output.signals])", t.Optional(t.INTEGER)),
        ("inputs.since", t.Text(["today", "this_week", "this_month"])),
        ("steps.look.items[0].key", t.TEXT),
        ("not (1 == 2) and 'a' < 'b'", t.Boolean(True)),
        ("inputs.dry and false", t.Boolean(False)),
        ("inputs.dry or true", t.Boolean(True)),
        ("steps.find.output.signals[0]", SCOPE["signal"]),
        ("top(steps.find.output.signals, 2, 'engagement.score')", t.List(SCOPE["signal"])),
    ],
)
def test_an_expression_has_the_narrowest_type(text: str, kind: t.Type) -> None:
    """The narrower the type, the more mistakes it gives away where the value is used."""
    assert _type(text) == kind


def test_a_loop_gets_the_type_of_its_items() -> None:
    """`for_each` over signals binds a Signal; over anything else it says so."""
    assert check_list(parse_expression("steps.find.output.signals"), SCOPE) == (SCOPE["signal"], [])
    item, complaints = check_list(parse_expression("steps.find.output"), SCOPE)
    assert item == t.ANY
    assert [(one.rule, one.hint) for one in complaints] == [("not-a-list", "did you mean steps.find.output.signals?")]


def test_only_what_is_not_bound_may_be_caught_by_default() -> None:
    """A skipped step is data; a misspelt name is a mistake and stays one."""
    assert infer(parse_expression("default(thread, default(steps.look.output, 1))"), SCOPE)[1] == []
    assert len(infer(parse_expression("default(1, thread)"), SCOPE)[1]) == 1
    assert len(infer(parse_expression("default(threat, 1)"), SCOPE)[1]) == 1


def test_braces_in_quotes_are_a_mistake_only_where_nothing_fills_them_in() -> None:
    """As a condition it would be the same for every signal; as a text argument it may be meant."""
    condition = check_condition(parse_expression("'{{ x }}' == inputs.topic"), SCOPE)
    assert [(one.rule, one.severity) for one in condition] == [("template-in-condition", "error")]
    _, complaints = infer(parse_expression("'{{ x }}'"), SCOPE)
    assert [(one.rule, one.severity) for one in complaints] == [("template-in-condition", "warning")]


def test_a_template_is_typed_by_its_one_expression_or_is_a_text() -> None:
    """`limit: "{{ inputs.limit }}"` stays a number, and with a word beside it does not."""
    assert infer_template(parse_template("{{ inputs.limit }}", None), SCOPE)[0] == t.INTEGER
    assert infer_template(parse_template("{{ inputs.limit }} posts", None), SCOPE)[0] == t.TEXT
    assert infer_template(parse_template("today", None), SCOPE)[0] == t.Text(["today"])


def test_a_complaint_in_a_template_points_into_the_whole_text() -> None:
    """The caret stands under the name, through accents and placeholders before it."""
    text = "é <topic>: {{ inputs.limit }} {{ inputs.lmit }}"
    _, complaints = infer_template(parse_template(text, {"topic"}), SCOPE)
    assert [text[one.start : one.end] for one in complaints] == ["lmit"]
    _, complaints = infer_template(parse_template("a <topci> b", None), SCOPE)
    assert [("a <topci> b"[one.start : one.end], one.rule) for one in complaints] == [("<topci>", "unknown-field")]


def test_every_complaint_is_reported_once_and_in_order() -> None:
    """A person works from left to right."""
    text = "inputs.a == 1 and inputs.b == 2 or inputs.a == 3"
    complaints = check_condition(parse_expression(text), SCOPE)
    assert [text[one.start : one.end] for one in complaints] == ["a", "b", "a"]
    assert [one.start for one in complaints] == sorted(one.start for one in complaints)
