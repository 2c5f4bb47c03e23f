"""Acts: staged once, committed by one, settled for good, and every step of it in the audit."""

from dataclasses import replace
from datetime import timedelta

import pytest

from signal_playbooks.errors import AlreadySettled, UnknownHandle
from signal_playbooks.store.database import open_store

DAY = timedelta(hours=24)


def told(store, do):
    return [(row.what, row.handle, row.outcome) for row in reversed(do(store.audit.listing(100)))]


def test_the_same_wish_twice_is_one_act(store, do, act):
    """An agent that repeats itself must not fill the queue; the order of the params' names says nothing."""
    first, made = do(store.acts.stage(act("disp_1", params={"destination": "outbox", "note": "n"})))
    again, made_again = do(store.acts.stage(act("disp_2", params={"note": "n", "destination": "outbox"})))
    assert (made, made_again) == (True, False)
    assert again == first
    assert do(store.acts.get("disp_2")) is None
    assert told(store, do) == [("stage", "disp_1", "staged"), ("stage", "disp_1", "unchanged: staged")]


@pytest.mark.parametrize("other", [{"signal_id": "sig_2"}, {"action": "flag"}, {"params": {"destination": "else"}}])
def test_another_wish_is_another_act(store, do, act, other):
    """Signal, action and params together are the wish."""
    do(store.acts.stage(act("disp_1")))
    staged, made = do(store.acts.stage(act("disp_2", **other)))
    assert made
    assert staged.handle == "disp_2"


def test_an_act_is_kept_exactly_as_it_was_previewed(store, do, act):
    """What is committed is what was shown, whatever strangers wrote into it."""
    wanted = act(
        params={"text": 'C# — "a_b" [x]! {{ secrets.token }} {% raw'},
        preview="👨‍👩‍👧\u202e\x00",
        payload={"deep": [{"a": None, "b": 1.5}], "text": "\ud83d"},
        author_key="board:mira",
        run_id="run_1",
        due_at=act().created_at + DAY,
    )
    assert do(store.acts.stage(wanted))[0] == wanted
    assert do(store.acts.get("disp_1")) == wanted


def test_a_replaced_act_is_superseded_by_the_new_one(store, do, act):
    """Other params, another handle, and nobody commits the old one any more."""
    do(store.acts.stage(act("disp_1")))
    _, made = do(store.acts.stage(act("disp_2", params={"destination": "else"}), replaces="disp_1"))
    assert made
    assert do(store.acts.get("disp_1")).status == "superseded"
    assert do(store.acts.begin_commit("disp_1", "ci")) is None
    assert ("replace", "disp_1", "superseded") in told(store, do)


def test_replacing_an_act_by_itself_leaves_it_staged(store, do, act):
    """Same handle, same params: nothing was changed."""
    do(store.acts.stage(act("disp_1")))
    kept, made = do(store.acts.stage(act("disp_2"), replaces="disp_1"))
    assert (kept.handle, kept.status, made) == ("disp_1", "staged", False)


def test_only_a_staged_act_can_be_replaced(store, do, act):
    """What was committed cannot be taken back, and a failed replacement stages nothing."""
    do(store.acts.stage(act("disp_1")))
    do(store.acts.discard("disp_1", "ci"))
    other = act("disp_2", params={"destination": "else"})
    with pytest.raises(AlreadySettled, match="discarded"):
        do(store.acts.stage(other, replaces="disp_1"))
    with pytest.raises(UnknownHandle, match="disp_9"):
        do(store.acts.stage(other, replaces="disp_9"))
    assert do(store.acts.get("disp_2")) is None


def test_only_one_caller_ever_gets_to_commit(store, do, act):
    """Two at once would deliver twice."""
    do(store.acts.stage(act()))
    begun = do(store.acts.begin_commit("disp_1", "ci"))
    assert begun.status == "committing"
    assert do(store.acts.begin_commit("disp_1", "someone")) is None
    assert do(store.acts.begin_commit("disp_9", "someone")) is None
    assert do(store.acts.discard("disp_1", "someone")) is None
    assert told(store, do)[1:] == [("commit", "disp_1", "committing"), ("commit", "disp_1", "refused: committing")]


def test_a_settled_act_says_how_it_ended_and_when(store, do, dial, act):
    """The receipt is what the same call answers ever after."""
    do(store.acts.stage(act()))
    do(store.acts.begin_commit("disp_1", "ci"))
    dial.turn(seconds=2)
    settled = do(store.acts.settle("disp_1", "committed", receipt="outbox/disp_1.json", note="n", by="ci"))
    assert (settled.status, settled.receipt, settled.note) == ("committed", "outbox/disp_1.json", "n")
    assert settled.settled_at == dial.now
    again, made = do(store.acts.stage(act("disp_2")))
    assert (again, made) == (settled, False)
    with pytest.raises(AlreadySettled, match="committed"):
        do(store.acts.settle("disp_1", "failed", by="ci"))


def test_an_act_in_doubt_is_settled_by_what_a_person_found_out(store, do, act):
    """It is never repeated, only resolved."""
    do(store.acts.stage(act()))
    do(store.acts.begin_commit("disp_1", "ci"))
    do(store.acts.settle("disp_1", "in_doubt", by="ci"))
    assert do(store.acts.begin_commit("disp_1", "ci")) is None
    assert do(store.acts.settle("disp_1", "failed", note="it never arrived", by="mira")).status == "failed"
    assert do(store.acts.stage(act("disp_2")))[1], "what failed may be wished for again"


def test_only_what_is_being_committed_can_be_settled(store, do, act):
    """A staged act has to be begun first; an unknown one is named."""
    do(store.acts.stage(act()))
    with pytest.raises(AlreadySettled, match="staged"):
        do(store.acts.settle("disp_1", "committed", by="ci"))
    with pytest.raises(UnknownHandle, match="disp_9"):
        do(store.acts.settle("disp_9", "committed", by="ci"))


def test_an_act_past_its_time_is_expired_whether_or_not_it_was_written_so(store, do, dial, act):
    """Nobody may commit it because a clean-up had not run."""
    do(store.acts.stage(act()))
    dial.turn(hours=24)
    assert do(store.acts.get("disp_1")).status == "expired"
    assert do(store.acts.begin_commit("disp_1", "ci")) is None
    assert do(store.acts.discard("disp_1", "ci")) is None
    assert do(store.acts.listing(["staged"])) == []
    assert do(store.acts.find("sig_1", "route", "staged")) == []
    assert [each.handle for each in do(store.acts.listing(["expired"]))] == ["disp_1"]
    assert do(store.acts.counts()) == {"expired": 1}
    assert do(store.acts.expire_due(dial.now)) == ["disp_1"]
    assert do(store.acts.expire_due(dial.now)) == []
    assert do(store.acts.counts()) == {"expired": 1}
    assert told(store, do)[-1] == ("expire", "disp_1", "expired")


def test_an_expired_wish_can_be_staged_anew(store, do, dial, act):
    """The old one makes room in the same transaction."""
    do(store.acts.stage(act("disp_1")))
    dial.turn(hours=25)
    staged, made = do(store.acts.stage(act("disp_2", created_at=dial.now, expires_at=dial.now + DAY)))
    assert (staged.handle, made) == ("disp_2", True)
    assert do(store.acts.get("disp_1")).status == "expired"


def test_an_act_without_an_end_never_expires(store, do, dial, act):
    """A destination may set no limit."""
    do(store.acts.stage(act(expires_at=None)))
    dial.turn(days=4000)
    assert do(store.acts.expire_due(dial.now)) == []
    assert do(store.acts.begin_commit("disp_1", "ci")) is not None


def test_listings_are_newest_first_by_pages_and_by_status(store, do, act):
    """The second user stages a hundred at once."""
    for number in range(7):
        do(store.acts.stage(act(f"disp_{number}", signal_id=f"sig_{number}")))
    for number in (1, 4):
        do(store.acts.discard(f"disp_{number}", "ci"))
    handles = lambda acts: [int(each.handle[5:]) for each in acts]  # noqa: E731
    assert handles(do(store.acts.listing())) == [6, 5, 4, 3, 2, 1, 0]
    assert handles(do(store.acts.listing(["staged"], limit=2))) == [6, 5]
    assert handles(do(store.acts.listing(["staged"], limit=2, offset=3))) == [2, 0]
    assert handles(do(store.acts.listing(["discarded", "staged"], limit=4, offset=1))) == [5, 4, 3, 2]
    assert do(store.acts.listing(["staged"], offset=50)) == []
    assert do(store.acts.counts()) == {"staged": 5, "discarded": 2}


def test_the_last_live_draft_to_an_author_is_found(store, do, dial, act):
    """One person is not written to twice in a month; a discarded draft is no letter."""
    for number, action in enumerate(["draft_reply", "draft_reply", "route"]):
        made = act(f"disp_{number}", signal_id=f"sig_{number}", action=action, author_key="board:mira")
        do(store.acts.stage(replace(made, created_at=dial.turn(minutes=1))))
    since = dial.now - timedelta(days=30)
    assert do(store.acts.drafted_since("board:mira", since)).handle == "disp_1"
    do(store.acts.discard("disp_1", "ci"))
    assert do(store.acts.drafted_since("board:mira", since)).handle == "disp_0"
    assert do(store.acts.drafted_since("board:mira", dial.now)) is None
    assert do(store.acts.drafted_since("forum:mira", since)) is None


def test_a_follow_up_is_due_from_its_moment_until_it_was_followed_up(store, do, dial, act):
    """It comes once, also when two processes look at the same moment."""
    for number, hours in enumerate([2, 1, 30]):
        due = dial.now + timedelta(hours=hours)
        do(store.acts.stage(act(f"disp_{number}", signal_id=f"sig_{number}", action="schedule_followup", due_at=due)))
    for number in (0, 1):
        do(store.acts.begin_commit(f"disp_{number}", "ci"))
        do(store.acts.settle(f"disp_{number}", "committed", by="ci"))
    assert do(store.acts.due(dial.now)) == []
    dial.turn(hours=40)
    assert [each.handle for each in do(store.acts.due(dial.now))] == ["disp_1", "disp_0"], (
        "an uncommitted one is not due"
    )
    assert do(store.acts.followed("disp_1"))
    assert not do(store.acts.followed("disp_1"))
    assert [each.handle for each in do(store.acts.due(dial.now))] == ["disp_0"]


def test_a_commit_whose_process_lives_is_not_interrupted(file, store, do, dial, act):
    """Slow is not dead, not even where two stores are open in one process."""
    other = open_store(str(file), dial.clock)
    do(store.acts.stage(act()))
    do(store.acts.begin_commit("disp_1", "ci"))
    assert do(store.acts.interrupted()) == []
    assert do(other.acts.interrupted()) == []
    assert do(other.acts.recover("disp_1", "in_doubt", by="other")) is None
    other.close()


def test_a_commit_whose_store_was_closed_is_found_and_settled_once(file, store, do, dial, act):
    """Whoever finds it asks the destination and writes down what it says."""
    do(store.acts.stage(act()))
    do(store.acts.begin_commit("disp_1", "ci"))
    store.close()
    other = open_store(str(file), dial.clock)
    assert [each.handle for each in do(other.acts.interrupted())] == ["disp_1"]
    assert do(other.acts.recover("disp_1", "committed", receipt="r", by="other")).receipt == "r"
    assert do(other.acts.recover("disp_1", "in_doubt", by="other")) is None
    assert do(other.acts.interrupted()) == []
    assert told(other, do)[-1] == ("recover", "disp_1", "committed")
    other.close()


def test_the_audit_says_who_when_and_what_came_of_it(store, do, dial, act):
    """Also of what was refused before it touched an act."""
    do(store.acts.stage(act()))
    dial.turn(seconds=1)
    do(store.audit.write("reader", "commit", "not allowed", handle="disp_1", signal_id="sig_1"))
    refused, staged = do(store.audit.listing(10))
    assert (refused.at, refused.who, refused.what, refused.outcome) == (dial.now, "reader", "commit", "not allowed")
    assert (staged.who, staged.handle, staged.signal_id) == ("ci", "disp_1", "sig_1")
    assert do(store.audit.listing(1)) == [refused]
    assert do(store.audit.listing(10, handle="disp_2")) == []
