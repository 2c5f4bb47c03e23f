"""An author's role is a hint with its evidence: enough of their own words and none against, or it is unknown."""

import json
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.inspect import AuthorContext
from signal_playbooks.meaning.author import AuthorReader, read_author
from signal_playbooks.post import Post

NOW = datetime(2026, 4, 16, 12, tzinfo=UTC)
ROOT = Path(__file__).parents[2]


def post(body: str, *, days: float | None = 1, title: str = "", place: str | None = "c/den") -> Post:
    """Return a post of some days ago."""
    published = None if days is None else NOW - timedelta(days=days)
    return Post("den", body, "https://den.example/1", title=title, body=body, published_at=published, place=place)


@pytest.fixture(scope="session")
def reader(vocabulary: Vocabulary) -> AuthorReader:
    """Return a reader over the shipped vocabulary."""
    return AuthorReader(vocabulary)


def read(reader: AuthorReader, *bodies: str) -> AuthorContext:
    """Return what these posts of yesterday say of their author."""
    return reader.read("sam", [post(body) for body in bodies], NOW)


@pytest.mark.parametrize(
    ("role", "bodies"),
    [
        ("indie_founder", ["My two-person SaaS sends reminders.", "Our MRR crossed four thousand."]),
        ("indie_founder", ["I'm a solo founder, so I do support too.", "We're bootstrapped and like it."]),
        ("indie_founder", ["Mein SaaS hat jetzt 200 Kunden.", "Wir sind zu zweit und ohne Investoren."]),
        ("indie_founder", ["Soy fundadora de una empresa de dos personas.", "Mi SaaS paga el alquiler."]),
        ("indie_founder", ["Sou fundador e meu sócio programa.", "Nosso MRR dobrou."]),
        ("indie_founder", ["Je suis fondatrice, ma startup a un an.", "Notre MRR stagne."]),
        ("enterprise_dev", ["Our procurement team wants a quote.", "We have 3,000 engineers behind one proxy."]),
        ("enterprise_dev", ["Unsere Einkaufsabteilung prüft das.", "Der Betriebsrat muss zustimmen."]),
        ("enterprise_dev", ["Notre service achats demande un devis.", "La DSI bloque."]),
        ("student", ["My thesis is due in June.", "Our professor wants it in LaTeX."]),
        ("student", ["Meu TCC usa isso.", "Na faculdade ninguém conhece."]),
        ("student", ["卒論で使いたいです。", "大学のサーバーが遅い。"]),
        ("enthusiast", ["Runs in my homelab.", "I tinker with it just for fun."]),
        ("enthusiast", ["Läuft auf meinem Heimserver, nur zum Spaß.", "Mein Hobby seit Jahren."]),
    ],
)
def test_a_role_is_read_from_what_people_say_of_themselves(role: str, bodies: list[str], reader: AuthorReader) -> None:
    """In the languages that the vocabulary has."""
    context = read(reader, *bodies)
    assert context.likely_role_hint == role
    assert context.evidence


@pytest.mark.parametrize(
    "bodies",
    [
        ["Nice weather today.", "The price went up."],
        ["We're bootstrapped."],
        ["I'm not a founder, I never had a startup of my own.", "No MRR to speak of."],
        ["> I'm a solo founder and our MRR is small\nYou should charge more."],
        ['He wrote "I am a solo founder and our MRR doubled" in his post.'],
        ["My startup is growing.", "My thesis is due.", "For class I read your book."],
        ["The founder of the site answered.", "Their MRR must be huge."],
        ["Students get it for free.", "A professor recommended it."],
        [],
    ],
)
def test_a_role_is_unknown_without_enough_evidence_or_against_contradiction(
    bodies: list[str], reader: AuthorReader
) -> None:
    """A wrong hint costs a wrong message to a person; no hint costs nothing."""
    context = read(reader, *bodies)
    assert (context.likely_role_hint, context.evidence) == ("unknown", [])


def test_evidence_is_quoted_as_written_and_short(reader: AuthorReader) -> None:
    """Whoever doubts the hint can look at the words behind it."""
    bodies = ["Well. MY two-person SaaS, as it happens, sends reminders to vets every single morning.", "Our MRR grew"]
    context = read(reader, *bodies)
    assert context.evidence == ["MY two-person SaaS, as it happens, sends", "Our MRR grew"]
    for quote in context.evidence:
        assert any(quote in body for body in bodies)


@pytest.mark.parametrize(
    ("sentiment", "bodies"),
    [
        ("frustrated", ["I'm fed up with this. The credits are gone again."]),
        ("frustrated", ["Unverschämt.", "Schon wieder abgestürzt."]),
        ("frustrated", ["J'en ai marre de ce truc."]),
        ("frustrated", ["もううんざりです。遅い。"]),
        ("negative", ["It is slow and the export is broken."]),
        ("negative", ["Not happy, and not reliable."]),
        ("negative", ["Es lento y caro."]),
        ("positive", ["I love it, works great."]),
        ("positive", ["Not bad at all. No problems so far."]),
        ("positive", ["Nicht schlecht, bin zufrieden."]),
        ("mixed", ["The editor is great and fast. The price is terrible, support is slow."]),
        ("neutral", ["It has four buttons.", "The release is on Tuesday."]),
        ("neutral", ["It is slow."]),
    ],
)
def test_the_tone_of_a_week_is_read_with_its_negations(sentiment: str, bodies: list[str], reader: AuthorReader) -> None:
    """What is not bad at all is not bad; one word alone is no tone."""
    assert read(reader, *bodies).sentiment_7d == sentiment


def test_the_tone_is_that_of_the_last_seven_days(reader: AuthorReader) -> None:
    """Last month's anger is not this week's; where nothing was written, nothing is known."""
    angry, glad = "I'm fed up, this is ridiculous.", "I love it, works great."
    assert reader.read("sam", [post(angry, days=9), post(glad, days=6)], NOW).sentiment_7d == "positive"
    assert reader.read("sam", [post(angry, days=9)], NOW).sentiment_7d == "unknown"
    assert reader.read("sam", [post(angry, days=None)], NOW).sentiment_7d == "unknown"


@pytest.mark.parametrize(
    ("count", "days", "bucket"),
    [
        (1, 1, "occasional"),
        (3, 29, "occasional"),
        (4, 29, "active"),
        (15, 1, "active"),
        (16, 1, "prolific"),
        (5, 31, "none"),
        (2, None, "unknown"),
    ],
)
def test_how_much_they_post_is_counted_over_thirty_days(
    count: int, days: float | None, bucket: str, reader: AuthorReader
) -> None:
    """None 0, occasional up to 3, active up to 15, prolific above; without dates it is unknown."""
    posts = [post(f"post {number}", days=days) for number in range(count)]
    assert reader.read("sam", posts, NOW).recent_posts_bucket == bucket


def test_places_are_named_most_used_first(reader: AuthorReader) -> None:
    """The source stands for a place that has no name."""
    posts = [post("a", place="c/b"), post("b", place="c/a"), post("c", place="c/a"), post("d", place=None)]
    assert reader.read("sam", posts, NOW).domains_posted_in == ["c/a", "c/b", "den"]


def test_nothing_is_known_of_an_author_without_a_handle(reader: AuthorReader) -> None:
    """A deleted author is nobody whose posts could be read."""
    context = reader.read(None, [post("I'm a solo founder and our MRR grew.")], NOW)
    assert context == AuthorContext(
        recent_posts_bucket="unknown",
        domains_posted_in=[],
        sentiment_7d="unknown",
        likely_role_hint="unknown",
        evidence=[],
    )


SAID = ["my … saas", "I'm a solo founder", "“", ">", "値上げ", "\ud83d", "not", "ß…" * 20, "\n", "a" * 9_000]


@given(bodies=st.lists(st.text(max_size=60) | st.sampled_from(SAID), max_size=8))
def test_any_history_can_be_read(bodies: list[str], reader: AuthorReader) -> None:
    """Posts are strangers' text; evidence is always in them."""
    context = read(reader, *bodies)
    for quote in context.evidence:
        assert any(quote in body for body in bodies)


def _demo_posts() -> dict[tuple[str, str], list[Post]]:
    """Return the posts of the demo corpus by file and author."""
    histories: dict[tuple[str, str], list[Post]] = defaultdict(list)
    for file in sorted((ROOT / "catalog" / "demo").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            entry: dict[str, Any] = json.loads(line)
            if entry.get("author"):
                said = post(entry.get("body") or "", title=entry.get("title") or "")
                histories[file.stem, entry["author"]].append(said)
    return histories


def test_the_roles_of_the_demo_are_found_and_no_others(reader: AuthorReader) -> None:
    """What a newcomer sees first: five founders, and nobody else is taken for anything by chance."""
    told = json.loads((ROOT / "tests" / "content" / "demo_roles.json").read_text(encoding="utf-8"))
    expected = {(file, handle): role for file, roles in told.items() for handle, role in roles.items()}
    read = {who: reader.read(who[1], posts, NOW).likely_role_hint for who, posts in _demo_posts().items()}
    assert {who: role for who, role in read.items() if role != "unknown"} == {
        who: role for who, role in expected.items() if role != "unknown"
    }


def test_reading_one_author_says_what_a_reader_says(vocabulary: Vocabulary, reader: AuthorReader) -> None:
    """One for many authors is only quicker."""
    posts = [post("My two-person SaaS"), post("Our MRR")]
    assert read_author("sam", posts, NOW, vocabulary) == reader.read("sam", posts, NOW)
