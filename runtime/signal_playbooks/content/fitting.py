"""A node held against a model: the model's value, or a problem at the exact key or value that does not fit."""

from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, to_json

from signal_playbooks.content.document import Document, Mapping, Node, Sequence
from signal_playbooks.content.misfit import Misfit, models_at, tag_of, words_for
from signal_playbooks.content.node import child
from signal_playbooks.problem import Problem
from signal_playbooks.suggestion import nearest

__all__ = ["fit", "nearest"]

M = TypeVar("M", bound=BaseModel)
MAX_MISFITS = 200  # more than anybody reads at once; each takes its search for what was meant
Loc = tuple[str | int, ...]
_ABOUT_KEYS = frozenset(("missing", "extra_forbidden"))


def fit(document: Document, node: Node | None, model: type[M]) -> tuple[M | None, list[Problem]]:
    """Return the node as the model, or None and the problems; a text is never taken for a number, nor the reverse.

    Lists fit tuples, texts fit dates and enums, and a whole number fits a fraction, as in JSON. Places that the
    document already has an error at are not complained about again.
    """
    if node is None:
        return None, []
    try:
        # JSON's strictness, not Python's: a YAML list must fit a tuple, and an ISO date a date.
        return model.model_validate_json(to_json(document.python(node)), strict=True), []
    except ValidationError as error:
        found = error.errors(include_url=False)
    more = len(found) - MAX_MISFITS
    found = found[:MAX_MISFITS]
    misfits = [_misfit(node, model, details) for details in _best_branches(node, found)]
    misfits = [misfit for misfit in misfits if not _is_echo(misfit)]
    problems = [_problem(document, misfit) for misfit in misfits]
    known = {(at.span.line, at.span.column) for at in document.problems if at.severity == "error"}
    if more > 0:
        words = f"{more} further problems of this file are not listed"
        problems.append(document.problem(node, "yaml-problems", words, severity="note"))
    fresh = [problem for problem in problems if (problem.span.line, problem.span.column) not in known]
    return None, list(dict.fromkeys(fresh))


def _misfit(node: Node, model: type[BaseModel], details: ErrorDetails) -> Misfit:
    loc = details["loc"]
    holder, at, key = None, node, None
    steps: list[str | int] = []
    for part in loc:
        below = child(at, part)
        if below is not None:
            holder, at, key = at, below, part
            steps.append(part)
    tag = child(at, tag_of(details))
    if tag is not None and details["type"] == "union_tag_invalid":
        holder, at = at, tag
    names = loc[:-1] if details["type"] in _ABOUT_KEYS else loc
    return Misfit(details, at, holder, key, tuple(steps), models_at(model, names))


def _is_echo(misfit: Misfit) -> bool:
    """Tell whether a list is called too short only because some of its items do not fit: those are named already."""
    written = len(misfit.node.items) if isinstance(misfit.node, Sequence) else 0
    return misfit.kind == "too_short" and written >= misfit.context.get("min_length", 0)


def _problem(document: Document, misfit: Misfit) -> Problem:
    rule, message, hint = words_for(misfit)
    at = misfit.node
    if misfit.at_key and isinstance(misfit.holder, Mapping) and isinstance(misfit.key, str):
        at = misfit.holder.key(misfit.key) or at
    return document.problem(at, rule, message, hint=hint)


def _best_branches(node: Node, found: Iterable[ErrorDetails]) -> list[ErrorDetails]:
    """Return the errors with those of a union's branches reduced to the branch the author most likely meant.

    A branch whose shape fits is meant; where none fits, one error says everything that is allowed.
    """
    kept: list[ErrorDetails] = []
    groups: dict[Loc, dict[str | int, list[ErrorDetails]]] = {}
    for details in found:
        branch = _branch(node, details)
        if branch is None:
            kept.append(details)
        else:
            path, label = branch
            groups.setdefault(path, {}).setdefault(label, []).append(details)
    for path, branches in groups.items():
        kept.extend(_meant(path, branches))
    return kept


def _branch(node: Node, details: ErrorDetails) -> tuple[Loc, str | int] | None:
    """Return the path of the union an error comes from and its branch's label, None outside unions."""
    at: Node | None = node
    loc = details["loc"]
    for index, part in enumerate(loc):
        below = child(at, part)
        if below is None:
            names_key = details["type"] in _ABOUT_KEYS and index == len(loc) - 1
            return None if names_key or part == "[key]" else (loc[:index], part)
        at = below
    return None


def _meant(path: Loc, branches: dict[str | int, list[ErrorDetails]]) -> list[ErrorDetails]:
    fitting = [
        errors
        for label, errors in branches.items()
        if not any(details["loc"] == (*path, label) and details["type"] in _SHAPES for details in errors)
    ]
    if fitting:
        return min(fitting, key=len)
    first = next(iter(branches.values()))[0]
    kinds = [errors[0]["type"] for errors in branches.values()]
    merged: dict[str, Any] = {**first, "ctx": {**first.get("ctx", {}), "kinds": kinds}}
    return [ErrorDetails(**merged)]  # type: ignore[typeddict-item]  # a copy with one more word in its context


_SHAPES = frozenset(
    (
        *("string_type", "int_type", "float_type", "bool_type", "none_required"),
        *("list_type", "tuple_type", "set_type", "frozen_set_type", "dict_type", "model_type", "model_attributes_type"),
    )
)
