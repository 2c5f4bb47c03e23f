"""What went wrong with the database, as one sentence and what to do about it; never SQL, never a trace."""

import sqlite3

from sqlalchemy.exc import DBAPIError

from signal_playbooks.errors import StoreUnavailable

_SENTENCES: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_BUSY: (
        "The database {where} is locked by another process.",
        "Wait for the other command to end, or stop it, then try again.",
    ),
    sqlite3.SQLITE_FULL: (
        "The disk that holds the database {where} is full.",
        "Make room on that disk, or name a file on another one with --db.",
    ),
    sqlite3.SQLITE_READONLY: (
        "The database {where} cannot be written: it is read-only.",
        "Make the file and its folder writable, or name another file with --db.",
    ),
    sqlite3.SQLITE_NOTADB: (
        "The file {where} is not a database.",
        "Name another file with --db; this one was left as it is.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "The database {where} is damaged.",
        "Restore it from a copy, or name another file with --db; this one was left as it is.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "The database {where} cannot be opened.",
        "See that its folder exists and may be written, or name another file with --db.",
    ),
    sqlite3.SQLITE_IOERR: (
        "The disk that holds the database {where} answered with an error.",
        "See that the disk is in order and has room, then try again.",
    ),
}
_SENTENCES[sqlite3.SQLITE_LOCKED] = _SENTENCES[sqlite3.SQLITE_BUSY]
_SENTENCES[sqlite3.SQLITE_PERM] = _SENTENCES[sqlite3.SQLITE_CANTOPEN]
_OTHERWISE = ("The database {where} could not do what was asked of it.", "Try again; if it stays so, report it.")
_RETRYABLE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def unavailable(error: sqlite3.Error | DBAPIError, where: str) -> StoreUnavailable:
    """Return the refusal that tells what a database error means for the person; `where` names the file."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorcode", None) or 0
    sentence, way_on = _SENTENCES.get(code & 0xFF, _OTHERWISE)
    return StoreUnavailable(sentence.replace("{where}", where), way_on)


def is_locked(error: sqlite3.Error) -> bool:
    """Tell whether another connection only was in the way."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _RETRYABLE


def closed() -> StoreUnavailable:
    """Return the refusal of a store that was closed."""
    return StoreUnavailable("The store is closed.", "Open it again.")
