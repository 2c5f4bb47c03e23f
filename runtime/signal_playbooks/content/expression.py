"""An expression of the playbook language: read, checked against the grammar, and able to say where each part stands."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from signal_playbooks.content.grammar import MAX_DEPTH, check_grammar, span_of
from signal_playbooks.content.tokens import Complaint, ExpressionInvalid, Token, plain_source, text_value, tokens_of

__all__ = ["Complaint", "Expression", "ExpressionInvalid", "Path", "parse_expression"]

_LEAVES = frozenset((ast.Name, ast.Constant))
_JOINTS = frozenset({"and", "or", "not", "in", "if", "else", "for"})


@dataclass(frozen=True, slots=True)
class Path:
    """A value that is read: its name and members (`steps`, `find`, `output`; a number is a list's index), and where."""

    parts: tuple[str | int, ...]
    start: int
    end: int

    @property
    def text(self) -> str:
        """Return it dotted: `steps.find.output.signals`, `items[0].key`."""
        written = str(self.parts[0])
        for part in self.parts[1:]:
            written += f"[{part}]" if isinstance(part, int) else f".{part}"
        return written


@dataclass(frozen=True, eq=False)
class Expression:
    """A checked expression.

    `origin` is where it begins in the text it was cut from; `place`, where set, is the place of all its parts there.
    """

    text: str
    tree: ast.expr
    origin: int = 0
    place: tuple[int, int] | None = None

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """Return every path read from a free name, longest form, in the order written."""
        found = tuple(self._paths(self.tree, frozenset()))
        return found if len(found) < 2 else tuple(sorted(found, key=lambda path: (path.start, path.end)))

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the free names: what has to be in scope."""
        return frozenset(str(path.parts[0]) for path in self.paths)

    def offset_of(self, node: ast.AST) -> tuple[int, int]:
        """Return where the node stands (start, end exclusive) in the text the expression was cut from."""
        return self.outside(span_of(node))

    def outside(self, span: tuple[int, int]) -> tuple[int, int]:
        """Return a span of `text` as a span of the text the expression was cut from."""
        return self.place or (span[0] + self.origin, span[1] + self.origin)

    def source_of(self, node: ast.AST) -> str:
        """Return the node as it was written, on one line."""
        start, end = span_of(node)
        return " ".join(self.text[start:end].split())

    def _paths(self, node: ast.AST, bound: frozenset[str]) -> Iterator[Path]:
        if isinstance(node, ast.ListComp):
            loop = node.generators[0]
            yield from self._paths(loop.iter, bound)
            inner = bound | {loop.target.id} if isinstance(loop.target, ast.Name) else bound
            for part in (node.elt, *loop.ifs):
                yield from self._paths(part, inner)
            return
        if parts := _parts(node):
            if parts[0] not in bound:
                yield Path(parts, *self.offset_of(node))
            return
        for child in _read_children(node):
            yield from self._paths(child, bound)


def parse_expression(text: str, origin: int = 0, place: tuple[int, int] | None = None) -> Expression:
    """Return the expression in the text; ExpressionInvalid, with a complaint at its offset, where it is none.

    `origin` is added to every offset, for an expression cut from a longer text; `place` replaces them all.
    """
    try:
        return Expression(text, _parsed(text), origin, place)
    except ExpressionInvalid as invalid:
        if place is None:
            raise invalid.moved(origin) from None
        complaint = invalid.complaint
        raise ExpressionInvalid(Complaint(*place, complaint.rule, complaint.message, hint=complaint.hint)) from None


def _parsed(text: str) -> ast.expr:
    tokens = tokens_of(text)
    source = plain_source(text, tokens)
    lead = len(source) - len(source.lstrip())
    try:
        tree = ast.parse(source[lead:], mode="eval").body
    except SyntaxError as error:
        raise _misread(tokens, error, lead) from None
    except (RecursionError, MemoryError, ValueError):
        raise _too_deep(text) from None
    nodes = _settled(tree, text, lead, {token.start: token for token in tokens if token.kind == "text"})
    check_grammar(nodes, text)
    return tree


def _settled(tree: ast.expr, text: str, lead: int, texts: Mapping[int, Token]) -> list[ast.AST]:
    """Return every node of the tree, outermost first, each with its offset in the text and each text with its value."""
    level: list[ast.AST] = [tree]
    found: list[ast.AST] = []
    for _ in range(MAX_DEPTH):
        found += level
        level = [child for node in level if type(node) not in _LEAVES for child in _parts_of(node)]
        if not level:
            break
    else:
        raise _too_deep(text)
    for node in found:
        if isinstance(node, ast.expr):
            node.col_offset += lead
            node.end_col_offset = (node.end_col_offset or 0) + lead
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = text_value(texts[node.col_offset])
    return found


def _parts_of(node: ast.AST) -> list[ast.AST]:
    parts: list[ast.AST] = []
    for name in node._fields:
        part = getattr(node, name)
        if isinstance(part, list):
            parts += part
        elif name != "ctx" and isinstance(part, ast.AST):
            parts.append(part)
    return parts


def _too_deep(text: str) -> ExpressionInvalid:
    words = f"this expression is nested more than {MAX_DEPTH} deep"
    return ExpressionInvalid(Complaint(0, len(text), "bad-syntax", words, hint="split it into several steps"))


def _misread(tokens: list[Token], error: SyntaxError, lead: int) -> ExpressionInvalid:
    """Return what to say where Python's parser stopped: its own words speak of things this language does not have."""
    if "expected 'else'" in error.msg and (lone := _first(tokens, "if")):
        return _complaint(lone, "this 'if' has no 'else': write x if c else y")
    at = lead + (error.offset or 0) - 1
    token = next((token for token in tokens if token.end > at), None) if error.offset else None
    last = tokens[-1]
    if token is None or (token is last and _wants_more(last)):
        return _complaint(last, f"the expression breaks off after '{last.text}': something is missing")
    before = next((other for other in reversed(tokens) if other.start < token.start), None)
    return _complaint(token, _unexpected(token, before))


def _complaint(token: Token, message: str) -> ExpressionInvalid:
    return ExpressionInvalid(Complaint(token.start, token.end, "bad-syntax", message))


def _first(tokens: list[Token], word: str) -> Token | None:
    return next((token for token in tokens if token.text == word), None)


def _wants_more(token: Token) -> bool:
    return token.text in _JOINTS or (token.kind == "mark" and token.text not in (")", "]"))


def _unexpected(token: Token, before: Token | None) -> str:
    is_value = token.kind in ("text", "number") or (token.kind == "name" and token.text not in _JOINTS)
    if before is None:
        return f"an expression cannot begin with '{token.text}'"
    ends_value = before.kind in ("text", "number") or before.text in (")", "]")
    if is_value and (ends_value or (before.kind == "name" and before.text not in _JOINTS)):
        return f"between '{before.text}' and '{token.text}' something is missing: an operator, a comma or 'and'"
    return f"'{token.text}' cannot stand after '{before.text}'"


def _parts(node: ast.AST) -> tuple[str | int, ...]:
    """Return the path a chain of members reads, or nothing where the node is no such chain."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        return _joined(_parts(node.value), node.attr)
    return _joined(_parts(node.value), _literal_key(node.slice)) if isinstance(node, ast.Subscript) else ()


def _joined(holder: tuple[str | int, ...], key: str | int | None) -> tuple[str | int, ...]:
    return (*holder, key) if holder and key is not None else ()


def _literal_key(node: ast.expr) -> str | int | None:
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return None
    return node.value if isinstance(node.value, str | int) else None


def _read_children(node: ast.AST) -> list[ast.AST]:
    """Return the parts whose values are read; the name of a function called is none."""
    return list(node.args) if isinstance(node, ast.Call) else _parts_of(node)
