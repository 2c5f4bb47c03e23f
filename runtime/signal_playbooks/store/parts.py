"""Long lists of ids in parts, because a statement takes only so many values."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
_MOST_VALUES = 500


def parts(values: Sequence[T], size: int = _MOST_VALUES) -> Iterator[Sequence[T]]:
    """Yield the values in order, at most `size` at a time."""
    for start in range(0, len(values), size):
        yield values[start : start + size]
