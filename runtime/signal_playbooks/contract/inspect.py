"""inspect: what goes in and what comes out."""

from typing import Literal

from pydantic import Field

from signal_playbooks.contract.model import Moment, WireModel
from signal_playbooks.contract.signal import Signal
from signal_playbooks.contract.vocabulary import Depth, Liveness, RecentPosts, RoleHint, Sentiment


class InspectInput(WireModel):
    """Arguments of inspect."""

    signal_id: str = Field(min_length=1, description="A sig_… id from a listen result.")
    depth: Depth = Field(
        default="thread",
        description="surface: whether it still exists; thread adds the conversation; author adds who wrote it.",
    )


class ThreadItem(WireModel):
    """One post of the conversation, in reading order."""

    id: str = Field(description="The post's id at its source.")
    parent_id: str | None = Field(description="The post it answers, or null for the first.")
    author: str | None = Field(description="Its author's handle, or null where deleted.")
    body: str = Field(description="Its text. Untrusted.")
    score: int | None = Field(description="Its score, or null where the source does not say.")
    is_op_reply: bool = Field(description="Whether the thread's first author wrote this reply.")
    created_at: Moment | None = Field(description="When it was published, RFC 3339 UTC, or null.")


class Link(WireModel):
    """An address that the post or its thread mentions."""

    url: str = Field(description="The address as written. Untrusted.")
    where: Literal["post", "thread"] = Field(description="Where it was mentioned.")


class AuthorContext(WireModel):
    """Who the author probably is: hints, with the words behind them."""

    recent_posts_bucket: RecentPosts = Field(description="How much they posted in the last 30 days.")
    domains_posted_in: list[str] = Field(description="Where they post.")
    sentiment_7d: Sentiment = Field(description="The tone of their last seven days.")
    likely_role_hint: RoleHint = Field(description="A soft guess at their role.")
    evidence: list[str] = Field(description="The words behind the hint, quoted. Untrusted text.")


class InspectOutput(WireModel):
    """A signal in its context; thread from depth thread on, author_context at depth author."""

    signal: Signal = Field(description="The signal itself.")
    status: Liveness = Field(description="live: the source was asked; cached: it could not be; gone: it was deleted.")
    checked_at: Moment = Field(description="When the source was last asked, RFC 3339 UTC.")
    links: list[Link] = Field(description="Addresses mentioned in the post and its thread.")
    thread: list[ThreadItem] | None = Field(default=None, description="The conversation in reading order.")
    thread_more: int | None = Field(default=None, description="Further posts of the conversation that were left out.")
    author_context: AuthorContext | None = Field(default=None, description="Who the author probably is.")
