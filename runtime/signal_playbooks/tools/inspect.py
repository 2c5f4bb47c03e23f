"""inspect: one signal in its context, at three depths; what was kept answers where its source cannot."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from signal_playbooks.caller import Caller
from signal_playbooks.clock import Clock
from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.inspect import AuthorContext, InspectInput, InspectOutput, ThreadItem
from signal_playbooks.contract.vocabulary import Liveness
from signal_playbooks.errors import NotAllowed, SignalError, StoreUnavailable
from signal_playbooks.meaning.author import AuthorReader
from signal_playbooks.post import Post
from signal_playbooks.sources.protocol import Conversation, Existence, Source
from signal_playbooks.store.database import Store
from signal_playbooks.tools.asking import within
from signal_playbooks.tools.links import links
from signal_playbooks.tools.recalling import Recalled, Recalling
from signal_playbooks.tools.shaping import engagement

T = TypeVar("T")

_SECONDS = 45.0
_LONGEST_THREAD = 2_000
_HISTORY = 200


@dataclass(frozen=True, slots=True)
class _Context:
    """What was found around a post; None where it was not asked for. `liveness` and when the source was last asked."""

    liveness: Liveness
    checked_at: datetime
    conversation: Conversation | None = None
    author: AuthorContext | None = None


class Inspect:
    """Looks into one signal. A source that cannot answer is no error: what was kept is told as cached."""

    def __init__(
        self, store: Store, recalling: Recalling, sources: Mapping[str, Source], vocabulary: Vocabulary, clock: Clock
    ) -> None:
        self._store = store
        self._recalling = recalling
        self._sources = sources
        self._vocabulary = vocabulary
        self._clock = clock

    @cached_property
    def _reader(self) -> AuthorReader:
        return AuthorReader(self._vocabulary)

    async def inspect(self, request: InspectInput, caller: Caller) -> InspectOutput:
        """Return the signal in its context. Raises UnknownSignal, NotAllowed, StoreUnavailable."""
        if not caller.may("read"):
            raise NotAllowed(f"{caller.name} does not have the scope read.", "Use a key that has it.", scope="read")
        recalled = await self._recalling.recall(request.signal_id, caller, self._clock.now())
        context = await self._context(recalled, request)
        if context.liveness == "gone":
            recalled = await self._recalling.recall(recalled.signal.id, caller, self._clock.now())
        return _shaped(recalled, context, request)

    async def _context(self, recalled: Recalled, request: InspectInput) -> _Context:
        if recalled.gone:
            return await self._gone(recalled, recalled.checked_at, request)
        post, thread, author = recalled.post, request.depth != "surface", request.depth == "author"
        source = self._sources.get(post.source)
        there, conversation, history = await asyncio.gather(
            self._asked(source.exists(post) if source else None),
            self._asked(source.thread(post, limit=_LONGEST_THREAD) if source and thread else None),
            self._asked(source.author(post.author, limit=_HISTORY) if source and author and post.author else None),
        )
        now = self._clock.now()
        if there == "gone":
            await self._store.signals.mark_gone(recalled.signal.id)
            return await self._gone(recalled, now, request)
        return _Context(
            liveness=await self._liveness(recalled, there, conversation, now),
            checked_at=now if _answered(there, conversation) else recalled.checked_at,
            conversation=await self._conversation(recalled, conversation, now) if thread else None,
            author=await self._author(post, history, now) if author else None,
        )

    async def _gone(self, recalled: Recalled, at: datetime, request: InspectInput) -> _Context:
        author = await self._author(recalled.post, None, self._clock.now()) if request.depth == "author" else None
        conversation = Conversation(()) if request.depth != "surface" else None
        return _Context("gone", at, conversation, author)

    async def _asked(self, question: Coroutine[Any, Any, T] | None) -> T | None:
        """Return the source's answer, None where there is none."""
        if question is None:
            return None
        try:
            return await within(_SECONDS, self._clock, question)
        except StoreUnavailable:
            raise
        except SignalError:
            return None

    async def _liveness(
        self, recalled: Recalled, there: Existence | None, conversation: Conversation | None, now: datetime
    ) -> Liveness:
        if not _answered(there, conversation):
            return "cached"
        await self._store.signals.checked(recalled.signal.id, now)
        return "live"

    async def _conversation(self, recalled: Recalled, conversation: Conversation | None, now: datetime) -> Conversation:
        """Return the conversation as just read, having kept it, else as it was kept."""
        if conversation is not None:
            await self._store.signals.keep_thread(recalled.signal.id, conversation.posts, conversation.more, now)
            return conversation
        kept = await self._store.signals.thread(recalled.signal.id)
        return Conversation((recalled.post,)) if kept is None else Conversation(tuple(kept[0]), kept[1])

    async def _author(self, post: Post, history: Sequence[Post] | None, now: datetime) -> AuthorContext:
        if post.author is None:
            return self._reader.read(None, (), now)
        if history is not None:
            await self._store.signals.keep_author(post.source, post.author, history, now)
            return self._reader.read(post.author, history, now)
        kept = await self._store.signals.author(post.source, post.author)
        return self._reader.read(post.author, kept[0] if kept else (post,), now)


def _answered(there: Existence | None, conversation: Conversation | None) -> bool:
    return there == "there" or (conversation is not None and there != "gone")


def _shaped(recalled: Recalled, context: _Context, request: InspectInput) -> InspectOutput:
    conversation = context.conversation
    posts = conversation.posts if conversation else ()
    own = next((post for post in posts if post.native_id == recalled.post.native_id), recalled.post)
    signal = recalled.signal
    if context.liveness == "live":
        signal = signal.model_copy(update={"engagement": engagement(own)})
    return InspectOutput(
        signal=signal,
        status=context.liveness,
        checked_at=context.checked_at,
        links=links(own if context.liveness == "live" else recalled.post, (post for post in posts if post is not own)),
        thread=_thread(posts) if conversation is not None else None,
        thread_more=conversation.more if conversation is not None else None,
        author_context=context.author,
    )


def _thread(posts: Sequence[Post]) -> list[ThreadItem]:
    """Return the conversation as items; whoever wrote its first post replies as the original poster."""
    opener = posts[0].author if posts and not posts[0].is_comment else None
    return [
        ThreadItem(
            id=post.native_id,
            parent_id=post.parent_id,
            author=post.author,
            body=post.text,
            score=post.score,
            is_op_reply=post.is_comment and opener is not None and post.author == opener,
            created_at=post.published_at,
        )
        for post in posts
    ]
