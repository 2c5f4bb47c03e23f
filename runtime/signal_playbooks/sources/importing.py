"""Posts from a file into the archive: streamed in batches, bad lines told by number and set aside, never fatal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from signal_playbooks.clock import Clock
from signal_playbooks.errors import UsageError
from signal_playbooks.post import Post
from signal_playbooks.sources.posts import BadLine, read_posts
from signal_playbooks.store.filing import Added

BATCH = 1_000


@dataclass(slots=True)
class ImportReport:
    """What came of an import: posts new, changed and known before, and the lines set aside."""

    new: int = 0
    changed: int = 0
    same: int = 0
    bad: list[BadLine] = field(default_factory=list)

    @property
    def kept(self) -> int:
        """Return how many lines were posts."""
        return self.new + self.changed + self.same

    def as_dict(self) -> dict[str, Any]:
        """Return the report, ready for JSON."""
        bad = [{"line": line.number, "message": line.sentence} for line in self.bad]
        return {"new": self.new, "changed": self.changed, "same": self.same, "bad": bad}


def import_file(file: Path, source_id: str, add: Callable[[Sequence[Post]], Added], clock: Clock) -> ImportReport:
    """Add every post of a file, in batches, to an archive; the same file again adds nothing.

    Reading is plain and blocking on purpose: the file may be a pipe that never ends, and Ctrl-C must end it. Raises
    UsageError where the file cannot be read, and what `add` raises; what was added before stays.
    """
    report = ImportReport()
    lines = read_posts(file, source_id, clock.now())
    try:
        while batch := list(islice(lines, BATCH)):
            report.bad += [line for line in batch if isinstance(line, BadLine)]
            added = add([line for line in batch if isinstance(line, Post)])
            report.new += added.new
            report.changed += added.changed
            report.same += added.same
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror or error}.", "Name a file of posts, one a line."
        ) from error
    return report
