"""Which signal a post belongs to: decided inside one write transaction, so that all processes decide alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.dialects.sqlite import insert

from signal_playbooks.clock import Clock
from signal_playbooks.post import Post
from signal_playbooks.store.columns import POST_FIELDS, as_values, storable
from signal_playbooks.store.parts import parts
from signal_playbooks.store.schema import SIGNAL_POSTS, SIGNALS, STORIES

_Identity = tuple[str, str]

# Built once: building a statement costs several times what running it does.
_POST, _SIGNAL = SIGNAL_POSTS.c, SIGNALS.c
_OF_POSTS = select(_POST.native_id, _POST.signal_id).where(
    _POST.source == bindparam("of_source"), _POST.native_id.in_(bindparam("ids", expanding=True))
)
_OF_STORIES = select(STORIES).where(STORIES.c.key.in_(bindparam("keys", expanding=True)))
_KNOWN = select(_SIGNAL.id, _SIGNAL.first_seen_at, _SIGNAL.lead_source, _SIGNAL.lead_native_id).where(
    _SIGNAL.id.in_(bindparam("ids", expanding=True))
)
# Heard again means it is there again, whatever was found before.
_HEARD_AGAIN = (
    update(SIGNALS)
    .where(_SIGNAL.id.in_(bindparam("ids", expanding=True)))
    .values(checked_at=bindparam("now"), gone=False)
)
_KEEP_STORY = insert(STORIES).on_conflict_do_nothing()
_PUT_POST = insert(SIGNAL_POSTS)
_KEEP_POST = _PUT_POST.on_conflict_do_update(
    index_elements=["source", "native_id"],
    set_={name: _PUT_POST.excluded[name] for name in POST_FIELDS if name not in ("source", "native_id")},
)


@dataclass(frozen=True, slots=True)
class Heard:
    """The signal a post belongs to: when it was first seen (aware UTC), whether it came into being with this post, and
    its leading post as (source, native id)."""

    signal_id: str
    first_seen_at: datetime
    new: bool
    lead: tuple[str, str]


def hear(at: Connection, posts: Sequence[tuple[Post, str | None]], now: datetime, clock: Clock) -> list[Heard]:
    """Return the signal of each post, in order, and keep the posts, the new signals and the story keys."""
    posts = [(post, None if key is None else storable(key)) for post, key in posts]
    of_post = _signals_of_posts(at, [post for post, _ in posts])
    of_story = _signals_of_stories(at, [key for _, key in posts if key])
    known = _known_signals(at, {*of_post.values(), *of_story.values()})
    heard: list[Heard] = []
    for post, key in posts:
        identity = _identity(post)
        signal_id = of_post.get(identity) or (of_story.get(key) if key else None)
        if signal_id is None:
            signal_id = clock.new_id("sig")
            first = Heard(signal_id, now, True, identity)
            known[signal_id] = Heard(signal_id, now, False, identity)
        else:
            first = known[signal_id]
        heard.append(first)
        of_post[identity] = signal_id
        if key:
            of_story.setdefault(key, signal_id)
    _keep(at, [(post, each) for (post, _), each in zip(posts, heard, strict=True)], now)
    _keep_stories(at, of_story)
    return heard


def _identity(post: Post) -> _Identity:
    return storable(post.source), storable(post.native_id)


def _signals_of_posts(at: Connection, posts: Iterable[Post]) -> dict[_Identity, str]:
    by_source: dict[str, list[str]] = {}
    for post in posts:
        by_source.setdefault(storable(post.source), []).append(storable(post.native_id))
    found: dict[_Identity, str] = {}
    for source, native_ids in by_source.items():
        for part in parts(native_ids):
            rows = at.execute(_OF_POSTS, {"of_source": source, "ids": part})
            found.update({(source, row.native_id): row.signal_id for row in rows})
    return found


def _signals_of_stories(at: Connection, keys: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in parts(keys):
        found.update({row.key: row.signal_id for row in at.execute(_OF_STORIES, {"keys": part})})
    return found


def _known_signals(at: Connection, ids: Iterable[str]) -> dict[str, Heard]:
    found: dict[str, Heard] = {}
    for part in parts(list(ids)):
        for row in at.execute(_KNOWN, {"ids": part}):
            found[row.id] = Heard(row.id, row.first_seen_at, False, (row.lead_source, row.lead_native_id))
    return found


def _keep(at: Connection, posts: Sequence[tuple[Post, Heard]], now: datetime) -> None:
    fresh = [each for _, each in posts if each.new]
    if fresh:
        at.execute(SIGNALS.insert(), [_new_row(each) for each in fresh])
    made = {each.signal_id for each in fresh}
    for part in parts(list({each.signal_id for _, each in posts} - made)):
        at.execute(_HEARD_AGAIN, {"ids": part, "now": now})
    at.execute(_KEEP_POST, [as_values(post) | {"signal_id": each.signal_id} for post, each in posts])


def _new_row(heard: Heard) -> dict[str, Any]:
    return {
        "id": heard.signal_id,
        "first_seen_at": heard.first_seen_at,
        "checked_at": heard.first_seen_at,
        "lead_source": heard.lead[0],
        "lead_native_id": heard.lead[1],
        "gone": False,
        "archived": False,
        "labels": [],
    }


def _keep_stories(at: Connection, of_story: dict[str, str]) -> None:
    if of_story:
        rows = [{"key": key, "signal_id": signal_id} for key, signal_id in of_story.items()]
        at.execute(_KEEP_STORY, rows)
