"""The outermost edge of the engine, in memory: three tools, a clock that nobody waits for, a person, a journal."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import yaml

from signal_playbooks.caller import LOCAL, Caller
from signal_playbooks.clock import Clock
from signal_playbooks.content.playbook import Playbook
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.contract.inspect import AuthorContext, InspectInput, InspectOutput, ThreadItem
from signal_playbooks.contract.listen import Coverage, ListenInput, ListenOutput, QueryPlan
from signal_playbooks.contract.signal import Engagement, Signal, SignalAuthor
from signal_playbooks.engine.ports import CallRecord, CommitRequest
from signal_playbooks.engine.result import RunResult
from signal_playbooks.engine.run import Engine
from signal_playbooks.tools.protocol import Heard

START = datetime(2026, 4, 16, 12, 0, tzinfo=UTC)
PLAN = QueryPlan(must=[], any=[], not_=[], phrases=[], hints=[], sources=[], since=None)


def signal(
    number: int | str, *, score: int | None = 10, text: str = "It keeps crashing", intent: Any = "complaining"
) -> Signal:
    """Return a signal; `number` makes its id."""
    return Signal(
        id=f"sig_{number}",
        source="forum",
        url=f"https://forum.example/{number}",
        headline=f"Post {number}",
        excerpt=text,
        intent=intent,
        intent_confidence=0.9,
        other_intents=[],
        author=SignalAuthor(handle=f"user{number}", karma_bucket="medium"),
        engagement=Engagement(score=score, comments=2),
        captured_at=START,
        first_seen_at=START,
        freshness_bucket="today",
        match_reason="'crashing' stands in the text",
        also_seen=[],
        language="en",
    )


def heard(signals: Sequence[Signal], coverage: Sequence[Coverage] = ()) -> ListenOutput:
    """Return a listen's final answer."""
    return ListenOutput(signals=list(signals), summary="Heard.", query_plan=PLAN, coverage=list(coverage), more=0)


def coverage(source: str = "forum", state: Any = "ok") -> Coverage:
    """Return one line of coverage."""
    return Coverage(source=source, state=state, fetched=1, matched=1, waited_ms=3, note=None, suggested_action=None)


class Time:
    """A clock by hand: sleeping moves it on at once, and is written down."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._passed = 0.0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._passed += seconds
        await asyncio.sleep(0)

    def clock(self) -> Clock:
        return Clock(
            now=lambda: START + timedelta(seconds=self._passed), monotonic=lambda: self._passed, sleep=self.sleep
        )


Answer = Any
Reply = Callable[[Any], Answer]


@dataclass
class FakeTools:
    """Tools that answer from functions. An answer may be a value, an error to raise, or something to await first."""

    signals: Sequence[Signal] = ()
    streamed: Sequence[Signal] | None = None
    coverage: Sequence[Coverage] = ()
    role: str = "indie_founder"
    on_listen: Reply | None = None
    on_inspect: Reply | None = None
    on_dispatch: Reply | None = None
    before_final: Callable[[], Any] | None = None
    calls: list[tuple[str, Any]] = field(default_factory=list)
    callers: list[Caller] = field(default_factory=list)
    running: int = 0
    most_running: int = 0

    def listen(self, request: ListenInput, caller: Caller) -> AsyncIterator[Heard]:
        return self._stream(request, caller)

    async def _stream(self, request: ListenInput, caller: Caller) -> AsyncIterator[Heard]:
        self._note("listen", request, caller)
        signals = list(self.signals)
        if self.on_listen is not None:
            given = await _settled(self.on_listen(request))
            signals = given if given is not None else signals
        for one in signals if self.streamed is None else self.streamed:
            yield one
            await asyncio.sleep(0)
        for line in self.coverage:
            yield line
        if self.before_final is not None:
            await _settled(self.before_final())
        yield heard(signals[: request.limit], self.coverage)

    async def inspect(self, request: InspectInput, caller: Caller) -> InspectOutput:
        self._note("inspect", request, caller)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            given = await _settled(self.on_inspect(request)) if self.on_inspect else None
        finally:
            self.running -= 1
        return given if given is not None else inspected(request, role=self.role)

    async def dispatch(self, request: DispatchInput, caller: Caller) -> DispatchOutput:
        self._note("dispatch", request, caller)
        given = await _settled(self.on_dispatch(request)) if self.on_dispatch else None
        return given if given is not None else acted(request)

    def _note(self, tool: str, request: Any, caller: Caller) -> None:
        self.calls.append((tool, request))
        self.callers.append(caller)

    def made(self, tool: str) -> list[Any]:
        """Return the requests of one tool, in order."""
        return [request for name, request in self.calls if name == tool]


async def _settled(answer: Answer) -> Answer:
    if isinstance(answer, BaseException):
        raise answer
    return await answer if asyncio.iscoroutine(answer) or isinstance(answer, asyncio.Future) else answer


def inspected(request: InspectInput, *, role: Any = "indie_founder") -> InspectOutput:
    """Return an answer of inspect, as deep as asked."""
    item = ThreadItem(
        id="1", parent_id=None, author="someone", body="Hello", score=1, is_op_reply=False, created_at=START
    )
    author = AuthorContext(
        recent_posts_bucket="active",
        domains_posted_in=["forum"],
        sentiment_7d="neutral",
        likely_role_hint=role,
        evidence=["my startup"],
    )
    return InspectOutput(
        signal=signal(request.signal_id.removeprefix("sig_")),
        status="live",
        checked_at=START,
        links=[],
        thread=None if request.depth == "surface" else [item],
        author_context=author if request.depth == "author" else None,
    )


def acted(request: DispatchInput, **changes: Any) -> DispatchOutput:
    """Return an answer of dispatch: the same arguments have the same handle."""
    status = "committed" if request.params.commit else "discarded" if request.params.discard else "staged"
    handle = request.params.handle or f"disp_{request.signal_id}_{request.action}"
    given: dict[str, Any] = {
        "action": request.action,
        "status": status,
        "handle": handle,
        "signal_id": request.signal_id,
        "preview": f"{request.action} {request.signal_id}",
    }
    return DispatchOutput(**(given | changes))


@dataclass
class Ledger:
    """A journal that keeps everything."""

    entries: list[CallRecord] = field(default_factory=list)

    def record(self, entry: CallRecord) -> None:
        self.entries.append(entry)

    def lines(self) -> list[tuple[str, str, str]]:
        return [(entry.path, entry.phase, entry.status) for entry in self.entries]


@dataclass
class Memory:
    """Seen signals of each playbook."""

    seen: dict[str, set[str]] = field(default_factory=dict)

    async def unseen(self, playbook: str, ids: Any) -> set[str]:
        return set(ids) - self.seen.get(playbook, set())

    async def mark(self, playbook: str, ids: Any) -> None:
        self.seen.setdefault(playbook, set()).update(ids)


@dataclass
class Person:
    """An approver who always says the same, and remembers what was asked."""

    answer: bool = True
    asked: list[CommitRequest] = field(default_factory=list)

    async def approve(self, request: CommitRequest) -> bool:
        self.asked.append(request)
        return self.answer


def playbook(text: str, name: str = "one") -> Playbook:
    """Return a playbook from YAML; id and title are given where they are missing."""
    given = yaml.safe_load(text)
    return Playbook.model_validate({"id": name, "title": "A playbook", **given})


def engine(tools: FakeTools, *texts: str, time: Time | None = None, **more: Any) -> Engine:
    """Return an engine over playbooks named one, two, … in order."""
    names = ("one", "two", "three", "four")
    books = [playbook(text, name) for text, name in zip(texts, names, strict=False)]
    return Engine(tools, {book.id: book for book in books}, (time or Time()).clock(), **more)


def run(
    tools: FakeTools, *texts: str, inputs: Mapping[str, object] | None = None, time: Time | None = None, **more: Any
) -> RunResult:
    """Run the first playbook to its end."""
    built = {key: more.pop(key) for key in ("journal", "seen") if key in more}
    chosen = more.pop("playbook_id", None)
    ready = engine(tools, *texts, time=time, **built)
    name = chosen or next(iter(ready._playbooks))
    settings = {"caller": LOCAL, "run_id": "run_1"} | more
    return asyncio.run(ready.run(name, inputs or {}, **settings))
