"""The store: one SQLite file, opened quickly, with what is remembered in five parts."""

import shutil
import sqlite3
import tempfile
from pathlib import Path

from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from signal_playbooks.clock import Clock
from signal_playbooks.store.acts import Acts
from signal_playbooks.store.archive import Archive
from signal_playbooks.store.audit import Audit
from signal_playbooks.store.committer import Committer
from signal_playbooks.store.opening import check, connect, make_folder, read_url
from signal_playbooks.store.reader import Reader
from signal_playbooks.store.runs import Runs
from signal_playbooks.store.signals import Signals
from signal_playbooks.store.trouble import unavailable
from signal_playbooks.store.upgrade import upgrade
from signal_playbooks.store.writer import Writer, line

BUSY_SECONDS = 10.0


class Store:
    """What is remembered. Built by `open_store`; several processes may have one on the same file."""

    def __init__(self, engine: Engine, file: Path, clock: Clock, *, temporary: Path | None = None) -> None:
        where = str(file)
        self._reader = Reader(engine.connect, where)
        self._writer = Writer(engine.connect, where)
        self._committer = Committer(file)
        self._temporary = temporary
        self.signals = Signals(self._reader, self._writer, clock)
        self.acts = Acts(self._reader, self._writer, clock, self._committer)
        self.runs = Runs(self._reader, self._writer, clock)
        self.archive = Archive(self._reader, self._writer)
        self.audit = Audit(self._reader, self._writer, clock)

    def close(self) -> None:
        """Write what is queued and let go of the file; a second call does nothing, any other use is refused."""
        self._writer.close()
        self._reader.close()
        self._committer.close()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


def open_store(url: str, clock: Clock, *, busy_seconds: float = BUSY_SECONDS) -> Store:
    """Return the store in a file (a path or `sqlite:///path`), made or migrated where need be.

    `:memory:` is a store of its own that is gone once closed (it stands in a temporary folder, because several
    connections share it). `busy_seconds` is how long a lock of another process is waited for.

    Raises StoreUnavailable where the file cannot be opened, is not ours, is locked, or comes from a newer release, and
    NotConfigured for another kind of database.
    """
    file, temporary = read_url(url), None
    if file is None:
        temporary = Path(tempfile.mkdtemp(prefix="signal-"))
        file = temporary / "signal.db"
    else:
        make_folder(file)
    engine = _engine(file, busy_seconds)
    if not check(file, busy_seconds):
        _upgrade(engine, str(file))
    return Store(engine, file, clock, temporary=temporary)


def _engine(file: Path, busy_seconds: float) -> Engine:
    def opened() -> sqlite3.Connection:
        return connect(file, busy_seconds)

    return create_engine("sqlite://", creator=opened, poolclass=NullPool)


def _upgrade(engine: Engine, where: str) -> None:
    try:
        with engine.connect() as connection:
            upgrade(connection, line(connection).raw, where)
    except (sqlite3.Error, DBAPIError) as error:
        raise unavailable(error, where) from error
