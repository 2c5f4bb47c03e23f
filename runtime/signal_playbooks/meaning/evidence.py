"""What speaks for one intent in one post: its cues weighed, likeness, questions, and the words to show for it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from signal_playbooks.meaning.cues import BREAK, Hit, Tier
from signal_playbooks.meaning.emphasis import Emphasis, Question
from signal_playbooks.meaning.likeness import features
from signal_playbooks.text import Word, words

READ_TITLE, READ_BODY = 400, 4_000  # characters that are read: what somebody wants, they say before that
_MOST_EVIDENCE = 3
_LONGEST_EVIDENCE = 60
_QUESTION_WORDS = 5
_MOST_REPEATS = 8  # of one cue are weighed: a post that says nothing else a thousand times costs no more


@dataclass(frozen=True, slots=True)
class Weights:
    """How evidence adds up to log-odds. Set on labelled posts that are not among the examples."""

    bias: float = -2.4
    strong: float = 2.8
    weak: float = 0.6
    against: float = -1.6
    likeness: float = 2.5
    question: float = 1.6
    opening_question: float = 0.9
    closing_question: float = 0.6
    most_weak: float = 3.0
    most_against: float = 2.0
    most_likeness: float = 1.4
    most_unlikeness: float = 0.6  # the examples are few: being unlike them says little against
    further: float = 0.5  # what each further strong cue counts, of the one before
    one_word: float = 0.8  # what a strong cue of a single word counts: phrases mislead less often
    long_text: float = 40.0  # words from which on everything is said somewhere, and a weak cue says less
    thinning: float = 0.7


@dataclass(frozen=True, slots=True)
class ReadPost:
    """A post made ready to be judged: one text, its words with a break after the title, and what they are known by."""

    text: str
    words: tuple[Word, ...]
    emphasis: Emphasis
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sums for one intent, and the hits they are made of, each with what it counts."""

    strong: float = 0.0
    weak: float = 0.0
    against: float = 0.0
    hits: tuple[tuple[float, Hit], ...] = ()

    def odds(self, by: Weights, likeness: float, questions: Sequence[Question]) -> float:
        """Return the log-odds that the intent is there."""
        odds = by.bias + by.strong * self.strong + by.weak * self.weak + by.against * self.against
        odds += max(min(by.likeness * likeness, by.most_likeness), -by.most_unlikeness)
        if questions:
            odds += by.question
            odds += by.opening_question * any(question.opens for question in questions)
            odds += by.closing_question * any(question.closes for question in questions)
        return odds


def read_post(title: str, body: str) -> ReadPost:
    """Return title and body as one text with its words; what lies beyond the first 4,000 characters is left out."""
    head, rest = title[:READ_TITLE].strip(), body[:READ_BODY].strip()
    text = f"{head}\n\n{rest}" if head and rest else head or rest
    found = words(text)
    known = tuple(features(text, found))
    length = len(head) if head and rest else 0
    if length:
        at = next((place for place, word in enumerate(found) if word.start >= length), len(found))
        found.insert(at, Word("", BREAK, length, length))
    return ReadPost(text, tuple(found), Emphasis(text, length, found), known)


def weigh(hits: Sequence[Hit], post: ReadPost, by: Weights) -> Evidence:
    """Return one intent's cues added up: each once, strong ones with less and less for each further."""
    best: dict[tuple[Tier, str], tuple[float, Hit]] = {}
    seen: Counter[tuple[Tier, str]] = Counter()
    for hit in _disjoint(hits):
        key = (hit.tier, " ".join(word.folded for word in post.words[hit.start : hit.end]))
        seen[key] += 1
        if seen[key] > _MOST_REPEATS:
            continue
        weight = post.emphasis.of(hit.start, hit.end)
        if weight > best.get(key, (0.0, hit))[0]:
            best[key] = (weight, hit)
    tiers: dict[Tier, list[float]] = {"strong": [], "weak": [], "against": []}
    for weight, hit in best.values():
        single = hit.tier == "strong" and hit.end - hit.start == 1
        tiers[hit.tier].append(weight * by.one_word if single else weight)
    strong = sum(weight * by.further**place for place, weight in enumerate(sorted(tiers["strong"], reverse=True)))
    thin = min(1.0, (by.long_text / max(len(post.words), 1)) ** by.thinning)
    return Evidence(
        strong=strong,
        weak=min(sum(tiers["weak"]) * thin, by.most_weak),
        against=min(sum(tiers["against"]), by.most_against),
        hits=tuple(found for found in best.values() if found[1].tier != "against"),
    )


def _disjoint(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits that overlap none before them: strong ones and ones against before weak, then by length."""
    rank = {"against": 0, "strong": 1, "weak": 2}
    taken: set[int] = set()
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.tier == "weak", hit.start - hit.end, rank[hit.tier], hit.start)):
        covered = range(hit.start, hit.end)
        if taken.isdisjoint(covered):
            taken.update(covered)
            kept.append(hit)
    return kept


def words_behind(post: ReadPost, evidence: Evidence, questions: Sequence[Question] = ()) -> tuple[str, ...]:
    """Return up to three stretches of the post whose cues spoke for the intent, the strongest first."""
    rank = {"strong": 0, "weak": 1}
    hits = sorted(evidence.hits, key=lambda found: (rank[found[1].tier], -found[0], found[1].start))
    spans = [(post.words[hit.start].start, post.words[hit.end - 1].end) for _, hit in hits]
    if not hits or hits[0][1].tier != "strong":
        spans = [_beginning(post, question) for question in questions[:1]] + spans
    return quoted(post.text, spans)


def _beginning(post: ReadPost, question: Question) -> tuple[int, int]:
    """Return where the first words of a question stand."""
    inside = [word for word in post.words if question.start <= word.start < question.end and word.text]
    if not inside:
        return question.start, question.start
    return inside[0].start, inside[min(len(inside), _QUESTION_WORDS) - 1].end


def quoted(text: str, spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return up to three of the stretches as they stand in the text, each once, on one line, at most 60 characters."""
    found: dict[str, None] = {}
    for start, end in spans:
        written = text[start : min(end, start + _LONGEST_EVIDENCE)]
        line = max(written.splitlines(), key=len, default="").strip()
        if line and not any(line.casefold() in known.casefold() for known in found):
            found[line] = None
        if len(found) == _MOST_EVIDENCE:
            break
    return tuple(found)
