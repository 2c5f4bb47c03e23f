"""Columns inside scalars: whatever the style, a character of the value is found at its own place in the source."""

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from signal_playbooks.content.document import Mapping, Node, Scalar, parse_document
from signal_playbooks.content.scalar import places

LETTERS = st.lists(
    st.sampled_from([*"ab'\"\\:#-é漢😀 \t\n", "  ", "\n\n", "\n  x", "{{ x }}", "\x85", "\u2028", "\xa0", "\x07"]),
    max_size=14,
).map("".join)
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])
# One character that stands for a line break or a fold is found, but is not the same letter in the source.
FOLDS = frozenset("\n\r\x85\u2028\u2029")


def _scalars(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Mapping):
        return [found for key, value in node.entries for found in (key, *_scalars(value))]
    return [found for item in node.items for found in _scalars(item)] if node else []


def _hold_their_places(source: str) -> int:
    """Check every character of every scalar; return how many stand verbatim in the source."""
    document = parse_document(source, "f.yaml")
    verbatim = 0
    for scalar in _scalars(document.root):
        starts, ends = places(scalar, document.text)
        assert len(starts) == len(ends) == len(scalar.text)
        assert starts == sorted(starts)
        for index, letter in enumerate(scalar.text):
            written = document.text[starts[index] : ends[index]]
            # What fell back to the whole scalar would be longer than any spelling of one letter is.
            assert len(written) <= 10 or written.isspace(), (source, scalar.text, written)
            if len(written) == 1 and written not in FOLDS:
                assert written == letter
            if written == letter and written not in FOLDS:
                span = document.span_in(scalar, index, index + 1)
                assert span.text[span.column - 1 : span.end_column - 1] == letter
                verbatim += 1
    return verbatim


@settings(max_examples=300, deadline=None)
@given(
    LETTERS,
    st.sampled_from([None, "'", '"', "|", ">"]),
    st.sampled_from([5, 20, 1000]),
    st.booleans(),
    BREAKS,
)
def test_emitted_scalars_of_every_style_hold_their_places(
    value: str, style: str | None, width: int, unicode: bool, line_break: str
) -> None:
    """Whatever a writer of YAML makes of a text, each of its letters is found again."""
    source = yaml.safe_dump(
        {"k": value, "l": [value, {"m": value}]},
        default_style=style,
        width=width,
        allow_unicode=unicode,
        line_break=line_break,
    )
    assert _hold_their_places(source) >= 3


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from("|>"),
    st.sampled_from(["", "-", "+", "1", "2", "2-", "+1"]),
    st.sampled_from(["", " ", "  # why"]),
    st.lists(st.tuples(st.integers(0, 5), LETTERS.filter(lambda text: not FOLDS & set(text))), min_size=1, max_size=6),
    st.sampled_from(["", "{b}", "{b}{b}", "{b}z: 1", "{b}  ", "{b}# why{b}"]),
    BREAKS,
)
def test_blocks_written_by_hand_hold_their_places(
    sign: str, mark: str, comment: str, lines: list[tuple[int, str]], end: str, line_break: str
) -> None:
    """Indicators, deeper lines, blank lines, comments after the sign, an end without a line break."""
    body = line_break.join(" " * (2 + indent) + text for indent, text in lines)
    source = f"k: {sign}{mark}{comment}{line_break}{body}{end.format(b=line_break)}"
    assume(parse_document(source, "f").root is not None)
    assert _hold_their_places(source) >= 1


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["", "'", '"']),
    st.lists(LETTERS, min_size=1, max_size=4),
    st.sampled_from(["", "\\", " \\", "\\x41", "\\u6f22", "\\U0001F600", "\\N", "\\t", '\\"', "\\/"]),
    st.sampled_from(["k: ", "- &a ", "\ufeffk: ", "[a, ", "漢字: "]),
    BREAKS,
)
def test_flow_scalars_written_by_hand_hold_their_places(
    quote: str, parts: list[str], escape: str, before: str, line_break: str
) -> None:
    """Folded lines, escaped line breaks, every escape, after an anchor, a byte order mark, wide letters."""
    text = (escape if quote == '"' else "").join(parts).replace("\n", line_break + "   ")
    source = f"{before}{quote}{text}{quote}{']' if before == '[a, ' else ''}"
    document = parse_document(source, "f")
    assume(document.root is not None and not any(problem.rule == "yaml-braces" for problem in document.problems))
    _hold_their_places(source)


@pytest.mark.parametrize(
    ("source", "word", "line", "column"),
    [
        ("k: some word here", "word", 1, 9),
        ("k: some\n  longer word", "word", 2, 10),
        ("k: 'it''s a word'", "word", 1, 13),
        ('k: "\\u6f22\\x41 word"', "word", 1, 16),
        ('k: "one \\\n   two word"', "word", 2, 8),
        ("k: |\n  one\n    two word\n", "word", 3, 9),
        ("k: >-\n  one\n  two word\n\n  x\n", "word", 3, 7),
        ("k: >2\n    deep word\n  x\n", "word", 2, 10),
        ("漢字: 漢 word", "word", 1, 7),
        ("\ufeffk: word", "word", 1, 4),
        ("k: a\tword", "word", 1, 6),
        ("k: |\r\n  one\r\n  word\r\n", "word", 3, 3),
        ("k: &name 'a word'", "word", 1, 13),
    ],
)
def test_a_word_is_found_in_its_line_and_column(source: str, word: str, line: int, column: int) -> None:
    """The styles one by one, so that a failure above has a name here."""
    document = parse_document(source, "f.yaml")
    scalar = document.at(["k"]) if "k" in source else document.at(["漢字"])
    assert isinstance(scalar, Scalar)
    at = scalar.text.index(word)
    span = document.span_in(scalar, at, at + len(word))
    assert (span.line, span.column, span.end_column) == (line, column, column + len(word))


def test_a_range_over_two_lines_ends_with_the_first() -> None:
    """A caret is on one line."""
    document = parse_document("k: >\n  one two\n  three\n", "f.yaml")
    scalar = document.at(["k"])
    assert isinstance(scalar, Scalar)
    span = document.span_in(scalar, 4, 12)
    assert (span.line, span.column, span.end_column) == (2, 7, 10)


def test_a_range_outside_the_text_is_the_nearest_place() -> None:
    """An expression that ends too early is complained about behind its last letter."""
    document = parse_document("k: abc\ne: ''\n", "f.yaml")
    k, e = document.at(["k"]), document.at(["e"])
    assert isinstance(k, Scalar)
    assert isinstance(e, Scalar)
    assert (document.span_in(k, 3, 4).column, document.span_in(k, 9, 9).column) == (7, 7)
    assert (document.span_in(k, -5, 1).column, document.span_in(k, 1, 1).column) == (4, 5)
    assert document.span_in(e, 0, 1).column == 4


def test_many_columns_of_one_long_text_are_scanned_once() -> None:
    """A thousand complaints about one text cost one scan, not a thousand."""
    document = parse_document("k: " + "word " * 20_000, "f.yaml")
    scalar = document.at(["k"])
    assert isinstance(scalar, Scalar)
    spans = {document.span_in(scalar, at, at + 4).column for at in range(0, 50_000, 5)}
    assert len(spans) == 10_000
