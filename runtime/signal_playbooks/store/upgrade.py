"""Bringing a new or an older file to this release's tables: the only place that imports alembic, and only then."""

import sqlite3
from pathlib import Path

from sqlalchemy import Connection

from signal_playbooks.store.opening import is_current
from signal_playbooks.store.schema import APPLICATION_ID, SCHEMA_VERSION

_MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(connection: Connection, raw: sqlite3.Connection, where: str) -> None:
    """Run the missing migrations in one transaction; of several processes one does it, the others find it done.

    Raises StoreUnavailable for a database that is not ours, sqlite3 and SQLAlchemy errors as they come.
    """
    with connection.begin():  # alembic then leaves the transaction to us
        raw.execute("BEGIN IMMEDIATE")
        if not is_current(raw, where):
            _migrate(connection)
            raw.execute(f"PRAGMA application_id={APPLICATION_ID}")
            raw.execute(f"PRAGMA user_version={SCHEMA_VERSION}")


def _migrate(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415  (start-up time: most openings migrate nothing)
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
