"""Whatever is wrong, a person reads one clear sentence with what to do, and no traceback."""

import json
import os
import signal as signals
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from cli.terminal import Ran, Terminal

RUN = ("run-playbook", "competitor_churn", "--set", "competitor=Plinthly", "--sources", "demo")


def told(ran: Ran, code: int, *words: str) -> None:
    """Hold that a command failed with this code and told it in words, without a traceback."""
    assert ran.code == code, ran
    assert "Traceback" not in ran.err + ran.out
    for word in words:
        assert word in ran.err, ran.err


def test_a_missing_input_is_named_and_nothing_runs(signal: Terminal) -> None:
    told(signal("run-playbook", "competitor_churn"), 2, "competitor", "--set competitor=")
    assert signal("staged", "--json").json == {"staged": []}


def test_an_unknown_playbook_is_answered_with_the_nearest(signal: Terminal) -> None:
    told(signal("run-playbook", "competitor_chrun"), 2, "competitor_chrun", "competitor_churn")


def test_an_unknown_source_is_answered_with_those_that_exist(signal: Terminal) -> None:
    told(signal(*RUN[:-1], "dmeo"), 2, "dmeo", "demo")
    told(signal("listen", "Plinthly", "--sources", "dmeo"), 2, "dmeo", "demo")


def test_an_unknown_signal_says_where_ids_come_from(signal: Terminal) -> None:
    told(signal("inspect", "sig_01ARZ3NDEKTSV4RRFFQ69G5FAV"), 1, "sig_01ARZ3NDEKTSV4RRFFQ69G5FAV", "listen")


def test_an_unknown_handle_says_where_handles_come_from(signal: Terminal) -> None:
    told(signal("approve", "disp_01ARZ3NDEKTSV4RRFFQ69G5FAV"), 1, "disp_01ARZ3NDEKTSV4RRFFQ69G5FAV")


def test_an_unknown_command_and_an_unknown_option_are_usage_errors(signal: Terminal) -> None:
    told(signal("lisen"), 2, "lisen", "listen")
    told(signal("listen", "x", "--frehsness", "today"), 2, "--frehsness")


@pytest.mark.parametrize("pair", ["competitor", "=x", ""])
def test_a_set_without_a_name_or_an_equals_sign_is_a_usage_error(signal: Terminal, pair: str) -> None:
    told(signal("run-playbook", "competitor_churn", "--set", pair), 2, "--set")


def test_with_json_an_error_is_json_on_stdout(signal: Terminal) -> None:
    ran = signal("run-playbook", "competitor_chrun", "--json")
    assert ran.code == 2
    assert "competitor_chrun" in ran.json["error"]["message"]
    assert ran.err == ""


def test_with_json_a_mistyped_option_is_json_too(signal: Terminal) -> None:
    assert signal("listen", "x", "--lmit", "3", "--json").json["error"]["name"] == "usage"


def test_a_file_that_is_not_utf8_is_named_where_it_breaks(signal: Terminal) -> None:
    broken = signal.folder / "broken.yaml"
    broken.write_bytes(b"id: broken\ntitle: caf\xe9\n")
    ran = signal("check", "broken.yaml")
    assert ran.code == 1
    assert "broken.yaml:2:11" in ran.out
    assert "UTF-8" in ran.out


def test_a_path_that_does_not_exist_is_a_usage_error(signal: Terminal) -> None:
    told(signal("check", "nowhere.yaml"), 2, "nowhere.yaml")
    told(signal("check", "--content", "nowhere"), 2, "nowhere")
    told(signal("import", "nowhere.jsonl"), 2, "nowhere.jsonl")


def test_a_playbook_that_does_not_check_never_starts(signal: Terminal) -> None:
    signal("init", "mine")
    playbook = signal.folder / "mine/playbooks/my_first.yaml"
    playbook.write_text(playbook.read_text().replace("tool: listen", "tool: lisen"))
    ran = signal("run-playbook", "my_first", "--set", "topic=Plinthly", "--content", "mine")
    told(ran, 2, "mine/playbooks/my_first.yaml:", "listen", "signal check")
    assert signal("staged", "--json").json == {"staged": []}


def test_a_file_that_is_no_database_is_told_so_and_left_alone(signal: Terminal) -> None:
    (signal.folder / "signal.db").write_text("dear diary, " * 200)
    told(signal("staged"), 1, "signal.db", "--db")
    assert (signal.folder / "signal.db").read_text().startswith("dear diary")


def test_a_database_of_a_newer_release_is_left_alone(signal: Terminal) -> None:
    assert signal("staged").code == 0
    with sqlite3.connect(signal.folder / "signal.db") as database:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        database.execute(f"PRAGMA user_version = {version + 1000}")
    database.close()
    told(signal("staged"), 1, "newer")


def test_a_database_in_a_folder_that_cannot_be_made_is_told_so(signal: Terminal) -> None:
    (signal.folder / "file").write_text("")
    told(signal("staged", "--db", "file/below/signal.db"), 1, "file/below")


def test_another_kind_of_database_is_refused_in_words(signal: Terminal) -> None:
    told(signal("staged", "--db", "postgresql://localhost/signal"), 1, "SQLite")
    told(signal("staged", "--db", " "), 2, "--db")


def test_a_reader_that_goes_away_is_no_error(signal: Terminal) -> None:
    """`signal playbooks | head -1` must not end in a traceback about a broken pipe."""
    command = f"{sys.executable} -m signal_playbooks playbooks --json | head -c 1 > /dev/null; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert "Traceback" not in ran.stderr
    assert ran.stdout.strip() == "0"


def interrupted(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Press Ctrl-C until the process ends: one that arrives just before a blocking read is seen only after it."""
    while True:
        process.send_signal(signals.SIGINT)
        try:
            return process.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            continue


def test_ctrl_c_ends_with_130_and_a_sentence(signal: Terminal) -> None:
    """The process is told to stop while it waits for input from a pipe that never comes."""
    fifo = signal.folder / "posts.jsonl"
    os.mkfifo(fifo)
    process = subprocess.Popen(
        [sys.executable, "-m", "signal_playbooks", "import", str(fifo)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with fifo.open("w") as writing:  # opens only once the command reads
        writing.write(json.dumps({"id": "1", "url": "https://board.example/1", "title": "half"}))
        writing.flush()
        out, err = interrupted(process)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert "Interrupted" in err


def test_full_disk_is_one_sentence(signal: Terminal) -> None:
    """/dev/full refuses every byte, as a full disk does."""
    if not Path("/dev/full").exists():
        pytest.fail("this test needs /dev/full")
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "signal_playbooks", "playbooks"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert "No space left" in ran.stderr


def test_a_terminal_without_unicode_gets_signs_it_has_and_json_that_is_whole(signal: Terminal) -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "signal_playbooks", "listen", "Plinthly", "--sources", "demo"]
    shown = subprocess.run(words, capture_output=True, env=environment, check=True)
    assert b"?" in shown.stdout
    told = subprocess.run([*words, "--json"], capture_output=True, env=environment, check=True)
    assert any(not one["match_reason"].isascii() for one in json.loads(told.stdout)["signals"])


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("lexicon/vocabulary.yaml", "broken: ["),
        ("lexicon/complaining.md", "# broken"),
        ("prompts/drafts/complaining.md", "# broken"),
        ("signal.yaml", "shipped: ["),
    ],
)
def test_content_that_does_not_check_starts_nothing(signal: Terminal, file: str, text: str) -> None:
    """A broken lexicon would not fail a run: it would quietly find nobody."""
    signal("init", "mine")
    (signal.folder / "mine" / file).write_text(text, encoding="utf-8")
    told(signal(*RUN, "--content", "mine"), 2, file, "signal check")
    told(signal("listen", "Plinthly", "--content", "mine"), 2, file)
    assert signal("staged", "--content", "mine", "--json").json == {"staged": []}


def test_a_list_of_sources_that_names_none_is_no_wish_for_all(signal: Terminal) -> None:
    told(signal("listen", "Plinthly", "--sources", ""), 2, "--sources")
    told(signal(*RUN[:-1], ","), 2, "--sources")


def test_a_start_from_nothing_says_what_is_missing(signal: Terminal) -> None:
    (signal.folder / "mine").mkdir()
    (signal.folder / "mine/signal.yaml").write_text("shipped: false", encoding="utf-8")
    assert signal("staged", "--content", "mine").code == 0
    told(signal("listen", "Plinthly", "--content", "mine"), 1, "source")


def test_a_failed_act_is_a_failed_command(signal: Terminal) -> None:
    (signal.folder / "outbox").write_text("in the way", encoding="utf-8")
    heard = signal("listen", "Plinthly", "--sources", "demo", "--json").json["signals"][0]
    handle = signal("dispatch", heard["id"], "route", "--param", "destination=outbox", "--json").json["handle"]
    ran = signal("dispatch", heard["id"], "route", "--param", "commit=true", "--param", f"handle={handle}")
    assert ran.code == 1
