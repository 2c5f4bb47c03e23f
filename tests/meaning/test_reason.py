"""A reason is evidence: every word it quotes stands in the post; a summary never takes a failure for silence."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.listen import Coverage
from signal_playbooks.contract.signal import Engagement, Place, Signal, SignalAuthor
from signal_playbooks.contract.vocabulary import CoverageState, Intent
from signal_playbooks.meaning.match import Match, Matcher
from signal_playbooks.meaning.query import read_query
from signal_playbooks.meaning.reason import (
    LONGEST_EXCERPT,
    LONGEST_HEADLINE,
    LONGEST_REASON,
    excerpt,
    headline,
    match_reason,
    summary,
)
from signal_playbooks.post import Post

NOW = datetime(2026, 4, 16, 12, tzinfo=UTC)
QUOTED = re.compile("“([^”]*)”")
SIGNS = ["“so”", '"', "\n", " ", ".", "»", "\u202e", "値上げ", "👨‍👩‍👧", "é", "x" * 50]
BITS = st.sampled_from([*SIGNS, "Plinthly", "price", "expensive", "is", "fed up"])


def post(title: str = "", body: str = "") -> Post:
    """Return a post of which only the text matters."""
    return Post("board", "1", "https://board.example/1", title=title, body=body)


def matched(subject: Post, vocabulary: Vocabulary, wish: str = "people leaving Plinthly over price") -> Match:
    """Return how a post matches a wish that it is known to match."""
    outcome = Matcher(read_query(wish, vocabulary, now=NOW, freshness="any"), vocabulary).match(subject)
    assert outcome is not None
    return outcome


def place(source: str) -> Place:
    """Return another place of a story."""
    return Place(source=source, url=f"https://{source}.example", engagement=Engagement(score=None, comments=None))


def test_a_reason_says_what_matched_where_and_what_made_the_intent(vocabulary: Vocabulary) -> None:
    """This is what an agent decides by."""
    subject = post("Plinthly pricing", "I am fed up. The bill doubled.")
    reason = match_reason(
        subject,
        matched(subject, vocabulary),
        intent="complaining",
        confidence=0.9,
        words=("fed up",),
        places=(place("subs"), place("feed")),
    )
    assert reason == (
        "“Plinthly” and “pricing” in the title, “bill” in the text; "
        "“fed up” reads as complaining; also on subs and 1 more."
    )


@pytest.mark.parametrize(
    ("confidence", "words", "told"),
    [
        (0.4, (), "; asking is a guess."),
        (0.4, ("anyone",), "; asking is a guess from “anyone”."),
        (0.8, (), "; the whole reads as asking."),
        (0.8, ("anyone", "know"), "; “anyone” and “know” read as asking."),
        (0.8, ("invented",), "; the whole reads as asking."),
    ],
)
def test_a_guess_is_called_a_guess(
    confidence: float, words: tuple[str, ...], told: str, vocabulary: Vocabulary
) -> None:
    """Under 0.6 the label is one; and words that are not in the post are never shown as if they were."""
    subject = post(body="Does anyone know Plinthly?")
    reason = match_reason(subject, matched(subject, vocabulary), intent="asking", confidence=confidence, words=words)
    assert reason == f"“Plinthly” in the body{told}"


@given(
    title=st.lists(BITS, max_size=8).map(" ".join),
    body=st.lists(BITS, max_size=25).map(" ".join),
    words=st.lists(BITS, max_size=3),
    sources=st.lists(st.sampled_from(["subs", "feed", "s" * 60]), max_size=3),
    confidence=st.sampled_from([0.2, 0.9]),
)
def test_every_quoted_word_stands_in_the_post(
    title: str, body: str, words: list[str], sources: list[str], confidence: float, vocabulary: Vocabulary
) -> None:
    """Whatever the post: one line, at most 160 characters, nothing quoted that is not there."""
    subject = post(title, f"{body} Plinthly")
    reason = match_reason(
        subject,
        matched(subject, vocabulary),
        intent="complaining",
        confidence=confidence,
        words=words,
        places=[place(source) for source in sources],
    )
    assert len(reason) <= LONGEST_REASON
    assert "\n" not in reason
    assert QUOTED.findall(reason)
    for quote in QUOTED.findall(reason):
        assert quote
        assert quote in subject.text


@given(title=st.lists(BITS, max_size=40).map(" ".join), body=st.lists(BITS, max_size=120).map(" ".join))
def test_headline_and_excerpt_are_one_line_within_their_limits(title: str, body: str, vocabulary: Vocabulary) -> None:
    """They stand in lists and tables."""
    subject = post(title, f"{body} Plinthly")
    for shown, limit in (
        (headline(subject), LONGEST_HEADLINE),
        (excerpt(subject, matched(subject, vocabulary)), LONGEST_EXCERPT),
    ):
        assert 0 < len(shown) <= limit
        assert "\n" not in shown


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("A  title\nof two lines", "and a body", "A title of two lines"),
        ("", "The first sentence. The second.", "The first sentence."),
        ("", "最初の文。次の文。", "最初の文。"),
        ("", "version 1.2 is out", "version 1.2 is out"),
        (" ", "\n", "(no text)"),
    ],
)
def test_a_post_without_a_title_is_headed_by_its_first_sentence(title: str, body: str, expected: str) -> None:
    """Comments and toots have none."""
    assert headline(post(title, body)) == expected


def test_an_excerpt_shows_what_matched_in_a_long_post(vocabulary: Vocabulary) -> None:
    """The beginning of a long post says nothing about why it was heard."""
    subject = post("A long story", "Once upon a time. " * 100 + "Then Plinthly doubled the price. " + "The end. " * 100)
    shown = excerpt(subject, matched(subject, vocabulary))
    assert "Plinthly doubled the price" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")


def test_an_excerpt_of_a_bare_title_is_the_title(vocabulary: Vocabulary) -> None:
    """A link post has no body."""
    subject = post("Plinthly raises its price")
    assert excerpt(subject, matched(subject, vocabulary)) == "Plinthly raises its price"


def signal(source: str = "board", intent: Intent = "complaining") -> Signal:
    """Return a signal of which only source and intent matter."""
    return Signal(
        id="sig_1",
        source=source,
        url="https://board.example/1",
        headline="h",
        excerpt="e",
        intent=intent,
        intent_confidence=0.9,
        other_intents=[],
        author=SignalAuthor(handle=None, karma_bucket="unknown"),
        engagement=Engagement(score=None, comments=None),
        captured_at=NOW,
        first_seen_at=NOW,
        freshness_bucket="today",
        match_reason="r",
        also_seen=[],
        language=None,
    )


def line(source: str, state: CoverageState) -> Coverage:
    """Return a source's account."""
    return Coverage(source=source, state=state, fetched=0, matched=0, waited_ms=1, note=None, suggested_action=None)


def test_a_summary_says_what_was_heard_and_what_could_not_be() -> None:
    """In two sentences."""
    heard = [signal(), signal(), signal("subs", "asking")]
    told = summary(
        "plinthly", "this_week", heard, 4, [line("board", "ok"), line("subs", "ok"), line("micro", "blocked")]
    )
    assert told == (
        "7 signals for “plinthly” in the last 7 days, of which 3 are shown, from 2 sources, mostly complaining. "
        "Not heard in full: micro (blocked); what stands there is not known."
    )


def test_a_summary_of_one_signal_speaks_of_one() -> None:
    """Grammar is part of trust."""
    assert summary("plinthly", "any", [signal()], 0, [line("board", "ok")]) == (
        "1 signal for “plinthly”, from 1 source, complaining. The one source answered."
    )


def test_nothing_found_where_everything_answered_says_what_to_try() -> None:
    """Then it is silence, and other words may help."""
    told = summary("plinthly", "today", [], 0, [line("board", "no_results"), line("subs", "ok"), line("x", "skipped")])
    assert told == (
        "Nothing that matches “plinthly” was found in the last 24 hours where it could be heard. "
        "All 2 sources answered: other words or a longer freshness may find more."
    )


@pytest.mark.parametrize(
    "state", ["partial", "rate_limited", "needs_auth", "blocked", "unreachable", "timeout", "changed", "error"]
)
def test_a_source_that_failed_is_never_told_as_silence(state: CoverageState) -> None:
    """Nobody may read that nobody talks about it where nobody could listen."""
    told = summary("plinthly", "any", [], 0, [line("a", state), line("b", "no_results")])
    assert "Not heard in full: a (" in told
    assert told.endswith("what stands there is not known.")
    assert "sources answered" not in told


def test_many_failures_are_counted_and_a_hostile_wish_stays_in_one_line() -> None:
    """A summary is two sentences, however much went wrong and whatever was asked."""
    told = summary("x\n\n" * 100, "any", [], 0, [line(f"s{n}", "timeout") for n in range(9)])
    assert "and 4 more" in told
    assert "\n" not in told
    assert len(told) < 400
