"""Text is compared by folded words and cut so that nothing a person sees as one character is broken."""

import sqlite3
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from signal_playbooks.text import (
    breaks_at,
    clean,
    cut,
    fold,
    folded_pieces,
    index_phrase,
    index_text,
    jaccard,
    phrase_pieces,
    piece_spans,
    pieces,
    words,
)

FAMILY = "👨‍👩‍👧‍👦"
FLAG = "🇫🇷"
MIXED = "Plinthly’s C# client — 東京タワーで ครับ हिन्दी node.js é e\u0301 👍🏽 "
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
# Text in which what must not be broken is frequent.
CLUSTERS = [
    FAMILY,
    FLAG,
    "e\u0301",
    "👍🏽",
    "1\ufe0f\u20e3",
    "\u1112\u1161\u11ab",
    "가\u11a8",
    "क्षि",
    "ก็",
    "ﾊﾞ",
    "\r\n",
    "\ud83d\ude00",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
]
# Text in which what must not be broken is frequent, whole and in pieces.
KNOTTY = st.lists(
    st.sampled_from(
        [*CLUSTERS, "🇫", "\u0301", "\ud83d", "\ude00", "\u200d", "word", " ", "a", "東京", ",", "…", "x" * 80]
    ),
    max_size=30,
).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C# and C++20 in .NET, not C", ["c#", "and", "c++", "20", "in", ".net", "not", "c"]),
        ("node.js don’t v1.2 1,000", ["node.js", "don't", "v1.2", "1,000"]),
        ("It broke.Then open-source snake_case", ["it", "broke", "then", "open", "source", "snake", "case"]),
        ("l’outil, j'ai, qu'il", ["l'", "outil", "j'", "ai", "qu'", "il"]),
        ("東京都", ["東京", "京都"]),
        ("猫 iPhone修理", ["猫", "iphone", "修理"]),
        ("ｶﾞﾗｽ Ｐｌｉｎｔｈｌｙ", ["ガラ", "ラス", "plinthly"]),
        ("플린틀리는 느려요", ["플린틀리는", "느려요"]),
        ("हिन्दी می‌خواهم", ["हिन्दी", "می\u200cخواهم"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("", []),
        ("👍 — …", []),
    ],
)
def test_words_are_what_a_person_would_call_words(text: str, expected: list[str]) -> None:
    """Signs that belong to a name stay in it; scripts without blanks are read as pairs."""
    assert [word.folded for word in words(text)] == expected


@given(ANY_TEXT)
def test_every_word_stands_where_it_says(text: str) -> None:
    """Places are what quotes and excerpts are cut by."""
    for word in [*words(text), *pieces(text)]:
        assert text[word.start : word.end] == word.text


@given(ANY_TEXT | KNOTTY)
def test_the_quick_ways_say_the_same_as_the_full_one(text: str) -> None:
    """Matching reads folded pieces and places apart; they must be of the same pieces."""
    assert folded_pieces(text) == [piece.folded for piece in pieces(text)]
    assert piece_spans(text) == [(piece.start, piece.end) for piece in pieces(text)]


@given(ANY_TEXT)
def test_folding_is_done_once(text: str) -> None:
    """Folded text is compared with folded text, never with text folded twice."""
    assert fold(fold(text)) == fold(text)


def test_an_apostrophe_is_one_whatever_its_shape() -> None:
    """Phones write ’, keyboards write '."""
    assert fold("don’t") == fold("DON'T")


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("node.js", "We moved to Node.js last year"),
        ("C#", "Any C# people here?"),
        ("京都", "東京都の"),
        ("東京 tower", "the 東京 Tower"),
        ("iPhone修理", "うちのiPhone修理店"),
        ("修理iPhone", "x 修理iPhone y"),
        ("हिन्दी", "यह हिन्दी है"),
    ],
)
def test_a_phrase_is_found_in_a_real_index_by_its_tokens(part: str, whole: str) -> None:
    """What is indexed and what is asked go through the same door, so SQLite's own tokenizer finds one in the other."""
    with sqlite3.connect(":memory:") as database:
        database.execute("create virtual table posts using fts5(body, tokenize='unicode61')")
        database.execute("insert into posts values (?)", (index_text(whole),))
        asked = f'"{" ".join(index_phrase(part))}"'
        assert database.execute("select count(*) from posts where posts match ?", (asked,)).fetchone() == (1,)
    database.close()


def test_a_single_character_of_an_unspaced_script_begins_some_piece_of_every_text_it_stands_in() -> None:
    """The last of a run begins no pair; it follows once more alone, so a prefix query finds it."""
    for text in ("東京都", "京都", "都"):
        assert any(piece.folded.startswith("都") for piece in pieces(text))


def test_names_with_signs_are_told_from_the_bare_letter() -> None:
    """Who asks for C does not want C#, in the index as little as in the match."""
    assert "c" not in index_text("C# and C++").split()


@given(ANY_TEXT)
def test_the_index_is_given_only_letters_digits_and_blanks(text: str) -> None:
    """Then no tokenizer can split it in its own way, and nothing in it can be syntax."""
    assert all(character == " " or character.isalnum() for character in index_text(text))


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_a_text_is_found_in_a_longer_one_between_blanks(before: str, part: str, after: str) -> None:
    """The tokens of a part stand side by side in the whole, the last perhaps as a beginning."""
    asked = [piece.folded for piece in phrase_pieces(part)]
    whole = folded_pieces(f"{before} \n {part} \n {after}")
    size = len(asked)
    assert not asked or any(
        whole[place : place + size - 1] == asked[:-1] and whole[place + size - 1].startswith(asked[-1])
        for place in range(len(whole) - size + 1)
    )


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_what_is_seen_as_one_character_is_not_broken_and_ends_where_it_ends(cluster: str) -> None:
    """The rules of UAX 29, of which these are the ones that posts contain."""
    text = f"a{cluster}b"
    places = [place for place in range(len(text) + 1) if breaks_at(text, place)]
    assert places == [0, 1, len(text) - 1, len(text)]


@given(ANY_TEXT | KNOTTY, st.integers(0, 70))
def test_a_cut_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    """Destinations refuse what is a character too long."""
    assert len(cut(text, limit)) <= limit
    assert len(cut(text, limit, around=(limit, limit + 5))) <= limit


@given(KNOTTY, st.integers(1, 70), st.integers(0, 80), st.integers(0, 10))
def test_a_cut_breaks_no_cluster(text: str, limit: int, start: int, size: int) -> None:
    """Half a family, half a flag or a letter without its accent is another text."""
    assume("…" not in text)  # the mark of a cut; one of the text's own could not be told from it here
    for shown in (cut(text, limit), cut(text, limit, around=(start, start + size))):
        kept = shown if shown == text else shown.removeprefix("…").removesuffix("…")
        places = [place for place in range(len(text) + 1) if text.startswith(kept, place)]
        assert any(breaks_at(text, place) and breaks_at(text, place + len(kept)) for place in places)


@given(st.text(st.characters(codec="utf-8"), max_size=80), st.integers(0, 60))
def test_what_is_cut_is_valid_utf8(text: str, limit: int) -> None:
    """No cut may make a surrogate half of a character."""
    cut(text, limit).encode()


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 10, "short"),
        ("hello wonderful world of things", 20, "hello wonderful…"),
        ("hello wonderful, world", 17, "hello wonderful…"),
        ("ab" + FAMILY + "cd", 5, "ab…"),
        (FLAG + FLAG, 3, FLAG[:2] + "…"),
        ("x" * 100, 10, "xxxxxxxxx…"),
        ("値上げのお知らせです", 6, "値上げのお…"),
        ("anything", 0, ""),
        ("anything", 1, "…"),
    ],
)
def test_a_cut_falls_between_words(text: str, limit: int, expected: str) -> None:
    """A reader sees whole words, and that something is missing."""
    assert cut(text, limit) == expected


def test_a_window_shows_the_part_that_matters_with_both_ends_marked() -> None:
    """An excerpt begins near what matched, not at the beginning of a long post."""
    text = "filler " * 50 + "Plinthly raised its price" + " more" * 50
    start = text.index("Plinthly")
    shown = cut(text, 60, around=(start, start + 8))
    assert "Plinthly raised" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert not shown.startswith("… ")


@given(st.text("ab \n", max_size=200), st.integers(12, 60), st.integers(0, 200))
def test_a_window_holds_what_it_is_around(text: str, limit: int, start: int) -> None:
    """What matched is seen, if it is short enough to be."""
    start = min(start, len(text))
    part = text[start : start + 3]
    assert part.rstrip() in cut(text, limit, around=(start, start + len(part)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\ud83db", "a�b"),
        ("a\ud83d\ude00b", "a😀b"),
        ("a\x00b\x1b[0m\x9b", "ab[0m"),
        ("a\r\nb\rc\u2028d\te", "a\nb\nc\nd\te"),
        ("hi\U000e0041\U000e0042", "hi"),
        (CLUSTERS[-1], CLUSTERS[-1]),
        (MIXED, MIXED),
    ],
)
def test_clean_text_is_valid_and_shows_everything_it_says(text: str, expected: str) -> None:
    """Control characters steer terminals, tag characters speak to models only: neither gets through."""
    assert clean(text) == expected


@given(ANY_TEXT)
def test_any_text_becomes_valid_utf8(text: str) -> None:
    """A lone half of a pair in JSON must not stop a listen when its answer is written."""
    tidy = clean(text)
    tidy.encode()
    assert clean(tidy) == tidy
    assert not any(unicodedata.category(character) == "Cc" and character not in "\n\t" for character in tidy)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("one two", "Two one!", 1.0), ("one two", "two three", 1 / 3), ("one", "two", 0.0), ("", "", 0.0)],
)
def test_likeness_is_the_share_of_words_in_common(a: str, b: str, expected: float) -> None:
    """Order, case and repetition say nothing about being a copy."""
    assert jaccard(a, b) == pytest.approx(expected)


def test_a_hostile_length_costs_no_more_than_its_length() -> None:
    """A pattern that backtracks would hang on one of these."""
    for text in ("a." * 50_000, "'" * 100_000, "a\u0301" * 50_000, "東" * 100_000, "\u200d" * 100_000, "c+" * 50_000):
        assert len(words(text)) <= len(text)
        assert len(cut(text, 280)) <= 280
