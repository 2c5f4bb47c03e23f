"""The root of each post: as its source says, else followed through its parents, whatever the order they come in."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, bindparam, select, text, update

from signal_playbooks.store.columns import storable
from signal_playbooks.store.parts import parts
from signal_playbooks.store.schema import ARCHIVE_POSTS

_POST = ARCHIVE_POSTS.c
# An orphan's root is the parent that is missing: once that comes and answers a post itself, its root is theirs.
_ADOPT = (
    update(ARCHIVE_POSTS)
    .where(_POST.source_id == bindparam("of_source"), _POST.root_id == bindparam("was"))
    .where(_POST.root_given.is_(False), _POST.native_id != bindparam("was"))
    .values(root_id=bindparam("now"))
)
# UNION, not UNION ALL: a circle of posts that answer each other ends it.
_FOLLOW = text(
    """
    WITH RECURSIVE below (native_id) AS (
        SELECT :top UNION
        SELECT post.native_id FROM archive_posts AS post JOIN below ON post.parent_id = below.native_id
        WHERE post.source_id = :of_source AND NOT post.root_given
    )
    UPDATE archive_posts SET root_id = :now
    WHERE source_id = :of_source AND NOT root_given AND native_id <> :top AND native_id IN (SELECT native_id FROM below)
    """
)


@contextmanager
def rooted(at: Connection, source_id: int, rows: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Give the rows, each with its root; when they are written, lead earlier orphans and moved branches to theirs."""
    before = _roots(at, source_id, [storable(row["native_id"]) for row in rows])
    found = _resolved(at, source_id, rows)
    yield [row | {"root_id": root, "root_given": given} for row, (root, given) in zip(rows, found, strict=True)]
    for row, (root, _) in zip(rows, found, strict=True):
        native_id = storable(row["native_id"])
        if before.get(native_id, root) != root:
            at.execute(_FOLLOW, {"of_source": source_id, "top": native_id, "now": root})
    moved = [
        {"of_source": source_id, "was": native_id, "now": root}
        for row, (root, _) in zip(rows, found, strict=True)
        if (native_id := storable(row["native_id"])) != root and native_id not in before
    ]
    if moved:
        at.execute(_ADOPT, moved)


def _resolved(at: Connection, source_id: int, rows: Sequence[dict[str, Any]]) -> list[tuple[str, bool]]:
    """Return each row's root and whether its source gave it."""
    given = {storable(row["native_id"]): row["root_id"] for row in rows}
    parents = {storable(row["native_id"]): row["parent_id"] for row in rows}
    outside = {storable(parent) for parent in parents.values() if parent is not None} - parents.keys()
    stored = _roots(at, source_id, list(outside))
    found: dict[str, str] = {}
    for native_id in parents:
        path: dict[str, None] = {}
        here = native_id
        while here not in found and here in parents and here not in path:
            path[here] = None
            if given[here] is not None:
                found[here] = storable(given[here])
            else:
                parent = parents[here]
                here = here if parent is None else storable(parent)
        root = found.get(here) or stored.get(here) or here
        for passed in path:
            found.setdefault(passed, root)
    return [(found[native_id], given[native_id] is not None) for native_id in parents]


def _roots(at: Connection, source_id: int, native_ids: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in parts(native_ids):
        wanted = select(_POST.native_id, _POST.root_id)
        rows = at.execute(wanted.where(_POST.source_id == source_id, _POST.native_id.in_(part)))
        found.update({row.native_id: row.root_id for row in rows})
    return found
