"""What comes first: relevance, intent, freshness, engagement within its own source and standing, in one number."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from signal_playbooks.content.source import KarmaThresholds
from signal_playbooks.contract.vocabulary import FRESHNESS_SECONDS, FreshnessBucket, Intent, KarmaBucket
from signal_playbooks.post import Post

MOST_BY_ONE_AUTHOR = 3
_NEUTRAL = 0.5
_STANDING: Mapping[KarmaBucket, float] = {
    "new": 0.25,
    "low": 0.4,
    "medium": 0.55,
    "high": 0.75,
    "established": 0.9,
    "unknown": _NEUTRAL,
}
_BUCKETS: tuple[FreshnessBucket, ...] = ("last_hour", "today", "this_week", "this_month")


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each side of a candidate counts; what cannot be told of any is left out of the sum."""

    relevance: float = 0.4
    intent: float = 0.25
    freshness: float = 0.15
    engagement: float = 0.12
    standing: float = 0.08


@dataclass(frozen=True, slots=True)
class Candidate:
    """A post that matched: its signal's id, how much its text is about the query (0 to 1), and its probable intents."""

    signal_id: str
    post: Post
    relevance: float
    intents: Mapping[Intent, float] = field(default_factory=dict)
    karma: KarmaBucket = "unknown"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates, best first, and those that were held back because their author has three better ones."""

    kept: tuple[Candidate, ...]
    held_back: tuple[Candidate, ...]


def rank(
    candidates: Sequence[Candidate],
    *,
    now: datetime,
    since: datetime | None = None,
    wanted: Sequence[Intent] = (),
    weights: Weights = Weights(),
) -> Ranking:
    """Return the candidates in order; the same ones give the same order, whatever order they come in.

    `since` is how far back was listened (None: any time), `wanted` the intents that are asked for, if any.
    """
    percentiles = _percentiles(candidates)
    scored = [
        (_score(one, percentiles[place], now, since, wanted, weights), one) for place, one in enumerate(candidates)
    ]
    scored.sort(key=_order)
    return _spread([one for _, one in scored])


def freshness_bucket(published_at: datetime | None, now: datetime) -> FreshnessBucket:
    """Return how old a post is, in words; a moment in the future (a clock that is ahead) is the last hour."""
    if published_at is None:
        return "unknown"
    age = (now - published_at).total_seconds()
    return next((bucket for bucket in _BUCKETS if age <= FRESHNESS_SECONDS[bucket]), "older")


def karma_bucket(karma: int | None, thresholds: KarmaThresholds | None) -> KarmaBucket:
    """Return an author's standing by the thresholds that the source declares, unknown without either."""
    if karma is None or thresholds is None:
        return "unknown"
    reached: KarmaBucket = "new"
    for bucket, least in _ladder(thresholds):
        if karma >= least:
            reached = bucket
    return reached


def is_recent(published_at: datetime | None, since: datetime | None) -> bool:
    """Tell whether a post is recent enough; one without a date is so only where any time will do."""
    return since is None or (published_at is not None and published_at >= since)


def _ladder(thresholds: KarmaThresholds) -> tuple[tuple[KarmaBucket, int], ...]:
    return (
        ("low", thresholds.low),
        ("medium", thresholds.medium),
        ("high", thresholds.high),
        ("established", thresholds.established),
    )


def _order(scored: tuple[float, Candidate]) -> tuple[float, bool, float, str, str]:
    """Return what candidates are sorted by: score, dated before undated, newer before older, then their identity."""
    score, one = scored
    published = one.post.published_at
    age = -published.timestamp() if published else 0.0
    return -score, published is None, age, one.post.source, one.post.native_id


def _score(
    one: Candidate,
    percentile: float,
    now: datetime,
    since: datetime | None,
    wanted: Sequence[Intent],
    weights: Weights,
) -> float:
    total = weights.relevance + weights.freshness + weights.engagement + weights.standing
    score = weights.relevance * one.relevance + weights.freshness * _freshness(one.post.published_at, now, since)
    score += weights.engagement * percentile + weights.standing * _STANDING[one.karma]
    if wanted:
        total += weights.intent
        score += weights.intent * max(one.intents.get(intent, 0.0) for intent in wanted)
    # Rounded, so that what only differs by the order of additions is equal.
    return round(score / total, 9)


def _freshness(published_at: datetime | None, now: datetime, since: datetime | None) -> float:
    """Return 1 for now, half at a quarter of the time listened back (a month where any time will do); undated is 0."""
    if published_at is None:
        return 0.0
    span = (now - since) if since else timedelta(seconds=FRESHNESS_SECONDS["this_month"])
    age = max((now - published_at).total_seconds(), 0.0)
    return float(0.5 ** (4 * age / max(span.total_seconds(), 1.0)))


def _percentiles(candidates: Sequence[Candidate]) -> list[float]:
    """Return for each candidate the share of its own source's that were answered less; unknown is in the middle."""
    known: dict[str, list[int]] = {}
    answers = [_answers(one.post) for one in candidates]
    for one, count in zip(candidates, answers, strict=True):
        if count is not None:
            known.setdefault(one.post.source, []).append(count)
    for counts in known.values():
        counts.sort()
    return [
        _NEUTRAL if count is None else _percentile(known[one.post.source], count)
        for one, count in zip(candidates, answers, strict=True)
    ]


def _percentile(counts: Sequence[int], count: int) -> float:
    return (bisect_left(counts, count) + bisect_right(counts, count)) / 2 / len(counts)


def _answers(post: Post) -> int | None:
    if post.score is None and post.comments is None:
        return None
    return (post.score or 0) + (post.comments or 0)


def _spread(ordered: Sequence[Candidate]) -> Ranking:
    """Hold back what an author has beyond three; authors that are not known are not counted together."""
    counts: dict[tuple[str, str], int] = {}
    kept: list[Candidate] = []
    held_back: list[Candidate] = []
    for one in ordered:
        author = (one.post.source, one.post.author or f"?{one.post.native_id}")
        counts[author] = counts.get(author, 0) + 1
        (kept if counts[author] <= MOST_BY_ONE_AUTHOR else held_back).append(one)
    return Ranking(tuple(kept), tuple(held_back))
