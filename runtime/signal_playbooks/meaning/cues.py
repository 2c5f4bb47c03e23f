"""Cues, found: the lexicon's words and phrases as one tree that is walked along the words of a post."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from signal_playbooks.content.lexicon import IntentEntry
from signal_playbooks.text import fold, words

Tier = Literal["strong", "weak", "against"]
TIERS: tuple[Tier, ...] = ("strong", "weak", "against")

BREAK = "\n"  # stands between title and body; it is no word of any cue, and no gap reaches over it
_LONGEST_GAP = 3
_FIRST_UNSPACED = "\u0e01"  # Thai; scripts before it write blanks between words
_KEY = 3  # characters of a prefix by which it is looked up


@dataclass(frozen=True, slots=True)
class Hit:
    """A cue found: whose it is (place in the list of entries), how it counts, and which words it covers."""

    intent: int
    tier: Tier
    start: int
    end: int


_Ends = tuple[tuple[int, Tier], ...]


class _Node:
    """A place in the tree: the cues that end here, and where the next word leads. Most places lead nowhere."""

    __slots__ = ("ends", "exact", "gap", "prefixes")

    def __init__(self) -> None:
        self.ends: _Ends = ()
        self.exact: dict[str, _Node] | None = None
        self.prefixes: list[tuple[str, _Node]] | None = None
        self.gap: _Node | None = None


class CueTree:
    """All cues of all entries. Building reads each cue once; finding costs what the post's words cost."""

    def __init__(self, entries: Sequence[IntentEntry]) -> None:
        self._root = _Node()
        for place, entry in enumerate(entries):
            for tier in TIERS:
                end: tuple[int, Tier] = (place, tier)
                for cue in getattr(entry.cues, tier):
                    self._add(cue, end)
        self._beginnings: dict[str, list[tuple[str, _Node]]] = {}
        for prefix, node in self._root.prefixes or ():
            self._beginnings.setdefault(prefix[:_KEY], []).append((prefix, node))

    def _add(self, cue: str, end: tuple[int, Tier]) -> None:
        node = self._root
        for step in _steps(cue):
            node = _child(node, step)
        if node is not self._root and end not in node.ends:
            node.ends = (*node.ends, end)

    def find(self, folded: Sequence[str]) -> list[Hit]:
        """Return every cue that stands in these folded words, in order of its first word."""
        hits: list[Hit] = []
        exact, beginnings = self._root.exact or {}, self._beginnings
        for start, word in enumerate(folded):
            node = exact.get(word)
            if node is not None:
                hits.extend(_follow(node, folded, start, start + 1))
            for prefix, further in beginnings.get(word[:_KEY], ()):
                if word.startswith(prefix):
                    hits.extend(_follow(further, folded, start, start + 1))
        return hits


def _steps(cue: str) -> list[str]:
    """Return a cue's words folded; `*` for a gap, and a `*` at the end of a prefix."""
    if cue.isascii() and cue.replace(" ", "").isalnum():
        return cue.lower().split()  # as most are: what `words` would say, many times as fast
    found: list[str] = []
    for written in cue.split():
        bare = written.removesuffix("*")
        if bare.isalnum() and max(bare) < _FIRST_UNSPACED:
            found.append(fold(bare))
        else:
            found.extend(word.folded for word in words(bare))
        if written.endswith("*"):
            found.append(f"{found.pop()}*" if bare and found else "*")
    return found


def _child(node: _Node, step: str) -> _Node:
    """Return the node that a word, a prefix or a gap leads to, made where it is new."""
    if step == "*":
        node.gap = node.gap or _Node()
        return node.gap
    if step.endswith("*"):
        return _beginning(node, step[:-1])
    if node.exact is None:
        node.exact = {}
    child = node.exact.get(step)
    if child is None:
        child = node.exact[step] = _Node()
    return child


def _beginning(node: _Node, prefix: str) -> _Node:
    if node.prefixes is None:
        node.prefixes = []
    for text, child in node.prefixes:
        if text == prefix:
            return child
    node.prefixes.append((prefix, _Node()))
    return node.prefixes[-1][1]


def _follow(node: _Node, folded: Sequence[str], start: int, at: int) -> Iterator[Hit]:
    """Yield the cues that end at this node or below it, along the words from `at` on."""
    for intent, tier in node.ends:
        yield Hit(intent, tier, start, at)
    if at >= len(folded):
        return
    for child in _next(node, folded[at]):
        yield from _follow(child, folded, start, at + 1)
    if node.gap is not None:
        yield from _over_gap(node.gap, folded, start, at)


def _over_gap(node: _Node, folded: Sequence[str], start: int, at: int) -> Iterator[Hit]:
    for skipped in range(at + 1, min(at + _LONGEST_GAP, len(folded)) + 1):
        if folded[skipped - 1] == BREAK:
            return
        if skipped < len(folded):
            for child in _next(node, folded[skipped]):
                yield from _follow(child, folded, start, skipped + 1)


def _next(node: _Node, word: str) -> Iterable[_Node]:
    """Return the nodes that a word leads to: by itself, and by its beginnings."""
    child = node.exact.get(word) if node.exact else None
    found = [] if child is None else [child]
    if node.prefixes:
        found += [further for prefix, further in node.prefixes if word.startswith(prefix)]
    return found
