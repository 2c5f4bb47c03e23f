"""Likeness to the lexicon's examples: log-odds of words, pairs and word beginnings, learned when it is built."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from signal_playbooks.text import Word

_SMOOTHING = 2.0
_LEAST_SEEN = 2  # a feature of one example is no evidence
_LEAST_WEIGHT = 0.35  # log-odds closer to nothing are left out: they cost time and say little
_BESIDE = 0.6  # how much an example counts for an intent that it has besides
_STEM = 5
_CALM = 6.0  # features that say nothing, added to every text: a few words are not much of a sample
_MOST_WORDS = 160
_SIGNS = (("<?>", "?"), ("<?>", "？"), ("<!>", "!"), ("<!>", "！"), ("<address>", "://"), ("<address>", "@"))
_MARKS = (
    ("<money>", re.compile(r"[$€£¥]\s?\d|\d\s?[$€£¥]|\d ?(?:k|eur|euros?|usd|dollars?)\b", re.IGNORECASE)),
    ("<version>", re.compile(r"\bv?\d+\.\d+(?:\.\d+)?\b")),
)

_Weights = tuple[tuple[int, float], ...]  # places of intents, and log-odds


@dataclass(frozen=True, slots=True)
class Labelled:
    """What is learned from an example: its features, the place of its intent (None for none), those it has besides."""

    features: tuple[str, ...]
    intent: int | None
    also: frozenset[int]


def features(text: str, found: Sequence[Word]) -> list[str]:
    """Return what a text is known by, each once: its words first and in order, then pairs, beginnings and marks."""
    folded = ["<n>" if word.folded.isdigit() else word.folded for word in found[:_MOST_WORDS]]
    pairs = [f"{left} {right}" for left, right in pairwise(folded)]
    stems = [f"{word[:_STEM]}~" for word in folded if len(word) > _STEM]
    marks = [mark for mark, sign in _SIGNS if sign in text]
    if any(word[0] == "<" or word[0].isdigit() for word in folded):
        marks += [mark for mark, pattern in _MARKS if pattern.search(text)]
    return list(dict.fromkeys(folded + pairs + stems + marks))


class Likeness:
    """How much a text is like the examples of each of `size` intents."""

    def __init__(self, examples: Iterable[Labelled], size: int) -> None:
        self._size = size
        learned = list(examples)
        seen = Counter(feature for example in learned for feature in example.features)
        rows = {feature: [0.0] * size for feature, often in seen.items() if often >= _LEAST_SEEN}
        totals = [0.0] * size
        for example in learned:
            for place, share in _shares(example):
                totals[place] += share
                for feature in rows.keys() & example.features:
                    rows[feature][place] += share
        shares = [(total + 1) / (len(learned) + 2) for total in totals]
        nothing = {often: [_moved(0, often, share) for share in shares] for often in set(seen.values())}
        self._weights = {
            feature: _log_odds(row, seen[feature], shares, nothing[seen[feature]]) for feature, row in rows.items()
        }

    def scores(self, of: Sequence[str]) -> list[float]:
        """Return for each intent the mean of its log-odds over the features that spoke; 0 means nothing is known."""
        sums = [0.0] * self._size
        spoke = 0
        for feature in of:
            weights = self._weights.get(feature)
            if weights:
                spoke += 1
                for place, weight in weights:
                    sums[place] += weight
        return [total / (_CALM + spoke) for total in sums]

    def weight(self, feature: str, intent: int) -> float:
        """Return the log-odds that a feature gives an intent, 0 where it says nothing."""
        return next((weight for place, weight in self._weights.get(feature, ()) if place == intent), 0.0)


def _shares(example: Labelled) -> list[tuple[int, float]]:
    own = [] if example.intent is None else [(example.intent, 1.0)]
    return own + [(place, _BESIDE) for place in sorted(example.also) if place != example.intent]


def _log_odds(row: Sequence[float], often: int, shares: Sequence[float], nothing: Sequence[float]) -> _Weights:
    """Return by how much a feature moves the log-odds of each intent from what they are without it."""
    kept: list[tuple[int, float]] = []
    for place, inside in enumerate(row):
        weight = _moved(inside, often, shares[place]) if inside else nothing[place]
        if abs(weight) >= _LEAST_WEIGHT:
            kept.append((place, weight))
    return tuple(kept)


def _moved(inside: float, often: int, share: float) -> float:
    """Return the log-odds of an intent among the examples with a feature, less those among all.

    Few examples are drawn towards the share among all, as if `_SMOOTHING` further ones had it like everybody else.
    """
    chance = (inside + _SMOOTHING * share) / (often + _SMOOTHING)
    return log(chance / (1 - chance)) - log(share / (1 - share))
