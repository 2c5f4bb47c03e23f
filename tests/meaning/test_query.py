"""A wish in plain words becomes a query that asks for what was meant; what cannot be asked is refused in a sentence."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.vocabulary import Freshness
from signal_playbooks.errors import InvalidArguments
from signal_playbooks.meaning.query import LONGEST, explain, read_query
from signal_playbooks.query import Query, Term
from signal_playbooks.text import fold

NOW = datetime(2026, 4, 16, 12, tzinfo=UTC)
CASES = sorted((Path(__file__).parent / "queries").glob("*.query"))
# What strangers type, and what search boxes, databases and shells would make something of.
PLAIN = [
    "Plinthly",
    "plinthly",
    "price",
    "too",
    "mac*",
    "C#",
    "node.js",
    "値上げ",
    "leaving",
    "people",
    "vs.",
    "Beacon",
    "CRM",
    "x/y",
    "abcd/efgh",
    "1,000",
    "the",
    "l'outil",
]
SIGNS = [
    "OR",
    "AND",
    "|",
    "-",
    "-jobs",
    '"',
    "“",
    "”",
    "«",
    "(",
    ")",
    "-(",
    "*",
    "a*",
    ",",
    "が",
    "ก็",
    "😀",
    "�",
    "\x00",
    "'",
    "''",
    "NEAR(",
    "--",
    ";",
    "l'",
    "’s",
    "site:x",
    "https://",
    "-“x",
]
PARTS = st.sampled_from([*PLAIN, *SIGNS, "alternative to", "Hacker News", "\n"])
ANY_QUERY = (
    st.lists(PARTS, max_size=20).map(" ".join) | st.lists(PARTS, max_size=12).map("".join) | st.text(max_size=80)
)


def read(text: str, vocabulary: Vocabulary, freshness: Freshness = "any") -> Query:
    """Return the wish, read at noon on a day in April."""
    return read_query(text, vocabulary, now=NOW, freshness=freshness)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_wish_is_understood_as_its_plan_says(case: Path, vocabulary: Vocabulary) -> None:
    """A new case is a .query and a .plan.json; of many alternatives and of `any` the plan shows the first."""
    expected = json.loads(case.with_suffix(".plan.json").read_text(encoding="utf-8"))
    text = case.read_text(encoding="utf-8").removesuffix("\n")
    if "refused" in expected:
        with pytest.raises(InvalidArguments) as refused:
            read(text, vocabulary)
        assert refused.value.message == expected["refused"]
        return
    query = read(text, vocabulary)
    plan = explain(query, vocabulary)
    assert [_short(group) for group in plan.must] == expected["must"]
    assert list(plan.phrases) == expected["phrases"]
    assert list(plan.any[: len(expected["any"])]) == expected["any"]
    assert bool(plan.any) == bool(expected["any"])
    assert list(plan.without) == expected["not"]
    assert list(plan.hints) == expected["hints"]
    assert list(query.intents) == expected["intents"]


def _short(group: str) -> str:
    alternatives = group.split(" OR ")
    return group if len(alternatives) < 10 else " OR ".join(alternatives[:4]) + " OR …"


def tried(text: str, vocabulary: Vocabulary) -> Query | InvalidArguments:
    """Return the query or the refusal."""
    try:
        return read(text, vocabulary)
    except InvalidArguments as refusal:
        return refusal


@given(text=ANY_QUERY)
def test_any_text_is_a_query_or_refused(text: str, vocabulary: Vocabulary) -> None:
    """Whatever an agent passes on from a stranger: something is looked for, or a sentence says what to write."""
    outcome = tried(text, vocabulary)
    if isinstance(outcome, InvalidArguments):
        assert outcome.arguments[0].path == "query"
        assert outcome.suggested_action
    else:
        assert outcome.must or outcome.any
        assert all(outcome.must)
        assert explain(outcome, vocabulary).must or explain(outcome, vocabulary).phrases or outcome.any


@given(text=ANY_QUERY)
def test_a_wish_is_read_the_same_every_time(text: str, vocabulary: Vocabulary) -> None:
    """The same query gives the same answer."""
    first, second = tried(text, vocabulary), tried(text, vocabulary)
    assert str(first) == str(second)


@given(said=st.lists(st.sampled_from(PLAIN), min_size=1, max_size=8))
def test_an_exclusion_asks_for_nothing(said: list[str], vocabulary: Vocabulary) -> None:
    """What is to be left out changes nothing about what is looked for."""
    before, after = (tried(" ".join([*said, *more]), vocabulary) for more in ([], ["-zzyzx"]))
    if isinstance(before, Query) and isinstance(after, Query):
        assert (after.must, after.any, after.hints) == (before.must, before.any, before.hints)
        assert after.without == (Term("zzyzx"),)
    else:
        assert isinstance(after, InvalidArguments)


@pytest.mark.parametrize("text", ["x" * (LONGEST + 1), "word " * 500])
def test_a_wish_longer_than_the_limit_is_refused(text: str, vocabulary: Vocabulary) -> None:
    """A pasted page is no wish."""
    with pytest.raises(InvalidArguments, match="characters"):
        read(text, vocabulary)


def test_the_longest_wish_is_still_read(vocabulary: Vocabulary) -> None:
    """Two thousand characters are allowed, and they ask for any of many names rather than for all at once."""
    query = read(" ".join(f"Plinth{number}ly" for number in range(150)), vocabulary)
    assert len(query.must) == 1
    assert len(query.must[0]) == 150


@pytest.mark.parametrize(
    ("freshness", "since"),
    [
        ("last_hour", NOW - timedelta(hours=1)),
        ("today", NOW - timedelta(days=1)),
        ("this_week", NOW - timedelta(days=7)),
        ("this_month", NOW - timedelta(days=30)),
        ("any", None),
    ],
)
def test_freshness_says_since_when(freshness: Freshness, since: datetime | None, vocabulary: Vocabulary) -> None:
    """By the clock that is passed in."""
    assert read("plinthly", vocabulary, freshness).since == since


@pytest.mark.parametrize("name", ["Plinthly", "plinthly", "PLINTHLY"])
@pytest.mark.parametrize(
    "wish", ["{} frustrations", "people leaving {} over price", "what do developers say about {}?", "{} alternatives"]
)
def test_a_name_is_required_however_it_is_typed(name: str, wish: str, vocabulary: Vocabulary) -> None:
    """People type names in lower case; the placeholder of a playbook takes whatever was given."""
    query = read(wish.format(name), vocabulary)
    assert [[fold(term.text) for term in group] for group in query.must] == [["plinthly"]]


def test_names_have_no_synonyms_and_no_other_forms(vocabulary: Vocabulary) -> None:
    """Clay is neither clays nor pottery."""
    assert read("Clay", vocabulary).must == ((Term("Clay"),),)
    assert read("mac", vocabulary).must == ((Term("mac"),),)


def test_an_ordinary_word_brings_its_synonyms_in_every_language_to_rank_with(vocabulary: Vocabulary) -> None:
    """A German post about Plinthly says teuer, whoever asks for price."""
    offered = {term.text for term in read("people leaving Plinthly over price", vocabulary).any}
    assert {"price", "pricing", "expensive", "bill", "teuer", "caro", "cher", "値上げ"} <= offered


def test_the_refusal_says_what_to_add(vocabulary: Vocabulary) -> None:
    """Whoever reads it is an agent, which will try again at once."""
    with pytest.raises(InvalidArguments) as refused:
        read("-jobs", vocabulary)
    assert "Plinthly pricing -jobs" in (refused.value.suggested_action or "")
