"""The migrations make the tables that the code speaks of, once, whoever comes first."""

import re
from concurrent.futures import ThreadPoolExecutor
from sqlite3 import connect

from sqlalchemy import create_engine, text

from signal_playbooks.clock import Clock
from signal_playbooks.store.database import open_store
from signal_playbooks.store.schema import CREATE_FULL_TEXT, METADATA, SCHEMA_VERSION


def tables_of(file):
    raw = connect(file)
    rows = raw.execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'alembic%'").fetchall()
    raw.close()
    return {row[:3]: re.sub(r"\s+", " ", row[3] or "") for row in rows if "alembic" not in row[2]}


def test_the_migrations_make_exactly_the_declared_tables(file, store, tmp_path):
    """A column in the code that no migration makes would fail only at the person who updates."""
    declared = tmp_path / "declared.db"
    engine = create_engine(f"sqlite:///{declared}")
    with engine.begin() as connection:
        METADATA.create_all(connection)
        connection.execute(text(CREATE_FULL_TEXT))
    engine.dispose()
    assert tables_of(file) == tables_of(declared)


def test_the_header_and_alembic_agree_on_the_version(file, store):
    """The header is what a quick opening looks at, alembic's table what the next migration starts from."""
    raw = connect(file)
    assert raw.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == (f"{SCHEMA_VERSION:04}",)
    raw.close()


def test_a_migration_that_was_cut_off_is_begun_again(file, do, post):
    """An empty file, or one whose first transaction never ended, is a new one."""
    file.touch()
    opened = open_store(str(file), Clock())
    assert do(opened.archive.add([post()])).new == 1
    opened.close()


def test_several_openings_of_a_new_file_at_once_all_succeed(file):
    """An editor starts the server while a terminal runs the first command."""
    with ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(lambda _: open_store(str(file), Clock()), range(4)))
    for each in opened:
        each.close()
