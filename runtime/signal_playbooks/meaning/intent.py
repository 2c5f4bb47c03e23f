"""What the author of a post wants: readings of the ten intents, each with a probability and the words behind it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import get_args

from signal_playbooks.content.lexicon import Example, IntentEntry
from signal_playbooks.contract.vocabulary import Intent
from signal_playbooks.errors import NotConfigured
from signal_playbooks.meaning.cues import CueTree, Hit
from signal_playbooks.meaning.emphasis import Question
from signal_playbooks.meaning.evidence import Evidence, ReadPost, Weights, quoted, read_post, weigh, words_behind
from signal_playbooks.meaning.likeness import Labelled, Likeness, features
from signal_playbooks.text import words

LEAST = 0.05  # readings below this are left out
MOST = 0.98  # words are never proof
_LIKELY = 0.0  # log-odds of one half
_BOUND = 12.0
_TELLING_WORDS = 160

# Who asks for something better after a grievance complains first; who asks about something particular wants that first:
# an intent, those it stands behind where they are likely, and by how much log-odds it must lead to stand before them.
_PARTICULAR: tuple[Intent, ...] = tuple(
    intent for intent in get_args(Intent) if intent not in ("asking", "complaining")
)
_YIELDS: tuple[tuple[Intent, tuple[Intent, ...], float], ...] = (
    ("comparing", ("complaining",), 2.5),
    ("asking", _PARTICULAR, 2.5),
    ("asking", ("complaining",), 5.0),
)
_BEHIND = 0.1


@dataclass(frozen=True, slots=True)
class Reading:
    """One intent of a post: its calibrated probability, and the words behind it as they stand in the post."""

    intent: Intent
    confidence: float
    words: tuple[str, ...]


class IntentReader:
    """Reads intents by the lexicon's cues and likeness to its examples; the query that found a post has no part in it.

    Everything is learned when it is built, in some 30 ms; reading changes nothing.
    """

    def __init__(
        self,
        entries: Sequence[IntentEntry],
        none_examples: Sequence[Example] = (),
        weights: Weights | None = None,
    ) -> None:
        self._intents: tuple[Intent, ...] = tuple(entry.id for entry in entries)
        self._weights = weights or Weights()
        self._cues = CueTree(entries)
        self._likeness = Likeness(_labelled(entries, none_examples), len(entries))

    def read(self, title: str, body: str) -> tuple[Reading, ...]:
        """Return the readings of 0.05 and more, best first; at least one, below 0.6 where little speaks for it."""
        if not self._intents:
            raise NotConfigured(
                "There is no lexicon, so no intent can be read.", "Put intents into lexicon/, or write shipped: true."
            )
        post = read_post(title, body)
        evidence, questions = self._evidence(post), post.emphasis.questions()
        chances = self._chances(post, evidence, questions)
        order = sorted(range(len(chances)), key=lambda place: -chances[place])
        kept = [place for place in order if chances[place] >= LEAST] or order[:1]
        readings = [
            Reading(
                self._intents[place],
                round(chances[place], 2),
                words_behind(post, evidence[place], questions if self._intents[place] == "asking" else ()),
            )
            for place in kept
        ]
        if not readings[0].words:
            readings[0] = replace(readings[0], words=self._alike(post, kept[0]))
        return tuple(readings)

    def _evidence(self, post: ReadPost) -> list[Evidence]:
        hits: list[list[Hit]] = [[] for _ in self._intents]
        for hit in self._cues.find([word.folded for word in post.words]):
            hits[hit.intent].append(hit)
        return [weigh(found, post, self._weights) if found else Evidence() for found in hits]

    def _chances(self, post: ReadPost, evidence: Sequence[Evidence], questions: Sequence[Question]) -> list[float]:
        odds: list[float] = []
        for intent, one, likeness in zip(self._intents, evidence, self._likeness.scores(post.features), strict=True):
            own = one.odds(self._weights, likeness, questions if intent == "asking" else ())
            odds.append(max(min(own, _BOUND), -_BOUND))
        for intent, before, lead in _YIELDS:
            self._yield(odds, intent, before, lead)
        return [min(1 / (1 + exp(-one)), MOST) for one in odds]

    def _yield(self, odds: list[float], intent: Intent, before: Sequence[Intent], lead: float) -> None:
        """Put an intent behind a likely one of those before it, unless it leads by more than that."""
        if intent not in self._intents:
            return
        own = self._intents.index(intent)
        first = max((odds[place] for place, other in enumerate(self._intents) if other in before), default=-_BOUND)
        if odds[own] - lead < first >= _LIKELY:
            odds[own] = min(odds[own], first - _BEHIND)

    def _alike(self, post: ReadPost, place: int) -> tuple[str, ...]:
        """Return the words that make the post most like the intent's examples."""
        weighed = [(self._likeness.weight(word.folded, place), word) for word in post.words[:_TELLING_WORDS]]
        telling = sorted((pair for pair in weighed if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].start))
        return quoted(post.text, [(word.start, word.end) for _, word in telling])


def _labelled(entries: Sequence[IntentEntry], none_examples: Iterable[Example]) -> Iterable[Labelled]:
    """Yield every example with the places of its intents; an entry's canonical example is one of them."""
    places = {entry.id: place for place, entry in enumerate(entries)}
    for place, entry in enumerate(entries):
        for example in entry.examples:
            also = frozenset(places[intent] for intent in example.also if intent in places)
            yield Labelled(_features(example.text), place, also)
        yield Labelled(_features(entry.example), place, frozenset())
    for example in none_examples:
        yield Labelled(_features(example.text), None, frozenset())


def _features(text: str) -> tuple[str, ...]:
    return tuple(features(text, words(text)))
