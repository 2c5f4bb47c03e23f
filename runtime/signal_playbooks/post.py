"""A post as a source gave it, before anything was judged: plain text in typed fields, and nothing else."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Post:
    """One public post or comment.

    `source` is a catalog id and (`source`, `native_id`) its identity. `title` and `body` are plain text, decoded once.
    `score`, `comments` and `author_karma` are None where the source does not say, never an invented 0.
    `link` is the address the post is about (an article it points to), None where it is its own subject.
    `published_at` is aware UTC, or None. `place` is where within the source ("r/SaaS"). `parent_id` is what it answers,
    `root_id` the post that opened its thread (its own `native_id` for that post itself).
    """

    source: str
    native_id: str
    url: str
    link: str | None = None
    title: str = ""
    body: str = ""
    author: str | None = None
    author_karma: int | None = None
    score: int | None = None
    comments: int | None = None
    published_at: datetime | None = None
    language: str | None = None
    place: str | None = None
    parent_id: str | None = None
    root_id: str | None = None

    @property
    def is_comment(self) -> bool:
        """Tell whether it answers another post."""
        return self.parent_id is not None

    @property
    def text(self) -> str:
        """Return title and body as one text, a blank line between them."""
        return f"{self.title}\n\n{self.body}".strip()
