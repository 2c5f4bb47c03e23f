"""String arguments: what is filled in, what stays, and that nothing filled in is ever read again."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from expression_grammar import right
from expression_world import CLOCK, NAMES, NOW
from signal_playbooks.content.expression import Complaint, ExpressionInvalid
from signal_playbooks.content.template import Template, parse_template, render
from signal_playbooks.content.values import text_of
from signal_playbooks.errors import EvaluationFailed

PIECES = st.lists(
    st.sampled_from(
        [
            *("{{", "}}", "{", "}", " ", "<topic>", "<b>", "<", ">", "inputs.topic", "'", '"', "\\", "'}}'", '"{{"'),
            *("text", "é", "👩‍👩", "\n", "{%", "%}", "{#", "|", "1", "+"),
        ]
    ),
    max_size=12,
).map("".join)


def _filled(text: str, names: object = None, placeholders: frozenset[str] | None = frozenset()) -> object:
    return render(parse_template(text, placeholders), NAMES if names is None else names, CLOCK)  # type: ignore[arg-type]


def _read(text: str, placeholders: frozenset[str] | None) -> Template | Complaint:
    try:
        return parse_template(text, placeholders)
    except ExpressionInvalid as invalid:
        return invalid.complaint


@settings(deadline=None)
@given(st.text() | PIECES, st.sampled_from([None, frozenset(), frozenset({"topic"})]))
@example("{{" * 5_000, None)
@example("{{ '" * 3_000, None)
@example("<a>" * 3_000, None)
def test_any_text_is_a_template_or_is_refused_at_a_place(text: str, placeholders: frozenset[str] | None) -> None:
    """And the parts of one that is read make up the text again, character by character."""
    template = _read(text, placeholders)
    if isinstance(template, Complaint):
        assert 0 <= template.start < template.end <= len(text)
        return
    again = "".join(part if isinstance(part, str) else text[part.start : part.end] for part in template.parts)
    assert again == text
    assert [one for one in template.placeholders if text[one.start : one.end] != f"<{one.name}>"] == []


@settings(deadline=None)
@given(st.text())
def test_a_text_without_braces_and_placeholders_is_itself(text: str) -> None:
    """Byte for byte: `a: b`, `1.10` and `{% raw` have no meaning here."""
    plain = text.replace("{{", "{ {").replace("<", "(")
    assert _filled(plain) == plain


@settings(deadline=None)
@given(st.text())
@example("{{ secrets.token }} {% raw")
@example("<topic> }} {{ inputs.topic }}")
@example("a: b\ndispatch: now")
def test_what_a_post_says_arrives_byte_for_byte(post: str) -> None:
    """What was filled in is never looked at again: a headline is not a template."""
    names = {"signal": {"headline": post}, "inputs": {"topic": "never"}}
    assert _filled("{{ signal.headline }}", names) == post
    assert _filled("> {{ signal.headline }}", names) == f"> {post}"
    assert _filled("> {{ signal.headline + signal.headline }} <topic>", names, None) == f"> {post}{post} never"


@settings(deadline=None)
@given(right("text"), right("text"))
def test_expressions_in_braces_give_what_they_give_alone(one: str, other: str) -> None:
    """The braces add nothing: not even where an expression has braces or quotes of its own."""
    alone = [_filled(f"{{{{ {text} }}}}") for text in (one, other)]
    assert _filled(f"a {{{{{one}}}}} b {{{{ {other} }}}} c") == f"a {text_of(alone[0])} b {text_of(alone[1])} c"


@pytest.mark.parametrize(
    ("value", "alone", "beside"),
    [
        (None, None, ""),
        (True, True, "true"),
        (False, False, "false"),
        (3, 3, "3"),
        (2.50, 2.5, "2.5"),
        (3.0, 3.0, "3"),
        (1e-7, 1e-7, "0.0000001"),
        ("1.10", "1.10", "1.10"),
        (NOW, NOW, "2026-04-20T12:00:00Z"),
        (["a", 1, None], ["a", 1, None], "a, 1, "),
        ({"a": [NOW, "é"]}, {"a": [NOW, "é"]}, '{"a":["2026-04-20T12:00:00Z","é"]}'),
        ([{"a": 1}], [{"a": 1}], '{"a":1}'),
    ],
)
def test_alone_a_value_keeps_its_type_and_in_a_text_it_is_plain(value: object, alone: object, beside: str) -> None:
    """`limit: "{{ inputs.limit }}"` is a number; in a note nobody wants to read None or 1e-07."""
    assert _filled("{{ v }}", {"v": value}) == alone
    assert _filled("\n {{ v }} \n", {"v": value}) == alone
    assert _filled("[{{ v }}]", {"v": value}) == f"[{beside}]"


def test_a_placeholder_is_an_input_and_keeps_its_type_too() -> None:
    """`<name>` is short for `{{ inputs.name }}`, in every respect."""
    names = {"inputs": {"limit": 5, "topic": "Quillo"}}
    assert _filled("<limit>", names, None) == 5
    assert _filled("<topic> frustrations", names, None) == "Quillo frustrations"
    assert [one.text for one in parse_template("<topic> {{ inputs.limit }}", None).expressions] == [
        "inputs.topic",
        " inputs.limit ",
    ]


def test_once_inputs_are_declared_any_other_pair_of_brackets_is_text() -> None:
    """`<b>` and `a < b` are text, and so is a name nobody declared."""
    template = parse_template("<b><topic></b> a < b > c", {"topic"})
    assert [one.name for one in template.placeholders] == ["topic"]
    assert parse_template("<b>bold</b> < x > <3", frozenset()).expressions == ()
    assert [one.name for one in parse_template("<b> </b> <Topic> <a-b> <1a>", None).placeholders] == ["b", "Topic"]


def test_only_one_expression_and_nothing_else_is_single() -> None:
    """A second one, or a word beside it, makes a text of both."""
    assert parse_template(" {{ a }}\n", None).single is not None
    for text in ("{{ a }}{{ b }}", "{{ a }}.", "a", "", "<a><b>"):
        assert parse_template(text, None).single is None


def test_a_part_says_where_it_stands_with_its_braces() -> None:
    """Editors mark the whole of it."""
    expression, start, end = next(
        part for part in parse_template("é {{ a }}!", None).parts if not isinstance(part, str)
    )
    assert (expression.text, start, end) == (" a ", 2, 9)


def test_what_fails_in_a_text_fails_the_text() -> None:
    """A hole in a message that goes out would look as if it had been meant."""
    with pytest.raises(EvaluationFailed) as failure:
        _filled("about {{ nobody }}")
    assert failure.value.data["expression"] == " nobody "


def test_a_text_is_not_filled_past_a_million_characters() -> None:
    """Twenty long posts in one note are not a note."""
    with pytest.raises(EvaluationFailed, match="longer than 1,000,000"):
        _filled("{{ v }}{{ v }}", {"v": "a" * 600_000})


def test_json_inside_a_text_is_json() -> None:
    """What a map becomes can be read back."""
    signal = NAMES["signal"]
    rendered = _filled("{{ signal }}\n.")
    assert isinstance(rendered, str)
    assert json.loads(rendered[:-2])["engagement"] == {"score": 12, "comments": 2}
    assert signal is NAMES["signal"]


def test_data_nested_deeper_than_the_stack_is_a_refusal_in_a_text_too() -> None:
    """JSON from outside may be nested as deep as it likes."""
    deep: object = {}
    for _ in range(5_000):
        deep = {"a": deep}
    with pytest.raises(EvaluationFailed, match="nested too deep"):
        _filled("about {{ deep }}", {"deep": deep})
