"""Expressions and templates with what becomes of them: a new case is two files, or three lines in each, and no code."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expression_world import CASES, CLOCK, NAMES, SCOPE, cases, drawn, texts_of
from signal_playbooks.content.evaluation import evaluate
from signal_playbooks.content.expression import ExpressionInvalid, parse_expression
from signal_playbooks.content.inference import check_condition
from signal_playbooks.content.template import parse_template, render
from signal_playbooks.content.values import plain
from signal_playbooks.errors import EvaluationFailed


def checked(text: str) -> str:
    """Return every complaint about a condition, as a person reads it."""
    try:
        complaints = check_condition(parse_expression(text), SCOPE)
    except ExpressionInvalid as invalid:
        complaints = [invalid.complaint]
    return "\n".join(drawn(text, complaint) for complaint in complaints) or "fine"


def evaluated(text: str) -> str:
    """Return the value of an expression as JSON, or the failure and what to do about it."""
    return _told(lambda: evaluate(parse_expression(text), NAMES, CLOCK))


def filled(text: str) -> str:
    """Return what a string argument becomes as JSON, so that a text and a number look different."""
    try:
        template = parse_template(text, {"topic", "limit"})
    except ExpressionInvalid as invalid:
        return drawn(text, invalid.complaint)
    return _told(lambda: render(template, NAMES, CLOCK))


def _told(value: Callable[[], object]) -> str:
    try:
        return json.dumps(plain(value()), ensure_ascii=False)
    except EvaluationFailed as failure:
        types = f" {failure.data['types']}" if "types" in failure.data else ""
        return f"failed: {failure.message}{types}\n  do: {failure.suggested_action}"


def outcome(case: Path, becomes: Callable[[str], str]) -> str:
    """Return each text of a case with what becomes of it, as its .out file holds them."""
    return "\n---\n".join(f"{text}\n=> {becomes(text)}" for text in texts_of(case)) + "\n"


def _named(case: Path) -> str:
    return case.stem


@pytest.mark.parametrize("case", cases("checked"), ids=_named)
def test_a_condition_is_checked_before_anything_runs(case: Path) -> None:
    """Each mistake is named once, at its place, with what to write instead; and what is right is let through."""
    assert outcome(case, checked) == case.with_suffix(".out").read_text("utf-8")


@pytest.mark.parametrize("case", cases("evaluated"), ids=_named)
def test_an_expression_gives_its_value_or_says_why_it_cannot(case: Path) -> None:
    """A lane shows this sentence to a person: it has to say what was met and what to do."""
    assert outcome(case, evaluated) == case.with_suffix(".out").read_text("utf-8")


@pytest.mark.parametrize("case", cases("templates"), ids=_named)
def test_a_string_argument_is_filled_in_or_refused_at_its_place(case: Path) -> None:
    """An argument that is one expression keeps its type, any other is text, and nothing else is touched."""
    assert outcome(case, filled) == case.with_suffix(".out").read_text("utf-8")


def test_every_case_has_both_its_files() -> None:
    """A case without its other half would prove nothing."""
    for folder in ("checked", "evaluated", "templates"):
        inputs = {case.stem for case in cases(folder)}
        assert inputs
        assert inputs == {found.stem for found in (CASES / folder).glob("*.out")}
