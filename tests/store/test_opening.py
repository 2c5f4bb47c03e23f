"""Opening: quick where the file is current, and a sentence with a way on where it cannot be."""

import subprocess
import sys
from pathlib import Path
from sqlite3 import connect

import pytest

from signal_playbooks.clock import Clock
from signal_playbooks.errors import NotConfigured, StoreUnavailable
from signal_playbooks.store.database import open_store
from signal_playbooks.store.schema import SCHEMA_VERSION


def refusal(url, **options):
    with pytest.raises(StoreUnavailable) as caught:
        open_store(str(url), Clock(), **options).close()
    assert caught.value.suggested_action
    return caught.value.message


def test_a_folder_that_is_not_there_is_made(tmp_path):
    """The first command on a new machine has no data folder yet."""
    file = tmp_path / "a" / "b" / "signal.db"
    open_store(str(file), Clock()).close()
    assert file.is_file()


@pytest.mark.parametrize("name", ["with blank.db", "50%.db", "été.db", "a?b#c.db"])
def test_a_path_and_its_url_are_the_same_file(tmp_path, name, do, post):
    """Both ways of naming it are documented; signs that mean something in an address mean nothing in a path."""
    path = tmp_path / name
    first = open_store(str(path), Clock())
    do(first.archive.add([post()]))
    first.close()
    second = open_store(f"sqlite:///{path}", Clock())
    assert do(second.archive.count("board")) == 1
    second.close()
    assert path.is_file()


def test_a_store_in_memory_is_its_own_and_leaves_nothing(do, post):
    """Tests and trials must not meet each other's posts."""
    one, other = open_store(":memory:", Clock()), open_store(":memory:", Clock())
    do(one.archive.add([post()]))
    assert do(other.archive.count("board")) == 0
    where = one._temporary
    assert where is not None
    assert where.exists()
    one.close()
    other.close()
    assert not where.exists()


def test_another_kind_of_database_is_refused_without_repeating_its_password():
    """The address may hold a password, and errors are logged."""
    with pytest.raises(NotConfigured, match="postgresql") as caught:
        open_store("postgresql://me:hunter2@db/signal", Clock())
    assert "hunter2" not in str(caught.value.as_dict())


@pytest.mark.parametrize("url", ["", "  ", "sqlite:///", "a\0b"])
def test_no_file_named_is_refused(url):
    """An empty name would become a file in the working directory."""
    assert "No database file" in refusal(url)


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path):
    """A wrong --db must not destroy somebody's notes."""
    notes = tmp_path / "notes.txt"
    notes.write_text("not a database, but dear to someone\n" * 50)
    before = notes.read_bytes()
    assert "is not a database" in refusal(notes)
    assert notes.read_bytes() == before


def test_another_programs_database_is_left_as_it_is(tmp_path):
    """Our tables have no business in somebody else's file."""
    file = tmp_path / "other.db"
    raw = connect(file)
    raw.execute("CREATE TABLE recipes (name TEXT)")
    raw.commit()
    raw.close()
    before = file.read_bytes()
    assert "belongs to another program" in refusal(file)
    assert file.read_bytes() == before


def test_a_newer_release_s_database_is_refused(tmp_path):
    """An older program would not see, and might break, what the newer one keeps."""
    file = tmp_path / "signal.db"
    open_store(str(file), Clock()).close()
    raw = connect(file)
    raw.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    raw.close()
    assert "newer release" in refusal(file)


def test_a_folder_in_place_of_a_file_is_refused(tmp_path):
    """A common slip: --db ./data."""
    assert "cannot be opened" in refusal(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    """A file stands where the folder would be."""
    (tmp_path / "file").write_text("")
    assert "cannot be made" in refusal(tmp_path / "file" / "signal.db")


def test_a_locked_file_is_waited_for_and_then_refused(file, store, do, post):
    """Whoever waits for ever cannot be told what to do."""
    raw = connect(file)
    raw.execute("BEGIN IMMEDIATE")
    impatient = open_store(str(file), Clock(), busy_seconds=0.02)
    with pytest.raises(StoreUnavailable, match="locked by another process"):
        do(impatient.archive.add([post()]))
    assert do(impatient.archive.count("board")) == 0, "reading goes on beside a writer"
    raw.execute("ROLLBACK")
    raw.close()
    assert do(impatient.archive.add([post()])).new == 1, "the store works again once the lock is gone"
    impatient.close()


def test_a_full_disk_is_told_as_such_and_what_was_kept_stays(file, store, do, post):
    """SQLite gives up the whole transaction here; the others' writes in it must still be answered truly."""
    do(store.archive.add([post("kept")]))
    store._writer.submit(lambda at: at.exec_driver_sql("PRAGMA max_page_count=1")).result()
    big = [post(str(number), body="word " * 2000) for number in range(50)]
    with pytest.raises(StoreUnavailable, match="is full"):
        do(store.archive.add(big))
    assert do(store.archive.count("board")) == 1


def test_a_file_that_may_not_be_written_is_told_as_such(store, do, post):
    """The words say what is wrong, not which statement failed."""
    store._writer.submit(lambda at: at.exec_driver_sql("PRAGMA query_only=ON")).result()
    with pytest.raises(StoreUnavailable, match="read-only") as caught:
        do(store.archive.add([post()]))
    assert "INSERT" not in str(caught.value.as_dict())


def test_closing_twice_is_closing_once_and_later_use_is_refused(store, do, post):
    """A command closes the store on every way out."""
    store.close()
    store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        do(store.archive.add([post()]))
    with pytest.raises(StoreUnavailable, match="closed"):
        do(store.signals.get("sig_1"))
    with pytest.raises(StoreUnavailable, match="closed"):
        do(store.archive.count("board"))


def test_a_closed_store_leaves_one_file(file, store, do, act):
    """The write-ahead log and the committer's lock are put away."""
    do(store.acts.stage(act()))
    do(store.acts.begin_commit("disp_1", "ci"))
    assert len(list(file.parent.iterdir())) > 1
    store.close()
    assert list(file.parent.iterdir()) == [file]


def test_a_current_file_is_opened_without_alembic(file, store):
    """Its import costs more than the whole command."""
    program = (
        "import sys\n"
        "from signal_playbooks.clock import Clock\n"
        "from signal_playbooks.store.database import open_store\n"
        f"open_store({str(file)!r}, Clock()).close()\n"
        "assert 'sqlalchemy' in sys.modules\n"
        "assert 'alembic' not in sys.modules\n"
    )
    source = Path(open_store.__code__.co_filename).parents[2]
    subprocess.run([sys.executable, "-c", program], check=True, env={"PYTHONPATH": str(source)})
