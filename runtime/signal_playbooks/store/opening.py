"""Where the database file is, whether it is ours and current, and how a connection to it is made."""

import re
import sqlite3
import time
from pathlib import Path

from signal_playbooks.errors import NotConfigured, StoreUnavailable
from signal_playbooks.store.schema import APPLICATION_ID, SCHEMA_VERSION
from signal_playbooks.store.trouble import is_locked, unavailable

_IN_MEMORY = (":memory:", "sqlite://", "sqlite:///:memory:")
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://")
_STATEMENTS_KEPT = 256
_WAIT_STEP_SECONDS = 0.01


def read_url(url: str) -> Path | None:
    """Return the file that a path or `sqlite:///path` names, None for `:memory:`.

    Raises NotConfigured for another kind of database (the address, which may hold a password, is not repeated), and
    StoreUnavailable where nothing is named.
    """
    if url.strip() in _IN_MEMORY:
        return None
    path = url.removeprefix("sqlite:///")
    if scheme := _SCHEME.match(path):
        raise NotConfigured(
            f"A {scheme[1].lower()}:// database is not supported yet.",
            "Name a SQLite file: --db signal.db or --db sqlite:///signal.db.",
        )
    if not path.strip() or "\0" in path:
        raise StoreUnavailable("No database file is named.", "Name one, such as --db signal.db.")
    return Path(path).expanduser().absolute()


def make_folder(file: Path) -> None:
    """Make the folder that the file is to stand in; raises StoreUnavailable where that cannot be."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(
            f"The folder {file.parent} for the database cannot be made: {error.strerror or error}.",
            "Make it yourself, or name a file elsewhere with --db.",
        ) from error


def connect(file: Path, busy_seconds: float) -> sqlite3.Connection:
    """Return a connection that waits that many seconds for a lock, commits by itself and may change threads.

    NORMAL keeps what was committed when the process is killed; the writer asks for FULL, which also survives a power
    cut, where an outward act depends on it.
    """
    raw = sqlite3.connect(
        file,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_STATEMENTS_KEPT,
    )
    raw.execute("PRAGMA synchronous=NORMAL")
    raw.execute("PRAGMA temp_store=MEMORY")
    raw.execute("PRAGMA cache_size=-32768")
    return raw


def is_current(raw: sqlite3.Connection, where: str) -> bool:
    """Tell whether the file has this release's tables; False for a new or an older one.

    Raises StoreUnavailable for another program's database and for one that a newer release has written.
    """
    version = int(raw.execute("PRAGMA user_version").fetchone()[0])
    owner = int(raw.execute("PRAGMA application_id").fetchone()[0])
    if owner != APPLICATION_ID:
        if owner or version or raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise StoreUnavailable(
                f"The database {where} belongs to another program.",
                "Name another file with --db; this one was left as it is.",
            )
        return False
    if version > SCHEMA_VERSION:
        raise StoreUnavailable(
            f"The database {where} was written by a newer release (schema {version}, this one knows {SCHEMA_VERSION}).",
            "Install the newer release again, or name another file with --db.",
        )
    return version == SCHEMA_VERSION


def check(file: Path, busy_seconds: float) -> bool:
    """Tell whether the file is current, creating an empty one that writes ahead where there is none.

    Raises StoreUnavailable where it cannot be opened or is not ours.
    """
    try:
        raw = connect(file, busy_seconds)
        try:
            current = is_current(raw, str(file))
            if not current:
                _write_ahead(raw, busy_seconds)
            return current
        finally:
            raw.close()
    except sqlite3.Error as error:
        raise unavailable(error, str(file)) from error


def _write_ahead(raw: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch the file to write-ahead logging; SQLite does not wait for the lock of this change by itself."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            raw.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if not is_locked(error) or time.monotonic() > deadline:
                raise
        time.sleep(_WAIT_STEP_SECONDS)
