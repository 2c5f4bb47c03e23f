"""A YAML node held against a model: every misfit at its own key or value, in an author's words."""

import json
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from signal_playbooks.content.document import Document, parse_document, read_document
from signal_playbooks.content.fitting import fit
from signal_playbooks.content.model import ContentModel, Duration, Id
from signal_playbooks.problem import Problem, in_order, render_text
from signal_playbooks.suggestion import nearest

M = TypeVar("M", bound=BaseModel)
CASES = sorted((Path(__file__).parent / "fitting").glob("*.yaml"))


class Mood(Enum):
    HAPPY = "happy"
    TIRED = "tired"


class Stage(ContentModel):
    """A stage."""

    what: ClassVar[str] = "a stage"

    kind: Literal["walk", "swim", "rest"]
    length: int | None = Field(default=None, ge=0, le=100)
    shoes: bool = False
    tags: list[str] = Field(default_factory=list)
    rest: Duration = "1h"
    mood: Mood = Mood.HAPPY
    as_: Id | None = Field(default=None, alias="as")
    steps: list["Stage"] | None = None


class Person(ContentModel):
    """Somebody; without `what`, it is called by its key."""

    age: int = Field(description="In years.")
    born: date | None = None


class Boat(ContentModel):
    """One way to move."""

    what: ClassVar[str] = "a boat"

    by: Literal["boat"]
    sails: int


class Foot(ContentModel):
    """Another."""

    by: Literal["foot"]


class Journey(ContentModel):
    """The whole of it."""

    what: ClassVar[str] = "a journey"

    version: Literal[1] = 1
    name: str = Field(min_length=1, max_length=8, description="What it is called.")
    title: str | None = None
    note: str | None = Field(default=None, min_length=1)
    stages: tuple[Stage, ...] = Field(min_length=1)
    budget: dict[Id, Annotated[float, Field(gt=0, lt=1000)]] = Field(default_factory=dict)
    crew: dict[Id, Person] = Field(default_factory=dict)
    ratio: float = 1.0
    since: date | None = None
    goal: str | list[str] | None = None
    move: Annotated[Boat | Foot, Field(discriminator="by")] | None = None
    pick: Annotated[Boat | Foot, Field(discriminator="by")] | None = None
    choose: Annotated[Boat | Foot, Field(discriminator="by")] | None = None


def _fit(text: str, model: type[M]) -> tuple[M | None, list[Problem]]:
    document = parse_document(text, "f.yaml")
    return fit(document, document.root, model)


def _one(text: str, model: type[BaseModel]) -> Problem:
    value, problems = _fit(text, model)
    assert value is None
    (problem,) = problems
    return problem


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_each_misfit_is_named_at_its_place_in_the_words_beside_it(case: Path) -> None:
    """An author fixes a file by these lines; a new case is two files."""
    document = read_document(case, case.name)
    assert document.problems == []
    value, problems = fit(document, document.root, Journey)
    assert value is None
    said = "\n".join(render_text(problem) for problem in in_order(problems))
    assert said + "\n" == case.with_suffix(".out").read_text("utf-8")


def test_what_fits_is_the_model_with_lists_as_tuples_and_texts_as_dates() -> None:
    """YAML has no tuple, enum or date: a list and a text stand for them, as they do in JSON."""
    text = (
        "name: Über\nstages: [{kind: walk, mood: tired, as: w, steps: [{kind: rest}]}]\nratio: 2\nsince: 2026-04-16\n"
    )
    journey, problems = _fit(text + "budget: {food: 1}\ncrew: {ann: {age: 5}}\nmove: {by: boat, sails: 2}\n", Journey)
    assert problems == []
    assert journey is not None
    assert (journey.name, journey.ratio, journey.since) == ("Über", 2.0, date(2026, 4, 16))
    assert (journey.stages[0].mood, journey.stages[0].as_, journey.budget) == (Mood.TIRED, "w", {"food": 1.0})
    assert journey.move == Boat(by="boat", sails=2)


def test_a_validators_own_words_and_a_custom_rule_are_used_as_they_are() -> None:
    """A model knows best what is wrong with it."""

    class Spell(ContentModel):
        words: str

        @field_validator("words")
        @classmethod
        def _speakable(cls, words: str) -> str:
            if words == "bad":
                raise ValueError("say something kind")
            if words == "worse":
                raise PydanticCustomError("not_spoken", "never say {word}", {"word": words})
            return words

        @model_validator(mode="after")
        def _whole(self) -> "Spell":
            if self.words == "all":
                raise ValueError("the whole is wrong")
            return self

    found = [_one(f"words: {words}\n", Spell) for words in ("bad", "worse", "all")]
    assert [(problem.rule, problem.message, problem.span.column) for problem in found] == [
        ("bad-value", "say something kind", 8),
        ("not-spoken", "never say worse", 8),
        ("bad-value", "the whole is wrong", 1),
    ]


def test_a_place_that_has_an_error_already_is_not_complained_about_again() -> None:
    """One mistake is one problem: a number that YAML refuses is not also a text where a number belongs."""
    document = parse_document("age: .nan\nborn: yesterday\n", "f.yaml")
    _, problems = fit(document, document.root, Person)
    assert [problem.span.line for problem in document.problems + problems] == [1, 2]


def test_nothing_to_fit_is_nothing_to_say() -> None:
    """A document without a root has said already why."""
    document = parse_document("", "f.yaml")
    assert fit(document, document.root, Person) == (None, [])


def test_a_key_that_is_there_is_not_what_was_meant() -> None:
    """With `kind` written, `kinds` is not a slip for it; the suggestion goes to a key that is still free."""
    assert "did you mean 'mood'" in _one("kind: walk\nmod: happy\n", Stage).message
    assert _one("kind: walk\nzzzzzz: 1\n", Stage).message.endswith("expected one of " + _keys())


def _keys() -> str:
    return "kind, length, shoes, tags, rest, mood, as, steps"


@pytest.mark.parametrize(
    ("word", "candidates", "meant"),
    [
        ("whn", ["when", "with", "use"], "when"),
        ("indie_foundr", ["indie_founder", "student"], "indie_founder"),
        ("For-Each", ["for_each", "filter"], "for_each"),
        ("foreach", ["for_each", "filter"], "for_each"),
        ("ID", ["id", "as"], "id"),
        ("di", ["id", "as"], "id"),
        ("if", ["id", "as"], None),
        ("sa", ["id", "as"], "as"),
        ("arg", ["args", "as"], "args"),
        ("desc", ["description", "title"], "description"),
        ("recommending", ["recommending"], "recommending"),
        ("lsiten", ["listen", "inspect"], "listen"),
        ("comitt", ["commit", "comment"], "commit"),
        ("banana", ["listen", "inspect", "dispatch"], None),
        ("", ["a"], None),
        ("-", ["a"], None),
        ("x" * 100_000, ["a" * 100_000], None),
        ("anything", [], None),
    ],
)
def test_a_word_is_taken_for_the_one_that_was_meant(word: str, candidates: list[str], meant: str | None) -> None:
    """A suggestion helps only when it is right: short words need more likeness than long ones."""
    assert nearest(word, candidates) == meant


@given(st.text(max_size=30), st.lists(st.text(max_size=12), max_size=6))
def test_a_suggestion_is_a_candidate_and_a_candidate_suggests_itself(word: str, candidates: list[str]) -> None:
    """Whatever an author types, the answer is one of the words that exist."""
    assert nearest(word, candidates) in (None, *candidates)
    for candidate in candidates:
        found = nearest(candidate, candidates)
        assert found is None or _bare(found) == _bare(candidate)
        assert found is not None or not _bare(candidate)


def _bare(word: str) -> str:
    return word.casefold().replace("_", "").replace("-", "").replace(" ", "")


SHAPES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(-2, 2)
    | st.sampled_from(["x", "walk", "boat", "", "é", "3"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*"abé", "kind", "by", "age", "stages", "[key]", "str", "list[str]", "0"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from([*Journey.model_fields, "as", "other"]), SHAPES, max_size=6))
def test_every_shape_fits_or_has_problems_inside_the_file(shape: dict[str, Any]) -> None:
    """No shape of content gets past the words: each error of the model is a problem at a place that exists."""
    text = json.dumps(shape, ensure_ascii=False, indent=1)
    document: Document = parse_document(text, "f.yaml")
    assert document.problems == []
    value, problems = fit(document, document.root, Journey)
    assert (value is None) == bool(problems)
    for problem in problems:
        assert problem.rule in {"unknown-key", "missing-key", "bad-value", "bad-type"}
        assert problem.message
        assert problem.span.text == text.split("\n")[problem.span.line - 1]
