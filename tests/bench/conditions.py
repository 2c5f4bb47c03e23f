"""What a condition costs, with ten and with ten thousand signals in scope."""

import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from bench.measure import Figure, paired_ratio
from signal_playbooks.clock import Clock
from signal_playbooks.content.evaluation import compile_expression
from signal_playbooks.content.expression import parse_expression

TIMES = 5_000
CONDITION = "signal.engagement.score >= 10 and author.likely_role_hint == 'indie_founder'"


def figures() -> Iterator[Figure]:
    """Yield the figures."""
    few, many = _names(10), _names(10_000)
    yield Figure("a condition", _seconds(many) * 1e6 / TIMES, "µs")
    ratio = paired_ratio(lambda: _seconds(many), lambda: _seconds(few), rounds=15)
    yield Figure("a condition with 10,000 signals in scope / with 10", ratio, "×", goal=1.1)


def _names(signals: int) -> Mapping[str, object]:
    one = {"engagement": {"score": 12, "comments": 3}, "intent": "complaining", "captured_at": datetime.now(UTC)}
    listed = [dict(one) for _ in range(signals)]
    steps = {"find": {"status": "succeeded", "output": {"signals": listed}}}
    return {"signal": listed[0], "author": {"likely_role_hint": "indie_founder"}, "steps": steps}


def _seconds(names: Mapping[str, object]) -> float:
    condition = compile_expression(parse_expression(CONDITION), Clock())
    started = time.perf_counter()
    for _ in range(TIMES):
        condition(names)
    return time.perf_counter() - started
