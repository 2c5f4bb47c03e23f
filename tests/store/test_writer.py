"""The writing thread: together where it can, each for itself where it must."""

import asyncio

import pytest
from sqlalchemy import text

from signal_playbooks.errors import StoreUnavailable, UnknownSignal


def test_what_waits_together_is_committed_together(store, do, file):
    """A thousand lanes write at once; a commit for each would cost a thousand times as much."""
    commits = []

    async def many():
        store._writer.submit(lambda at: at.exec_driver_sql("SELECT 1")).result()
        gate = asyncio.Event()
        loop = asyncio.get_running_loop()

        def hold(at):
            loop.call_soon_threadsafe(gate.set)
            at.connection.driver_connection.set_trace_callback(commits.append)

        first = asyncio.ensure_future(store._writer.write(hold))
        rest = [asyncio.ensure_future(store.runs.mark_seen("r", "p", [str(n)])) for n in range(100)]
        await gate.wait()
        await asyncio.gather(first, *rest)

    do(many())
    assert do(store.runs.seen("p", [str(n) for n in range(100)])) == {str(n) for n in range(100)}
    assert 1 <= sum(statement == "COMMIT" for statement in commits) < 50


def test_one_caller_s_failure_undoes_only_its_own_part(store, do):
    """Callers who share a transaction do not know of each other."""

    async def both():
        def half_way(at):
            at.execute(text("INSERT INTO seen VALUES ('p', 'half', 'r', 0)"))
            raise ValueError("changed my mind")

        return await asyncio.gather(
            store.runs.mark_seen("r", "p", ["before"]),
            store._writer.write(half_way),
            store.runs.mark_seen("r", "p", ["after"]),
            return_exceptions=True,
        )

    before, failed, after = do(both())
    assert (before, after) == (None, None)
    assert isinstance(failed, ValueError)
    assert do(store.runs.seen("p", ["before", "half", "after"])) == {"before", "after"}


def test_a_lost_transaction_is_tried_again_for_each_caller_alone(store, do):
    """A disk that is full for one large write still has room for the small ones beside it."""

    async def three():
        def lose(at):
            at.connection.driver_connection.execute("ROLLBACK")
            raise ValueError("the database gave up")

        return await asyncio.gather(
            store.runs.mark_seen("r", "p", ["before"]),
            store._writer.write(lose),
            store.runs.mark_seen("r", "p", ["after"]),
            return_exceptions=True,
        )

    outcomes = do(three())
    assert [type(outcome) for outcome in outcomes] == [type(None), ValueError, type(None)]
    assert do(store.runs.seen("p", ["before", "after"])) == {"before", "after"}


def test_a_caller_cancelled_before_its_turn_writes_nothing_and_holds_up_nobody(store, do):
    """Ctrl-C in the middle of a run."""

    async def story():
        running = asyncio.Event()
        loop = asyncio.get_running_loop()
        release = asyncio.Event()
        import threading

        gate = threading.Event()

        def hold(at):
            loop.call_soon_threadsafe(running.set)
            gate.wait(10)

        first = asyncio.ensure_future(store._writer.write(hold))
        await running.wait()
        second = asyncio.ensure_future(store.runs.mark_seen("r", "p", ["cancelled"]))
        third = asyncio.ensure_future(store.runs.mark_seen("r", "p", ["kept"]))
        await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        gate.set()
        await asyncio.gather(first, third)
        del release

    do(story())
    assert do(store.runs.seen("p", ["cancelled", "kept"])) == {"kept"}


def test_closing_writes_what_is_queued(file, store, do, dial):
    """The last step of a run is recorded without waiting."""
    from signal_playbooks.store.database import open_store
    from signal_playbooks.store.runs import RunStep

    for number in range(500):
        store.runs.record("run_1", RunStep(f"steps.{number}", "read", "succeeded"))
    store.close()
    again = open_store(str(file), dial.clock)
    do(again.runs.start("run_1", "p", {}, "hash", "ci"))
    run = do(again.runs.get("run_1"))
    assert len(run.steps) == 500
    again.close()


def test_an_error_of_ours_reaches_its_caller_as_it_is(store, do):
    """A refusal is not a fault of the database."""
    with pytest.raises(UnknownSignal):
        do(store.signals.mark("sig_none", archived=True))


def test_an_error_of_the_database_tells_no_sql(store, do):
    """What goes to a client must not show the inside."""
    with pytest.raises(StoreUnavailable) as caught:
        do(store._writer.write(lambda at: at.execute(text("SELECT secret FROM nowhere"))))
    assert "nowhere" not in str(caught.value.as_dict())
