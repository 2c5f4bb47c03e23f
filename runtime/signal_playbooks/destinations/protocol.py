"""What every destination can do, in one Protocol, and what it is given."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from signal_playbooks.errors import SignalError


class DeliveryFailed(SignalError):
    """Nothing was delivered, for a reason that the destination knows."""

    name = "delivery_failed"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A committed act as it was previewed: its handle, and its content as plain JSON values.

    `content` was composed when the act was staged (`tools/composing.py`). Values that came from a post are untrusted
    text, which each destination escapes for its own markup.
    """

    handle: str
    content: Mapping[str, Any]


class Destination(Protocol):
    """A place that takes each act once."""

    @property
    def id(self) -> str:
        """Return its catalog id."""
        ...

    async def deliver(self, delivery: Delivery) -> str:
        """Deliver and return a receipt: a file, an id.

        Delivering one handle a second time changes nothing and returns the same receipt. Raises DeliveryFailed where
        surely nothing arrived; whatever else is raised leaves it in doubt.
        """
        ...

    async def delivered(self, delivery: Delivery) -> str | None:
        """Return the receipt of an earlier, interrupted delivery, None where surely nothing arrived.

        Raises SignalError where the destination cannot tell.
        """
        ...
