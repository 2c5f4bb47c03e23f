"""The shape of a line of posts: what is read, what is refused and in which words, what hostile lines come to."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.post import Post
from signal_playbooks.sources.posts import LONGEST_LINE, BadLine, read_line, read_posts

NOW = datetime(2026, 4, 16, 12, 0, tzinfo=UTC)
CASES = sorted((Path(__file__).parent / "lines").glob("*.jsonl"))
LEAST = {"id": "a", "url": "https://x.example/a", "title": "t"}


def _post(**fields: Any) -> Post:
    read = read_line(json.dumps(LEAST | fields), 1, "archive", NOW)
    assert isinstance(read, Post), read
    return read


def _bad(text: str) -> str:
    read = read_line(text, 7, "archive", NOW)
    assert isinstance(read, BadLine), read
    assert read.number == 7
    return read.sentence


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_each_bad_line_is_refused_in_the_words_beside_it(case: Path) -> None:
    """A person fixes a file by these sentences; a new case is a line here and one in the file beside it."""
    said = [
        f"{line.number}: {line.sentence}" if isinstance(line, BadLine) else f"{line} was taken"
        for line in read_posts(case, "archive", NOW)
    ]
    assert said == case.with_suffix(".out").read_text("utf-8").splitlines()


def test_a_whole_line_becomes_a_whole_post() -> None:
    """Every field arrives where it belongs."""
    fields = {
        "id": 4011,
        "url": "https://board.example/item/4011",
        "link": "https://news.example/a?b=1",
        "title": "A\n title",
        "body": "two\nlines\n",
        "author": "ana",
        "author_karma": 12,
        "score": -3,
        "comments": 0,
        "published_at": "2026-04-16T10:00:00+02:00",
        "language": "pt-BR",
        "place": "c/bootstrapped",
        "parent_id": "4000",
    }
    assert read_line(json.dumps(fields), 1, "board", NOW) == Post(
        source="board",
        native_id="4011",
        url="https://board.example/item/4011",
        link="https://news.example/a?b=1",
        title="A title",
        body="two\nlines",
        author="ana",
        author_karma=12,
        score=-3,
        comments=0,
        published_at=datetime(2026, 4, 16, 8, 0, tzinfo=UTC),
        language="pt-BR",
        place="c/bootstrapped",
        parent_id="4000",
    )


def test_what_a_line_does_not_say_stays_unknown() -> None:
    """Never an invented 0, and never an invented date."""
    post = _post()
    assert (post.score, post.comments, post.author_karma, post.published_at, post.author) == (None,) * 5


@pytest.mark.parametrize(
    ("age", "back"), [("20m", timedelta(minutes=20)), ("3h", timedelta(hours=3)), ("60d", timedelta(60))]
)
def test_an_age_counts_back_from_now(age: str, back: timedelta) -> None:
    """Samples say how old a post is, so that they never go stale."""
    assert _post(age=age).published_at == NOW - back


@pytest.mark.parametrize("handle", [None, "", "  ", "[deleted]", "[Removed]"])
def test_a_deleted_author_is_nobody(handle: str | None) -> None:
    """Nothing may look such a handle up, or print it."""
    assert _post(author=handle).author is None


def test_a_byte_order_mark_is_passed_over() -> None:
    """Spreadsheets write one in front of the first line."""
    assert isinstance(read_line("\ufeff" + json.dumps(LEAST), 1, "archive", NOW), Post)


def test_characters_that_no_text_may_hold_are_removed() -> None:
    """A lone surrogate or a NUL would break what is written later, far from here."""
    post = read_line('{"id":"a","url":"https://x.example/a","title":"x\\ud83d\\u0000y","body":"b\\u0000"}', 1, "s", NOW)
    assert isinstance(post, Post)
    assert post.text.encode("utf-8")
    assert "\0" not in post.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"id":' + "[" * 100_000, "nested too deeply"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"title": "' + "x" * LONGEST_LINE + '"}', "longer than"),
        ('{"score": ' + "9" * 5_000 + "}", "not JSON"),
        ("", "not JSON"),
    ],
    ids=["open", "closed", "long", "digits", "empty"],
)
def test_a_hostile_line_is_a_bad_line(text: str, says: str) -> None:
    """One such line must not end an import of a million good ones."""
    assert says in _bad(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from([*LEAST, "score", "age", "link", "published_at", "author", "parent_id"]) | st.text(),
                inner,
            )
        ),
    )
)
def test_any_json_is_a_post_or_a_bad_line(value: object) -> None:
    """Lines come from strangers: whatever they hold, the reader answers in one of two ways."""
    for given_value in (value, LEAST | value if isinstance(value, dict) else LEAST | {"score": value}):
        read = read_line(json.dumps(given_value), 1, "archive", NOW)
        if isinstance(read, Post):
            read.text.encode("utf-8")
            assert read.native_id
        else:
            assert read.sentence.endswith((".", "?"))


@given(st.text())
def test_any_text_is_a_post_or_a_bad_line(text: str) -> None:
    """Not even JSON can be counted on."""
    assert isinstance(read_line(text, 1, "archive", NOW), BadLine | Post)


def test_a_file_is_read_line_by_line_and_a_bad_line_costs_only_itself(tmp_path: Path) -> None:
    """Not UTF-8, far too long, blank, and a last line without an end: the good ones arrive, the numbers are right."""
    good = json.dumps(LEAST).encode()
    file = tmp_path / "posts.jsonl"
    file.write_bytes(
        b"\n".join(
            [b"\xef\xbb\xbf" + good, b"", b'{"id": "\xff"}', b"x" * (LONGEST_LINE * 2), b" \r", good + b"\r", good]
        )
    )
    read = list(read_posts(file, "archive", NOW))
    assert [type(line) for line in read] == [Post, BadLine, BadLine, Post, Post]
    assert [line.number for line in read if isinstance(line, BadLine)] == [3, 4]
