"""The connectors, each one line, and the sources built from a catalog."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from signal_playbooks.clock import Clock
from signal_playbooks.content.source import SourceEntry
from signal_playbooks.sources.archive import ArchiveSource
from signal_playbooks.sources.protocol import Source
from signal_playbooks.store.archive import Archive


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a connector may need besides its catalog entry: kept posts, folders of posts by source id, the time."""

    archive: Archive
    posts_folder: Callable[[str], Path | None]
    clock: Clock


def _archive(entry: SourceEntry, around: Surroundings) -> Source:
    return ArchiveSource(entry, around.archive, around.posts_folder(entry.id), around.clock)


CONNECTORS: Mapping[str, Callable[[SourceEntry, Surroundings], Source]] = {
    "archive": _archive,
}


def build_sources(entries: Iterable[SourceEntry], around: Surroundings) -> dict[str, Source]:
    """Return each declared source by its id; nothing is asked, opened or filled before it is listened to."""
    return {entry.id: CONNECTORS[entry.connector](entry, around) for entry in entries}
