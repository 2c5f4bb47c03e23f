"""The benches, by name."""

from collections.abc import Callable, Iterator, Mapping

from bench import checking, conditions, hearing, lanes, startup
from bench.measure import Figure

BENCHES: Mapping[str, Callable[[], Iterator[Figure]]] = {
    "startup": startup.figures,
    "hearing": hearing.figures,
    "conditions": conditions.figures,
    "checking": checking.figures,
    "lanes": lanes.figures,
}
