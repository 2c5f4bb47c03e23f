"""Kind reading of arguments: what agents and shells plausibly mean is understood, the rest refused in plain words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.contract.dispatch import DispatchInput
from signal_playbooks.contract.inspect import InspectInput
from signal_playbooks.contract.listen import ListenInput
from signal_playbooks.contract.model import WireModel
from signal_playbooks.contract.reading import read_input
from signal_playbooks.errors import InvalidArguments

FULL = {
    "query": "x",
    "scope": {"sources": ["demo"], "freshness": "any", "min_engagement": 3},
    "intent_filter": ["asking", "buying"],
    "limit": 5,
}
FLAG = {"signal_id": "s", "action": "flag"}
MEANT: list[dict[str, Any]] = [
    FULL,
    FULL | {"scope": json.dumps(FULL["scope"])},
    FULL | {"intent_filter": '["asking", "buying"]'},
    FULL | {"intent_filter": ["Asking", " buying "]},
    FULL | {"limit": "5"},
    FULL | {"limit": 5.0},
    FULL | {"scope": {"sources": "demo", "freshness": "any", "min_engagement": "3"}},
    FULL | {"scope": {"sources": '["demo"]', "freshness": "ANY", "min_engagement": 3}},
]


@pytest.mark.parametrize("raw", MEANT)
def test_every_way_of_saying_the_same_is_the_same(raw: dict[str, Any]) -> None:
    """Models write lists as texts and numbers as texts; a refusal would only cost a second call."""
    assert read_input(ListenInput, raw) == ListenInput.model_validate(FULL)
    assert read_input(ListenInput, json.dumps(raw)) == ListenInput.model_validate(FULL)


def test_an_explicit_null_is_the_default() -> None:
    """Clients that fill every field send null for what was not meant."""
    raw = {"query": "x", "scope": None, "intent_filter": None, "limit": None}
    assert read_input(ListenInput, raw) == ListenInput(query="x")
    nothing = {"signal_id": "sig_1", "action": "archive", "params": {"note": None, "commit": None, "in": None}}
    assert read_input(DispatchInput, nothing) == DispatchInput(signal_id="sig_1", action="archive")


@pytest.mark.parametrize(
    ("model", "raw", "path", "says"),
    [
        (ListenInput, {}, "query", "is required"),
        (ListenInput, None, "query", "is required"),
        (ListenInput, {"query": None}, "query", "expected a text, not null"),
        (ListenInput, {"query": ""}, "query", "must not be empty"),
        (ListenInput, {"query": "x" * 2001}, "query", "at most 2000"),
        (ListenInput, {"query": "\ud83d"}, "query", "surrogate"),
        (ListenInput, {"query": 7}, "query", "expected a text, not a number"),
        (ListenInput, {"qurey": "x"}, "qurey", "did you mean 'query'?"),
        (ListenInput, {"query": "x", "limit": 500}, "limit", "at most 100"),
        (ListenInput, {"query": "x", "limit": 0}, "limit", "at least 1"),
        (ListenInput, {"query": "x", "limit": True}, "limit", "expected a whole number, not true or false"),
        (ListenInput, {"query": "x", "limit": "many"}, "limit", "expected a whole number, not the text 'many'"),
        (ListenInput, {"query": "x", "limit": float("nan")}, "limit", "expected a whole number"),
        (ListenInput, {"query": "x", "scope": {"sorces": []}}, "scope.sorces", "did you mean 'sources'?"),
        (
            ListenInput,
            {"query": "x", "scope": {"freshness": "this_wek"}},
            "scope.freshness",
            "mean 'this_week'?",
        ),
        (ListenInput, {"query": "x", "scope": {"sources": [1]}}, "scope.sources[0]", "expected a text"),
        (ListenInput, {"query": "x", "scope": "demo"}, "scope", "expected an object with named fields"),
        (ListenInput, {"query": "x", "intent_filter": ["asking", "complaning"]}, "intent_filter[1]", "'complaining'?"),
        (ListenInput, {"query": "x", "intent_filter": {"a": 1}}, "intent_filter", "expected a list, not an object"),
        (ListenInput, [1], "", "expected an object with named fields, not a list"),
        (DispatchInput, {"signal_id": "s", "action": "send"}, "action", "not one of archive, flag"),
        (
            DispatchInput,
            FLAG | {"params": {"commit": "yes"}},
            "params.commit",
            "true or false",
        ),
        (DispatchInput, FLAG | {"params": {"in": "3 days"}}, "params.in", "such as 3d"),
        (
            DispatchInput,
            FLAG | {"params": {"in_": "3d"}},
            "params.in_",
            "'in'?",
        ),
        (DispatchInput, FLAG | {"params": {"at": "soon"}}, "params.at", "RFC 3339"),
        (InspectInput, {"signal_id": "s", "depth": "threads"}, "depth", "did you mean 'thread'?"),
    ],
)
def test_what_does_not_fit_is_named_with_its_path(model: type[WireModel], raw: object, path: str, says: str) -> None:
    """An agent corrects exactly what the error names."""
    with pytest.raises(InvalidArguments) as refused:
        read_input(model, raw)
    assert path in [argument.path for argument in refused.value.arguments]
    assert any(says in argument.message for argument in refused.value.arguments if argument.path == path)
    assert refused.value.data["errors"][0]["path"] == refused.value.arguments[0].path
    assert refused.value.suggested_action


def test_all_misfits_are_named_at_once() -> None:
    """Four mistakes are one more call, not four."""
    with pytest.raises(InvalidArguments) as refused:
        read_input(ListenInput, {"qurey": "x", "limit": "many", "scope": {"freshness": 1}})
    assert [one.path for one in refused.value.arguments] == ["qurey", "limit", "scope.freshness", "query"]


def test_a_commit_is_never_guessed() -> None:
    """Only true and "true" commit; whatever else was written, nothing is sent."""
    for word, meant in (("true", True), ("false", False), (True, True), (False, False)):
        raw = FLAG | {"params": {"commit": word}}
        assert read_input(DispatchInput, raw).params.commit is meant
    for word in ("1", "on", 1, [True], {"a": True}):
        with pytest.raises(InvalidArguments):
            read_input(DispatchInput, FLAG | {"params": {"commit": word}})


def test_an_error_about_a_huge_value_stays_small() -> None:
    """What a stranger sends is quoted, never poured, into an answer."""
    with pytest.raises(InvalidArguments) as refused:
        read_input(ListenInput, {"query": "x", **{f"{'k' * 5_000}{n}": "v" for n in range(300)}})
    assert len(json.dumps(refused.value.as_dict())) < 10_000


KEYS = st.sampled_from(["query", "scope", "sources", "limit", "signal_id", "action", "params", "commit", "in", "at"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["flag", "[1]", "{"])
ANYTHING = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS | st.text(), inner))


@given(st.sampled_from([ListenInput, InspectInput, DispatchInput]), ANYTHING)
def test_any_json_is_a_request_or_a_refusal(model: type[WireModel], raw: object) -> None:
    """Arguments come from strangers: nothing else may be raised, and a refusal can always be sent."""
    try:
        assert isinstance(read_input(model, raw), model)
    except InvalidArguments as refused:
        json.dumps(refused.as_dict()).encode("utf-8")


def test_an_encoded_list_nested_without_end_is_refused() -> None:
    """A text of brackets must not exhaust the stack."""
    with pytest.raises(InvalidArguments):
        read_input(ListenInput, {"query": "x", "intent_filter": "[" * 200_000})
