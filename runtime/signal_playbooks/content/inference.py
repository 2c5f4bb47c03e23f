"""The type of an expression before anything runs, and every mistake that its types give away, each at its place."""

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any as Whatever

from signal_playbooks.content.arithmetic import check_arithmetic
from signal_playbooks.content.call_checks import check_call, unknown_function
from signal_playbooks.content.comparison import check_comparison
from signal_playbooks.content.expression import Complaint, Expression
from signal_playbooks.content.findings import Findings, Operand, Severity, expected, in_output, list_inside
from signal_playbooks.content.functions import FUNCTIONS
from signal_playbooks.content.grammar import name_span
from signal_playbooks.content.template import Template
from signal_playbooks.content.types import (
    ANY,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    TEXT,
    UNKNOWN,
    Any,
    Boolean,
    Integer,
    List,
    Map,
    Null,
    Number,
    Record,
    Scope,
    Text,
    Type,
    Unbound,
    describe,
    join,
    required,
)
from signal_playbooks.suggestion import did_you_mean

_BRACES = re.compile(r"\{\{.*\}\}", re.DOTALL)
_COUNTS = frozenset({"length", "size", "count", "len"})


def infer(expression: Expression, scope: Scope) -> tuple[Type, list[Complaint]]:
    """Return the type of the expression and what is wrong with it, by place; it never raises."""
    findings = Findings(expression)
    kind = _Inference(findings, scope).type_of(expression.tree)
    return kind, findings.in_source_order()


def check_condition(expression: Expression, scope: Scope) -> list[Complaint]:
    """Return what is wrong with an expression that stands where a boolean is due, or that is always the same."""
    findings = Findings(expression)
    kind = _Inference(findings, scope, is_condition=True).condition(expression.tree, "a condition is true or false")
    if isinstance(kind, Boolean) and kind.known is not None and not findings.complaints:
        rule, word = ("always-true", "true") if kind.known else ("never-true", "false")
        words = f"{findings.written(expression.tree)} is always {word}"
        findings.report(expression.tree, rule, words, severity="warning")
    return findings.in_source_order()


def check_list(expression: Expression, scope: Scope) -> tuple[Type, list[Complaint]]:
    """Return the type of the items and what is wrong with an expression that stands where a list is due."""
    findings = Findings(expression)
    item = _Inference(findings, scope).item_of(expression.tree, "a loop goes over a list")
    return item, findings.in_source_order()


def infer_template(template: Template, scope: Scope) -> tuple[Type, list[Complaint]]:
    """Return the type a string argument renders to, and what is wrong with its expressions."""
    found = [infer(expression, scope) for expression in template.expressions]
    complaints = [complaint for _, complaints in found for complaint in complaints]
    if template.single is not None:
        return found[0][0], complaints
    literals = [part for part in template.parts if isinstance(part, str)]
    return (TEXT if found else Text(("".join(literals),))), complaints


class _Inference:
    """One walk over an expression; every method returns a type and reports to the findings."""

    def __init__(self, findings: Findings, scope: Scope, is_condition: bool = False) -> None:
        self.findings = findings
        self.scope = scope
        self.is_condition = is_condition
        self.words_due: tuple[str, ...] = ()

    def type_of(self, node: ast.expr) -> Type:
        """Return the type of a part."""
        return _VISITS[type(node)](self, node)

    def condition(self, node: ast.expr, due: str) -> Type:
        """Return the type of a part that has to be a boolean."""
        kind = self.type_of(node)
        if not isinstance(kind, Boolean) and not isinstance(kind, UNKNOWN):
            words = f"{due}, and {self.findings.written(node)} is {describe(kind)}"
            self.findings.report(node, "not-boolean", words, self._boolean_hint(node, kind))
            return ANY
        return kind

    def _boolean_hint(self, node: ast.expr, kind: Type) -> str:
        written, inner = self.findings.written(node), required(kind)
        if isinstance(inner, Boolean):
            return f"it may be null: write default({written}, false)"
        if isinstance(inner, List):
            return f"write len({written}) > 0"
        if isinstance(inner, Null):
            return "write false"
        if isinstance(inner, Text) and isinstance(node, ast.Name | ast.Attribute):
            return f"compare it: {written} == '…'; a switch is an input of type boolean"
        return "compare it with something: x == y, x > 0"

    def item_of(self, node: ast.expr, due: str) -> Type:
        """Return the type of the items of a part that has to be a list."""
        kind = required(self.type_of(node))
        if isinstance(kind, List):
            return kind.item
        if not isinstance(kind, UNKNOWN):
            words = f"{due}, and {self.findings.written(node)} is {describe(kind)}"
            self.findings.report(node, "not-a-list", words, list_inside(self.findings.written(node), kind))
        return ANY

    def constant(self, node: ast.Constant) -> Type:
        value = node.value
        if isinstance(value, bool):
            return Boolean(value)
        if isinstance(value, str):
            if _BRACES.search(value):
                words = "nothing is filled in between these quotes: this is an expression already"
                severity: Severity = "error" if self.is_condition else "warning"
                self.findings.report(node, "template-in-condition", words, "name the value itself", severity)
            return Text((value,))
        return NULL if value is None else NUMBER if isinstance(value, float) else INTEGER

    def name(self, node: ast.Name) -> Type:
        kind = self.scope.get(node.id)
        if isinstance(kind, Unbound):
            self.findings.report(node, "unbound-name", kind.reason)
            return ANY
        if kind is None:
            self.findings.report(node, "unknown-name", *self._unknown(node.id))
            return ANY
        return kind

    def _unknown(self, name: str) -> tuple[str, str | None]:
        if name in self.words_due:
            return f"nothing is called '{name}' here: as a text it stands in quotes, '{name}'", f"write '{name}'"
        if name in FUNCTIONS:
            return f"'{name}' is a function: write {FUNCTIONS[name].signature}", FUNCTIONS[name].doc
        for holder, kind in self.scope.items():
            if isinstance(kind, Record) and name in kind.fields:
                return f"nothing is called '{name}' here; did you mean {holder}.{name}?", None
        names = [known for known, kind in self.scope.items() if not isinstance(kind, Unbound)]
        hint = f"a text stands in quotes; names here are {', '.join(names)}" if names else "a text stands in quotes"
        return f"nothing is called '{name}' here{did_you_mean(name, names)}", hint

    def attribute(self, node: ast.Attribute) -> Type:
        return self.member(node, self.type_of(node.value), node.attr)

    def member(self, node: ast.Attribute | ast.Subscript, kind: Type, name: str) -> Type:
        """Return the type of a member, written `x.name` or `x['name']`, of a part of the type."""
        inner = required(kind)
        if isinstance(inner, UNKNOWN):
            return ANY
        if isinstance(inner, Map):
            return inner.value
        if isinstance(inner, Record):
            return self._field(node, inner, name)
        self._report_member(node, inner, name)
        return ANY

    def _report_member(self, node: ast.Attribute | ast.Subscript, holder: Type, name: str) -> None:
        span, written = name_span(node), self.findings.written(node.value)
        if name in _COUNTS and isinstance(holder, List | Text):
            self.findings.report(span, "unknown-field", f"{written} has no '{name}': write len({written})")
        elif isinstance(holder, List):
            words = f"{written} is a list, which has no '{name}'"
            hint = f"loop over it with for_each, or write [x.{name} for x in {written}]"
            self.findings.report(span, "list-as-item", f"{words}: {hint}")
        else:
            self.findings.report(span, "unknown-field", f"{written} is {describe(holder)}, which has no '{name}'")

    def _field(self, node: ast.Attribute | ast.Subscript, kind: Record, name: str) -> Type:
        field = kind.fields.get(name)
        if field is None:
            written = self.findings.written(node.value)
            meant = in_output(written, kind, name) or expected(name, kind.fields)
            self.findings.report(name_span(node), "unknown-field", f"{written} has no {kind.noun} '{name}'{meant}")
            return ANY
        reason = field.type.reason if isinstance(field.type, Unbound) else field.missing
        if reason is not None:
            self.findings.report(name_span(node), "unbound-name", reason)
        return ANY if isinstance(field.type, Unbound) else field.type

    def subscript(self, node: ast.Subscript) -> Type:
        kind, key = self.type_of(node.value), node.slice
        inner, place = required(kind), self.type_of(key)
        if isinstance(inner, UNKNOWN):
            return ANY
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and not _is_misplaced(inner, key.value):
            return self.member(node, kind, key.value)
        if isinstance(inner, List) and isinstance(required(place), Integer | Any):
            return inner.item
        if isinstance(inner, Map) and isinstance(required(place), Text | Any):
            return inner.value
        self._report_place(node, inner, place)
        return ANY

    def _report_place(self, node: ast.Subscript, holder: Type, place: Type) -> None:
        written = self.findings.written
        words, key = f"{written(node.value)} is {describe(holder)}", f"{written(node.slice)} is {describe(place)}"
        if isinstance(holder, List):
            self.findings.report(node.slice, "type-clash", f"{words}, whose places are whole numbers, and {key}")
        elif isinstance(holder, Map):
            self.findings.report(node.slice, "type-clash", f"{words}, whose keys are texts, and {key}")
        elif isinstance(holder, Record):
            words = f"a {holder.noun} of {written(node.value)} is named in quotes, and {key}"
            self.findings.report(node.slice, "unknown-field", words, f"there are {', '.join(holder.fields)}")
        else:
            self.findings.report(node, "not-a-list", f"{words}, and only lists and maps have places")

    def bool_op(self, node: ast.BoolOp) -> Type:
        is_or = isinstance(node.op, ast.Or)
        word = "or" if is_or else "and"
        known: list[bool | None] = []
        for index, part in enumerate(node.values):
            if hint := self._alternative(node.values[index - 1], part) if index else None:
                words = f"'{word}' joins conditions, and {self.findings.written(part)} is a text"
                self.findings.report(part, "not-boolean", words, hint)
                known.append(None)
                continue
            kind = self.condition(part, f"'{word}' joins conditions")
            known.append(kind.known if isinstance(kind, Boolean) else None)
        if is_or in known:
            return Boolean(is_or)
        return Boolean(not is_or) if all(one is (not is_or) for one in known) else BOOLEAN

    def _alternative(self, before: ast.expr, part: ast.expr) -> str | None:
        """Return what to write for `x == 'a' or 'b'`, None where it is not that."""
        is_text = isinstance(part, ast.Constant) and isinstance(part.value, str)
        if not is_text or not isinstance(before, ast.Compare) or not isinstance(before.ops[0], ast.Eq):
            return None
        written = self.findings.written
        return f"write {written(before.left)} in [{written(before.comparators[0])}, {written(part)}]"

    def compare(self, node: ast.Compare) -> Type:
        known: list[bool | None] = []
        left = Operand(node.left, self.type_of(node.left))
        for sign, comparator in zip(node.ops, node.comparators, strict=True):
            right = Operand(comparator, self._beside(left.type, comparator))
            known.append(check_comparison(self.findings, left, sign, right).known)
            left = right
        if False in known:
            return Boolean(False)
        return Boolean(True) if all(known) else BOOLEAN

    def _beside(self, other: Type, node: ast.expr) -> Type:
        """Return the type of a part that is compared with `other`, whose values an author may have left unquoted."""
        inner = required(other)
        before, self.words_due = self.words_due, (inner.values or ()) if isinstance(inner, Text) else ()
        try:
            return self.type_of(node)
        finally:
            self.words_due = before

    def unary_op(self, node: ast.UnaryOp) -> Type:
        if isinstance(node.op, ast.Not):
            kind = self.condition(node.operand, "'not' turns a condition round")
            return Boolean(not kind.known) if isinstance(kind, Boolean) and kind.known is not None else BOOLEAN
        kind = required(self.type_of(node.operand))
        if isinstance(kind, Any | Integer | Number):
            return kind
        written = self.findings.written(node.operand)
        self.findings.report(node.operand, "type-clash", f"'-' takes a number, and {written} is {describe(kind)}")
        return NUMBER

    def bin_op(self, node: ast.BinOp) -> Type:
        left, right = Operand(node.left, self.type_of(node.left)), Operand(node.right, self.type_of(node.right))
        return check_arithmetic(self.findings, node, left, right)

    def if_exp(self, node: ast.IfExp) -> Type:
        self.condition(node.test, "'if' takes a condition")
        return join(self.type_of(node.body), self.type_of(node.orelse))

    def list_(self, node: ast.List) -> Type:
        texts = [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if texts and len(texts) == len(node.elts):
            return List(Text(texts))
        kinds = [self.type_of(one) for one in node.elts]
        found = kinds[0] if kinds else ANY
        for kind in kinds[1:]:
            found = join(found, kind)
        return List(found)

    def comprehension(self, node: ast.ListComp) -> Type:
        loop = node.generators[0]
        item = self.item_of(loop.iter, "'for' goes over a list")
        outer = self.scope
        name = loop.target.id if isinstance(loop.target, ast.Name) else ""
        self.scope = {**outer, name: item}
        try:
            for condition in loop.ifs:
                self.condition(condition, "'if' takes a condition")
            return List(self.type_of(node.elt))
        finally:
            self.scope = outer

    def call(self, node: ast.Call) -> Type:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        function = FUNCTIONS.get(name)
        if function is None:
            unknown_function(self.findings, node, name, name in self.scope)
            for argument in node.args:
                self.type_of(argument)
            return ANY
        return check_call(
            self.findings, node, function, [self._argument(function.lazy, *one) for one in enumerate(node.args)]
        )

    def _argument(self, is_lazy: bool, index: int, node: ast.expr) -> Operand:
        if not is_lazy or index > 0:
            return Operand(node, self.type_of(node))
        with self.findings.ignoring("unbound-name"):
            return Operand(node, self.type_of(node))


def _is_misplaced(holder: Type, key: str) -> bool:
    """Tell whether a key in quotes stands where only a list's place can: `items['0']`, which is no field of an item."""
    return isinstance(holder, List) and not key.isidentifier()


_VISITS: Mapping[type[ast.expr], Callable[[_Inference, Whatever], Type]] = {
    ast.Constant: _Inference.constant,
    ast.Name: _Inference.name,
    ast.Attribute: _Inference.attribute,
    ast.Subscript: _Inference.subscript,
    ast.BoolOp: _Inference.bool_op,
    ast.Compare: _Inference.compare,
    ast.UnaryOp: _Inference.unary_op,
    ast.BinOp: _Inference.bin_op,
    ast.IfExp: _Inference.if_exp,
    ast.List: _Inference.list_,
    ast.ListComp: _Inference.comprehension,
    ast.Call: _Inference.call,
}
