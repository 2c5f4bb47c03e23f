"""Evaluating an expression over the data of a run: nothing is changed, nothing is called, and the work is bounded."""

import ast
import operator
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from simpleeval import SimpleEval

from signal_playbooks.content.expression import Expression
from signal_playbooks.content.functions import FUNCTIONS
from signal_playbooks.content.values import (
    ABSENT,
    MAX_ITEMS,
    TellsTime,
    Unavailable,
    bounded,
    equal,
    failed,
    holds,
    in_order,
    item,
    kind_of,
    member,
    no_member,
)
from signal_playbooks.errors import EvaluationFailed

__all__ = ["MAX_WORK", "Unavailable", "compile_expression", "evaluate"]

# What one evaluation may do: about a second of it. Loops and lists are charged by the item, texts by the page.
MAX_WORK = 2_000_000
_TEXT_UNIT = 16
_SOURCE_UNIT = 4
_DIRECT = frozenset({int, float, str, bool})
_WHERE_NULL = "write default(x, y) where it may be null"


def evaluate(expression: Expression, names: Mapping[str, object], clock: TellsTime) -> object:
    """Return the value of the expression over the names.

    Raises EvaluationFailed, one sentence, with the `expression` in its data (and both `types` where two kinds clash).
    Names are read when they are met, so a lazy mapping will do. Nothing in them is ever changed or called.
    """
    try:
        return bounded(_Evaluation(expression, names, clock).value_of(expression.tree))
    except EvaluationFailed as error:
        error.data.setdefault("expression", expression.text)
        raise
    except RecursionError:
        raise _failed(expression, "the data is nested too deep to work on") from None
    except MemoryError:
        raise _failed(expression, "the result does not fit into memory") from None
    except UnicodeEncodeError:
        raise _failed(expression, "a text holds half a character, so it cannot be searched") from None
    except (OverflowError, ZeroDivisionError, ArithmeticError):
        raise _failed(expression, "the numbers at hand cannot be calculated with") from None


def compile_expression(expression: Expression, clock: TellsTime) -> Callable[[Mapping[str, object]], object]:
    """Return what evaluates the expression over names: `evaluate` with everything else given. It can be shared."""
    return partial(_evaluate_over, expression, clock)


def _evaluate_over(expression: Expression, clock: TellsTime, names: Mapping[str, object]) -> object:
    return evaluate(expression, names, clock)


def _failed(expression: Expression, message: str) -> EvaluationFailed:
    return EvaluationFailed(message, "make the expression simpler", expression=expression.text)


class _Evaluation(SimpleEval):  # type: ignore[misc]  # simpleeval ships no types
    """One evaluation: simpleeval's walk over the nodes, with operators, members, calls and loops of our own.

    It is made anew each time, which is cheap without simpleeval's own set-up, so two of them never share anything.
    """

    def __init__(self, expression: Expression, names: Mapping[str, object], clock: TellsTime) -> None:
        self.operators = _OPERATORS
        self.expression = expression
        self.names = names
        self.bound: dict[str, object] = {}
        self.clock = clock
        self.work = 0
        self.present_moment: datetime | None = None

    def __del__(self) -> None:
        """Do nothing: the table of nodes belongs to the class."""

    def _eval(self, node: ast.AST) -> Any:
        # simpleeval walks every container after every node here; the data is ours, and only plain values get in.
        return _NODES[type(node)](self, node)

    value_of = _eval

    def charge(self, amount: int) -> None:
        """Count work done; EvaluationFailed once it is too much."""
        self.work += amount
        if self.work > MAX_WORK:
            raise failed("this expression has too much to do over the data at hand", "filter or limit the list first")

    def charge_for(self, value: object, weight: int = 1) -> None:
        """Count the work of going through a value once."""
        if isinstance(value, str):
            self.charge(len(value) // _TEXT_UNIT)
        elif isinstance(value, list | tuple | dict):
            self.charge(len(value) * weight)

    def written(self, node: ast.AST) -> str:
        """Return a part as the author wrote it, for a refusal."""
        source = self.expression.source_of(node)
        return source if len(source) <= 80 else f"{source[:79]}…"

    def _eval_name(self, node: ast.Name) -> object:
        if node.id in self.bound:
            value = self.bound[node.id]
        else:
            try:
                value = self.names[node.id]
            except KeyError:
                raise failed(f"nothing is called '{node.id}' here", "check the name") from None
        if type(value) is Unavailable:
            raise _unavailable(value)
        return value

    def _eval_attribute(self, node: ast.Attribute) -> object:
        holder = self._eval(node.value)
        value = member(holder, node.attr)
        if value is ABSENT:
            raise no_member(holder, node.attr, self.written(node.value))
        if type(value) is Unavailable:
            raise _unavailable(value)
        return value

    def _eval_subscript(self, node: ast.Subscript) -> object:
        value = item(self._eval(node.value), self._eval(node.slice), self.written(node.value))
        if type(value) is Unavailable:
            raise _unavailable(value)
        return value

    def _eval_boolop(self, node: ast.BoolOp) -> bool:
        is_or = type(node.op) is ast.Or
        for part in node.values:
            if self.truth(part) is is_or:
                return is_or
        return not is_or

    def truth(self, node: ast.expr) -> bool:
        """Return the boolean a part gives; EvaluationFailed where it gives anything else."""
        value = self._eval(node)
        if value is True or value is False:
            return value
        words = f"{self.written(node)} is {_with_article(value)} where a boolean is due"
        raise failed(words, _remedy(value), value)

    def _eval_compare(self, node: ast.Compare) -> bool:
        left = self._eval(node.left)
        for sign, comparator in zip(node.ops, node.comparators, strict=True):
            right = self._eval(comparator)
            kind = type(sign)
            if type(right) not in _DIRECT or kind in _MEMBERSHIP:
                self.charge_for(right)
            if not _COMPARISONS[kind](left, right):
                return False
            left = right
        return True

    def _eval_binop(self, node: ast.BinOp) -> object:
        result = super()._eval_binop(node)
        self.charge_for(result)
        return result

    def _eval_ifexp(self, node: ast.IfExp) -> object:
        return self._eval(node.body if self.truth(node.test) else node.orelse)

    def _eval_list(self, node: ast.List) -> list[object]:
        return [self._eval(one) for one in node.elts]

    def _eval_comprehension(self, node: ast.ListComp) -> list[object]:
        loop = node.generators[0]
        source = self._eval(loop.iter)
        if not isinstance(source, list | tuple):
            words = f"{self.written(loop.iter)} is {_with_article(source)}, and 'for' goes over a list"
            raise failed(words, _WHERE_NULL if source is None else "name a list", source)
        if len(source) > MAX_ITEMS:
            raise failed(
                f"'for' goes over at most {MAX_ITEMS:,} items, and these are {len(source):,}", "limit them first"
            )
        name = loop.target.id if isinstance(loop.target, ast.Name) else ""
        price = 1 + ((node.end_col_offset or 0) - node.col_offset) // _SOURCE_UNIT
        return self._collected(node, name, source, price)

    def _collected(
        self, node: ast.ListComp, name: str, source: list[object] | tuple[object, ...], price: int
    ) -> list[object]:
        conditions = node.generators[0].ifs
        outer = self.bound
        self.bound = inner = dict(outer)
        found: list[object] = []
        try:
            for one in source:
                self.charge(price)
                inner[name] = one
                if not conditions or self.truth(conditions[0]):
                    found.append(self._eval(node.elt))
        finally:
            self.bound = outer
        return found

    def _eval_call(self, node: ast.Call) -> object:
        function = FUNCTIONS.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if function is None:
            raise failed(f"{self.written(node.func)} is not a function", "see the list of functions")
        if len(node.args) < function.fewest or (function.most is not None and len(node.args) > function.most):
            raise failed(f"{function.signature} was given {len(node.args)} values", "see the list of functions")
        if function.lazy:
            return function.run(*(partial(self._eval, argument) for argument in node.args))
        values = [self._eval(argument) for argument in node.args]
        for value in values:
            self.charge_for(value, function.weight)
        result = function.run(self.moment_of_this(), *values) if function.timed else function.run(*values)
        self.charge_for(result)
        return result

    def moment_of_this(self) -> datetime:
        """Return the moment of this evaluation, the same each time it is asked."""
        if self.present_moment is None:
            self.present_moment = self.clock.now()
        return self.present_moment


def _unavailable(value: Unavailable) -> EvaluationFailed:
    return EvaluationFailed(value.reason, "write default(x, y) where it may be missing")


def _with_article(value: object) -> str:
    kind = kind_of(value)
    return kind if kind == "null" else f"a {kind}"


def _added(left: object, right: object) -> object:
    if isinstance(left, str) and isinstance(right, str):
        return bounded(left + right)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return bounded([*left, *right])
    return _sum(left, right)


def _calculation(sign: str, calculate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], object]:
    def calculated(left: object, right: object) -> object:
        if not _is_number(left) or not _is_number(right):
            raise _unfit(sign, left, right)
        try:
            return bounded(calculate(left, right))
        except ZeroDivisionError:
            raise failed(f"'{sign}' cannot divide by zero", "ask first: x / y if y != 0 else 0") from None
        except OverflowError:
            raise failed("the number is too large", "use smaller numbers") from None

    return calculated


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _negated(value: Any) -> object:
    if _is_number(value):
        return -value
    hint = _WHERE_NULL if value is None else "put it before a number"
    raise failed(f"'-' takes a number, not {_with_article(value)}", hint, value)


def _denied(value: object) -> bool:
    if isinstance(value, bool):
        return not value
    raise failed(f"'not' takes a boolean, not {_with_article(value)}", _remedy(value), value)


def _remedy(value: object) -> str:
    return _WHERE_NULL if value is None else "compare it with something, or name another value"


def _unfit(sign: str, left: object, right: object) -> EvaluationFailed:
    words = f"'{sign}' cannot take {_with_article(left)} and {_with_article(right)}"
    if left is None or right is None:
        return failed(words, _WHERE_NULL, left, right)
    joins = "two numbers, two texts or two lists" if sign == "+" else "two numbers"
    return failed(words, f"'{sign}' takes {joins}", left, right)


def _is_equal(left: object, right: object) -> bool:
    return bool(left == right) if type(left) is type(right) and type(left) in _DIRECT else equal(left, right)


def _ordered(test: Callable[[Any, Any], bool], sign: str) -> Callable[[Any, Any], bool]:
    def compare(left: Any, right: Any) -> bool:
        if type(left) is type(right) and type(left) in (int, str):
            return test(left, right)
        return in_order(left, right, test, sign)

    return compare


_MEMBERSHIP = frozenset({ast.In, ast.NotIn})
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: _is_equal,
    ast.NotEq: lambda left, right: not _is_equal(left, right),
    ast.Lt: _ordered(operator.lt, "<"),
    ast.LtE: _ordered(operator.le, "<="),
    ast.Gt: _ordered(operator.gt, ">"),
    ast.GtE: _ordered(operator.ge, ">="),
    ast.In: lambda left, right: holds(right, left),
    ast.NotIn: lambda left, right: not holds(right, left),
}
_sum = _calculation("+", operator.add)
_OPERATORS: Mapping[type[ast.AST], Callable[..., object]] = {
    ast.Add: _added,
    ast.Sub: _calculation("-", operator.sub),
    ast.Mult: _calculation("*", operator.mul),
    ast.Div: _calculation("/", operator.truediv),
    ast.Mod: _calculation("%", operator.mod),
    ast.USub: _negated,
    ast.Not: _denied,
}
_NODES: Mapping[type[ast.AST], Callable[[_Evaluation, Any], Any]] = {
    ast.Constant: lambda evaluation, node: evaluation._eval_constant(node),
    ast.Name: _Evaluation._eval_name,
    ast.Attribute: _Evaluation._eval_attribute,
    ast.Subscript: _Evaluation._eval_subscript,
    ast.BoolOp: _Evaluation._eval_boolop,
    ast.Compare: _Evaluation._eval_compare,
    ast.UnaryOp: _Evaluation._eval_unaryop,
    ast.BinOp: _Evaluation._eval_binop,
    ast.IfExp: _Evaluation._eval_ifexp,
    ast.List: _Evaluation._eval_list,
    ast.ListComp: _Evaluation._eval_comprehension,
    ast.Call: _Evaluation._eval_call,
}
