"""Runs: what happened stays readable, and a signal is new to a playbook once."""

import threading

import pytest

from signal_playbooks.errors import UsageError
from signal_playbooks.store.runs import RunStep


def test_a_run_is_kept_with_its_steps(store, do, dial):
    """Whoever asks what happened last night gets all of it."""
    began = dial.now
    do(store.runs.start("run_1", "sweep", {"topic": "price", "limit": 5}, "hash", "ci"))
    do(store.runs.step("run_1", "steps.a", "read", "succeeded", output=[1, {"b": None}], started_at=began))
    failure = {"name": "timed_out", "message": "too slow"}
    do(store.runs.steps("run_1", [RunStep("steps.b", "stage", "failed", error=failure, attempts=3)]))
    dial.turn(minutes=1)
    do(store.runs.finish("run_1", "partial", {"found": 3}, ["one note"]))
    run = do(store.runs.get("run_1"))
    assert (run.playbook, run.inputs, run.content_hash, run.caller) == (
        "sweep",
        {"topic": "price", "limit": 5},
        "hash",
        "ci",
    )
    assert (run.status, run.started_at, run.finished_at) == ("partial", began, dial.now)
    assert (run.outputs, run.summary) == ({"found": 3}, ["one note"])
    assert run.steps == (
        RunStep("steps.a", "read", "succeeded", output=[1, {"b": None}], started_at=began),
        RunStep("steps.b", "stage", "failed", error=failure, attempts=3),
    )


def test_a_run_id_is_used_once(store, do):
    """Two runs under one id would mix their steps."""
    do(store.runs.start("run_1", "sweep", {}, "hash", "ci"))
    with pytest.raises(UsageError, match="run_1"):
        do(store.runs.start("run_1", "sweep", {}, "hash", "ci"))


def test_the_last_record_of_a_path_is_the_one_kept(store, do):
    """A step is recorded before it starts and after it ends."""
    do(store.runs.start("run_1", "sweep", {}, "hash", "ci"))
    for status in ("started", "succeeded"):
        store.runs.record("run_1", RunStep("steps.a", "read", status))
        store.runs.record("run_1", RunStep("steps.b", "read", status))
    do(store.runs.finish("run_1", "succeeded", None, None))
    assert [(step.path, step.status) for step in do(store.runs.get("run_1")).steps] == [
        ("steps.a", "succeeded"),
        ("steps.b", "succeeded"),
    ]


def test_what_was_recorded_without_waiting_is_there_after_a_flush(store, do):
    """Ten thousand lanes do not wait for the disk one by one."""
    do(store.runs.start("run_1", "sweep", {}, "hash", "ci"))
    for number in range(3000):
        store.runs.record("run_1", RunStep(f"steps.a[{number}]", "read", "succeeded", output={"n": number}))
    do(store.runs.flush())
    run = do(store.runs.get("run_1"))
    assert [step.output["n"] for step in run.steps] == list(range(3000))


def test_a_record_that_could_not_be_written_is_raised_where_one_waits(store, do):
    """A journal that loses steps in silence is worse than none."""
    do(store.runs.start("run_1", "sweep", {}, "hash", "ci"))
    store._writer.submit(lambda at: at.exec_driver_sql("PRAGMA query_only=ON")).result()
    store.runs.record("run_1", RunStep("steps.a", "read", "succeeded"))
    with pytest.raises(Exception, match="read-only"):
        do(store.runs.finish("run_1", "succeeded", None, None))


def test_steps_that_shared_a_lost_transaction_are_written_with_the_next(store, do):
    """They are taken from the list once, and tried again from where they were taken to."""
    do(store.runs.start("run_1", "sweep", {}, "hash", "ci"))
    gate = threading.Event()
    store._writer.submit(lambda at: gate.wait(10))
    store.runs.record("run_1", RunStep("steps.a", "read", "succeeded"))
    lost = store._writer.submit(lambda at: at.connection.driver_connection.execute("ROLLBACK"))
    gate.set()
    assert lost.exception() is not None
    do(store.runs.flush())
    assert [step.path for step in do(store.runs.get("run_1")).steps] == ["steps.a"]


def test_listings_are_newest_first_without_steps(store, do):
    """A hundred runs of ten thousand steps each are not read to show a table."""
    for number in range(3):
        do(store.runs.start(f"run_{number}", "sweep", {}, "hash", "ci"))
    do(store.runs.step("run_2", "steps.a", "read", "succeeded"))
    assert [run.run_id for run in do(store.runs.listing(2))] == ["run_2", "run_1"]
    assert do(store.runs.listing(1))[0].steps == ()
    assert do(store.runs.get("run_9")) is None


def test_a_signal_is_seen_by_one_playbook_and_new_to_another(store, do):
    """Each playbook keeps its own count of what it has dealt with."""
    many = [f"sig_{number}" for number in range(1500)]
    do(store.runs.mark_seen("run_1", "sweep", many))
    do(store.runs.mark_seen("run_2", "sweep", ["sig_0", "sig_new"]))
    assert do(store.runs.seen("sweep", [*many, "sig_else"])) == set(many)
    assert do(store.runs.seen("brief", many)) == set()
    do(store.runs.mark_seen("run_2", "sweep", []))
