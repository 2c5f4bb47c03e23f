"""A problem as a line for a person, and as a command for GitHub; nothing in a file steers the terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.problem import Problem, Span, has_errors, in_order, render_github, render_text

LINE = "    when: author.likely_role_hint == 'indie_foundr'"
NEVER = Problem(Span("playbooks/churn.yaml", 11, 38, 52, LINE), "never-true", "'indie_foundr' is never a value")


def test_the_caret_stands_under_the_words_and_is_as_wide() -> None:
    """The form the documentation shows, to the letter."""
    assert render_text(NEVER).split("\n") == [
        "playbooks/churn.yaml:11:38: 'indie_foundr' is never a value [never-true]",
        "   11 |     when: author.likely_role_hint == 'indie_foundr'",
        "      |                                      ^~~~~~~~~~~~~~",
    ]


@pytest.mark.parametrize(
    ("text", "column", "end", "caret"),
    [
        ("key: value", 6, 11, "     ^~~~~"),
        ("\tkey: value", 7, 12, "\t     ^~~~~"),
        ("漢字: 値段", 5, 7, "      ^~~~"),
        ("e\u0301té: x", 7, 8, "     ^"),
        ("ab", 3, 4, "  ^"),
        ("ｆｕｌｌ x", 6, 7, "         ^"),
    ],
)
def test_tabs_wide_letters_and_accents_keep_the_caret_in_its_place(
    text: str, column: int, end: int, caret: str
) -> None:
    """A terminal draws these wider or narrower than one letter a column."""
    assert render_text(Problem(Span("f", 1, column, end, text), "r", "m")).split("\n")[2] == f"      | {caret}"


def test_hints_and_related_places_follow_and_a_warning_says_that_it_is_one() -> None:
    """The other half of a duplicate is shown with a caret of its own."""
    first = Span("f", 2, 1, 3, "id: a")
    problem = Problem(Span("f", 3, 1, 3, "id: b"), "twice", "again", "warning", "keep one", ((first, "the first"),))
    assert render_text(problem).split("\n") == [
        *("f:3:1: warning: again [twice]", "    3 | id: b", "      | ^~", "      = keep one"),
        *("f:2:1: note: the first", "    2 | id: a", "      | ^~"),
    ]


def test_a_line_that_is_not_known_is_left_out() -> None:
    """A file that cannot be read has a place, but no text."""
    assert render_text(Problem(Span("f"), "unreadable", "no such file")) == "f:1:1: no such file [unreadable]"


def test_color_changes_nothing_but_the_color() -> None:
    """Without its codes, the coloured form is the plain one."""
    colored = render_text(NEVER, color=True)
    assert "\x1b[31m^~~" in colored
    assert colored.replace("\x1b[31m", "").replace("\x1b[1m", "").replace("\x1b[0m", "") == render_text(NEVER)


def test_a_very_long_line_is_cut_around_the_caret() -> None:
    """A minified file must not fill the screen, and the caret must still stand under what it means."""
    text = "x" * 5_000 + "WRONG" + "y" * 5_000
    shown = render_text(Problem(Span("f", 1, 5_001, 5_006, text), "r", "m")).split("\n")
    at = shown[2].index("^")
    assert shown[1][at : at + 5] == "WRONG"
    assert len(shown[1]) < 220
    wide = render_text(Problem(Span("f", 1, 1, 10_001, text), "r", "m")).split("\n")
    assert len(wide[2]) < 220


def test_a_line_number_of_six_digits_keeps_the_gutter_straight() -> None:
    """Both bars stand under each other."""
    _, source, caret = render_text(Problem(Span("f", 123_456, 1, 2, "a"), "r", "m")).split("\n")
    assert (source.index("|"), caret.index("|")) == (7, 7)


@given(st.text(max_size=30), st.text(max_size=30), st.integers(1, 40), st.integers(1, 9), st.booleans())
def test_whatever_a_file_holds_only_our_own_codes_reach_the_terminal(
    text: str, message: str, column: int, width: int, color: bool
) -> None:
    """An escape sequence, a line break or a turned reading direction in a file is shown, not obeyed."""
    span = Span("f", 1, column, column + width, text)
    shown = render_text(Problem(span, "r", message, hint=message or None), color=color)
    if not color:
        assert "\x1b" not in shown
        assert len(shown.split("\n")) == 1 + 2 * bool(text.strip()) + bool(message)
    for letter in "\r\x07\x9b\u2028\u202e\u2066\x85":
        assert letter not in shown
    shown.encode("utf-8")
    render_github(Problem(span, "r", message)).encode("utf-8")


def test_a_github_command_is_one_line_with_its_marks_escaped() -> None:
    """An unescaped line break would end the command, and begin another one of the file's choosing."""
    problem = Problem(Span("a,b:c.yaml", 3, 5, 9), "yaml-key", "50% of\r\n::error::x", "note", "write, it")
    assert render_github(problem) == (
        "::notice file=a%2Cb%3Ac.yaml,line=3,col=5,endColumn=9,title=yaml-key::50%25 of%0D%0A::error::x%0Awrite, it"
    )
    assert render_github(NEVER).startswith(
        "::error file=playbooks/churn.yaml,line=11,col=38,endColumn=52,title=never-true::"
    )


def test_problems_are_listed_once_by_file_line_and_column() -> None:
    """Two checks may find the same; a person reads it once, in the order of the file."""
    early, late = Problem(Span("f", 1, 2), "b", "m"), Problem(Span("f", 2, 1), "a", "m", "warning")
    assert in_order([late, early, Problem(Span("f", 1, 2), "b", "m")]) == [early, late]
    assert has_errors([late, early])
    assert not has_errors([late])
