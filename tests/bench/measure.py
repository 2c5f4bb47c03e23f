"""How the benches measure: pairs of the same size in one run, medians, and a ratio against a goal."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure: what, how much, and the goal it is held against (None: told only)."""

    what: str
    value: float
    unit: str
    goal: float | None = None

    def line(self) -> str:
        """Return it as one line of the report."""
        verdict = (
            "" if self.goal is None else f"  (goal {self.goal:g}, {'met' if self.value <= self.goal else 'MISSED'})"
        )
        return f"{self.what:<78} {self.value:>9.2f} {self.unit}{verdict}"


def process_seconds(command: Sequence[str]) -> float:
    """Return how long one run of a command takes as a whole process, in seconds; it has to succeed.

    Bytecode is kept, as it is where a package was installed: compiling is no part of a start.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - started


def paired_ratio(mine: Callable[[], float], other: Callable[[], float], rounds: int) -> float:
    """Return the median of mine/other over rounds in which both ran one after the other."""
    mine(), other()
    return statistics.median(mine() / other() for _ in range(rounds))


def python(code: str) -> list[str]:
    """Return the command that runs code in this interpreter."""
    return [sys.executable, "-c", code]
