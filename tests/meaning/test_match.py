"""A post is what a query asks for by whole words, wherever they stand, and by nothing else."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.meaning.match import Match, Matcher, match
from signal_playbooks.meaning.query import read_query
from signal_playbooks.post import Post

NOW = datetime(2026, 4, 16, 12, tzinfo=UTC)


def post(title: str = "", body: str = "") -> Post:
    """Return a post of which only the text matters."""
    return Post(source="board", native_id="1", url="https://board.example/1", title=title, body=body)


def found(wish: str, vocabulary: Vocabulary, title: str = "", body: str = "") -> Match | None:
    """Return how a post of this text matches the wish."""
    return match(read_query(wish, vocabulary, now=NOW, freshness="any"), post(title, body), vocabulary)


@pytest.mark.parametrize(
    ("wish", "title", "matches"),
    [
        ("mac", "Machine learning 101", False),
        ("mac", "New MAC released", True),
        ("mac", "MacBook Air", False),
        ("mac", "mac's fans", True),
        ("mac*", "MacBook Air", True),
        ("mac*", "Machine learning 101", True),
        ("mac*", "The stomach", False),
        ("C", "C# for beginners", False),
        ("C#", "c# for beginners", True),
        ("C#", "A major in C", False),
        ("node.js", "Node JS and node-js", True),
        ("node.js", "Node and js", False),
        ("Plinthly", "plinthly.example is down", True),
        ("Plinthly", "@Plinthly #plinthly", True),
        ("Plinthly", "Plinthlysomething", False),
        ("kubernetes cost", "What Kubernetes costs us", True),
        ("kubernetes cost", "Kubernetes costumes", False),
        ("kubernetes cost", "The cost of it", False),
        ("webhook retries", "Webhooks: each retry is billed", True),
        ('"price hike"', "Another price hike", True),
        ('"price hike"', "A hike in price", False),
        ("Plinthly -jobs", "Plinthly jobs", False),
        ("Plinthly -jobs", "Plinthly job", True),
        ('Plinthly -"press release"', "Plinthly press-release", False),
        ('Plinthly -"press release"', "Plinthly released to the press", True),
        ("Plinthly OR Tavorel", "Tavorel is fine", True),
        ("Plinthly Tavorel", "Tavorel is fine", False),
        ("people leaving Plinthly over price", "Plinthly and nothing else", True),
        ("slow dashboards", "They are slow", False),
        ("slow dashboards on phones", "It is so sluggish", True),
        ("slow dashboards on phones", "It is so nice", False),
        ("東京", "東京都の天気", True),
        ("京都", "東京都の天気", True),
        ("県", "東京都と千葉県", True),
        ("北京", "東京都の天気", False),
        ("Plinthlyの値上げ", "Plinthlyが値上げした", True),
        ("café", "CAFÉ", True),
        ("Straße", "STRASSE", True),
    ],
)
def test_words_are_matched_whole(wish: str, title: str, matches: bool, vocabulary: Vocabulary) -> None:
    """Neither the middle of a word nor, unasked, its beginning is a match."""
    assert (found(wish, vocabulary, title) is not None) is matches
    assert (found(wish, vocabulary, body=title) is not None) is matches


@pytest.mark.parametrize(
    ("text", "is_the_product"),
    [
        ("Beacon paged us 41 times last night", False),
        ("Beacon paged us again. Their status page said nothing.", True),
        ("We moved from Beacon to Wakepost", True),
        ("switched to beacon, alerts are quicker", True),
        ("beacon.io is down", True),
        ("A beacon with 140 years of uptime and one outage", False),
        ("The beacon at the pier was lit again", False),
        ("Bluetooth beacons for finding the cat", False),
        ("Up at the beacon hill for the fire", False),
        ('"A beacon of hope", says the minister', False),
        ("BEACON LIGHTS OF THE NORTHERN COAST", False),
        ("The Best Beacon Walks On The Coast", False),
    ],
)
def test_an_ordinary_word_is_a_product_by_its_capital_and_its_company(
    text: str, is_the_product: bool, vocabulary: Vocabulary
) -> None:
    """Beacon the monitor is not the lighthouse."""
    assert (found("Beacon", vocabulary, body=text) is not None) is is_the_product


def test_a_lower_case_wish_for_an_ordinary_word_means_the_word(vocabulary: Vocabulary) -> None:
    """Who types beacon alone may well mean lighthouses."""
    assert found("beacon", vocabulary, body="The beacon at the pier was lit again")


def test_another_word_of_the_wish_is_company_enough(vocabulary: Vocabulary) -> None:
    """Who asks about Beacon and false alarms gets the post that speaks of both."""
    assert found("Beacon paging at night", vocabulary, body="Beacon paged us 41 times last night")


def test_places_are_those_of_the_words_as_written(vocabulary: Vocabulary) -> None:
    """Reasons quote and excerpts are cut by them."""
    title, body = "PLINTHLY’s prices", "Ça coûte trop. Pricing at Plinthly!"
    outcome = found("people leaving plinthly over price", vocabulary, title, body)
    assert outcome is not None
    assert [(term.role, term.in_title, term.text) for term in outcome.terms] == [
        ("must", True, "PLINTHLY"),
        ("any", True, "prices"),
        ("any", False, "Pricing"),
        ("any", False, "coûte"),
    ]
    for term in outcome.terms:
        assert (title if term.in_title else body)[term.start : term.end] == term.text


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (("Plinthly is too expensive", ""), ("Plinthly is nice", "")),
        (("Plinthly is down", ""), ("", "Plinthly is down")),
        (("", "Plinthly is down"), ("", "Something else. " * 200 + "Plinthly is down")),
        (("", "People are leaving Plinthly"), ("", "Plinthly")),
    ],
)
def test_a_text_that_is_more_about_the_wish_scores_higher(
    better: tuple[str, str], worse: tuple[str, str], vocabulary: Vocabulary
) -> None:
    """A name in the title says more than one in passing, and every word that was asked for says something."""
    high, low = (found("people leaving Plinthly over price", vocabulary, *text) for text in (better, worse))
    assert high is not None
    assert low is not None
    assert 0 < low.score < high.score <= 1


@given(
    wish=st.sampled_from(["Plinthly price", '"a b" c*', "値 plinthly", "Beacon", "C# -x", "slow OR 東京 dashboards"]),
    title=st.text(max_size=30),
    body=st.lists(
        st.sampled_from(["Plinthly", "beacon", "Beacon", "値上げ", "a b", "c#", "\ud83d", " ", ". ", "x", "é"]),
        max_size=20,
    ),
)
def test_any_post_can_be_matched(wish: str, title: str, body: list[str], vocabulary: Vocabulary) -> None:
    """Posts are strangers' text: whatever it is, there is a match with places inside it, or none."""
    subject = post(title, "".join(body))
    outcome = match(read_query(wish, vocabulary, now=NOW, freshness="any"), subject, vocabulary)
    for term in outcome.terms if outcome else ():
        assert (subject.title if term.in_title else subject.body)[term.start : term.end] == term.text != ""
    assert outcome is None or 0 <= outcome.score <= 1


@given(
    said=st.lists(
        st.sampled_from(["Plinthly", "webhook", "東京", "node.js", "C#", "l'outil", "AT&T"]), min_size=1, max_size=4
    )
)
def test_a_post_that_says_the_wish_itself_matches_it(said: list[str], vocabulary: Vocabulary) -> None:
    """Whatever a wish requires stands in the wish, so its own words fulfil it."""
    wish = " ".join(said)
    assert found(wish, vocabulary, body=f"so: {wish}!")


def test_a_matcher_says_what_match_says(vocabulary: Vocabulary) -> None:
    """One for many posts is only quicker."""
    query = read_query("people leaving Plinthly over price", vocabulary, now=NOW, freshness="any")
    matcher = Matcher(query, vocabulary)
    for title in ("Plinthly price", "nothing", "leaving Plinthly"):
        assert matcher.match(post(title)) == match(query, post(title), vocabulary)
