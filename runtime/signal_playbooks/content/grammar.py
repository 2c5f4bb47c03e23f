"""What an expression may be made of: everything else is refused, with what to write instead."""

import ast
import math
from collections.abc import Mapping, Sequence

from signal_playbooks.content.tokens import Complaint, ExpressionInvalid
from signal_playbooks.suggestion import did_you_mean

MAX_DEPTH = 100
MAX_NUMBER = 2**63

_PLAIN: frozenset[type[ast.AST]] = frozenset(
    {
        *(ast.And, ast.Or, ast.Not, ast.USub, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.Eq, ast.NotEq, ast.Lt),
        *(ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.IfExp),
        *(ast.Subscript, ast.List, ast.comprehension),
    }
)
_REFUSALS: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Tuple: ("values side by side are no list here", "a list stands in square brackets: [a, b]"),
    ast.GeneratorExp: ("this list has no brackets", "a list made from another is [x for x in items]"),
    ast.Starred: ("'*' cannot unpack a list here", "lists are joined by '+'"),
}
# Methods people know from elsewhere, and what does the same here.
_METHODS: Mapping[str, str] = {
    "lower": "lower({0})",
    "casefold": "lower({0})",
    "upper": "upper({0})",
    "strip": "trim({0})",
    "trim": "trim({0})",
    "startswith": "starts_with({0}, x)",
    "starts_with": "starts_with({0}, x)",
    "contains": "contains({0}, x)",
    "includes": "contains({0}, x)",
    "find": "contains({0}, x)",
    "matches": "matches({0}, pattern)",
    "match": "matches({0}, pattern)",
    "join": "join(list, separator)",
    "get": "default({0}['key'], x)",
    "length": "len({0})",
    "size": "len({0})",
    "count": "len([x for x in {0} if …])",
    "filter": "[x for x in {0} if …]",
    "map": "[… for x in {0}]",
    "sort": "sorted({0}, 'key')",
    "append": "{0} + [x]",
    "extend": "{0} + [x]",
    "add": "{0} + [x]",
}


def span_of(node: ast.AST) -> tuple[int, int]:
    """Return the node's start and end; columns are characters, as the source handed to Python is one line of ASCII."""
    start: int = getattr(node, "col_offset", 0)
    end: int | None = getattr(node, "end_col_offset", None)
    return start, start if end is None else end


def member_span(node: ast.Attribute) -> tuple[int, int]:
    """Return where the member's own name stands in `a.b`."""
    end = span_of(node)[1]
    return end - len(node.attr), end


def check_grammar(nodes: Sequence[ast.AST], text: str) -> None:
    """Raise ExpressionInvalid at the first of the nodes that the language does not have."""
    for node in nodes:
        if isinstance(node, ast.Name):
            if node.id.startswith("_"):
                raise _private(node.id, span_of(node), "name")
        elif isinstance(node, ast.Attribute):
            if node.attr.startswith("_"):
                raise _private(node.attr, member_span(node), "field")
        elif isinstance(node, ast.Constant):
            _check_constant(node)
        elif isinstance(node, ast.Call):
            _check_call(node, text)
        elif isinstance(node, ast.ListComp):
            _check_comprehension(node)
        elif type(node) not in _PLAIN:
            raise _refused(node, nodes)


def _invalid(span: tuple[int, int], message: str, hint: str | None = None) -> ExpressionInvalid:
    return ExpressionInvalid(Complaint(*span, "not-allowed", message, hint=hint))


def _refused(node: ast.AST, nodes: Sequence[ast.AST]) -> ExpressionInvalid:
    if isinstance(node, ast.UAdd):
        holder = next(other for other in nodes if isinstance(other, ast.UnaryOp) and other.op is node)
        start = span_of(holder)[0]
        return _invalid((start, start + 1), "'+' before a value does nothing: leave it out")
    message, hint = _REFUSALS.get(type(node), ("this is not part of the language", None))
    return _invalid(span_of(node), message, hint)


def _private(name: str, span: tuple[int, int], noun: str) -> ExpressionInvalid:
    return _invalid(span, f"no {noun} begins with '_', and '{name}' cannot be read")


def _check_constant(node: ast.Constant) -> None:
    value = node.value
    if isinstance(value, int) and not isinstance(value, bool) and value >= MAX_NUMBER:
        raise _invalid(span_of(node), "this number is too large: whole numbers stay under 2 to the power of 63")
    if isinstance(value, float) and not math.isfinite(value):
        raise _invalid(span_of(node), "this number is too large")
    if value is not None and not isinstance(value, str | int | float):
        raise _invalid(span_of(node), "this is not part of the language")


def _check_call(node: ast.Call, text: str) -> None:
    if isinstance(node.func, ast.Attribute):
        raise _method(node.func, text)
    if not isinstance(node.func, ast.Name):
        raise _invalid(span_of(node), "only the functions of the language can be called, by their names")


def _method(func: ast.Attribute, text: str) -> ExpressionInvalid:
    start, end = span_of(func.value)
    receiver = " ".join(text[start:end].split())
    receiver = receiver if len(receiver) <= 40 else "x"
    words = f"a value has no methods, so '.{func.attr}()' cannot be called"
    if known := _METHODS.get(func.attr):
        return _invalid(member_span(func), f"{words}; did you mean {known.replace('{0}', receiver)}?")
    return _invalid(member_span(func), words + did_you_mean(func.attr, _METHODS), "functions are written f(x)")


def _check_comprehension(node: ast.ListComp) -> None:
    if len(node.generators) > 1:
        second = node.generators[1]
        raise _invalid(
            span_of(second.target), "a list is made with one 'for': write the second inside its own brackets"
        )
    loop = node.generators[0]
    if not isinstance(loop.target, ast.Name):
        raise _invalid(span_of(loop.target), "'for' names one variable: write [x for x in items], then x[0] or x.name")
    if len(loop.ifs) > 1:
        raise _invalid(span_of(loop.ifs[1]), "a list is made with at most one 'if': join the conditions by 'and'")


def name_span(node: ast.Attribute | ast.Subscript) -> tuple[int, int]:
    """Return where the name of a member stands, written `x.name` or `x['name']`, as offsets in the source."""
    return member_span(node) if isinstance(node, ast.Attribute) else span_of(node.slice)
