"""The shape a post is given on the wire: judged, cut and bucketed."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from signal_playbooks.content.source import SourceEntry
from signal_playbooks.contract.signal import Engagement, OtherIntent, Signal, SignalAuthor
from signal_playbooks.meaning.intent import Reading
from signal_playbooks.meaning.rank import freshness_bucket, karma_bucket
from signal_playbooks.post import Post

_FURTHER = 0.3  # the contract: further intents above this stand beside the first


class Shaping:
    """Shapes posts into signals; it knows the catalog's thresholds of standing."""

    def __init__(self, entries: Mapping[str, SourceEntry]) -> None:
        self._entries = entries

    def author(self, post: Post) -> SignalAuthor:
        """Return who wrote it, the standing in the buckets that the source declares."""
        entry = self._entries.get(post.source)
        return SignalAuthor(
            handle=post.author, karma_bucket=karma_bucket(post.author_karma, entry.karma if entry else None)
        )

    def signal(
        self,
        post: Post,
        readings: Sequence[Reading],
        *,
        signal_id: str,
        headline: str,
        excerpt: str,
        match_reason: str,
        first_seen_at: datetime,
        now: datetime,
    ) -> Signal:
        """Return the signal of a post, without other places; `readings` are its intents, the best first."""
        best = readings[0]
        others = [OtherIntent(intent=one.intent, confidence=one.confidence) for one in readings[1:]]
        return Signal(
            id=signal_id,
            source=post.source,
            url=post.url,
            headline=headline,
            excerpt=excerpt,
            intent=best.intent,
            intent_confidence=best.confidence,
            other_intents=[one for one in others if one.confidence > _FURTHER],
            author=self.author(post),
            engagement=engagement(post),
            captured_at=post.published_at,
            first_seen_at=first_seen_at,
            freshness_bucket=freshness_bucket(post.published_at, now),
            match_reason=match_reason,
            also_seen=[],
            language=post.language,
        )


def engagement(post: Post) -> Engagement:
    """Return how much it was answered, unknown where the source does not say."""
    return Engagement(score=post.score, comments=post.comments)
