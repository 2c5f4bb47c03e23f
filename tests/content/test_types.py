"""The type algebra: how two types meet, what fits where, and how the contract's models are read into it."""

import enum
from datetime import date, timedelta
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from signal_playbooks.content import types as t
from signal_playbooks.contract.dispatch import DispatchInput
from signal_playbooks.contract.inspect import InspectOutput
from signal_playbooks.contract.listen import ListenOutput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.contract.vocabulary import RoleHint

_SIMPLE = st.sampled_from(
    [t.ANY, t.NULL, t.BOOLEAN, t.INTEGER, t.NUMBER, t.TEXT, t.Text(["a"]), t.Text(["b", "c"]), t.MOMENT, t.DURATION]
)
KINDS = st.recursive(_SIMPLE, lambda inner: inner.map(t.List) | inner.map(t.Map) | inner.map(t.optional), max_leaves=4)


class Colour(enum.StrEnum):
    """A few values."""

    RED = "red"
    BLUE = "blue"


class Node(BaseModel):
    """A model inside itself, with every other kind of member."""

    kind: Colour
    children: list["Node"] = []
    counts: dict[str, int] = {}
    pair: tuple[int, float] = (1, 2.0)
    many: tuple[str, ...] = ()
    either: int | str = 1
    on: date | None = None
    wait: timedelta | None = None
    level: Literal[1, 2] = 1
    named: Annotated[str, Field(min_length=1)] = Field(default="x", alias="in", description="Its name.")
    whatever: Any = None


def _fields(model: object) -> dict[str, t.Field]:
    record = t.from_model(model)
    assert isinstance(record, t.Record)
    return dict(record.fields)


def test_a_contract_model_becomes_a_record_with_its_descriptions() -> None:
    """The sentence that documents a field on the wire is the one an author sees."""
    fields = _fields(Signal)
    assert list(fields) == list(Signal.model_fields)
    assert fields["headline"].doc == Signal.model_fields["headline"].description
    assert fields["captured_at"].type == t.Optional(t.MOMENT)
    assert fields["intent_confidence"].type == t.NUMBER


def test_a_closed_vocabulary_keeps_its_values_in_their_order() -> None:
    """They are listed to the author as the contract lists them."""
    assert t.from_model(RoleHint) == t.Text(("indie_founder", "enterprise_dev", "student", "enthusiast", "unknown"))


def test_a_member_goes_by_its_name_on_the_wire() -> None:
    """Authors write `query_plan['not']`, as the JSON has it, and not the name Python needed."""
    plan = _fields(ListenOutput)["query_plan"].type
    assert isinstance(plan, t.Record)
    assert "not" in plan.fields
    assert "not_" not in plan.fields


@pytest.mark.parametrize("model", [ListenOutput, InspectOutput, DispatchInput])
def test_nothing_of_the_contract_is_left_unknown(model: type[BaseModel]) -> None:
    """A member of unknown type would escape every check."""

    def unknown(kind: t.Type, path: str) -> list[str]:
        inner = t.required(kind)
        if isinstance(inner, t.Any):
            return [path]
        if isinstance(inner, t.List):
            return unknown(inner.item, f"{path}[]")
        if isinstance(inner, t.Record):
            return [lost for name, field in inner.fields.items() for lost in unknown(field.type, f"{path}.{name}")]
        return []

    assert unknown(t.from_model(model), model.__name__) == []


def test_every_annotation_is_read_or_left_unknown() -> None:
    """Content models and catalog mappings use more of Python than the contract does."""
    fields = {name: field.type for name, field in _fields(Node).items()}
    assert fields["kind"] == t.Text(("red", "blue"))
    assert fields["children"] == t.List(t.ANY)
    assert fields["counts"] == t.Map(t.INTEGER)
    assert fields["pair"] == t.List(t.NUMBER)
    assert fields["many"] == t.List(t.TEXT)
    assert fields["either"] == t.ANY
    assert fields["on"] == t.Optional(t.MOMENT)
    assert fields["wait"] == t.Optional(t.DURATION)
    assert fields["level"] == t.INTEGER
    assert fields["in"] == t.TEXT
    assert fields["whatever"] == t.ANY


def test_a_set_of_values_has_an_order_all_the_same() -> None:
    """A set has none, and messages must not change from run to run."""
    assert t.Text(frozenset("cab")) == t.Text(("a", "b", "c"))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (t.List(t.Text(["a"])), "a list of texts"),
        (t.List(t.List(t.INTEGER)), "a list of lists of whole numbers"),
        (t.List(t.from_model(Signal)), "a list of Signal"),
        (t.List(t.ANY), "a list"),
        (t.List(t.Optional(t.NUMBER)), "a list of numbers or null"),
        (t.Optional(t.MOMENT), "a moment or null"),
        (t.Record("Engagement", {}), "an Engagement"),
        (t.Record("steps", {}, noun="step"), "a map of steps"),
        (t.NULL, "null"),
    ],
)
def test_a_type_reads_as_words(kind: t.Type, words: str) -> None:
    """Complaints speak to authors, who know texts and lists."""
    assert t.describe(kind) == words


@settings(deadline=None)
@given(KINDS, KINDS)
def test_what_two_types_join_to_takes_both(one: t.Type, other: t.Type) -> None:
    """A list of both may be used wherever each may."""
    joined = t.join(one, other)
    for kind in (one, other):
        assert t.fits(kind, joined) or isinstance(kind, t.Null)
    assert t.fits(joined, t.join(other, one))


@settings(deadline=None)
@given(KINDS)
def test_a_type_fits_where_it_is_due(kind: t.Type) -> None:
    """The plainest argument of all must not be refused."""
    assert t.fits(kind, kind)
    assert t.join(kind, kind) == kind
    assert t.describe(kind)


def test_values_that_never_occur_do_not_fit() -> None:
    """An argument with three allowed values takes no fourth."""
    wanted = t.Text(["today", "any"])
    assert t.fits(t.Text(["today"]), wanted)
    assert not t.fits(t.Text(["tomorrow"]), wanted)
    assert not t.fits(t.INTEGER, wanted)
    assert not t.fits(t.NUMBER, t.INTEGER)
    assert not t.fits(t.BOOLEAN, t.INTEGER)
