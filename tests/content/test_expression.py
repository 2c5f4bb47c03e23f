"""Reading an expression: what it reads, where its parts stand, and that no text at all can break the reader."""

import ast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from signal_playbooks.content.expression import Expression, ExpressionInvalid, parse_expression
from signal_playbooks.content.grammar import MAX_DEPTH
from signal_playbooks.content.tokens import MAX_TEXT
from signal_playbooks.errors import SignalError

# Pieces from which both expressions and near misses are made.
PIECES = st.lists(
    st.sampled_from(
        [
            *("a", ".b", "['c']", "[0]", "'é'", '"x"', "1", "2.5", "(", ")", "[", "]", ",", " and ", " or ", " not "),
            *(
                " in ",
                " == ",
                " < ",
                "+",
                "-",
                "*",
                "/",
                "%",
                " if ",
                " else ",
                " for ",
                "len",
                "true",
                "null",
                "=",
                "!",
            ),
            *("{{", "}}", "<n>", ":", "'", '"', "\\", "\n", " ", "_", "**", "lambda ", "é", "👩‍👩", "\u00a0", "\x00"),
        ]
    ),
    max_size=14,
).map("".join)


def _read(text: str) -> Expression | None:
    """Return the expression, or None after proving that the complaint points into the text."""
    try:
        return parse_expression(text)
    except ExpressionInvalid as invalid:
        complaint = invalid.complaint
        assert 0 <= complaint.start <= complaint.end <= len(text)
        assert complaint.start < complaint.end or not text
        assert complaint.message
        assert "\n" not in complaint.message
        return None


@settings(deadline=None)
@given(st.text() | PIECES)
@example("a) + (b")
@example("(" * 5_000)
@example("-" * 9_999 + "1")
@example("not " * 2_000 + "a")
@example("a" + ".a" * 4_000)
@example("1" + "+1" * 1_900)
@example("[" * 59 + "]" * 59)
@example("'\ud800' == a")
@example("\ud800")
@example("0" * 9_999)
@example("a" * 10_001)
@example("1" * 5_000)
def test_any_text_is_an_expression_or_is_refused_at_a_place(text: str) -> None:
    """Content comes from strangers: it must not raise anything else, nor point outside itself."""
    _read(text)


@settings(deadline=None)
@given(PIECES)
def test_what_stands_in_quotes_never_changes_how_the_rest_is_read(text: str) -> None:
    """An offset that moved with an accent or an emoji would put the caret under the wrong word."""
    quoted = text.replace("'", "").replace("\\", "").replace("\n", "")
    expression = parse_expression(f"'{quoted}' == zz.top")
    path = expression.paths[0]
    assert expression.text[path.start : path.end] == "zz.top"
    assert isinstance(expression.tree, ast.Compare)
    assert isinstance(expression.tree.left, ast.Constant)
    assert expression.tree.left.value == quoted


@settings(deadline=None)
@given(PIECES)
def test_every_part_stands_where_it_says(text: str) -> None:
    """The source of a part, read again, is that part: offsets hold through blanks, lines and accents."""
    expression = _read(text)
    if expression is None:
        return
    for path in expression.paths:
        assert parse_expression(text[path.start : path.end]).paths[0].parts == path.parts


def test_the_paths_of_an_expression_are_what_it_reads() -> None:
    """The plan is made from them: a path too few and a step would run before what it needs."""
    text = "steps.find.output.signals[0].id == inputs['a b'] and [s.x + t for s in steps.two.items if s.y == run.id]"
    assert [path.text for path in parse_expression(text).paths] == [
        "steps.find.output.signals[0].id",
        "inputs.a b",
        "t",
        "steps.two.items",
        "run.id",
    ]


def test_a_variable_of_a_list_is_not_free() -> None:
    """`s` exists only inside its brackets; outside, and in its own source, the same name is another thing."""
    expression = parse_expression("[s for s in s.items] == s and [[x + y for y in x] for x in z] == y")
    assert [path.text for path in expression.paths] == ["s.items", "s", "z", "y"]
    assert expression.names == {"s", "y", "z"}


def test_a_function_is_no_name_and_a_key_that_is_computed_is_read_too() -> None:
    """`len` needs nothing in scope; what stands in brackets does."""
    expression = parse_expression("len(a[b.c])")
    assert [path.text for path in expression.paths] == ["a", "b.c"]


def test_an_expression_inside_a_longer_text_counts_from_its_beginning() -> None:
    """A template's caret stands under the word, not under its distance from the braces."""
    expression = parse_expression(" a.b", origin=10)
    assert (expression.paths[0].start, expression.paths[0].end) == (11, 14)
    with pytest.raises(ExpressionInvalid) as refused:
        parse_expression(" a &&", origin=10)
    assert (refused.value.complaint.start, refused.value.complaint.end) == (13, 15)


def test_an_expression_that_stands_for_a_placeholder_has_one_place() -> None:
    """`inputs.topic` is not what the author wrote; `<topic>` is."""
    expression = parse_expression("inputs.topic", place=(3, 10))
    assert expression.offset_of(expression.tree) == (3, 10)
    assert (expression.paths[0].start, expression.paths[0].end) == (3, 10)


def test_lines_and_blanks_around_and_between_do_not_matter() -> None:
    """Block scalars end in a newline and break where the author likes."""
    written = parse_expression("\n  a.b\n    and\r\n\tc\n")
    assert ast.dump(written.tree) == ast.dump(parse_expression("a.b and c").tree)


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        (r"'\d+\b\.'", r"\d+\b\."),
        (r"'a\nb\tc'", "a\nb\tc"),
        (r"'it\'s'", "it's"),
        (r'"say \"no\""', 'say "no"'),
        (r"'\\n'", r"\n"),
        (r"'\u00e9\x41'", r"\u00e9\x41"),
        ("'{{ x }}'", "{{ x }}"),
        ("''", ""),
    ],
)
def test_a_backslash_is_itself_except_before_a_quote_n_t_or_another(literal: str, value: str) -> None:
    r"""Patterns are written as they are: '\b' is a word's edge and never a backspace."""
    tree = parse_expression(literal).tree
    assert isinstance(tree, ast.Constant)
    assert tree.value == value


@pytest.mark.parametrize(("written", "value"), [("true", True), ("True", True), ("false", False), ("null", None)])
def test_constants_are_written_as_in_yaml_or_as_in_python(written: str, value: object) -> None:
    """`null` and `true` are what people know; a field of that name is still a field."""
    tree = parse_expression(written).tree
    assert isinstance(tree, ast.Constant)
    assert tree.value is value
    assert parse_expression(f"a.{written.lower()}").paths[0].parts == ("a", written.lower())


@pytest.mark.parametrize(
    "text",
    [
        "a" * (MAX_TEXT + 1),
        "a + " * MAX_DEPTH + "a",
        "not " * MAX_DEPTH + "a",
        "(" * 61 + "a" + ")" * 61,
        "a" + ".b" * MAX_DEPTH,
    ],
)
def test_an_expression_that_no_person_wrote_is_refused(text: str) -> None:
    """Depth is what the evaluation's own stack is made of."""
    with pytest.raises(ExpressionInvalid):
        parse_expression(text)


def test_a_refusal_is_an_error_of_ours_with_what_to_do() -> None:
    """A border that knows SignalError can say it without knowing of expressions."""
    with pytest.raises(SignalError) as refused:
        parse_expression("any(x for x in y)")
    assert refused.value.suggested_action == "a list made from another is [x for x in items]"
    assert refused.value.exit_code == 2


@settings(deadline=None)
@given(st.integers(min_value=1, max_value=MAX_DEPTH - 2))
def test_every_depth_that_is_let_through_can_be_read_to_its_end(depth: int) -> None:
    """Names and paths are asked of every expression, the deepest too."""
    assert parse_expression("-" * depth + "a").names == {"a"}
