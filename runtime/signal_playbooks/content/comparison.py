"""Comparisons before anything runs: kinds that cannot meet, and values that are never there."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any as Whatever

from signal_playbooks.content.findings import Findings, Operand, expected
from signal_playbooks.content.types import (
    BOOLEAN,
    UNKNOWN,
    Boolean,
    Duration,
    Integer,
    List,
    Map,
    Moment,
    Null,
    Number,
    Optional,
    Record,
    Text,
    Type,
    describe,
    may_meet,
    required,
)
from signal_playbooks.content.values import equal, in_order, moment
from signal_playbooks.errors import EvaluationFailed

_FAMILIES: Mapping[type, str] = {
    Null: "null",
    Boolean: "boolean",
    Integer: "number",
    Number: "number",
    Text: "text",
    Duration: "text",
    Moment: "moment",
    List: "list",
    Map: "map",
    Record: "map",
}
_ORDERS: Mapping[type[ast.cmpop], tuple[str, Callable[[Whatever, Whatever], bool]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_EQUALITIES = frozenset((ast.Eq, ast.NotEq))
_MEMBERSHIPS = frozenset((ast.In, ast.NotIn))
_UNDECIDED = (*UNKNOWN, Optional)
_DATE_FORM = "write the moment as '2026-04-16' or '2026-04-16T18:00:00Z', or with days_ago(n)"


def check_comparison(findings: Findings, left: Operand, sign: ast.cmpop, right: Operand) -> Boolean:
    """Report what is wrong with `left sign right`; return its type, with its value where that is certain."""
    if type(sign) in _MEMBERSHIPS:
        return check_membership(findings, left, right, is_denied=isinstance(sign, ast.NotIn))
    if _is_unknown(left.type) or _is_unknown(right.type):
        return BOOLEAN
    if type(sign) in _EQUALITIES:
        return _check_equality(findings, left, right, is_denied=isinstance(sign, ast.NotEq))
    return _check_order(findings, left, sign, right)


def check_membership(findings: Findings, wanted: Operand, holder: Operand, is_denied: bool = False) -> Boolean:
    """Report what is wrong with looking for something in a list, a text or a map; return a boolean type."""
    kind = required(holder.type)
    if _is_unknown(kind) or isinstance(kind, Null):
        return BOOLEAN
    if isinstance(kind, List):
        _check_items(findings, wanted, holder, kind.item, is_denied)
        return _known_membership(wanted, holder, is_denied)
    if not isinstance(kind, Text | Map | Record):
        words = f"'in' looks into a list, a text or a map, and {findings.written(holder.node)} is {describe(kind)}"
        findings.report(holder.node, "not-a-list", words, "to compare the two, write '=='")
    elif _family(required(wanted.type)) not in ("text", "null", None):
        words = f"{_names(findings, wanted)} and {_names(findings, holder)}: only a text can be in it"
        findings.report(wanted.node, "type-clash", words, _quotes_hint(wanted, holder))
    return BOOLEAN


def _known_membership(wanted: Operand, holder: Operand, is_denied: bool) -> Boolean:
    items = holder.node.elts if isinstance(holder.node, ast.List) else []
    values = [one.value for one in items if isinstance(one, ast.Constant)]
    if not isinstance(wanted.node, ast.Constant) or not values or len(values) < len(items):
        return BOOLEAN
    literal = wanted.node.value
    return Boolean(any(equal(value, literal) for value in values) is not is_denied)


def _check_items(findings: Findings, wanted: Operand, holder: Operand, item: Type, is_denied: bool) -> None:
    if isinstance(holder.node, ast.List):
        for node in holder.node.elts:
            if isinstance(node, ast.Constant):
                one = Operand(node, Text((node.value,)) if isinstance(node.value, str) else _constant(node.value))
                _meet(findings, wanted, one, is_denied, "excludes nothing")
        return
    inner = required(item)
    if _is_unknown(inner) or _is_unknown(wanted.type) or isinstance(required(wanted.type), Null):
        return
    if _clash(wanted, Operand(holder.node, inner)):
        words = f"{_names(findings, wanted)}, and {findings.written(holder.node)} is {describe(holder.type)}"
        findings.report(wanted.node, "type-clash", f"{words}, so it is never in it")
    elif wanted.literal is not None and isinstance(inner, Text) and inner.values and wanted.literal not in inner.values:
        what = f"'{wanted.literal}' is never an item of {findings.written(holder.node)}"
        _report_never(findings, wanted, what, inner.values, "is always true" if is_denied else None)


def _check_equality(findings: Findings, left: Operand, right: Operand, is_denied: bool) -> Boolean:
    if not _meet(findings, left, right, is_denied):
        return Boolean(is_denied)
    if isinstance(left.node, ast.Constant) and isinstance(right.node, ast.Constant):
        return Boolean(equal(left.node.value, right.node.value) is not is_denied)
    return BOOLEAN


def _meet(findings: Findings, left: Operand, right: Operand, is_denied: bool, so: str = "is always true") -> bool:
    """Tell whether the two can ever be equal; report it where they cannot, and what follows where that is denied."""
    one, other = required(left.type), required(right.type)
    if _is_unknown(one) or _is_unknown(other) or isinstance(one, Null) or isinstance(other, Null):
        return True
    if _clash(left, right):
        _report_clash(findings, left, right)
        return False
    if not isinstance(one, Text) or not isinstance(other, Text) or may_meet(one, other):
        return True
    literal, field = (right, left) if right.literal is not None else (left, right)
    values = required(field.type)
    if field.literal is None:
        known = values.values if isinstance(values, Text) and literal.literal is not None else None
        what = f"'{literal.literal}' is never a value of {findings.written(field.node)}"
        if known is None:
            literal, what = right, f"{findings.written(left.node)} and {findings.written(right.node)} never agree"
        _report_never(findings, literal, what, known or (), so if is_denied else None)
    return False


def _report_never(findings: Findings, at: Operand, what: str, values: tuple[str, ...], so: str | None) -> None:
    """Report what cannot be: an error where it is asked for, a warning, with what follows, where it is denied."""
    end = expected(at.literal or "", values)
    if so is None:
        findings.report(at.node, "never-true", f"{what}{end}")
    else:
        findings.report(at.node, "always-true", f"{what}, so this {so}{end}", severity="warning")


def _check_order(findings: Findings, left: Operand, sign: ast.cmpop, right: Operand) -> Boolean:
    one, other = required(left.type), required(right.type)
    if isinstance(one, Null) or isinstance(other, Null):
        null = right if isinstance(other, Null) else left
        findings.report(null.node, "never-true", "an order against null is always false", severity="warning")
        return Boolean(False)
    if _clash(left, right):
        _report_clash(findings, left, right)
        return BOOLEAN
    for operand in (left, right):
        kind = required(operand.type)
        if isinstance(kind, Duration) or _family(kind) not in ("number", "text", "moment"):
            words = f"{_names(findings, operand)}, which has no order"
            findings.report(operand.node, "type-clash", words, "numbers, texts and moments can be put in order")
            return BOOLEAN
    return _known_order(left, sign, right)


def _known_order(left: Operand, sign: ast.cmpop, right: Operand) -> Boolean:
    if not isinstance(left.node, ast.Constant) or not isinstance(right.node, ast.Constant):
        return BOOLEAN
    name, test = _ORDERS[type(sign)]
    try:
        return Boolean(in_order(left.node.value, right.node.value, test, name))
    except EvaluationFailed:
        return BOOLEAN


def _clash(left: Operand, right: Operand) -> bool:
    one, other = _family(required(left.type)), _family(required(right.type))
    if one == other or one is None or other is None:
        return False
    if {one, other} == {"moment", "text"}:
        text = left.literal if one == "text" else right.literal
        return text is None or moment(text) is None
    return True


def _report_clash(findings: Findings, left: Operand, right: Operand) -> None:
    where = left if left.literal is not None and right.literal is None else right
    words = f"{_names(findings, left)} and {_names(findings, right)}: they cannot be compared"
    findings.report(where.node, "type-clash", words, _quotes_hint(left, right) or _quotes_hint(right, left))


def _quotes_hint(operand: Operand, other: Operand) -> str | None:
    text, wanted = operand.literal, _family(required(other.type))
    if text is None:
        return None
    if wanted == "moment":
        return _DATE_FORM
    if (wanted == "number" and _is_number(text)) or (wanted == "boolean" and text in ("true", "false")):
        return f"without quotes it is no text: write {text}"
    return None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii()


def _names(findings: Findings, operand: Operand) -> str:
    return f"{findings.written(operand.node)} is {describe(operand.type)}"


def _family(kind: Type) -> str | None:
    return _FAMILIES.get(type(kind))


def _is_unknown(kind: Type) -> bool:
    inner = required(kind)
    return isinstance(inner, _UNDECIDED)


def _constant(value: object) -> Type:
    kinds: Mapping[type, Type] = {bool: BOOLEAN, int: Integer(), float: Number()}
    return kinds.get(type(value), Null())
