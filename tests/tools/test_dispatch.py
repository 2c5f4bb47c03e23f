"""dispatch in two phases: what is staged is shown, what is committed is what was shown, once."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from signal_playbooks.caller import LOCAL, Caller
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.destinations.protocol import DeliveryFailed
from signal_playbooks.errors import (
    AlreadySettled,
    InvalidArguments,
    NotAllowed,
    NotConfigured,
    SignalError,
    UnknownHandle,
    UnknownSignal,
)
from signal_playbooks.sources.protocol import Page
from signal_playbooks.tools.dispatch import DispatchRules
from signal_playbooks.tools.size import fit, size
from tools.world import NOW, Recorder, Scripted, World, post

Build = Callable[..., World]


class Desk:
    """A world in which one or more signals were heard, and a short way to act on them."""

    def __init__(self, world: World, caller: Caller = LOCAL) -> None:
        self.world = world
        self.caller = caller
        self.signals = [signal.id for signal in asyncio.run(world.heard(limit=100)).output.signals]

    def __call__(self, action: str, signal: int = 0, caller: Caller | None = None, **params: Any) -> DispatchOutput:
        raw = {"signal_id": self.signals[signal], "action": action, "params": params}
        return asyncio.run(self.world.tools.dispatch(DispatchInput.model_validate(raw), caller or self.caller))

    @property
    def delivered(self) -> list[str]:
        return [delivery.handle for delivery in self.world.outbox.taken]


@pytest.fixture
def desk(world: Build) -> Desk:
    """Return a desk with three signals of three authors, the last two by one person."""
    posts = [post("1", score=90), post("2", author="ben", score=50), post("3", author="ben", score=10)]
    return Desk(world(Scripted("board", [Page(tuple(posts))])))


ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("archive", {}),
    ("archive", {"note": "done"}),
    ("flag", {}),
    ("flag", {"label": "hot", "note": "call"}),
    ("route", {"destination": "outbox", "note": "for sales"}),
    ("draft_reply", {}),
    ("draft_reply", {"text": "My own words.", "destination": "outbox"}),
    ("draft_reply", {"tone": "direct", "language": "de"}),
    ("schedule_followup", {"in": "3d"}),
    ("schedule_followup", {"at": "2026-05-01T09:00:00Z", "then_action": "route", "then_destination": "outbox"}),
]


@pytest.mark.parametrize(("action", "params"), ACTIONS)
def test_staging_sends_nothing_and_changes_nothing(desk: Desk, action: str, params: dict[str, Any]) -> None:
    """Every action, with the destination replaced by a recorder: no outward call at all."""
    staged = desk(action, **params)
    assert staged.status == "staged"
    assert staged.handle.startswith("disp_")
    assert staged.preview
    assert staged.expires_at == NOW + timedelta(hours=24)
    assert (staged.receipt, staged.note) == (None, None)
    assert desk.delivered == []
    remembered = asyncio.run(desk.world.store.signals.get(desk.signals[0]))
    assert remembered is not None
    assert (remembered.archived, remembered.labels) == (False, ())


@pytest.mark.parametrize(("action", "params"), ACTIONS)
def test_the_same_wish_is_the_same_act(desk: Desk, action: str, params: dict[str, Any]) -> None:
    """An agent that repeats itself stages once; a commit that is repeated is answered alike."""
    staged = desk(action, **params)
    assert desk(action, **params) == staged
    committed = desk(action, commit=True, handle=staged.handle)
    assert committed.status == "committed"
    assert committed.receipt
    assert committed.preview == staged.preview
    assert committed.expires_at is None
    assert desk(action, commit=True, handle=staged.handle) == committed
    assert desk(action, commit=True) == committed
    assert desk(action, **params).handle == staged.handle
    assert len(desk.delivered) == (action in ("route", "draft_reply"))


def test_archive_and_flag_change_the_signal_on_commit_only(desk: Desk) -> None:
    """And the label is the one that was shown."""
    for action, params in (("archive", {}), ("flag", {"label": " hot   lead "})):
        staged = desk(action, **params)
        desk(action, commit=True, handle=staged.handle)
    remembered = asyncio.run(desk.world.store.signals.get(desk.signals[0]))
    assert remembered is not None
    assert (remembered.archived, remembered.labels) == (True, ("hot lead",))


def test_what_is_delivered_is_what_was_staged_even_after_the_post_has_changed(desk: Desk) -> None:
    """A commit executes exactly what was previewed: not what the post says by then."""
    staged = desk("route", destination="outbox", note="for sales")
    desk.world.tools._listen._sources["board"].pages = [Page((post("1", body="Plinthly is edited", score=90),))]  # type: ignore[attr-defined]
    asyncio.run(desk.world.heard())
    desk("route", commit=True, handle=staged.handle)
    [delivery] = desk.world.outbox.taken
    assert "ridiculous" in delivery.content["post"]["body"]
    assert delivery.content["note"] == "for sales"
    assert delivery.content["signal"]["id"] == desk.signals[0]
    assert delivery.content["post"]["body"] in staged.preview


def test_a_draft_shows_its_text_and_delivers_it(desk: Desk) -> None:
    """The preview of a draft is the draft."""
    staged = desk("draft_reply", text="My {{ own }} words.\nSecond line.")
    assert staged.preview == "My {{ own }} words.\nSecond line."
    desk("draft_reply", commit=True, handle=staged.handle)
    assert desk.world.outbox.taken[0].content["text"] == staged.preview


def test_a_draft_is_written_from_the_declared_template(desk: Desk) -> None:
    """For the signal's intent, in the tone asked for."""
    friendly, direct = desk("draft_reply"), desk("draft_reply", again=True, tone="direct")
    assert friendly.preview != direct.preview
    assert "[" in friendly.preview


def test_post_text_is_never_a_template(world: Build) -> None:
    """A hostile author's name arrives in the draft as it stands, or not at all, and is never evaluated."""
    hostile = post("1", author="{{7*7}}{% raw %}", title="Plinthly {{ config }}")
    desk = Desk(world(Scripted("board", [Page((hostile,))])))
    staged = desk("draft_reply")
    assert "49" not in staged.preview


def test_replacing_gives_a_new_handle_and_supersedes_the_old(desk: Desk) -> None:
    """Whoever approved the old preview must not get the new text."""
    first = desk("draft_reply", text="One.")
    second = desk("draft_reply", text="Two.", handle=first.handle)
    assert second.handle != first.handle
    with pytest.raises(AlreadySettled) as refused:
        desk("draft_reply", commit=True, handle=first.handle)
    assert refused.value.data["status"] == "superseded"
    with pytest.raises(AlreadySettled):
        desk("draft_reply", text="Three.", handle=first.handle)
    assert desk("draft_reply", text="Two.", handle=second.handle) == second
    assert desk("draft_reply", commit=True).handle == second.handle
    assert desk("draft_reply", text="Two.", handle=second.handle).status == "committed"
    with pytest.raises(AlreadySettled):
        desk("draft_reply", text="Three.", handle=second.handle)


def test_a_handle_alone_tells_how_the_act_stands(desk: Desk) -> None:
    """Asking costs nothing and changes nothing."""
    staged = desk("flag", label="hot")
    assert desk("flag", handle=staged.handle) == staged
    desk("flag", discard=True, handle=staged.handle)
    assert desk("flag", handle=staged.handle).status == "discarded"


def test_a_commit_with_other_params_than_staged_is_refused(desk: Desk) -> None:
    """It would execute something that nobody has seen."""
    staged = desk("draft_reply", text="One.")
    with pytest.raises(InvalidArguments) as refused:
        desk("draft_reply", text="Two.", commit=True, handle=staged.handle)
    assert refused.value.arguments[0].path == "params.text"
    assert desk("draft_reply", text="One.", commit=True, handle=staged.handle).status == "committed"


def test_without_a_handle_the_one_staged_act_is_meant(desk: Desk) -> None:
    """None: stage first. Several: the error lists them."""
    with pytest.raises(UnknownHandle, match="Nothing is staged"):
        desk("flag", commit=True)
    first, second = desk("flag", label="a"), desk("flag", label="b")
    with pytest.raises(UnknownHandle) as refused:
        desk("flag", commit=True)
    assert {one["handle"] for one in refused.value.data["staged"]} == {first.handle, second.handle}
    desk("flag", discard=True, handle=first.handle)
    assert desk("flag", commit=True).handle == second.handle


def test_an_expired_act_is_an_error_and_can_be_staged_again(desk: Desk) -> None:
    """What was shown a day ago is not what one approves today."""
    staged = desk("route", destination="outbox")
    desk.world.time.passes(hours=24)
    with pytest.raises(AlreadySettled) as refused:
        desk("route", commit=True, handle=staged.handle)
    assert refused.value.data["status"] == "expired"
    with pytest.raises(UnknownHandle):
        desk("route", commit=True)
    assert desk("route", destination="outbox").handle != staged.handle
    assert desk.delivered == []


def test_how_long_acts_live_is_a_setting(world: Build) -> None:
    """An hour, where an organisation wants it so."""
    desk = Desk(world(rules=DispatchRules(expires_after=timedelta(hours=1))))
    assert desk("archive").expires_at == NOW + timedelta(hours=1)


def test_a_discarded_act_cannot_be_committed(desk: Desk) -> None:
    """And discarding twice is the same as once."""
    staged = desk("route", destination="outbox")
    discarded = desk("route", discard=True)
    assert discarded.status == "discarded"
    assert desk("route", discard=True, handle=staged.handle) == discarded
    with pytest.raises(AlreadySettled):
        desk("route", commit=True, handle=staged.handle)
    assert desk("route", destination="outbox").handle != staged.handle


def test_a_committed_act_cannot_be_discarded(desk: Desk) -> None:
    """It was done."""
    staged = desk("route", destination="outbox")
    desk("route", commit=True)
    with pytest.raises(AlreadySettled) as refused:
        desk("route", discard=True, handle=staged.handle)
    assert "Stage" not in (refused.value.suggested_action or "")


def test_commit_and_discard_together_are_refused(desk: Desk) -> None:
    """Nobody can mean both."""
    staged = desk("archive")
    with pytest.raises(InvalidArguments):
        desk("archive", commit=True, discard=True, handle=staged.handle)


@pytest.mark.parametrize(
    ("action", "params", "path"),
    [
        ("archive", {"text": "x"}, "params.text"),
        ("flag", {"destination": "outbox"}, "params.destination"),
        ("route", {}, "params.destination"),
        ("route", {"destination": "outbx"}, "params.destination"),
        ("route", {"destination": "../../etc"}, "params.destination"),
        ("route", {"destination": "outbox", "again": True}, "params.again"),
        ("draft_reply", {"at": "2026-05-01T09:00:00Z"}, "params.at"),
        ("draft_reply", {"destination": "slack"}, "params.destination"),
        ("schedule_followup", {}, "params.at"),
        ("schedule_followup", {"at": "2026-05-01T09:00:00Z", "in": "3d"}, "params.at"),
        ("schedule_followup", {"at": "2026-04-16T11:59:00Z"}, "params.at"),
        ("schedule_followup", {"in": "0s"}, "params.in"),
        ("schedule_followup", {"in": "999999d"}, "params.in"),
        ("schedule_followup", {"in": "3d", "then_action": "schedule_followup"}, "params.then_action"),
        ("schedule_followup", {"in": "3d", "then_action": "route"}, "params.then_destination"),
        ("schedule_followup", {"in": "3d", "then_destination": "nowhere"}, "params.then_destination"),
    ],
)
def test_params_that_the_action_does_not_take_are_refused(
    desk: Desk, action: str, params: dict[str, Any], path: str
) -> None:
    """Silently dropped, they would make the preview a lie."""
    with pytest.raises(InvalidArguments) as refused:
        desk(action, **params)
    assert path in [one.path for one in refused.value.arguments]
    assert asyncio.run(desk.world.tools.staged(LOCAL)) == []


def test_a_destination_nobody_declared_comes_with_a_suggestion(desk: Desk) -> None:
    """And with the list."""
    with pytest.raises(InvalidArguments, match="did you mean 'outbox'") as refused:
        desk("route", destination="outbx")
    assert refused.value.data["allowed_destinations"] == ["outbox"]


def test_a_followup_keeps_when_it_is_due(desk: Desk) -> None:
    """The store finds it then."""
    staged = desk("schedule_followup", **{"in": "3d"}, then_action="archive")
    desk("schedule_followup", commit=True)
    acts = desk.world.store.acts
    assert asyncio.run(acts.due(NOW + timedelta(days=2))) == []
    [due] = asyncio.run(acts.due(NOW + timedelta(days=3)))
    assert (due.handle, due.due_at, due.params["then_action"]) == (staged.handle, NOW + timedelta(days=3), "archive")


# --- one draft to one person ---


def test_one_person_is_not_drafted_to_twice_within_thirty_days(desk: Desk) -> None:
    """The earlier act comes back with a note, never an error."""
    first = desk("draft_reply", 1)
    second = desk("draft_reply", 2)
    assert (second.handle, second.signal_id, second.status) == (first.handle, desk.signals[1], "staged")
    assert "again" in (second.note or "")
    other = desk("draft_reply", 2, again=True)
    assert other.handle != first.handle
    assert other.note is None
    assert desk("draft_reply", 2, again=True).handle == other.handle
    assert desk("draft_reply", 1) == first
    assert desk("draft_reply", 0).note is None


def test_after_thirty_days_or_once_discarded_a_new_draft_is_fine(desk: Desk) -> None:
    """The guard is for people, not for records."""
    first = desk("draft_reply", 1)
    desk("draft_reply", 1, commit=True)
    desk.world.time.passes(days=29)
    assert desk("draft_reply", 2).handle == first.handle
    desk.world.time.passes(days=2)
    late = desk("draft_reply", 2)
    assert (late.note, late.status) == (None, "staged")
    desk("draft_reply", 2, discard=True)
    assert desk("draft_reply", 1, text="Hello again.").note is None


def test_replacing_a_draft_is_no_second_one(desk: Desk) -> None:
    """Its forerunner does not stand in its way."""
    first = desk("draft_reply", 1)
    second = desk("draft_reply", 1, text="Better.", handle=first.handle)
    assert (second.note, second.preview) == (None, "Better.")


def test_lanes_at_once_do_not_draft_twice_to_one_person(desk: Desk) -> None:
    """Two posts of one author, staged at the same moment."""

    async def both() -> list[DispatchOutput]:
        asked = [DispatchInput(signal_id=desk.signals[place], action="draft_reply") for place in (1, 2)]
        return list(await asyncio.gather(*(desk.world.tools.dispatch(one, LOCAL) for one in asked)))

    assert len({output.handle for output in asyncio.run(both())}) == 1


def test_deleted_authors_are_not_taken_for_one_person(world: Build) -> None:
    """Nobody is not somebody."""
    posts = (post("1", author=None), post("2", author=None))
    desk = Desk(world(Scripted("board", [Page(posts)])))
    assert desk("draft_reply", 0).handle != desk("draft_reply", 1).handle


# --- once, or in doubt ---


def test_a_commit_that_surely_delivered_nothing_has_failed_and_can_be_staged_again(desk: Desk) -> None:
    """A full disk: the answer says so, the same commit says so again, and a new act may try."""
    staged = desk("route", destination="outbox")
    desk.world.outbox.error = DeliveryFailed("The disk is full.", "Free some space.")
    failed = desk("route", commit=True, handle=staged.handle)
    assert (failed.status, failed.note) == ("failed", "The disk is full. Free some space.")
    desk.world.outbox.error = None
    assert desk("route", commit=True, handle=staged.handle) == failed
    assert desk.delivered == []
    again = desk("route", destination="outbox")
    assert again.handle != staged.handle
    assert desk("route", commit=True, handle=again.handle).status == "committed"


@pytest.mark.parametrize("error", [TimeoutError(), ValueError("odd"), SignalError("odd")])
def test_a_receiver_that_breaks_off_leaves_the_act_in_doubt(desk: Desk, error: Exception) -> None:
    """It may have taken it: asked of a person, never repeated."""
    staged = desk("route", destination="outbox")
    desk.world.outbox.error = error
    doubtful = desk("route", commit=True, handle=staged.handle)
    assert doubtful.status == "in_doubt"
    assert "outbox" in (doubtful.note or "")
    desk.world.outbox.error = None
    assert desk("route", commit=True, handle=staged.handle) == doubtful
    assert desk("route", destination="outbox").handle == staged.handle
    assert desk.delivered == []


def test_commits_at_once_deliver_once(desk: Desk) -> None:
    """Ten calls in the same moment, one delivery, ten equal answers."""
    staged = desk("route", destination="outbox")

    async def all_at_once() -> list[DispatchOutput]:
        here = desk.world

        async def one() -> DispatchOutput:
            return await here.tools.approve(staged.handle, LOCAL)

        async def time() -> None:
            for _ in range(200):
                await asyncio.sleep(0.001)
                here.time.passes(seconds=0.1)

        passing = asyncio.create_task(time())
        answers = await asyncio.gather(*(one() for _ in range(10)))
        passing.cancel()
        return list(answers)

    answers = asyncio.run(all_at_once())
    assert desk.delivered == [staged.handle]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0].status == "committed"


def test_who_goes_away_in_mid_commit_leaves_it_settled(desk: Desk) -> None:
    """A client that hangs up must not leave an act half done."""
    staged = desk("route", destination="outbox")

    async def hang_up() -> None:
        request = asyncio.create_task(desk.world.tools.approve(staged.handle, LOCAL))
        while not desk.delivered:
            await asyncio.sleep(0)
        request.cancel()
        for _ in range(1_000):
            act = await desk.world.store.acts.get(staged.handle)
            if act is not None and act.status == "committed":
                return
            await asyncio.sleep(0.001)
        raise AssertionError("the act was never settled")

    asyncio.run(hang_up())
    assert desk.delivered == [staged.handle]


@pytest.mark.parametrize(("arrived", "status"), [(True, "committed"), (False, "failed")])
def test_an_act_whose_process_died_is_settled_by_what_its_destination_knows(
    world: Build, tmp_path: Any, arrived: bool, status: str
) -> None:
    """Another process finds it; it delivers nothing itself."""
    file = tmp_path / "signal.db"
    died = Desk(world(file=file))
    staged = died("route", destination="outbox")
    asyncio.run(died.world.store.acts.begin_commit(staged.handle, "local"))
    died.world.store.close()
    lives = world(file=file)
    if arrived:
        lives.outbox.arrived.add(staged.handle)
    answer = asyncio.run(lives.tools.approve(staged.handle, LOCAL))
    assert answer.status == status
    assert lives.outbox.taken == []
    assert asyncio.run(lives.tools.recover(LOCAL)) == []


def test_a_destination_that_cannot_tell_leaves_an_interrupted_act_in_doubt(world: Build, tmp_path: Any) -> None:
    """A webhook keeps no record that could be asked."""

    class Forgetful(Recorder):
        async def delivered(self, delivery: object) -> str | None:
            raise SignalError("It keeps no record.")

    file = tmp_path / "signal.db"
    died = Desk(world(file=file))
    staged = died("route", destination="outbox")
    asyncio.run(died.world.store.acts.begin_commit(staged.handle, "local"))
    died.world.store.close()
    lives = world(file=file, destinations=[Forgetful()])
    [settled] = asyncio.run(lives.tools.recover(LOCAL))
    assert (settled.handle, settled.status) == (staged.handle, "in_doubt")


def test_an_interrupted_archive_is_simply_done(world: Build, tmp_path: Any) -> None:
    """Doing it twice does no harm."""
    file = tmp_path / "signal.db"
    died = Desk(world(file=file))
    staged = died("archive")
    asyncio.run(died.world.store.acts.begin_commit(staged.handle, "local"))
    died.world.store.close()
    lives = world(file=file)
    assert asyncio.run(lives.tools.approve(staged.handle, LOCAL)).status == "committed"
    assert asyncio.run(lives.store.signals.archived([staged.signal_id])) == {staged.signal_id}


def test_a_destination_that_was_removed_fails_the_act(world: Build, tmp_path: Any) -> None:
    """Nothing is delivered anywhere else instead."""
    file = tmp_path / "signal.db"
    desk = Desk(world(file=file))
    staged = desk("route", destination="outbox")
    other = world(file=file, destinations=[Recorder("elsewhere")])
    answer = asyncio.run(other.tools.approve(staged.handle, LOCAL))
    assert answer.status == "failed"
    assert "not declared any more" in (answer.note or "")


# --- who may ---


def test_who_may_stage_may_not_commit(desk: Desk) -> None:
    """The agent proposes, someone with authority commits."""
    agent = Caller("agent", scopes=frozenset({"read", "stage"}))
    boss = Caller("boss", scopes=frozenset({"commit"}))
    staged = desk("route", destination="outbox", caller=agent)
    with pytest.raises(NotAllowed):
        desk("route", commit=True, handle=staged.handle, caller=agent)
    with pytest.raises(NotAllowed):
        asyncio.run(desk.world.tools.approve(staged.handle, agent))
    with pytest.raises(NotAllowed):
        desk("flag", caller=boss)
    assert desk.delivered == []
    assert desk("route", commit=True, handle=staged.handle, caller=boss).status == "committed"
    rows = asyncio.run(desk.world.store.audit.listing(10))
    assert {(row.who, row.what) for row in rows} >= {("agent", "stage"), ("boss", "commit")}


def test_a_limited_key_acts_on_nothing_outside_its_sources(desk: Desk) -> None:
    """Neither the signal nor the act exists for it."""
    staged = desk("archive")
    narrow = Caller("ci", sources=frozenset({"elsewhere"}))
    with pytest.raises(UnknownSignal):
        desk("archive", caller=narrow)
    with pytest.raises(UnknownHandle):
        desk("archive", commit=True, handle=staged.handle, caller=narrow)
    with pytest.raises(UnknownHandle):
        asyncio.run(desk.world.tools.approve(staged.handle, narrow))
    assert asyncio.run(desk.world.tools.staged(narrow)) == []
    assert [act.handle for act in asyncio.run(desk.world.tools.staged(LOCAL))] == [staged.handle]


@pytest.mark.parametrize("handle", ["disp_01HZ0000000000000000000099", "nonsense", "../x", "x" * 5_000])
def test_a_handle_that_names_nothing_is_unknown(desk: Desk, handle: str) -> None:
    """A commit without a stage fails, whatever a post told the agent to call."""
    for params in ({"commit": True}, {"discard": True}, {"label": "x"}):
        with pytest.raises(UnknownHandle):
            desk("flag", handle=handle, **params)


def test_a_handle_of_another_act_is_refused(desk: Desk) -> None:
    """Signal, action and handle have to mean the same act."""
    staged = desk("flag", label="a")
    with pytest.raises(UnknownHandle) as refused:
        desk("flag", 1, commit=True, handle=staged.handle)
    assert refused.value.data["signal_id"] == desk.signals[0]
    with pytest.raises(UnknownHandle):
        desk("archive", commit=True, handle=staged.handle)


def test_a_signal_that_was_never_heard_cannot_be_acted_on(world: Build) -> None:
    """Not even staged."""
    request = DispatchInput(signal_id="sig_01HZ0000000000000000000099", action="archive")
    with pytest.raises(UnknownSignal):
        asyncio.run(world().tools.dispatch(request, LOCAL))


def test_a_deleted_post_is_not_routed_and_can_be_archived(desk: Desk) -> None:
    """There is nothing left to send."""
    asyncio.run(desk.world.store.signals.mark_gone(desk.signals[0]))
    with pytest.raises(UnknownSignal):
        desk("route", destination="outbox")
    assert desk("archive").status == "staged"


def test_without_a_draft_for_the_intent_it_says_what_to_do(world: Build) -> None:
    """Own words, or a file."""
    here = world()
    here.tools._dispatch._drafts._drafts.clear()
    with pytest.raises(NotConfigured) as refused:
        Desk(here)("draft_reply")
    assert "params.text" in (refused.value.suggested_action or "")


def test_listing_shows_what_waits_newest_first(desk: Desk) -> None:
    """What is over waits no longer."""
    handles = [desk("flag", label=str(number)).handle for number in range(5)]
    desk("flag", discard=True, handle=handles[0])
    listed = asyncio.run(desk.world.tools.staged(LOCAL, 3))
    assert [act.handle for act in listed] == handles[:1:-1]
    assert [act.handle for act in asyncio.run(desk.world.tools.acts(("discarded",), LOCAL))] == handles[:1]
    desk.world.time.passes(days=2)
    assert asyncio.run(desk.world.tools.staged(LOCAL)) == []


def test_a_long_preview_fits_the_wire_and_says_where_the_rest_is(desk: Desk) -> None:
    """What is cut is said to be cut."""
    staged = desk("draft_reply", text="word " * 8_000)
    assert fit(staged) == staged
    fitted = fit(staged, 5_000)
    assert size(fitted) <= 5_000
    assert staged.handle in (fitted.note or "")
