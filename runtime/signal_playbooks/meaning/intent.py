"""What the author of a post wants: readings of the ten intents, each with a probability and the words behind it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import get_args

from signal_playbooks.content.lexicon import Example, IntentEntry
from signal_playbooks.contract.vocabulary import Intent
from signal_playbooks.meaning.cues import BREAK, CueTree, Hit, Tier
from signal_playbooks.meaning.emphasis import Emphasis, Question
from signal_playbooks.meaning.likeness import Labelled, Likeness, features
from signal_playbooks.text import Word, words

READ_TITLE, READ_BODY = 400, 4_000  # characters that are read: what somebody wants, they say before that
LEAST = 0.05
_MOST_EVIDENCE = 3
_LONGEST_EVIDENCE = 60
_LIKELY = 0.0  # log-odds of one half
_ASKING: Intent = "asking"
# Who asks for something better after a grievance complains first; who asks about something particular wants that first:
# an intent, those it stands behind where they are sure, and by how much log-odds it must lead to stand before them.
_PARTICULAR: tuple[Intent, ...] = tuple(intent for intent in get_args(Intent) if intent not in ("asking", "complaining"))
_YIELDS: tuple[tuple[Intent, tuple[Intent, ...], float], ...] = (
    ("comparing", ("complaining",), 2.5),
    ("asking", _PARTICULAR, 2.5),
    ("asking", ("complaining",), 5.0),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One intent of a post: its calibrated probability, and the words behind it as they stand in the post."""

    intent: Intent
    confidence: float
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """How evidence adds up to log-odds. Fitted on the examples, each held against a model that had not seen it."""

    bias: float = -2.4
    strong: float = 2.8
    weak: float = 0.6
    against: float = -1.6
    likeness: float = 2.5
    question: float = 1.6
    opening_question: float = 0.9
    closing_question: float = 0.6
    most_weak: float = 3.0
    most_likeness: float = 1.4
    most_unlikeness: float = 0.6  # the examples are few: being unlike them says little against
    further: float = 0.5  # what each further strong cue counts, of the one before
    one_word: float = 0.8  # what a strong cue of a single word counts: phrases mislead less often
    long_text: float = 40.0  # words from which on everything is said somewhere, and a weak cue says less


@dataclass(slots=True)
class _Evidence:
    """What speaks for one intent in one post."""

    strong: float = 0.0
    weak: float = 0.0
    against: float = 0.0
    likeness: float = 2.5
    questions: tuple[Question, ...] = ()
    hits: tuple[tuple[float, Hit], ...] = ()


@dataclass(frozen=True, slots=True)
class _Post:
    text: str
    words: tuple[Word, ...]
    emphasis: Emphasis
    features: tuple[str, ...]


class IntentReader:
    """Reads intents by the lexicon's cues and by likeness to its examples; the query that found a post plays no part."""

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
        """Return the readings of 0.05 and more, best first; always at least one, below 0.6 where little speaks for it."""
        post = _post(title, body)
        evidence = self._evidence(post)
        chances = self._chances(evidence)
        order = sorted(range(len(chances)), key=lambda place: -chances[place])
        kept = [place for place in order if chances[place] >= LEAST] or order[:1]
        readings = [
            Reading(self._intents[place], round(chances[place], 2), _words_behind(post, evidence[place]))
            for place in kept
        ]
        if not readings[0].words:
            readings[0] = replace(readings[0], words=_quoted(post.text, self._alike(post, kept[0])))
        return tuple(readings)

    def _evidence(self, post: _Post) -> list[_Evidence]:
        found = [_Evidence(likeness=score) for score in self._likeness.scores(post.features)]
        by_intent: dict[int, list[Hit]] = {}
        for hit in self._cues.find([word.folded for word in post.words]):
            by_intent.setdefault(hit.intent, []).append(hit)
        for place, hits in by_intent.items():
            self._weigh(found[place], _apart(hits), post)
        if _ASKING in self._intents:
            found[self._intents.index(_ASKING)].questions = tuple(post.emphasis.questions())
        return found

    def _weigh(self, evidence: _Evidence, hits: Sequence[Hit], post: _Post) -> None:
        """Add up one intent's cues: each once, strong ones with less and less for each further."""
        best: dict[tuple[Tier, str], tuple[float, Hit]] = {}
        for hit in hits:
            key = (hit.tier, " ".join(word.folded for word in post.words[hit.start : hit.end]))
            weight = post.emphasis.of(hit.start, hit.end)
            if weight > best.get(key, (0.0, hit))[0]:
                best[key] = (weight, hit)
        tiers: dict[Tier, list[float]] = {"strong": [], "weak": [], "against": []}
        for (tier, _), (weight, hit) in best.items():
            single = tier == "strong" and hit.end - hit.start == 1
            tiers[tier].append(weight * self._weights.one_word if single else weight)
        share = 1.0
        for weight in sorted(tiers["strong"], reverse=True):
            evidence.strong += share * weight
            share *= self._weights.further
        thin = min(1.0, (self._weights.long_text / max(len(post.words), 1)) ** 0.7)
        evidence.weak = min(sum(tiers["weak"]) * thin, self._weights.most_weak)
        evidence.against = min(sum(tiers["against"]), 2.0)
        evidence.hits = tuple(found for found in best.values() if found[1].tier != "against")

    def _chances(self, evidence: Sequence[_Evidence]) -> list[float]:
        odds = [max(min(self._odds(one), 12.0), -12.0) for one in evidence]
        for intent, before, lead in _YIELDS:
            self._yield(odds, intent, before, lead)
        return [min(1 / (1 + exp(-one)), 0.98) for one in odds]

    def _yield(self, odds: list[float], intent: Intent, before: Sequence[Intent], lead: float) -> None:
        """Put an intent behind a more particular one that is sure, unless it leads by far."""
        if intent not in self._intents:
            return
        own = self._intents.index(intent)
        first = max((odds[place] for place, other in enumerate(self._intents) if other in before), default=-12.0)
        if odds[own] - lead < first >= _LIKELY:
            odds[own] = min(odds[own], first - 0.1)

    def _odds(self, one: _Evidence) -> float:
        """Return the log-odds that the intent is there."""
        by = self._weights
        odds = by.bias + by.strong * one.strong + by.weak * one.weak + by.against * one.against
        odds += max(min(by.likeness * one.likeness, by.most_likeness), -by.most_unlikeness)
        if one.questions:
            odds += by.question
            odds += by.opening_question * any(question.opens for question in one.questions)
            odds += by.closing_question * any(question.closes for question in one.questions)
        return odds

    def _alike(self, post: _Post, place: int) -> list[tuple[int, int]]:
        """Return the places of the words that make the post most like the intent's examples."""
        weighed = [(self._likeness.weight(word.folded, place), word) for word in post.words[:160]]
        telling = sorted((pair for pair in weighed if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].start))
        return [(word.start, word.end) for _, word in telling]


def _words_behind(post: _Post, evidence: _Evidence) -> tuple[str, ...]:
    """Return up to three stretches of the post whose cues spoke for the intent, the strongest first."""
    rank = {"strong": 0, "weak": 1}
    hits = sorted(evidence.hits, key=lambda found: (rank[found[1].tier], -found[0], found[1].start))
    spans = [(post.words[hit.start].start, post.words[hit.end - 1].end) for _, hit in hits]
    if not hits or hits[0][1].tier != "strong":
        spans = [_beginning(post, question) for question in evidence.questions[:1]] + spans
    return _quoted(post.text, spans)


def _labelled(entries: Sequence[IntentEntry], none_examples: Iterable[Example]) -> Iterable[Labelled]:
    places = {entry.id: place for place, entry in enumerate(entries)}
    for place, entry in enumerate(entries):
        for example in (*entry.examples, Example(text=entry.example or entry.title)):
            also = frozenset(places[intent] for intent in example.also if intent in places)
            yield Labelled(tuple(features(example.text, words(example.text))), place, also)
    for example in none_examples:
        yield Labelled(tuple(features(example.text, words(example.text))), None, frozenset())


def _post(title: str, body: str) -> _Post:
    """Return title and body as one text with its words, a break between them."""
    head, rest = title[:READ_TITLE].strip(), body[:READ_BODY].strip()
    text = f"{head}\n\n{rest}" if head and rest else head or rest
    found = words(text)
    if head and rest:
        at = next((place for place, word in enumerate(found) if word.start >= len(head)), len(found))
        found.insert(at, Word("", BREAK, len(head), len(head)))
    telling = [word for word in found if word.folded != BREAK]
    length = len(head) if head and rest else 0
    return _Post(text, tuple(found), Emphasis(text, length, found), tuple(features(text, telling)))


def _apart(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits that overlap none that counts before them: strong ones and ones against before weak, then longer."""
    rank = {"against": 0, "strong": 1, "weak": 2}
    taken: set[int] = set()
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.tier == "weak", hit.start - hit.end, rank[hit.tier], hit.start)):
        covered = range(hit.start, hit.end)
        if taken.isdisjoint(covered):
            taken.update(covered)
            kept.append(hit)
    return kept


def _beginning(post: _Post, question: Question) -> tuple[int, int]:
    """Return where the first words of a question stand."""
    inside = [word for word in post.words if question.start <= word.start < question.end and word.text]
    if not inside:
        return question.start, question.start
    return inside[0].start, inside[min(len(inside), 5) - 1].end


def _quoted(text: str, spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return the stretches as they stand in the text, each once, on one line and not over long."""
    found: dict[str, None] = {}
    for start, end in spans:
        written = text[start : min(end, start + _LONGEST_EVIDENCE)]
        line = max(written.splitlines(), key=len, default="").strip()
        if line and not any(line.casefold() in known.casefold() for known in found):
            found[line] = None
        if len(found) == _MOST_EVIDENCE:
            break
    return tuple(found)
