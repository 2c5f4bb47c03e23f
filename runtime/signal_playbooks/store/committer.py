"""Who is committing: a name that other processes can ask for, to learn whether its process still lives.

A process holds a lock on a file of its own beside the database as long as it lives; the system lets go of it however
the process ends. That says more than a process number, which is given out again and means nothing in another container.
"""

import contextlib
import os
import re
import secrets
import threading
from pathlib import Path
from typing import IO

from signal_playbooks.errors import StoreUnavailable
from signal_playbooks.store.locks import try_lock

_NAME = re.compile(r"[0-9]{1,20}-[0-9a-f]{16}\Z")
_ATTEMPTS = 10


class Committer:
    """This store's name as a committer, and whether another's is still open."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: tuple[str, IO[bytes]] | None = None

    def name(self) -> str:
        """Return this store's name, holding its lock from the first call on; raises StoreUnavailable."""
        with self._lock:
            if self._held is None:
                self._sweep()
                self._held = self._take()
            return self._held[0]

    def is_alive(self, name: str | None) -> bool:
        """Tell whether the store of that name is still open, in this process or another."""
        if name is None or not _NAME.match(name):
            return False
        held = self._held
        return (held is not None and held[0] == name) or not _is_free(self._path(name))

    def close(self) -> None:
        """Let go of the name; whatever it was still committing counts as interrupted from here on."""
        with self._lock:
            held, self._held = self._held, None
        if held is not None:
            held[1].close()
            with contextlib.suppress(OSError):
                self._path(held[0]).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._database.with_name(f"{self._database.name}-committer-{name}")

    def _sweep(self) -> None:
        """Remove the files of processes that were killed."""
        for path in self._database.parent.glob("*-committer-*"):
            if path.name.startswith(f"{self._database.name}-committer-") and _is_free(path):
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)

    def _take(self) -> tuple[str, IO[bytes]]:
        for _ in range(_ATTEMPTS):
            name = f"{os.getpid()}-{secrets.token_hex(8)}"
            try:
                file = self._path(name).open("xb")
            except OSError as error:
                raise StoreUnavailable(
                    f"The folder {self._database.parent} cannot be written: {error.strerror or error}.",
                    "Make it writable, or name a database elsewhere with --db.",
                ) from error
            # Between its making and its locking another process may have swept the file away.
            if try_lock(file) and self._path(name).exists():
                return name, file
            file.close()
        raise StoreUnavailable("No lock could be taken beside the database.", "Try again.")


def _is_free(path: Path) -> bool:
    """Tell whether nobody holds the file's lock; what cannot be opened counts as held, lest a living act be settled."""
    try:
        with path.open("r+b") as file:
            return try_lock(file)
    except FileNotFoundError:
        return True
    except OSError:
        return False
