"""Signals by id, and the posts they stand for: the same post keeps its id, whichever process hears it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, bindparam, select, update

from signal_playbooks.clock import Clock
from signal_playbooks.contract.signal import Signal
from signal_playbooks.errors import UnknownSignal
from signal_playbooks.post import Post
from signal_playbooks.store.columns import as_post
from signal_playbooks.store.contexts import Contexts
from signal_playbooks.store.hearing import Heard, hear
from signal_playbooks.store.parts import parts
from signal_playbooks.store.reader import Reader
from signal_playbooks.store.schema import SIGNAL_POSTS, SIGNALS, THREADS
from signal_playbooks.store.writer import Writer

# Built once: building a statement costs several times what running it does.
_ASKED = SIGNALS.c.id.in_(bindparam("ids", expanding=True))
_IDS = select(SIGNALS.c.id).where(_ASKED)
_ARCHIVED = _IDS.where(SIGNALS.c.archived)
_SHAPED = select(SIGNALS).where(_ASKED, SIGNALS.c.wire.is_not(None))
_PLACES = (
    select(SIGNAL_POSTS)
    .where(SIGNAL_POSTS.c.signal_id.in_(bindparam("ids", expanding=True)))
    .order_by(SIGNAL_POSTS.c.id)
)
_SHAPE = update(SIGNALS).where(SIGNALS.c.id == bindparam("of_id")).values(wire=bindparam("shaped"))
_GONE_REASON = "The post was deleted at its source; its text was deleted here too."


@dataclass(frozen=True, slots=True)
class Remembered:
    """A signal as it was last shaped, with its leading post in full and all the places of its story, lead first.

    `gone`: deleted at its source. `checked_at`: when the source was last asked, aware UTC.
    """

    signal: Signal
    post: Post
    posts: tuple[Post, ...]
    gone: bool
    checked_at: datetime
    archived: bool
    labels: tuple[str, ...]


class Signals(Contexts):
    """What was heard, and the threads and authors read along with it. Every method raises StoreUnavailable."""

    def __init__(self, reader: Reader, writer: Writer, clock: Clock) -> None:
        super().__init__(reader, writer)
        self._clock = clock

    async def remember(self, posts: Sequence[tuple[Post, str | None]]) -> list[Heard]:
        """Return, post by post, the signal each belongs to; the second of a pair is its story's key, or None.

        A known post keeps its signal, an unknown one joins the signal of its story, else it becomes a new one. A post's
        content is replaced by the newest answer, the moment it was first seen never.
        """
        if not posts:
            return []
        now = self._clock.now()
        return await self._writer.write(lambda at: hear(at, posts, now, self._clock))

    async def save(self, signals: Sequence[Signal]) -> None:
        """Keep the signals as shaped; the last one kept of each id is what `get` returns.

        Raises UnknownSignal for an id that `remember` never gave.
        """
        if signals:
            rows = {signal.id: signal.model_dump_json() for signal in signals}
            await self._writer.write(lambda at: _save(at, rows))

    async def get(self, signal_id: str) -> Remembered | None:
        """Return what is known of the signal, None where it was never shaped."""
        return self._reader.point(lambda at: _load(at, [signal_id])).get(signal_id)

    async def many(self, ids: Iterable[str]) -> dict[str, Remembered]:
        """Return what is known, by id, in the order asked; unknown ids are left out."""
        asked = list(dict.fromkeys(ids))
        found = await self._reader.scan(lambda at: _load(at, asked))
        return {signal_id: found[signal_id] for signal_id in asked if signal_id in found}

    async def at_url(self, url: str) -> str | None:
        """Return the id of the signal that has a post at exactly this address, None where there is none."""
        wanted = select(SIGNAL_POSTS.c.signal_id).where(SIGNAL_POSTS.c.url == url).limit(1)
        return self._reader.point(lambda at: at.execute(wanted).scalar())

    async def archived(self, ids: Iterable[str]) -> set[str]:
        """Return those of the ids that are archived."""
        asked = list(ids)
        return self._reader.point(lambda at: _archived(at, asked))

    async def mark(self, signal_id: str, *, archived: bool | None = None, add_label: str | None = None) -> None:
        """Archive it or bring it back, add a label (once). Raises UnknownSignal."""
        await self._writer.write(lambda at: _mark(at, signal_id, archived, add_label))

    async def mark_gone(self, signal_id: str) -> None:
        """Note that it was deleted at its source, and delete its text, its thread and its copy in the author's history.

        Raises UnknownSignal.
        """
        now = self._clock.now()
        await self._writer.write(lambda at: _mark_gone(at, signal_id, now))

    async def checked(self, signal_id: str, at: datetime) -> None:
        """Note when the source was last asked about it. Raises UnknownSignal."""
        await self._writer.write(lambda to: _set(to, signal_id, checked_at=at))


def _save(at: Connection, rows: dict[str, str]) -> None:
    kept = at.execute(_SHAPE, [{"of_id": signal_id, "shaped": wire} for signal_id, wire in rows.items()])
    if kept.rowcount < len(rows):
        known = {row for part in parts(list(rows)) for row in at.execute(_IDS, {"ids": part}).scalars()}
        raise _unknown(next(signal_id for signal_id in rows if signal_id not in known))


def _set(at: Connection, signal_id: str, **values: object) -> None:
    if at.execute(update(SIGNALS).where(SIGNALS.c.id == signal_id).values(**values)).rowcount == 0:
        raise _unknown(signal_id)


def _unknown(signal_id: str) -> UnknownSignal:
    return UnknownSignal(f"There is no signal {signal_id[:80]}.", "Take an id from a listen result.")


def _load(at: Connection, ids: Sequence[str]) -> dict[str, Remembered]:
    posts: dict[str, list[Post]] = {}
    for part in parts(ids):
        for row in at.execute(_PLACES, {"ids": part}):
            posts.setdefault(row.signal_id, []).append(as_post(row))
    found: dict[str, Remembered] = {}
    for part in parts(ids):
        for row in at.execute(_SHAPED, {"ids": part}):
            lead = (row.lead_source, row.lead_native_id)
            places = sorted(posts[row.id], key=partial(_is_elsewhere, lead))
            found[row.id] = Remembered(
                signal=Signal.model_validate_json(row.wire),
                post=places[0],
                posts=tuple(places),
                gone=row.gone,
                checked_at=row.checked_at,
                archived=row.archived,
                labels=tuple(row.labels),
            )
    return found


def _is_elsewhere(lead: tuple[str, str], post: Post) -> bool:
    return (post.source, post.native_id) != lead


def _archived(at: Connection, ids: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for part in parts(ids):
        found.update(at.execute(_ARCHIVED, {"ids": part}).scalars())
    return found


def _mark(at: Connection, signal_id: str, archived: bool | None, add_label: str | None) -> None:
    row = at.execute(select(SIGNALS.c.archived, SIGNALS.c.labels).where(SIGNALS.c.id == signal_id)).one_or_none()
    if row is None:
        raise _unknown(signal_id)
    labels = list(dict.fromkeys([*row.labels, *([add_label] if add_label is not None else [])]))
    _set(at, signal_id, labels=labels, archived=row.archived if archived is None else archived)


def _mark_gone(at: Connection, signal_id: str, now: datetime) -> None:
    _set(at, signal_id, gone=True, checked_at=now)
    wire = at.execute(select(SIGNALS.c.wire).where(SIGNALS.c.id == signal_id)).scalar()
    if wire is not None:
        blank = {"headline": "", "excerpt": "", "match_reason": _GONE_REASON}
        _set(at, signal_id, wire=Signal.model_validate_json(wire).model_copy(update=blank).model_dump_json())
    places = at.execute(select(SIGNAL_POSTS).where(SIGNAL_POSTS.c.signal_id == signal_id)).all()
    at.execute(update(SIGNAL_POSTS).where(SIGNAL_POSTS.c.signal_id == signal_id).values(title="", body=""))
    at.execute(THREADS.delete().where(THREADS.c.signal_id == signal_id))
    Contexts.forget(at, [as_post(row) for row in places])
