"""Delivered at most once: by any sequence of calls, and by real processes that commit the same act together."""

import asyncio
import multiprocessing
from functools import cache
from multiprocessing.synchronize import Barrier
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from signal_playbooks.caller import LOCAL
from signal_playbooks.clock import Clock
from signal_playbooks.content.library import Library, load_library
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.destinations.file import FileDestination
from signal_playbooks.destinations.protocol import DeliveryFailed
from signal_playbooks.errors import AlreadySettled
from signal_playbooks.meaning.intent import IntentReader
from signal_playbooks.sources.protocol import Page
from signal_playbooks.store.database import open_store
from signal_playbooks.tools.toolbox import Toolbox
from tools.world import Scripted, World, entry, post

ROOT = Path(__file__).parents[2]


class Dispatching(RuleBasedStateMachine):
    """Stages, replaces, commits, discards and lets time pass, in any order, with a destination that sometimes fails."""

    handles: Bundle[str] = Bundle("handles")

    @initialize()
    def listen(self) -> None:
        posts = Page((post("1"), post("2", author="ben")))
        self.world = World(_library(), [Scripted("board", [posts])], reader=_reader())
        self.signals = [signal.id for signal in asyncio.run(self.world.heard()).output.signals]
        self.seen: dict[str, DispatchOutput] = {}

    @rule(target=handles, signal=st.sampled_from([0, 1]), text=st.sampled_from(["One.", "Two."]), again=st.booleans())
    def stage(self, signal: int, text: str, again: bool) -> str:
        return self._call(signal, {"text": text, "again": again}).handle

    @rule(target=handles, handle=handles, text=st.sampled_from(["Three.", "Four."]))
    def replace(self, handle: str, text: str) -> str:
        act = self.seen[handle]
        try:
            return self._call(self.signals.index(act.signal_id), {"text": text, "again": True, "handle": handle}).handle
        except AlreadySettled:
            return handle

    @rule(handle=handles, failure=st.sampled_from([None, None, DeliveryFailed("full"), TimeoutError()]))
    def commit(self, handle: str, failure: Exception | None) -> None:
        self.world.outbox.error = failure
        before = self.seen[handle]
        try:
            answer = asyncio.run(self.world.tools.approve(handle, LOCAL))
        except AlreadySettled:
            return
        assert answer.status in ("committed", "failed", "in_doubt")
        assert answer.preview == before.preview
        if before.status in ("committed", "failed", "in_doubt"):
            assert answer == before
        self.seen[handle] = answer

    @rule(handle=consumes(handles))
    def discard(self, handle: str) -> None:
        try:
            self.seen[handle] = asyncio.run(self.world.tools.discard(handle, LOCAL))
        except AlreadySettled:
            assert self.seen[handle].status != "staged" or self._over(handle)

    @rule(hours=st.sampled_from([1, 25]))
    def time_passes(self, hours: int) -> None:
        self.world.time.passes(hours=hours)

    @invariant()
    def nothing_is_delivered_twice_or_unseen(self) -> None:
        if not hasattr(self, "world"):
            return
        taken = [delivery.handle for delivery in self.world.outbox.taken]
        assert len(taken) == len(set(taken))
        for delivery in self.world.outbox.taken:
            assert delivery.content["text"] == self.seen[delivery.handle].preview

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.world.store.close()

    def _call(self, signal: int, params: dict[str, object]) -> DispatchOutput:
        raw = {"signal_id": self.signals[signal], "action": "draft_reply", "params": params}
        answer = asyncio.run(self.world.tools.dispatch(DispatchInput.model_validate(raw), LOCAL))
        return self.seen.setdefault(answer.handle, answer)

    def _over(self, handle: str) -> bool:
        act = asyncio.run(self.world.store.acts.get(handle))
        return act is not None and act.status != "staged"


TestDispatching = Dispatching.TestCase
TestDispatching.settings = settings(max_examples=12, stateful_step_count=15, deadline=None)


@cache
def _library() -> Library:
    return load_library(ROOT, None, shown_from=ROOT)


@cache
def _reader() -> IntentReader:
    library = _library()
    return IntentReader(list(library.intents.values()), library.none_examples)


def _toolbox(file: Path, outbox: Path) -> Toolbox:
    library = _library()
    source = Scripted("board", [Page((post(),))])
    return Toolbox(
        store=open_store(str(file), Clock()),
        entries={"board": entry("board")},
        sources={"board": source},
        destinations={"outbox": FileDestination("outbox", outbox)},
        reader=_reader(),
        vocabulary=library.vocabulary,
        drafts=library.drafts,
        clock=Clock(),
    )


def _commit(file: Path, outbox: Path, handle: str, start: Barrier) -> None:
    tools = _toolbox(file, outbox)
    start.wait()
    answer = asyncio.run(tools.approve(handle, LOCAL))
    (outbox.parent / f"answer-{multiprocessing.current_process().name}").write_text(answer.model_dump_json())


def test_processes_that_commit_one_act_together_deliver_it_once(
    world: object, tmp_path: Path, library: Library
) -> None:
    """The store lets one of them do it; all of them get the same answer."""
    file, outbox = tmp_path / "signal.db", tmp_path / "outbox"
    here = World(_library(), [Scripted("board", [Page((post(),))])], file=file, reader=_reader())
    [signal] = asyncio.run(here.heard()).output.signals
    moment = Clock().now()
    here.time.moment = moment
    request = DispatchInput.model_validate(
        {"signal_id": signal.id, "action": "route", "params": {"destination": "outbox"}}
    )
    staged = asyncio.run(here.tools.dispatch(request, LOCAL))
    here.store.close()
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(2)
    racers = [
        context.Process(target=_commit, args=(file, outbox, staged.handle, start), name=f"racer{n}") for n in range(2)
    ]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    answers = [DispatchOutput.model_validate_json(path.read_text()) for path in tmp_path.glob("answer-*")]
    assert len(answers) == 2
    assert answers[0] == answers[1]
    assert answers[0].status == "committed"
    assert sorted(path.suffix for path in outbox.iterdir()) == [".json", ".md"]
    store = open_store(str(file), Clock())
    rows = asyncio.run(store.audit.listing(50))
    store.close()
    assert [row.outcome for row in rows].count("committed") == 1
