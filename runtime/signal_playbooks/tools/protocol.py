"""What the engine, the server and the command line need of the three tools, in one Protocol."""

from collections.abc import AsyncIterator
from typing import Protocol

from signal_playbooks.caller import Caller
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.contract.inspect import InspectInput, InspectOutput
from signal_playbooks.contract.listen import Coverage, ListenInput, ListenOutput
from signal_playbooks.contract.signal import Signal

Heard = Signal | Coverage | ListenOutput


class Tools(Protocol):
    """The product: listen, inspect, dispatch. Each raises SignalError and nothing else."""

    def listen(self, request: ListenInput, caller: Caller) -> AsyncIterator[Heard]:
        """Yield each signal when found, each source's coverage when it has answered, and the ranked whole last."""
        ...

    async def inspect(self, request: InspectInput, caller: Caller) -> InspectOutput:
        """Return one signal in its context."""
        ...

    async def dispatch(self, request: DispatchInput, caller: Caller) -> DispatchOutput:
        """Stage, commit or discard an act."""
        ...
