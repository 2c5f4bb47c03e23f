"""Who an author probably is, by their own words: a role with its evidence, a tone, how much and where they post."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from signal_playbooks.content.vocabulary import Role, Vocabulary, phrases
from signal_playbooks.contract.inspect import AuthorContext
from signal_playbooks.contract.vocabulary import RecentPosts, RoleHint, Sentiment
from signal_playbooks.meaning.phrases import Found, PhraseFinder
from signal_playbooks.post import Post
from signal_playbooks.text import Word, breaks_at, fold, jaccard, words

_READ = 20_000  # characters of a post that are looked at
_ENOUGH = 3  # points of evidence for a role: one strong word and a weak one, or two strong ones
_CONTRADICTED = 0.5  # of the best role's points, from which on another one makes it unknown
_MOST_EVIDENCE = 5
_SAME_QUOTE = 0.4  # of their words
_AROUND = 24  # characters of a quote on either side of the words
_NEGATED_WITHIN = 3  # words
_MOST_A_POST = 3  # points of one tone that one post can give
_TONE_FOR, _TONE_SHARE = 2, 2 / 3
_LATELY = timedelta(days=30)
_THIS_WEEK = timedelta(days=7)
_OTHERS_WORDS = re.compile(r"^\s*>.*$|“[^”\n]{25,}”|\"[^\"\n]{25,}\"|«[^»\n]{25,}»", re.MULTILINE)
_CLAUSE_END = re.compile(r"[.!?;\n。！？]\s*")
# Up to here a negation reaches.
_TURN = re.compile(r"[.!?;:,\n。！？、，—]|\b(?:but|aber|pero|mais|mas)\b", re.IGNORECASE)
_UNKNOWN = AuthorContext(
    recent_posts_bucket="unknown", domains_posted_in=[], sentiment_7d="unknown", likely_role_hint="unknown", evidence=[]
)


@dataclass(frozen=True, slots=True)
class _Hint:
    """A word of a role in one of the author's posts."""

    role: Role
    points: int
    phrase: str
    quote: str


class AuthorReader:
    """Reads authors by the vocabulary's words for roles and tone; made once, used for many."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        tone = vocabulary.sentiment
        self._roles = PhraseFinder(
            (f"{role} {points}", phrases(listed))
            for role, said in vocabulary.roles.items()
            for points, listed in ((2, said.strong), (1, said.weak))
        )
        self._tone = PhraseFinder(
            [
                ("frustrated", phrases(tone.frustrated)),
                ("negative", phrases(tone.negative)),
                ("positive", phrases(tone.positive)),
            ]
        )
        self._negations = frozenset(map(fold, phrases(tone.negations)))

    def read(self, handle: str | None, posts: Sequence[Post], now: datetime) -> AuthorContext:
        """Return what the author's own posts say of them; everything is unknown without a handle or a post."""
        if handle is None or not posts:
            return _UNKNOWN
        role, evidence = self._role(posts)
        return AuthorContext(
            recent_posts_bucket=_recent(posts, now),
            domains_posted_in=_domains(posts),
            sentiment_7d=self._sentiment(posts, now),
            likely_role_hint=role,
            evidence=evidence,
        )

    def _role(self, posts: Sequence[Post]) -> tuple[RoleHint, list[str]]:
        """Return the role that enough speaks for and little against, and the words that do; else unknown, none."""
        hints = [hint for post in posts for hint in self._hints(post)]
        points: Counter[Role] = Counter()
        for role, _, most in {(hint.role, hint.phrase, hint.points) for hint in hints}:
            points[role] += most
        ranked = [*sorted(points.items(), key=lambda entry: (-entry[1], entry[0])), ("unknown", 0), ("unknown", 0)]
        (best, most), (_, second) = ranked[0], ranked[1]
        strong = any(hint.role == best and hint.points > 1 for hint in hints)
        if most < _ENOUGH or not strong or second >= most * _CONTRADICTED:
            return "unknown", []
        quotes = [hint.quote for hint in sorted(hints, key=lambda hint: -hint.points) if hint.role == best]
        return next(role for role in points if role == best), _different(quotes)[:_MOST_EVIDENCE]

    def _hints(self, post: Post) -> Iterator[_Hint]:
        for text in (post.title, _own_words(post.body[:_READ])):
            told = words(text)
            for found in self._roles.find(text, told):
                if not self._is_negated(text, told, found):
                    role, points = found.group.split()
                    yield _Hint(_as_role(role), int(points), found.phrase, _quote(text, found))

    def _is_negated(self, text: str, told: Sequence[Word], found: Found) -> bool:
        """Tell whether a negation stands within three words before, in the same clause."""
        if found.word < 0:
            return False
        before = told[max(found.word - _NEGATED_WITHIN, 0) : found.word]
        return any(word.folded in self._negations and not _TURN.search(text, word.end, found.start) for word in before)

    def _sentiment(self, posts: Sequence[Post], now: datetime) -> Sentiment:
        week = [post for post in posts if post.published_at and timedelta() <= now - post.published_at <= _THIS_WEEK]
        if not week:
            return "unknown"
        total: Counter[str] = Counter()
        for post in week:
            points = self._tones(post)
            total.update({tone: min(count, _MOST_A_POST) for tone, count in points.items()})
        return _tone(total["frustrated"], total["negative"], total["positive"])

    def _tones(self, post: Post) -> Counter[str]:
        """Return the points of each tone in a post; what is negated counts for the opposite (not bad at all)."""
        points: Counter[str] = Counter()
        for text in (post.title, _own_words(post.body[:_READ])):
            told = words(text)
            for found in self._tone.find(text, told):
                if not self._is_negated(text, told, found):
                    points[found.group] += 1
                elif found.group != "frustrated":
                    points["positive" if found.group == "negative" else "negative"] += 1
        return points


def read_author(handle: str | None, posts: Sequence[Post], now: datetime, vocabulary: Vocabulary) -> AuthorContext:
    """Return what one author's own posts say of them; for many authors make one AuthorReader."""
    return AuthorReader(vocabulary).read(handle, posts, now)


def _as_role(name: str) -> Role:
    roles: tuple[Role, ...] = ("indie_founder", "enterprise_dev", "student", "enthusiast")
    return next(role for role in roles if role == name)


def _own_words(text: str) -> str:
    """Return the text with what it quotes of others blanked, so that places stay as they are."""
    return _OTHERS_WORDS.sub(lambda m: " " * len(m[0]), text)


def _quote(text: str, found: Found) -> str:
    """Return the words as written with a few around them, within their clause and line."""
    start = max(found.start - _AROUND, 0)
    for end_before in _CLAUSE_END.finditer(text, start, found.start):
        start = end_before.end()
    while start < found.start and start > 0 and not (text[start - 1].isspace() and breaks_at(text, start)):
        start += 1
    clause = _CLAUSE_END.search(text, found.end)
    end = min(found.end + _AROUND, clause.start() if clause else len(text))
    while end > found.end and end < len(text) and not (text[end].isspace() or text[end] in ".!?;。！？"):
        end -= 1
    return text[start:end].strip()


def _different(quotes: Sequence[str]) -> list[str]:
    """Return the quotes without those that show the same words as one before."""
    kept: list[str] = []
    for quote in quotes:
        if all(jaccard(quote, other) < _SAME_QUOTE for other in kept):
            kept.append(quote)
    return kept


def _tone(frustrated: int, negative: int, positive: int) -> Sentiment:
    """Return the tone that two thirds of the points agree on; one word of having had enough weighs as two."""
    against = 2 * frustrated + negative
    total = against + positive
    if total < _TONE_FOR:
        return "neutral"
    if against >= total * _TONE_SHARE:
        return "frustrated" if 4 * frustrated >= against else "negative"
    if positive >= total * _TONE_SHARE:
        return "positive"
    return "mixed" if total >= 2 * _TONE_FOR else "neutral"


def _recent(posts: Sequence[Post], now: datetime) -> RecentPosts:
    dated = [post.published_at for post in posts if post.published_at]
    if not dated:
        return "unknown"
    count = sum(1 for moment in dated if now - moment <= _LATELY)
    return "none" if count == 0 else "occasional" if count <= 3 else "active" if count <= 15 else "prolific"


def _domains(posts: Sequence[Post]) -> list[str]:
    counts = Counter(post.place or post.source for post in posts)
    return sorted(counts, key=lambda place: (-counts[place], place))
