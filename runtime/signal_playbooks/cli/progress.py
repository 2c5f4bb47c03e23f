"""Progress while a command works: sources answering, lanes done. On stderr, and only where a person watches."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from signal_playbooks.content.steps import Status
from signal_playbooks.contract.listen import Coverage
from signal_playbooks.contract.signal import Signal
from signal_playbooks.engine.ports import Watcher


class Progress(Watcher):
    """Counts what has happened and tells it to a status line, if there is one."""

    def __init__(self, status: Any = None) -> None:
        self._status = status
        self._signals = 0
        self._done = 0
        self._opened = 0
        self._answered: list[str] = []

    def heard(self, path: str, signal: Signal) -> None:
        """Count one signal found."""
        self._signals += 1
        self._show()

    def covered(self, path: str, coverage: Coverage) -> None:
        """Note that a source has answered."""
        self._answered.append(f"{coverage.source} {coverage.state}")
        self._show()

    def lane_opened(self, path: str, key: str, item: object) -> None:
        """Count one lane opened."""
        self._opened += 1
        self._show()

    def lane_finished(self, path: str, key: str, status: Status) -> None:
        """Count one lane done."""
        self._done += 1
        self._show()

    def _show(self) -> None:
        if self._status is None:
            return
        parts = [f"{self._signals} signals"] if self._signals else []
        parts += [", ".join(self._answered)] if self._answered else []
        parts += [f"{self._done}/{self._opened} lanes done"] if self._opened else []
        self._status.update(" · ".join(parts) or "listening")


@contextmanager
def progress(as_json: bool) -> Iterator[Progress]:
    """Show a status line while the block runs; nothing where output is piped or JSON."""
    if as_json or not (sys.stderr.isatty() and sys.stdout.isatty()):
        yield Progress()
        return
    from rich.console import Console  # noqa: PLC0415 - only where a person watches

    with Console(stderr=True, markup=False).status("listening") as status:
        yield Progress(status)
