"""How soon a listen on the demo yields its first signal, from the call on."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure
from signal_playbooks.app import App, open_app
from signal_playbooks.caller import LOCAL
from signal_playbooks.clock import Clock
from signal_playbooks.contract.listen import ListenInput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.settings import read_settings

ROUNDS = 21
REQUEST = ListenInput.model_validate({"query": "people leaving Plinthly over price", "scope": {"sources": ["demo"]}})


def figures() -> Iterator[Figure]:
    """Yield the figures."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        settings = read_settings({"SIGNAL_DB": str(here / "signal.db")}, here)
        with open_app(settings, Clock(), shown_from=here) as app:
            fresh, _ = asyncio.run(_listen(app))
            rounds = [asyncio.run(_listen(app)) for _ in range(ROUNDS)]
    yield Figure("first signal of a listen on the demo, database new", fresh * 1e3, "ms")
    yield Figure("first signal of a listen on the demo", statistics.median(r[0] for r in rounds) * 1e3, "ms", goal=100)
    yield Figure("the whole listen", statistics.median(r[1] for r in rounds) * 1e3, "ms")


async def _listen(app: App) -> tuple[float, float]:
    started = time.perf_counter()
    first = None
    async for heard in app.tools.listen(REQUEST, LOCAL):
        if first is None and isinstance(heard, Signal):
            first = time.perf_counter() - started
    whole = time.perf_counter() - started
    return first if first is not None else whole, whole
