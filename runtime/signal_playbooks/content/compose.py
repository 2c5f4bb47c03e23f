"""Nodes out of YAML's event stream, and a problem for everything in it that the project's YAML does not know."""

import gc
import re
from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Mapping as Map
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeGuard

import yaml

from signal_playbooks.content.anchors import MAX_DEPTH, AliasRefused, Anchors
from signal_playbooks.content.braces import braces_end, braces_problem, masked
from signal_playbooks.content.characters import forbidden_character
from signal_playbooks.content.lines import Lines
from signal_playbooks.content.node import WORDS, Mapping, Node, Scalar, Sequence, Style, refused_number
from signal_playbooks.content.scalar import plain_text
from signal_playbooks.content.syntax import syntax_problem
from signal_playbooks.problem import Problem

MAX_NODES = 2_000_000
MAX_PROBLEMS = 200
_BRACES_PASSES, _BRACES_PASSES_LARGE = 20, 2
_LARGE = 200_000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STYLES: dict[str | None, Style] = {
    # libyaml gives an empty style for a plain scalar, PyYAML's own reader none.
    "": "plain",
    None: "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}
_STARTS = frozenset((yaml.MappingStartEvent, yaml.SequenceStartEvent))
_ENDS = frozenset((yaml.MappingEndEvent, yaml.SequenceEndEvent))
_NUMBER_STARTS = frozenset("0123456789+-.")
# Plain keys that are no text: null, true, false, a merge, or missing. Numbers are known by how they begin.
_NO_KEYS = frozenset((*WORDS, "<<"))
_PROPERTY = re.compile(r"[&!][^\s,\[\]{}]*|!<[^>\s]*>")
_GAP = re.compile(r"(?:[ \t\r\n\x85\u2028\u2029]|(?<=\s)#[^\r\n]*)*")


class _Stop(Exception):
    """Composing cannot go on; the reason is among the problems."""


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    start: int
    flow: bool
    anchor: str | None
    alias_at: int
    braces: bool = False
    nodes: list[Node] = field(default_factory=list)


def compose(lines: Lines, *, loader: Any = _LOADER, max_nodes: int = MAX_NODES) -> tuple[Node | None, list[Problem]]:
    """Return the root node and what is wrong; the root is None where the text could not be read to its end.

    `loader` is the PyYAML loader whose events are read: libyaml's, or PyYAML's own where that is missing.
    """
    forbidden = forbidden_character(lines, escapes=loader is yaml.SafeLoader)
    if forbidden:
        return None, [forbidden]
    masks: dict[int, int] = {}
    large = len(lines.text) > _LARGE
    with _without_collections(large):
        for _ in range(_BRACES_PASSES_LARGE if large else _BRACES_PASSES):
            pass_ = _Pass(lines, masks, loader, max_nodes)
            root = pass_.run()
            if not pass_.new_masks:
                break
            # Read again as if the braces were quoted, so that whatever else is wrong is found as well.
            masks = masks | pass_.new_masks
    return root, pass_.all_problems()


@contextmanager
def _without_collections(large: bool) -> Iterator[None]:
    """Keep the garbage collector from walking a growing tree again and again (4.9 s against 0.6 s on 6 MB)."""
    if not large or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _place(node: Node) -> tuple[int, int]:
    return (node.alias.start, node.alias.end) if node.alias else (node.start, node.end)


class _Pass:
    """One reading of the text from its first event to its last."""

    def __init__(self, lines: Lines, masks: Map[int, int], loader: Any, max_nodes: int) -> None:
        self._lines = lines
        self._source = lines.text
        self._masks = masks
        self._loader = loader
        self._max_nodes = max_nodes
        self._mask_starts = sorted(masks)
        self._masked_to = 0
        self._text = masked(lines.text, masks)
        self._problems: list[Problem] = []
        self._left_out = 0
        self._root: Node | None = None
        self._documents = 0
        self._stack: list[_Open] = []
        self._anchors = Anchors()
        self._last: Node | None = None
        self.new_masks: dict[int, int] = {}

    def run(self) -> Node | None:
        """Return the root, None where reading had to end early."""
        try:
            self._read(self._loader(self._text))
        except _Stop:
            return None
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self._syntax(error)
            return None
        self._check_empty()
        return self._root

    def _read(self, loader: Any) -> None:
        """Take event after event; the common one, a scalar, in place, as a call each would cost a third of the time."""
        next_event, stack, has_masks = loader.get_event, self._stack, bool(self._masks)
        count, most = 0, self._max_nodes
        scalar_event, new_scalar, styles, number_starts = yaml.ScalarEvent, Scalar, _STYLES, _NUMBER_STARTS
        node: Node
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is scalar_event:
                text = event.value
                if event.anchor or event.tag or has_masks or text[:1] in number_starts:
                    node = self._scalar(event)
                else:
                    node = new_scalar(text, styles[event.style], event.start_mark.index, event.end_mark.index)
                self._last = node
            elif kind in _STARTS:
                self._open(event)
                continue
            elif kind in _ENDS:
                node = self._close(event)
            elif kind is yaml.AliasEvent:
                node = self._alias(event)
            else:
                if kind is yaml.DocumentStartEvent:
                    self._document(event)
                continue
            count += 1
            if stack and count <= most:
                stack[-1].nodes.append(node)
            else:
                self._outermost(node, count)

    def all_problems(self) -> list[Problem]:
        """Return the problems found, those about braces included."""
        masks = sorted((dict(self._masks) | self.new_masks).items())
        found = [braces_problem(self._lines, start, end) for start, end in masks[:MAX_PROBLEMS]] + self._problems
        left_out = self._left_out + len(masks[MAX_PROBLEMS:])
        if left_out:
            words = f"{left_out} further problems of this file are not listed"
            found.append(Problem(self._lines.span(0, 1), "yaml-problems", words, severity="note"))
        return found

    def _is_full(self) -> bool:
        """Tell whether a further problem is only counted."""
        full = len(self._problems) >= MAX_PROBLEMS
        self._left_out += full
        return full

    def _complain(self, start: int, end: int, rule: str, message: str, **more: Any) -> None:
        if not self._is_full():
            self._problems.append(Problem(self._lines.span(start, end), rule, message, **more))

    def _syntax(self, error: Exception) -> None:
        innermost = next((open_ for open_ in reversed(self._stack) if open_.flow), None)
        last = self._last if isinstance(self._last, Scalar) else None
        problem = syntax_problem(self._lines, error, innermost.start if innermost else None, last)
        braces = {self._lines.span(start, start + 1).line for start in self.new_masks}
        if problem.span.line not in braces:
            self._problems.append(problem)

    def _check_empty(self) -> None:
        root = self._root
        if root is None or (isinstance(root, Scalar) and root.style == "plain" and not root.text and not root.alias):
            self._root = None
            if not self._problems:
                self._complain(0, 1, "yaml-empty", "there is nothing in this file")

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            at = event.start_mark.index
            message = "a second document begins here; a file holds one"
            self._complain(at, at + 3, "yaml-documents", message, hint="move it to a file of its own")
            raise _Stop

    # -- what an event brings

    def _scalar(self, event: Any) -> Scalar:
        start, end, text, style = event.start_mark.index, event.end_mark.index, event.value, _STYLES[event.style]
        if event.anchor or event.tag:
            start = self._after_properties(start, end, event.tag)
        if style == "plain":
            text = self._unmasked(text, start, end)
            refused = refused_number(text)
            if refused:
                self._complain(start, end, "yaml-number", refused, hint="put it in quotes if it is text")
        node = Scalar(text, style, start, end)
        if event.anchor:
            self._anchors.keep(event.anchor, event.start_mark.index, node)
        return node

    def _unmasked(self, text: str, start: int, end: int) -> str:
        """Return the text as it is written, where braces in it were masked for the reader."""
        before = bisect_left(self._mask_starts, end) - 1
        touched = before >= 0 and self._masks[self._mask_starts[before]] > start
        return plain_text(self._source, start, end) if touched else text

    def _open(self, event: Any) -> None:
        start = at = event.start_mark.index
        if event.anchor or event.tag:
            start = self._after_properties(at, len(self._source), event.tag)
        open_ = _Open(start, bool(event.flow_style), event.anchor, at)
        if open_.flow and type(event) is yaml.MappingStartEvent and self._text.startswith("{{", start):
            self._note_braces(open_)
        if event.anchor:
            self._anchors.open(event.anchor)
        self._stack.append(open_)
        if len(self._stack) > MAX_DEPTH:
            self._complain(start, start + 1, "yaml-depth", f"this is nested more than {MAX_DEPTH} levels deep")
            raise _Stop

    def _note_braces(self, open_: _Open) -> None:
        open_.braces = True
        # What stands inside braces that were noted already is part of the same text.
        end = braces_end(self._source, open_.start) if open_.start >= self._masked_to else None
        if end:
            self.new_masks[open_.start] = self._masked_to = end

    def _close(self, event: Any) -> Node:
        open_ = self._stack.pop()
        nodes = open_.nodes
        end = event.end_mark.index if open_.flow else _place(nodes[-1])[1] if nodes else open_.start + 1
        node: Node
        if type(event) is yaml.MappingEndEvent:
            entries, places = self._entries(open_, nodes[::2], nodes[1::2])
            node = Mapping(entries, open_.flow, open_.start, end, places=places)
        else:
            node = Sequence(tuple(nodes), open_.flow, open_.start, end)
        if open_.anchor:
            self._anchors.keep(open_.anchor, open_.alias_at, node)
        return node

    def _alias(self, event: Any) -> Node:
        start, end = event.start_mark.index, event.end_mark.index
        try:
            return self._anchors.use(event.anchor, start, end, len(self._stack))
        except AliasRefused as refused:
            self._complain(start, end, "yaml-aliases", str(refused))
            if refused.fatal:
                raise _Stop from None
            return Scalar("", "plain", start, end)

    # -- where it goes

    def _after_properties(self, start: int, end: int, tag: str | None) -> int:
        """Return where the node's content begins after its anchor and tag; a tag is refused."""
        at = start
        while at < end and (match := _PROPERTY.match(self._source, at, end)):
            if tag and match[0].startswith("!"):
                message = f"tags such as {match[0][:40]} are not used here"
                hint = "remove it: what a value is follows from how it is written, and quotes make a text"
                self._complain(at, match.end(), "yaml-tag", message, hint=hint)
                tag = None
            gap = _GAP.match(self._source, match.end(), end)
            at = gap.end() if gap else match.end()
        return at

    def _outermost(self, node: Node, count: int) -> None:
        if count > self._max_nodes:
            message = f"there are more than {self._max_nodes:,} values in this file"
            self._complain(node.start, node.end, "yaml-size", message)
            raise _Stop
        self._root = node

    def _entries(
        self, open_: _Open, keys: list[Node], values: list[Node]
    ) -> tuple[tuple[tuple[Scalar, Node], ...], dict[str, int]]:
        """Return the entries that may stand, each key once, and the place of each; complain about the others."""
        scalars = [key for key in keys if type(key) is Scalar]
        texts = [key.text for key in scalars]
        places = {text: place for place, text in enumerate(texts)}
        all_text = _NO_KEYS.isdisjoint(texts) and _NUMBER_STARTS.isdisjoint([text[:1] for text in texts])
        if all_text and len(places) == len(keys):
            return tuple(zip(scalars, values, strict=True)), places
        entries: list[tuple[Scalar, Node]] = []
        places = {}
        for key, value in zip(keys, values, strict=True):
            if self._may_stand(key, open_):
                first = places.setdefault(key.text, len(entries))
                if first == len(entries):
                    entries.append((key, value))
                else:
                    self._duplicate(entries[first][0], key)
        return tuple(entries), places

    def _may_stand(self, key: Node, open_: _Open) -> TypeGuard[Scalar]:
        if isinstance(key, Scalar):
            return key.style != "plain" or self._is_text_key(key)
        if not open_.braces:
            self._complain(*_place(key), "yaml-key", "a key is a text, not a list or a mapping")
        return False

    def _duplicate(self, first: Scalar, key: Scalar) -> None:
        if self._is_full():
            return
        other = _place(first)
        self._complain(
            *_place(key),
            "duplicate-key",
            f"'{key.text[:60]}' is here twice in one mapping; the first is on line {self._lines.span(*other).line}",
            hint="keep one of them",
            related=((self._lines.span(*other), "the first is here"),),
        )

    def _is_text_key(self, key: Scalar) -> bool:
        """Tell whether a plain key stays in its mapping; whatever is no text, or a merge, is refused."""
        if key.text == "<<":
            hint = "write the keys out, or let an alias stand for the whole value"
            self._complain(*_place(key), "yaml-merge", "merge keys (<<) are not part of YAML 1.2", hint=hint)
            return False
        value = key.value
        if not isinstance(value, str) and not self._is_full():
            what = {bool: "a boolean", type(None): "null"}.get(type(value), "a number")
            message = f"the key {key.text[:60]} is {what}, and a key is a text" if key.text else "a key is missing here"
            hint = f"write '{key.text[:60]}' in quotes" if key.text else "write a key before the colon"
            self._complain(*_place(key), "yaml-key", message, hint=hint)
        return True
