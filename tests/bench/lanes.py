"""How much the engine adds to the calls it makes: as ratios.

Each case is the same work twice: as a playbook, and as a loop written by hand with asyncio, with the same validation of
arguments and the same number of workers. Times are processor time, the best of several rounds; memory is the peak
beyond the start.
"""

import asyncio
import gc
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import Any

from bench.measure import Figure
from engine.fakes import PLAN, acted, inspected, playbook, signal
from signal_playbooks.caller import LOCAL, Caller
from signal_playbooks.clock import Clock
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.contract.inspect import InspectInput, InspectOutput
from signal_playbooks.contract.listen import ListenInput, ListenOutput
from signal_playbooks.engine.result import RunResult
from signal_playbooks.engine.run import Engine
from signal_playbooks.tools.protocol import Heard, Tools

Work = Callable[[], Coroutine[Any, Any, Any]]
LANES = 10_000
WORKERS = 8
ROUNDS = 5
BUDGET = "budget: {inspect: 100000, stage: 100000}"

FLAT = f"""
{BUDGET}
inputs: {{ids: {{type: list}}}}
steps:
  - id: look
    for_each: inputs.ids
    concurrency: {WORKERS}
    steps:
      - tool: inspect
        args: {{signal_id: "{{{{ item }}}}", depth: author}}
      - tool: dispatch
        args: {{signal_id: "{{{{ item }}}}", action: draft_reply}}
        when: author.likely_role_hint == 'indie_founder'
"""
NESTED = f"""
{BUDGET}
inputs: {{rows: {{type: list}}, columns: {{type: list}}}}
steps:
  - id: outer
    for_each: inputs.rows
    as: row
    steps:
      - id: inner
        for_each: inputs.columns
        as: column
        concurrency: {WORKERS}
        steps:
          - tool: inspect
            args: {{signal_id: "{{{{ column }}}}", depth: author}}
          - tool: dispatch
            args: {{signal_id: "{{{{ column }}}}", action: draft_reply}}
            when: author.likely_role_hint == 'indie_founder'
"""
LARGE = f"""
{BUDGET}
inputs: {{posts: {{type: list}}}}
steps:
  - id: look
    for_each: inputs.posts
    as: post
    steps:
      - tool: dispatch
        args: {{signal_id: "{{{{ post.id }}}}", action: flag, params: {{label: big}}}}
        when: contains(post.text, 'x')
outputs:
  done: steps.look.counts.succeeded
"""


class InMemory:
    """Tools that answer at once; each answer is made anew, as a real tool has to."""

    def __init__(self) -> None:
        looked = inspected(InspectInput(signal_id="sig_1", depth="author"))
        self._looked = {name: getattr(looked, name) for name in InspectOutput.model_fields}

    async def listen(self, request: ListenInput, caller: Caller) -> AsyncIterator[Heard]:
        yield ListenOutput(signals=[signal(1)], summary="", query_plan=PLAN, coverage=[], more=0)

    async def inspect(self, request: InspectInput, caller: Caller) -> InspectOutput:
        return InspectOutput(**self._looked)

    async def dispatch(self, request: DispatchInput, caller: Caller) -> DispatchOutput:
        return acted(request)


async def by_hand(tools: Tools, ids: Sequence[str]) -> list[DispatchOutput]:
    """Do what the playbooks do, without an engine."""
    pending = iter(ids)
    found: list[DispatchOutput] = []

    async def work() -> None:
        for one in pending:
            request = InspectInput.model_validate({"signal_id": one, "depth": "author"}, strict=True)
            looked = await tools.inspect(request, LOCAL)
            context = looked.author_context
            if context is not None and context.likely_role_hint == "indie_founder":
                act = DispatchInput.model_validate({"signal_id": one, "action": "draft_reply"}, strict=True)
                found.append(await tools.dispatch(act, LOCAL))

    async with asyncio.TaskGroup() as group:
        for _ in range(WORKERS):
            group.create_task(work())
    return found


def engine_run(text: str, inputs: dict[str, object]) -> Callable[[], Coroutine[Any, Any, RunResult]]:
    engine = Engine(InMemory(), {"bench": playbook(text, "bench")}, Clock())
    engine.prepared("bench")
    return lambda: engine.run("bench", inputs, caller=LOCAL, run_id="run_bench")


def ratio(work: Work, other: Work) -> tuple[float, float]:
    """Return the best seconds of the work, and how many times as long as the other that is.

    They take turns, so that a machine that is busy for a while is busy for both.
    """
    best, others = float("inf"), float("inf")
    for _ in range(ROUNDS):
        others = min(others, _seconds(other))
        best = min(best, _seconds(work))
    return best, best / others


def _seconds(work: Work) -> float:
    gc.collect()
    start = time.process_time()
    asyncio.run(work())
    return time.process_time() - start


def peak(work: Callable[[], Coroutine[Any, Any, Any]]) -> float:
    """Return the peak of memory in MB while the work ran, beyond what was there before."""
    gc.collect()
    tracemalloc.start()
    asyncio.run(work())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def figures() -> Iterator[Figure]:
    """Yield the figures."""
    ids: list[object] = [f"sig_{number}" for number in range(LANES)]

    def hand() -> Coroutine[Any, Any, Any]:
        return by_hand(InMemory(), [str(one) for one in ids])

    flat = engine_run(FLAT, {"ids": ids})
    yield Figure("10,000 lanes of two calls and a condition / by hand", ratio(flat, hand)[1], "×", goal=5)
    yield Figure("their peak of memory", peak(flat), "MB", goal=200)
    for rows, columns, goal in ((100, 100, 5.0), (5_000, 2, None)):
        nested = engine_run(NESTED, {"rows": list(range(rows)), "columns": ids[:columns]})
        yield Figure(f"10,000 lanes nested {rows:,} × {columns:,} / by hand", ratio(nested, hand)[1], "×", goal=goal)
    posts: list[object] = [
        {"id": f"sig_{number}", "text": chr(97 + number % 20) * 10_000 + "x"} for number in range(LANES)
    ]
    held = sum(len(post["text"]) for post in posts if isinstance(post, dict)) / 1e6
    most = peak(engine_run(LARGE, {"posts": posts})) + held
    yield Figure("10,000 lanes over items of 10 KB, items included: peak of memory", most, "MB", goal=200)
