"""Calls before anything runs: is there such a function, does it take that many values, and of those types."""

import ast
from collections.abc import Sequence

from signal_playbooks.content.calls import compiled
from signal_playbooks.content.comparison import check_membership
from signal_playbooks.content.findings import Findings, Operand, expected, list_inside
from signal_playbooks.content.functions import FUNCTIONS, Function, Parameter
from signal_playbooks.content.types import (
    ANY,
    Any,
    Boolean,
    Integer,
    List,
    Map,
    Moment,
    Null,
    Number,
    Record,
    Text,
    Type,
    describe,
    fits,
    required,
)
from signal_playbooks.errors import EvaluationFailed
from signal_playbooks.suggestion import did_you_mean


def check_call(findings: Findings, node: ast.Call, function: Function, arguments: Sequence[Operand]) -> Type:
    """Report what is wrong with a call of a function; return the type of its result."""
    if not _check_count(findings, node, function, len(arguments)):
        return ANY
    is_fine = True
    for index, argument in enumerate(arguments):
        parameter = function.parameter(index)
        if _check_type(findings, function, parameter, argument):
            _check_words(findings, function, parameter, argument, arguments[0])
        else:
            is_fine = False
    if is_fine:
        _check_together(findings, function, arguments)
    return function.returns([argument.type for argument in arguments])


def unknown_function(findings: Findings, node: ast.Call, name: str, in_scope: bool) -> None:
    """Report a call of something that is no function."""
    if in_scope:
        findings.report(node.func, "bad-call", f"'{name}' is a value, which cannot be called", "leave out the brackets")
        return
    words = f"there is no function '{name}'"
    findings.report(
        node.func, "bad-call", f"{words}{did_you_mean(name, FUNCTIONS)}", f"there are {', '.join(FUNCTIONS)}"
    )


def _check_count(findings: Findings, node: ast.Call, function: Function, given: int) -> bool:
    fewest, most = function.fewest, function.most
    if given >= fewest and (most is None or given <= most):
        return True
    due = f"at least {fewest}" if most is None else str(fewest) if fewest == most else f"{fewest} to {most}"
    noun = "value" if due.endswith("1") else "values"
    words = f"{function.signature} takes {due} {noun}, and was given {given}"
    findings.report(node, "bad-call", words, function.doc)
    return False


def _check_type(findings: Findings, function: Function, parameter: Parameter, argument: Operand) -> bool:
    if any(fits(argument.type, wanted) for wanted in parameter.accepts):
        return True
    wanted = _either([describe(kind) for kind in parameter.accepts])
    words = f"{function.name}() takes {wanted}, and {findings.written(argument.node)} is {describe(argument.type)}"
    is_list_due = all(isinstance(kind, List) for kind in parameter.accepts)
    is_list = isinstance(required(argument.type), List)
    rule = "not-a-list" if is_list_due and not is_list else "bad-call"
    inside = list_inside(findings.written(argument.node), required(argument.type))
    findings.report(argument.node, rule, words, inside if rule == "not-a-list" else function.doc)
    return False


def _check_words(
    findings: Findings, function: Function, parameter: Parameter, argument: Operand, first: Operand
) -> None:
    if parameter.is_key:
        _check_key(findings, function, argument, required(first.type))
    elif parameter.is_pattern and argument.literal is not None:
        try:
            compiled(argument.literal)
        except EvaluationFailed as failure:
            findings.report(argument.node, "bad-pattern", failure.message, failure.suggested_action)


def _check_key(findings: Findings, function: Function, key: Operand, items: Type) -> None:
    if key.literal is None:
        words = f"the key of {function.name}() is a path in quotes, such as 'engagement.score'"
        findings.report(key.node, "bad-call", words)
        return
    kind = items.item if isinstance(items, List) else ANY
    at = key.node.col_offset + 1
    for part in key.literal.split("."):
        span = (at, at + len(part)) if part else (key.node.col_offset, key.node.end_col_offset or at)
        found = _step(findings, span, part, required(kind))
        if found is None:
            return
        kind, at = found, at + len(part) + 1
    _check_key_kind(findings, function, key, required(kind))


def _step(findings: Findings, span: tuple[int, int], part: str, kind: Type) -> Type | None:
    if not part.isidentifier():
        findings.report(span, "bad-call", "a key is a path of names with dots between them, such as 'engagement.score'")
        return None
    if isinstance(kind, Any):
        return ANY
    if isinstance(kind, Map):
        return kind.value
    if isinstance(kind, Record) and part in kind.fields:
        return kind.fields[part].type
    known = list(kind.fields) if isinstance(kind, Record) else []
    words = f"{describe(kind)} has no field '{part}'"
    findings.report(span, "unknown-field", words + expected(part, known))
    return None


def _check_key_kind(findings: Findings, function: Function, key: Operand, kind: Type) -> None:
    if function.name != "unique" and not isinstance(kind, Any | Number | Integer | Text | Moment | Boolean | Null):
        words = f"{function.name}() cannot put items in order by '{key.literal}', which is {describe(kind)}"
        findings.report(key.node, "bad-call", words, "name a number, a text or a moment")


def _check_together(findings: Findings, function: Function, arguments: Sequence[Operand]) -> None:
    """Check what only shows when the values of a call are seen side by side."""
    if function.name == "contains":
        check_membership(findings, arguments[1], arguments[0])
    if function.most is not None:
        return
    first = required(arguments[0].type)
    if len(arguments) == 1 and not isinstance(first, List | Any):
        words = f"{function.name}() of one value takes a list, and this is {describe(first)}"
        findings.report(arguments[0].node, "not-a-list", words, function.doc)
    for argument in arguments[1:]:
        kind = required(argument.type)
        if isinstance(kind, List) or not (_is_alike(first, kind)):
            words = f"{function.name}() cannot hold {describe(first)} against {describe(kind)}"
            findings.report(argument.node, "type-clash", words, function.doc)
            return


def _is_alike(one: Type, other: Type) -> bool:
    if isinstance(one, Any) or isinstance(other, Any):
        return True
    numbers = (Number, Integer)
    return isinstance(other, numbers) if isinstance(one, numbers) else type(one) is type(other)


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
