"""Several real processes on one file, and one that is killed in the middle."""

import json
import subprocess
import sys
from pathlib import Path

from signal_playbooks.store.database import open_store

HERE = Path(__file__).parent
SOURCE = Path(open_store.__code__.co_filename).parents[2]


def started(program, file):
    command = [sys.executable, str(HERE / program), str(file)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(SOURCE)})


def test_what_was_acknowledged_survives_the_killing_of_its_process(file, do, dial):
    """kill -9 in the middle of writing: the file opens, and nothing that was answered is missing."""
    process = started("write_until_killed.py", file)
    last = -1
    for line in process.stdout:
        last = int(line)
        if last == 150:
            process.kill()
            break
    last = max([last, *map(int, process.stdout.read().split())])
    process.wait()
    process.stdout.close()
    store = open_store(str(file), dial.clock)
    raw = store._reader.point(lambda at: at.exec_driver_sql("PRAGMA integrity_check").scalar())
    assert raw == "ok"
    numbers = range(last + 1)
    assert all(do(store.archive.get("board", str(number))) is not None for number in numbers)
    assert all(do(store.signals.at_url(f"https://board.example/{number}")) for number in numbers)
    left = {act.handle for act in do(store.acts.interrupted())}
    assert left >= {f"disp_{number}" for number in numbers}, "its commits are known to be nobody's any more"
    assert do(store.acts.recover("disp_0", "in_doubt", by="ci")).status == "in_doubt"
    store.close()


def test_four_processes_that_hear_the_same_posts_tell_the_same_ids(file):
    """Also on a file that none of them has made yet; no lock is ever an error."""
    processes = [started("hear_the_same.py", file) for _ in range(4)]
    told = [json.loads(process.communicate()[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0, 0]
    assert all(each["ids"] == told[0]["ids"] for each in told), "one id for each story"
    assert all(each["handles"] == told[0]["handles"] for each in told), "one act for each wish"
    for name, once in (("new", 1), ("added", 5), ("begun", 1)):
        assert [sum(counts) for counts in zip(*(each[name] for each in told), strict=True)] == [once] * 60
