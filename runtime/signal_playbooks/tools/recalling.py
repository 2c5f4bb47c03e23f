"""Signals that were heard before, as one caller may see them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from signal_playbooks.caller import Caller
from signal_playbooks.contract.reading import shown
from signal_playbooks.contract.signal import Signal
from signal_playbooks.errors import UnknownSignal
from signal_playbooks.meaning.merge import merge_places
from signal_playbooks.meaning.rank import freshness_bucket
from signal_playbooks.meaning.reason import headline
from signal_playbooks.post import Post
from signal_playbooks.store.database import Store
from signal_playbooks.store.signals import Remembered
from signal_playbooks.text import cut
from signal_playbooks.tools.shaping import Shaping, engagement

_EXCERPT = 280


@dataclass(frozen=True, slots=True)
class Recalled:
    """A signal with its post in full, as far as the caller's sources reach.

    `gone`: deleted at its source, its text here too. `checked_at`: when the source was last asked, aware UTC.
    """

    signal: Signal
    post: Post
    gone: bool
    checked_at: datetime

    @property
    def author_key(self) -> str | None:
        """Return what names the author across signals, None where the author is deleted or unknown."""
        return None if self.post.author is None else f"{self.post.source}:{self.post.author.casefold()}"


class Recalling:
    """Finds signals by id for a caller; what the caller's key does not reach does not exist for it."""

    def __init__(self, store: Store, shaping: Shaping) -> None:
        self._store = store
        self._shaping = shaping

    async def recall(self, signal_id: str, caller: Caller, now: datetime) -> Recalled:
        """Return the signal of that id, or the one that was heard at that address; raises UnknownSignal."""
        asked = signal_id.strip()
        if asked.startswith(("http://", "https://")):
            asked = await self._store.signals.at_url(asked) or asked
        remembered = await self._store.signals.get(asked)
        if remembered is None or not any(caller.sees(post.source) for post in remembered.posts):
            raise _unknown(signal_id)
        return self._seen_by(remembered, caller, now)

    async def visible(self, signal_ids: Collection[str], caller: Caller) -> set[str]:
        """Return those of the ids whose signals the caller may see."""
        if caller.sources is None:
            return set(signal_ids)
        known = await self._store.signals.many(signal_ids)
        return {name for name, one in known.items() if any(caller.sees(post.source) for post in one.posts)}

    def _seen_by(self, remembered: Remembered, caller: Caller, now: datetime) -> Recalled:
        posts = [post for post in remembered.posts if caller.sees(post.source)]
        signal = remembered.signal
        lead = next((post for post in posts if (post.source, post.url) == (signal.source, signal.url)), None)
        if lead is None:
            lead = posts[0]
            signal = self._at_another_place(signal, lead)
        bucket = freshness_bucket(signal.captured_at, now)
        signal = signal.model_copy(update={"also_seen": merge_places(lead, posts), "freshness_bucket": bucket})
        return Recalled(signal, lead, remembered.gone, remembered.checked_at)

    def _at_another_place(self, signal: Signal, post: Post) -> Signal:
        """Return the signal as it stands at a place that the caller may see, where its first one is out of reach."""
        return signal.model_copy(
            update={
                "source": post.source,
                "url": post.url,
                "headline": headline(post),
                "excerpt": cut(post.body or post.title, _EXCERPT),
                "author": self._shaping.author(post),
                "engagement": engagement(post),
                "captured_at": post.published_at,
                "language": post.language,
            }
        )


def _unknown(signal_id: str) -> UnknownSignal:
    asked = signal_id.strip()
    if asked.startswith(("http://", "https://")):
        return UnknownSignal(
            f"No signal was heard at {shown(asked)}.", "Listen for the words of that post first, then use its sig_… id."
        )
    action = "Take an id from a listen result, as it stands there: sig_ and 26 letters and digits."
    return UnknownSignal(f"There is no signal {shown(asked)}.", action)
