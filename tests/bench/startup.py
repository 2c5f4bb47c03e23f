"""What a start costs: signal check and signal --help, as whole processes, beside the least a program could import."""

import sys
from collections.abc import Iterator

from bench.measure import Figure, paired_ratio, process_seconds, python

ROUNDS = 15
LEAST_CHECK = "import yaml, typer, pydantic\nclass One(pydantic.BaseModel):\n    name: str"
LEAST_HELP = "import typer"


def figures() -> Iterator[Figure]:
    """Yield the figures."""
    signal = [sys.executable, "-m", "signal_playbooks"]
    yield Figure(
        "signal check, shipped content / importing yaml, typer and one pydantic model",
        paired_ratio(
            lambda: process_seconds([*signal, "check"]), lambda: process_seconds(python(LEAST_CHECK)), rounds=ROUNDS
        ),
        "×",
        goal=2,
    )
    yield Figure(
        "signal --help / importing typer",
        paired_ratio(
            lambda: process_seconds([*signal, "--help"]), lambda: process_seconds(python(LEAST_HELP)), rounds=ROUNDS
        ),
        "×",
        goal=1.5,
    )
