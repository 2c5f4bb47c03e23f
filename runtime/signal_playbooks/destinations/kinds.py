"""The kinds of destination, each one line."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from signal_playbooks.content.destination import DestinationEntry
from signal_playbooks.destinations.file import build_file_destination
from signal_playbooks.destinations.protocol import Destination

# What builds a destination from its entry and the application's data folder.
KINDS: Mapping[str, Callable[[DestinationEntry, Path], Destination]] = {
    "file": build_file_destination,
}


def build_destinations(entries: Iterable[DestinationEntry], data: Path) -> dict[str, Destination]:
    """Return each declared destination by its id; nothing is made or opened before something is delivered."""
    return {entry.id: KINDS[entry.kind](entry, data) for entry in entries}
