"""What one listen has heard so far: posts held against the wish, judged, gathered into stories and shaped."""

import heapq
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from signal_playbooks.caller import Caller
from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.listen import ListenInput
from signal_playbooks.contract.signal import Place, Signal
from signal_playbooks.meaning.intent import IntentReader, Reading
from signal_playbooks.meaning.match import Match, Matcher
from signal_playbooks.meaning.merge import merge_places, story_key
from signal_playbooks.meaning.rank import Candidate, rank
from signal_playbooks.meaning.reason import excerpt, headline, match_reason
from signal_playbooks.post import Post
from signal_playbooks.query import Query
from signal_playbooks.sources.protocol import Page
from signal_playbooks.store.hearing import Heard
from signal_playbooks.store.signals import Remembered, Signals
from signal_playbooks.tools.covering import Tally
from signal_playbooks.tools.shaping import Shaping

INTENT_AT = 0.5  # the contract: intent_filter keeps a signal for which a listed intent has this or more
# The first post is judged and told alone, so that somebody hears it at once; the rest in growing numbers.
_FIRST, _GROWTH, _MOST = 1, 4, 64


@dataclass(frozen=True, slots=True)
class Judged:
    """A post that holds what was wished for: what matched, what its author wants, and the signal it belongs to."""

    post: Post
    match: Match
    readings: tuple[Reading, ...]
    heard: Heard


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best signals in final order, how many more passed, and how many of each source were held back because their
    author has better ones among the best."""

    signals: list[Signal]
    more: int
    held_back: Mapping[str, int]


@dataclass(slots=True)
class _Story:
    """The posts of one signal that this listen heard."""

    judged: list[Judged] = field(default_factory=list)
    kept: tuple[Judged, Signal] | None = None  # by which post it was shaped and saved, and how

    @property
    def lead(self) -> Judged:
        """Return the post that stands for the story: the one that made the signal, else the first heard here."""
        first = self.judged[0]
        return next((one for one in self.judged if _identity(one.post) == one.heard.lead), first)

    @property
    def score(self) -> int | None:
        """Return the highest score known of any of its places."""
        return max((one.post.score for one in self.judged if one.post.score is not None), default=None)


class Hearing:
    """Takes the pages of all sources, yields what is worth telling at once, and has the ranked whole at the end."""

    def __init__(
        self,
        request: ListenInput,
        query: Query,
        *,
        vocabulary: Vocabulary,
        reader: IntentReader,
        shaping: Shaping,
        signals: Signals,
        caller: Caller,
        now: datetime,
        in_time: Callable[[], bool],
    ) -> None:
        self._request, self._query, self._caller, self._now, self._in_time = request, query, caller, now, in_time
        self._vocabulary, self._matcher = vocabulary, Matcher(query, vocabulary)
        self._reader, self._shaping, self._signals = reader, shaping, signals
        self._seen: set[tuple[str, str]] = set()
        self._stories: dict[str, _Story] = {}
        self._best: list[float] = []
        self.tallies: dict[str, Tally] = {}

    def tally(self, source: str) -> Tally:
        """Return the account of a source."""
        return self.tallies.setdefault(source, Tally())

    async def take(self, source: str, page: Page) -> AsyncIterator[Signal]:
        """Yield those of a page's posts that are among the best so far, each as a signal that can be inspected."""
        tally = self.tally(source)
        tally.page(page)
        for group in _growing(self._fitting(page.posts, tally)):
            tally.matched += len(group)
            told = [story for story in await self._judge(group, tally) if self._is_told(story)]
            for signal in await self._kept(told):
                yield signal
            if not self._in_time():
                tally.cut_short()
                return

    async def ranked(self) -> Ranked:
        """Return the best signals in final order, each with all the places of its story that were listened to."""
        stories = {id_: story for id_, story in self._stories.items() if self._passes(story)}
        ranking = rank(
            [self._candidate(id_, story) for id_, story in stories.items()],
            now=self._now,
            since=self._query.since,
            wanted=list(dict.fromkeys([*self._request.intent_filter, *self._query.intents])),
        )
        best = [stories[one.signal_id] for one in ranking.kept[: self._request.limit]]
        signals = await self._kept(best)
        known = await self._signals.many([signal.id for signal in signals])
        held_back = Counter(one.post.source for one in ranking.held_back)
        return Ranked([self._everywhere(story, known) for story in best], len(ranking.kept) - len(best), held_back)

    async def _kept(self, stories: Sequence[_Story]) -> list[Signal]:
        """Return the stories as signals, saved under their ids.

        They are kept without their other places: another caller may not be allowed to know of them.
        """
        fresh = []
        for story in stories:
            lead = story.lead
            if story.kept is None or story.kept[0] is not lead:
                story.kept = (lead, self._shaped(lead))
                fresh.append(story.kept[1])
        await self._signals.save(fresh)
        return [story.kept[1] for story in stories if story.kept is not None]

    def _everywhere(self, story: _Story, known: Mapping[str, Remembered]) -> Signal:
        """Return a kept story's signal with its other places, as far as the caller may see them."""
        lead, signal = story.kept or (story.lead, self._shaped(story.lead))
        remembered = known.get(signal.id)
        posts = [*(remembered.posts if remembered else ()), *(one.post for one in story.judged)]
        newest = {_identity(post): post for post in posts if self._caller.sees(post.source)}
        places = merge_places(lead.post, newest.values())
        if not places:
            return signal
        return signal.model_copy(update={"also_seen": places, "match_reason": _reason(lead, places)})

    # --- from posts to stories ---------------------------------------------------------------------------------------

    def _fitting(self, posts: Sequence[Post], tally: Tally) -> Iterator[tuple[Post, Match]]:
        """Yield the posts that were not heard yet, lie in the wished-for time and hold the words."""
        for post in posts:
            if _identity(post) in self._seen:
                continue
            self._seen.add(_identity(post))
            if not self._is_recent(post, tally):
                continue
            match = self._matcher.match(post)
            if match is not None:
                yield post, match

    def _is_recent(self, post: Post, tally: Tally) -> bool:
        since = self._query.since
        if since is None:
            return True
        if post.published_at is None:
            tally.undated += 1
            return False
        return post.published_at >= since

    async def _judge(self, group: Sequence[tuple[Post, Match]], tally: Tally) -> list[_Story]:
        """Remember and judge some posts; return the stories that are new and pass."""
        heard = await self._signals.remember([(post, story_key(post, self._vocabulary)) for post, _ in group])
        hidden = await self._signals.archived({one.signal_id for one in heard})
        fresh = []
        for (post, match), one in zip(group, heard, strict=True):
            if one.signal_id in hidden:
                tally.archived += 1
                continue
            judged = Judged(post, match, self._reader.read(post.title, post.body), one)
            story = self._stories.setdefault(one.signal_id, _Story())
            story.judged.append(judged)
            if not self._passes(story):
                self._count(judged, tally)
            elif len(story.judged) == 1:
                fresh.append(story)
        return fresh

    def _passes(self, story: _Story) -> bool:
        return self._has_intent(story.lead) and self._is_loud(story.score)

    def _has_intent(self, judged: Judged) -> bool:
        wished = self._request.intent_filter
        return not wished or any(one.intent in wished and one.confidence >= INTENT_AT for one in judged.readings)

    def _is_loud(self, score: int | None) -> bool:
        least = self._request.scope.min_engagement
        return least == 0 if score is None else score >= least or least == 0

    def _count(self, judged: Judged, tally: Tally) -> None:
        if not self._has_intent(judged):
            tally.other_intents += 1
        else:
            tally.quiet += 1

    def _is_told(self, story: _Story) -> bool:
        """Tell whether a story is, so far, among as many best ones as were wished for: only those are told at once."""
        worth = story.lead.match.score
        if len(self._best) < self._request.limit:
            heapq.heappush(self._best, worth)
            return True
        return worth > heapq.heappushpop(self._best, worth)

    # --- from stories to signals -------------------------------------------------------------------------------------

    def _candidate(self, signal_id: str, story: _Story) -> Candidate:
        lead = story.lead
        return Candidate(
            signal_id,
            lead.post,
            relevance=lead.match.score,
            intents={one.intent: one.confidence for one in lead.readings},
            karma=self._shaping.author(lead.post).karma_bucket,
        )

    def _shaped(self, judged: Judged) -> Signal:
        return self._shaping.signal(
            judged.post,
            judged.readings,
            signal_id=judged.heard.signal_id,
            headline=headline(judged.post),
            excerpt=excerpt(judged.post, judged.match),
            match_reason=_reason(judged),
            first_seen_at=judged.heard.first_seen_at,
            now=self._now,
        )


def _reason(judged: Judged, places: Sequence[Place] = ()) -> str:
    best = judged.readings[0]
    return match_reason(
        judged.post,
        judged.match,
        intent=best.intent,
        confidence=best.confidence,
        words=best.words,
        places=places,
    )


def _identity(post: Post) -> tuple[str, str]:
    return post.source, post.native_id


def _growing(items: Iterator[tuple[Post, Match]]) -> Iterator[list[tuple[Post, Match]]]:
    """Yield the items in groups that grow; none is taken before its group is asked for."""
    size = _FIRST
    while group := list(islice(items, size)):
        yield group
        size = min(size * _GROWTH, _MOST)
