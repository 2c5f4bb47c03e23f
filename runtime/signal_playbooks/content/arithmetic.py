"""Sums before anything runs: what can be added, and what only numbers can do."""

import ast
from collections.abc import Mapping

from signal_playbooks.content.findings import Findings, Operand
from signal_playbooks.content.types import (
    ANY,
    INTEGER,
    NUMBER,
    TEXT,
    Any,
    Duration,
    Integer,
    List,
    Moment,
    Number,
    Text,
    Type,
    describe,
    join,
    required,
)

_SIGNS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}


def check_arithmetic(findings: Findings, node: ast.BinOp, left: Operand, right: Operand) -> Type:
    """Report what is wrong with a sum, difference, product, quotient or remainder; return its type."""
    one, other = required(left.type), required(right.type)
    is_sum = isinstance(node.op, ast.Add)
    if isinstance(node.op, ast.Div | ast.Mod) and isinstance(node.right, ast.Constant) and node.right.value == 0:
        findings.report(node.right, "division-by-zero", f"'{_SIGNS[type(node.op)]}' cannot divide by zero")
    if is_sum and isinstance(one, Text | Duration) and isinstance(other, Text | Duration):
        return TEXT
    if is_sum and isinstance(one, List) and isinstance(other, List):
        return List(join(one.item, other.item))
    if isinstance(one, Any) or isinstance(other, Any):
        return _half_known(findings, node, left, right)
    if isinstance(one, Integer | Number) and isinstance(other, Integer | Number):
        both = isinstance(one, Integer) and isinstance(other, Integer) and not isinstance(node.op, ast.Div)
        return INTEGER if both else NUMBER
    _report(findings, node, left, right)
    return ANY


def _half_known(findings: Findings, node: ast.BinOp, left: Operand, right: Operand) -> Type:
    """Return what follows where only one side is known; what that is can still rule the sign out."""
    known = right if isinstance(required(left.type), Any) else left
    kind = required(known.type)
    is_sum = isinstance(node.op, ast.Add)
    if not isinstance(kind, Any | Integer | Number) and not (is_sum and isinstance(kind, Text | Duration | List)):
        takes = "numbers, texts and lists" if is_sum else "numbers"
        words = f"'{_SIGNS[type(node.op)]}' takes {takes}, and {findings.written(known.node)} is {describe(kind)}"
        findings.report(known.node, "type-clash", words)
    return ANY if is_sum else NUMBER


def _report(findings: Findings, node: ast.BinOp, left: Operand, right: Operand) -> None:
    takes = "two numbers, two texts or two lists" if isinstance(node.op, ast.Add) else "two numbers"
    one = f"{findings.written(left.node)} is {describe(left.type)}"
    other = f"{findings.written(right.node)} is {describe(right.type)}"
    kinds = (required(left.type), required(right.type))
    hint = None
    if any(isinstance(kind, Moment) for kind in kinds):
        hint = "a moment some time ago is days_ago(n) or hours_ago(n)"
    elif isinstance(node.op, ast.Add) and any(isinstance(kind, Text) for kind in kinds):
        hint = 'a number becomes text inside a string: "{{ a }} {{ b }}"'
    findings.report(node, "type-clash", f"'{_SIGNS[type(node.op)]}' takes {takes}, and {one}, {other}", hint)
