"""YAML with places: what is read, what is refused and where, and that no text whatsoever breaks it."""

import gc
import json
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from signal_playbooks.content.compose import MAX_PROBLEMS, compose
from signal_playbooks.content.document import (
    Document,
    Mapping,
    Node,
    Scalar,
    Sequence,
    parse_document,
    read_document,
)
from signal_playbooks.content.lines import Lines
from signal_playbooks.content.node import resolve
from signal_playbooks.problem import in_order, render_text

CASES = sorted((Path(__file__).parent / "yaml").glob("*.yaml"))
# Letters that make YAML: a property over plain text alone would never leave the first line.
YAML_TEXT = st.lists(
    st.sampled_from(
        [*"ab1:-?#&*!|>%@`,[]{}'\"\\~.<= \t\n\r", "\n  ", ": ", "- ", "{{ ", " }}", "é", "漢", "😀", "\x85"]
    )
    | st.sampled_from(["\u2028", "\ufeff", "\x00", "\x07", "\ud800", "<<: ", "&a ", "*a", "---\n", "...\n", "!!str "]),
    max_size=40,
).map("".join)


def _doc(text: str) -> Document:
    document = parse_document(text, "f.yaml")
    assert document.problems == []
    return document


def _rules(text: str) -> list[tuple[str, int, int]]:
    found = in_order(parse_document(text, "f.yaml").problems)
    return [(problem.rule, problem.span.line, problem.span.column) for problem in found]


def _python(text: str) -> object:
    document = _doc(text)
    return document.python(document.root)


def _nodes(node: Node) -> list[Node]:
    if isinstance(node, Mapping):
        return [node, *(deep for key, value in node.entries for deep in (key, *_nodes(value)))]
    return [node, *(deep for item in node.items for deep in _nodes(item))] if isinstance(node, Sequence) else [node]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_each_mistake_is_named_where_it_was_made_in_the_words_beside_it(case: Path) -> None:
    """An author fixes a file by these lines; a new case is two files."""
    document = read_document(case, case.name)
    said = "\n".join(render_text(problem) for problem in in_order(document.problems))
    assert said + "\n" == case.with_suffix(".out").read_text("utf-8")


def test_plain_scalars_follow_the_core_schema_of_yaml_1_2() -> None:
    """`no` is a country, `12:30` a time of day and 1_000 a text; only what JSON has is anything else."""
    assert _python("[null, ~, Null, true, False, 12, -3, +4, 0o17, 0x1F, 1.5, .5, 1e3, 007, 12.]") == [
        *(None, None, None, True, False),
        *(12, -3, 4, 15, 31, 1.5, 0.5, 1000.0, 7, 12.0),
    ]
    texts = ["no", "yes", "on", "off", "12:30", "1_000", "2026-01-01", "nULL", "0b1", "1.2.3", "+", ".", "1e", "0o8"]
    assert _python(f"[{', '.join(texts)}]") == texts


def test_a_quoted_number_stays_text() -> None:
    """A version "1.10" is not 1.1, nor is a block of digits a number."""
    assert _python('a: "1.10"\nb: \'true\'\nc: |-\n  12\nd: ""\n') == {"a": "1.10", "b": "true", "c": "12", "d": ""}


def test_words_that_other_yaml_takes_for_booleans_are_keys() -> None:
    """`on:` and `no:` are texts in YAML 1.2."""
    assert _python("on: 1\nno: 2\ny: 3\n") == {"on": 1, "no": 2, "y": 3}


def test_places_count_characters_and_lines_as_editors_do() -> None:
    """Astral letters are one column, a byte order mark none, and U+2028 or NEL end no line."""
    document = _doc('\ufeffa: 😀x\r\nb: "p\u2028q\x85r"\rc: [1,\n  漢: 2]\n')
    a, b, c = (document.at([key]) for key in "abc")
    assert a is not None
    assert b is not None
    assert c is not None
    assert [(span.line, span.column, span.end_column) for span in map(document.span, (a, b, c))] == [
        (1, 4, 6),
        (2, 4, 11),
        (3, 4, 7),
    ]
    deep = document.at(["c", 1, "漢"])
    assert deep is not None
    assert document.span(deep).text == "  漢: 2]"
    assert document.span(deep).column == 6
    assert document.key_span(["c", 1, "漢"]).column == 3


def test_an_anchor_and_a_comment_are_no_part_of_a_place() -> None:
    """The caret stands under the value that is complained about."""
    document = _doc("a: &name  text  # why\nb:\n  c: 1 # one\n  d: 2\n")
    a, b = document.at(["a"]), document.at(["b"])
    assert a is not None
    assert b is not None
    assert (document.span(a).column, document.span(a).end_column) == (11, 15)
    assert (document.span(b).line, document.span(b).column, document.span(b).end_column) == (3, 3, 7)


def test_a_problem_under_an_alias_points_at_its_use_with_a_note_at_the_anchor() -> None:
    """The use is where the author has to decide; the anchor is where the words are."""
    document = _doc("base: &b\n  query: text here\nuse: *b\nagain: [*b]\n")
    node = document.at(["use", "query"])
    assert isinstance(node, Scalar)
    problem = document.problem(node, "rule", "message", within=(5, 9))
    assert (problem.span.line, problem.span.column, problem.span.end_column) == (3, 6, 8)
    assert [(span.line, span.column, span.end_column) for span, _ in problem.related] == [(1, 7, 9), (2, 15, 19)]
    other = document.at(["again", 0, "query"])
    assert other is not None
    assert document.span(other).line == 4
    assert document.python(document.at(["again"])) == [{"query": "text here"}]


def test_a_path_leads_to_the_deepest_node_there_is() -> None:
    """A problem about something that is missing stands where it should have been."""
    document = _doc("a:\n  b: [x, {c: 1}]\n")
    assert document.python(document.at(["a", "b", 1, "c"])) == 1
    assert document.python(document.at(["a", "b", 1, "zzz", 5])) == {"c": 1}
    assert document.python(document.at(["a", "b", -1])) == ["x", {"c": 1}]
    assert document.key_span(["a", "b", 0]).column == 7
    assert document.key_span(["a", "zzz"]).line == 2
    assert document.key_span([]).line == 1
    assert parse_document("", "f").key_span(["a"]).line == 1


def test_front_lines_shift_every_place() -> None:
    """A part of a file is complained about with the file's own line numbers."""
    document = parse_document("a: 1\na: 2\n", "f.md", first_line=10)
    assert [problem.span.line for problem in document.problems] == [11]
    assert document.problems[0].related[0][0].line == 10


def test_whatever_else_is_wrong_is_found_beside_missing_quotes() -> None:
    """Everything is reported at once: braces do not hide a duplicate, and their value is the text that was meant."""
    document = parse_document("q: {{ x }} and\n  more\nid: 1\nid: 2\nr: {{ y }}\n", "f")
    assert [problem.rule for problem in in_order(document.problems)] == ["yaml-braces", "duplicate-key", "yaml-braces"]
    assert document.python(document.root) == {"q": "{{ x }} and more", "id": 1, "r": "{{ y }}"}


def test_braces_in_quotes_or_inside_a_text_are_text() -> None:
    """Only a value that begins with them is taken for a mapping by YAML."""
    assert _python('a: "{{ x }}"\nb: say {{ x }}\nc: {d: {e: 1}}\n\n') == {
        "a": "{{ x }}",
        "b": "say {{ x }}",
        "c": {"d": {"e": 1}},
    }


def test_an_alias_bomb_is_refused_at_once() -> None:
    """Nine levels of nine would be 387 million values."""
    levels = "".join(f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]\n" for i in range(1, 10))
    began = time.process_time()
    assert [rule for rule, _, _ in _rules("l0: &l0 [x, x, x, x, x, x, x, x, x]\n" + levels)] == ["yaml-aliases"]
    assert time.process_time() - began < 0.5


def test_aliases_cannot_nest_past_the_depth_that_is_allowed() -> None:
    """A chain of aliases is as deep as what it stands for, and whoever walks it must not run out of stack."""
    chain = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 150))
    assert [(rule, line) for rule, line, _ in _rules(chain)] == [("yaml-aliases", 100)]


def test_a_later_anchor_of_the_same_name_replaces_the_first() -> None:
    """As YAML says: an alias stands for the nearest anchor before it."""
    assert _python("- &a 1\n- *a\n- &a 2\n- *a\n") == [1, 1, 2, 2]


def test_a_large_file_without_aliases_is_read_and_the_collector_stays_on() -> None:
    """Reading turns the garbage collector off for a large text, and must not leave it so; nor on, where it was off."""
    text = "items:\n" + "".join(f"  - {{id: n{i}, title: some words, score: {i}}}\n" for i in range(8_000))
    document = _doc(text)
    assert gc.isenabled()
    items = document.at(["items"])
    assert isinstance(items, Sequence)
    assert len(items.items) == 8_000
    gc.disable()
    try:
        _doc(text)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_ten_thousand_mistakes_are_two_hundred_and_a_count() -> None:
    """A list nobody can read is cut, and says so; one line of them does not copy itself for each."""
    document = parse_document("{" + ", ".join(["a: 1"] * 10_000) + "}", "f")
    assert len(document.problems) == MAX_PROBLEMS + 1
    assert document.problems[-1].message == "9799 further problems of this file are not listed"
    assert document.problems[0].span.text is document.problems[9].span.text


def test_too_many_values_are_refused() -> None:
    """A file of two million values is a mistake, or an attack on memory."""
    root, problems = compose(Lines("f", "[" + "a," * 20 + "]"), max_nodes=10)
    assert root is None
    assert [problem.rule for problem in problems] == ["yaml-size"]


@settings(max_examples=400, deadline=None)
@given(YAML_TEXT)
def test_any_text_is_a_document_with_a_root_or_problems(text: str) -> None:
    """Content comes from strangers: nothing raises, and every place is one that the file has."""
    document = parse_document(text, "f.yaml")
    assert document.root is not None or document.problems
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    spans = [problem.span for problem in document.problems]
    spans += [document.span(node) for node in _nodes(document.root)] if document.root else []
    for span in spans:
        assert span.text == lines[span.line - 1]
        assert 1 <= span.column <= len(span.text) + 1
        assert span.column < span.end_column <= max(len(span.text) + 1, span.column + 1)
    for problem in document.problems:
        render_text(problem).encode("utf-8")
    document.python(document.root)


# PyYAML itself loses the line breaks that only YAML 1.1 knew.
_LETTERS = st.characters(exclude_categories=["Cs", "Zl", "Zp"], exclude_characters="\x85\ufeff")
# A text that YAML 1.2 takes for a number and YAML 1.1 does not would be written without quotes by PyYAML.
TEXTS = st.text(_LETTERS, max_size=20).filter(lambda text: isinstance(resolve(text), str))


@settings(max_examples=150, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
        max_leaves=12,
    ),
    st.booleans(),
)
def test_what_was_written_is_what_is_read(value: object, flow: bool) -> None:
    """A value that a writer of YAML wrote comes back as it was, whatever its texts hold."""
    written = yaml.safe_dump({"value": value}, allow_unicode=True, default_flow_style=flow, sort_keys=False)
    assert _python(written) == {"value": value}


HEAVY = [
    "[",
    "{",
    "{{ ",
    "- ",
    "? ",
    "&a ",
    "*a ",
    "'",
    '"\\',
    "a: ",
    "a: 1\n",
    "- !x y\n",
    "a: {{ x }}/y\n",
    "%\n",
    "\n",
]
MORE = [
    "\t",
    "- *a\n",
    "[a,\n",
    "a: |\n",
    "'\n\n",
    "漢 ",
    "#\n",
    "1: 2\n",
    "- {{ a }}, b\n",
    "- {{ a }}\n",
    "\u2028",
    ": ",
]


@pytest.mark.parametrize(
    "unit", [*HEAVY, *MORE, "x\n", " - a\n", "{{ a }} ", "[{{ a }}, ", "a: 'b\n", "k: [\n", "[[], "]
)
def test_no_text_takes_more_than_a_second_per_hundred_kilobytes(unit: str) -> None:
    """A check must not hang on what someone pasted; processor time, so that a busy machine does not matter."""
    for start in ("", "x: ", "- &a [b, c]\n"):
        text = (start + unit * (100_000 // len(unit)))[:100_000]
        began = time.process_time()
        parse_document(text, "f")
        assert time.process_time() - began < 1


def _without_libyaml(text: str) -> Document:
    lines = Lines("f.yaml", text)
    return Document("f.yaml", text, *compose(lines, loader=yaml.SafeLoader), lines)


@settings(max_examples=150, deadline=None)
@given(YAML_TEXT)
def test_pyyamls_own_reader_breaks_on_no_text_either(text: str) -> None:
    """It is another reader with other errors; they are put into words as well."""
    document = _without_libyaml(text.lstrip("\ufeff"))
    assert document.root is not None or document.problems
    json.dumps(document.python(document.root), ensure_ascii=False).encode("utf-8")


def test_pyyamls_own_reader_stands_in_where_libyaml_is_missing() -> None:
    """A platform without a wheel still gets the same nodes and places."""
    document = _without_libyaml("a: &x [😀, 'it''s', \"\\x41\"]\nb: *x\n")
    node = document.at(["a", 1])
    assert isinstance(node, Scalar)
    assert document.span_in(node, 2, 3).column == 14
    assert document.python(document.root) == {"a": ["😀", "it's", "A"], "b": ["😀", "it's", "A"]}
    assert [problem.rule for problem in _without_libyaml('a: "\\ud800"\n').problems] == ["yaml-character"]
    (unclosed,) = _without_libyaml("a: 'b\nc: d\n").problems
    assert (unclosed.rule, unclosed.span.line, unclosed.span.column) == ("yaml-syntax", 1, 4)
