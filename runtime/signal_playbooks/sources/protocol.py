"""What every source can be asked, in one Protocol, and the answers it gives."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from signal_playbooks.post import Post
from signal_playbooks.query import Query


@dataclass(frozen=True, slots=True)
class Page:
    """Some posts that a search found, newest knowledge first; a search may answer in several.

    `partial` tells that the source has more than it was asked for or would give. `note` says in a sentence what should
    be known about the answer, and `suggested_action` what to do about it.
    """

    posts: tuple[Post, ...]
    partial: bool = False
    note: str | None = None
    suggested_action: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A thread in reading order, the opening post first; `more` counts what was left out."""

    posts: tuple[Post, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether a place can be heard now; `note` says in a sentence why not, or what to do."""

    state: Literal["ready", "empty"]
    note: str | None = None


Existence = Literal["there", "gone", "unknown"]


class Source(Protocol):
    """A place that can be listened to.

    Every method raises SignalError where the place does not answer: RateLimited (data: retry_after_seconds),
    NotConfigured (a credential is missing), TimedOut, or SourceUnavailable, whose data may hold `state`, a coverage
    state such as blocked, unreachable or changed.
    """

    @property
    def id(self) -> str:
        """Return its catalog id."""
        ...

    async def condition(self) -> Condition:
        """Return whether it can be heard now, without asking the place itself."""
        ...

    def search(self, query: Query, *, since: datetime | None, limit: int) -> AsyncIterator[Page]:
        """Yield posts that may match, at most `limit`; the words are held against each of them again later."""
        ...

    async def thread(self, post: Post, *, limit: int) -> Conversation:
        """Return the conversation that a post stands in, at most `limit` posts of it."""
        ...

    async def author(self, handle: str, *, limit: int) -> tuple[Post, ...]:
        """Return what this author wrote here, newest first."""
        ...

    async def exists(self, post: Post) -> Existence:
        """Tell whether the post is still there; `unknown` where the source cannot say."""
        ...
