"""Filing posts within a write: what is new, what changed, the index in step with both, and roots followed up."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select, text, update
from sqlalchemy.dialects.sqlite import insert

from signal_playbooks.post import Post
from signal_playbooks.store.columns import as_values, storable
from signal_playbooks.store.parts import parts
from signal_playbooks.store.roots import rooted
from signal_playbooks.store.schema import ARCHIVE_POSTS, ARCHIVE_SOURCES, FULL_TEXT
from signal_playbooks.text import index_text

_POST = ARCHIVE_POSTS.c
_PUT_WORDS = text(f"INSERT INTO {FULL_TEXT} (rowid, source, title, body) VALUES (:id, :source, :title, :body)")  # noqa: S608
_TAKE_WORDS = text(f"DELETE FROM {FULL_TEXT} WHERE rowid = :id")  # noqa: S608  (a name of our own)


@dataclass(frozen=True, slots=True)
class Added:
    """How many posts were new, how many said something else than before, how many the same."""

    new: int = 0
    changed: int = 0
    same: int = 0


@dataclass(frozen=True, slots=True)
class Filed:
    """A post ready for filing: its row, its digest, and its words as they are indexed."""

    source: str
    native_id: str
    row: dict[str, Any]
    digest: str
    title: str
    body: str


def prepared(posts: Iterable[Post]) -> list[Filed]:
    """Return the posts ready for filing; this is the costly part, and needs no database."""
    return [_prepared(post) for post in posts]


def add(at: Connection, filed: Sequence[Filed]) -> Added:
    """File the posts, the last of each identity, and return how it went post by post."""
    by_source: dict[str, list[Filed]] = {}
    for each in filed:
        by_source.setdefault(each.source, []).append(each)
    told = [_add_to(at, source, of_source) for source, of_source in by_source.items()]
    return Added(sum(each.new for each in told), sum(each.changed for each in told), sum(each.same for each in told))


def forget(
    at: Connection, source: str, native_ids: Sequence[str] | None = None, *, keeping: Collection[str] = ()
) -> int:
    """Delete these posts of the source, or all but those kept, and return how many there were."""
    source_id = source_id_of(at, source)
    if source_id is None:
        return 0
    ids = _ids(at, source_id, native_ids, keeping)
    for part in parts(ids):
        at.execute(_TAKE_WORDS, [{"id": each} for each in part])
        at.execute(ARCHIVE_POSTS.delete().where(_POST.id.in_(part)))
    if native_ids is None and not keeping:
        at.execute(ARCHIVE_SOURCES.update().where(ARCHIVE_SOURCES.c.id == source_id).values(fingerprint=None))
    return len(ids)


def stamp(at: Connection, source: str, fingerprint: str, when: datetime) -> None:
    """Note what the source was filled from, and when."""
    source_id = _source_id(at, source)
    here = ARCHIVE_SOURCES.c.id == source_id
    at.execute(update(ARCHIVE_SOURCES).where(here).values(fingerprint=fingerprint, stamped_at=when))


def source_id_of(at: Connection, source: str) -> int | None:
    """Return the number that posts and index know the source by, None where nothing was filed under it."""
    return at.execute(select(ARCHIVE_SOURCES.c.id).where(ARCHIVE_SOURCES.c.source == source)).scalar()


def _prepared(post: Post) -> Filed:
    row = as_values(post)
    digest = hashlib.blake2b(repr(sorted(row.items())).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    del row["source"]
    title, body = index_text(storable(post.title)), index_text(storable(post.body))
    return Filed(storable(post.source), storable(post.native_id), row, digest, title, body)


def _source_id(at: Connection, source: str) -> int:
    found = source_id_of(at, source)
    if found is None:
        at.execute(insert(ARCHIVE_SOURCES).values(source=source).on_conflict_do_nothing())
        found = source_id_of(at, source)
    assert found is not None  # noqa: S101  (it was just put there)
    return found


def _add_to(at: Connection, source: str, filed: Sequence[Filed]) -> Added:
    source_id = _source_id(at, source)
    digests = _digests(at, source_id, [each.native_id for each in filed])
    known = {native_id: row_id for native_id, (row_id, _) in digests.items()}
    last = {native_id: digest for native_id, (_, digest) in digests.items()}
    counts = {"new": 0, "changed": 0, "same": 0}
    different: dict[str, Filed] = {}
    for each in filed:
        before = last.get(each.native_id)
        counts["new" if before is None else "same" if before == each.digest else "changed"] += 1
        if before != each.digest:
            different[each.native_id] = each
        last[each.native_id] = each.digest
    with rooted(at, source_id, [each.row for each in different.values()]) as rows:
        _write(at, source_id, list(zip(different.values(), rows, strict=True)), known)
    return Added(**counts)


def _write(
    at: Connection, source_id: int, filed: Sequence[tuple[Filed, dict[str, Any]]], known: dict[str, int]
) -> None:
    full = [(each, row | {"source_id": source_id, "digest": each.digest}) for each, row in filed]
    fresh = [(each, row) for each, row in full if each.native_id not in known]
    changed = [(each, row | {"row_id": known[each.native_id]}) for each, row in full if each.native_id in known]
    if fresh:
        at.execute(ARCHIVE_POSTS.insert(), [row for _, row in fresh])
        made = _digests(at, source_id, [each.native_id for each, _ in fresh])
        _put_words(at, source_id, [(each, made[each.native_id][0]) for each, _ in fresh])
    if changed:
        at.execute(update(ARCHIVE_POSTS).where(_POST.id == bindparam("row_id")), [row for _, row in changed])
        at.execute(_TAKE_WORDS, [{"id": row["row_id"]} for _, row in changed])
        _put_words(at, source_id, [(each, known[each.native_id]) for each, _ in changed])


def _put_words(at: Connection, source_id: int, filed: Sequence[tuple[Filed, int]]) -> None:
    source = f"s{source_id}"
    at.execute(
        _PUT_WORDS,
        [{"id": row_id, "source": source, "title": each.title, "body": each.body} for each, row_id in filed],
    )


def _digests(at: Connection, source_id: int, native_ids: Sequence[str]) -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = {}
    for part in parts(native_ids):
        wanted = select(_POST.native_id, _POST.id, _POST.digest)
        rows = at.execute(wanted.where(_POST.source_id == source_id, _POST.native_id.in_(part)))
        found.update({row.native_id: (row.id, row.digest) for row in rows})
    return found


def _ids(at: Connection, source_id: int, native_ids: Sequence[str] | None, keeping: Collection[str]) -> list[int]:
    if native_ids is not None:
        return [row_id for row_id, _ in _digests(at, source_id, [storable(each) for each in native_ids]).values()]
    rows = at.execute(select(_POST.id, _POST.native_id).where(_POST.source_id == source_id))
    return [row.id for row in rows if row.native_id not in keeping]
