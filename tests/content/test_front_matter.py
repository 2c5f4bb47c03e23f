"""Front matter: YAML between dashes, and a body whose line numbers are the file's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.content.front_matter import parse_front_matter


def test_front_matter_and_body_come_apart_with_their_lines() -> None:
    """A complaint about either names the line of the file."""
    document, body, line = parse_front_matter("---\nid: a\nid: b\n---\n# Body\n", "f.md")
    assert document.python(document.root) == {"id": "a"}
    assert [problem.span.line for problem in document.problems] == [3]
    assert (body, line) == ("# Body\n", 5)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_ending_and_a_byte_order_mark_are_known(end: str) -> None:
    """Editors of every platform write these."""
    document, body, line = parse_front_matter(f"\ufeff--- {end}id: a{end}---{end}{end}body", "f.md")
    assert document.python(document.root) == {"id": "a"}
    assert (body, line) == (f"{end}body", 4)


def test_dashes_in_the_body_or_inside_a_line_close_nothing_else() -> None:
    """The first line of three dashes closes; a rule in the body is Markdown."""
    document, body, _ = parse_front_matter("---\ntitle: a --- b\nx: '----'\n---\ntext\n---\nmore\n", "f.md")
    assert document.python(document.root) == {"title": "a --- b", "x": "----"}
    assert body == "text\n---\nmore\n"


@pytest.mark.parametrize(
    ("text", "says", "body"),
    [
        ("# Title\n", "must begin with front matter", "# Title\n"),
        ("", "must begin with front matter", ""),
        ("\n---\na: b\n---\n", "must begin with front matter", "\n---\na: b\n---\n"),
        ("----\na: b\n---\n", "must begin with front matter", "----\na: b\n---\n"),
        ("---\na: b\n", "never closed", ""),
        ("---", "never closed", ""),
    ],
)
def test_missing_or_unclosed_front_matter_is_one_problem(text: str, says: str, body: str) -> None:
    """The body is still there to be looked at where nothing was opened."""
    document, rest, line = parse_front_matter(text, "f.md")
    assert document.root is None
    (problem,) = document.problems
    assert (problem.rule, problem.span.line) == ("front-matter", 1)
    assert says in problem.message
    assert (rest, line) == (body, 1)


def test_empty_front_matter_is_empty_yaml() -> None:
    """Two fences with nothing between say nothing."""
    document, body, line = parse_front_matter("---\n---\nbody", "f.md")
    assert [problem.rule for problem in document.problems] == ["yaml-empty"]
    assert (body, line) == ("body", 3)


@given(
    st.lists(st.sampled_from(["---", "\n", "\r", "a: b", " ", "\ufeff", "é", "\ud800", "'"]), max_size=12).map("".join)
)
def test_any_text_comes_apart_without_an_exception(text: str) -> None:
    """The body is always an end of the text, at the line it says."""
    document, body, line = parse_front_matter(text, "f.md")
    bare = text.lstrip("\ufeff")
    assert bare.endswith(body)
    assert document.root is not None or document.problems
    if body and not any(problem.rule == "front-matter" for problem in document.problems):
        before = bare[: len(bare) - len(body)].replace("\r\n", "\n").replace("\r", "\n")
        assert line == before.count("\n") + 1
