"""What a run works with and gathers on its way; shared by the playbooks it uses."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from signal_playbooks.caller import Caller
from signal_playbooks.clock import Clock
from signal_playbooks.contract.dispatch import DispatchOutput
from signal_playbooks.contract.listen import Coverage, ListenInput
from signal_playbooks.contract.signal import Signal
from signal_playbooks.engine.ports import Approver, Journal, SeenSignals, Watcher
from signal_playbooks.tools.protocol import Tools


class Hears(Protocol):
    """Someone who takes a listen's signals as they come."""

    def begin(self, request: ListenInput) -> None:
        """Be told that the listen starts, or starts again."""
        ...

    def hear(self, signal: Signal) -> None:
        """Take one signal."""
        ...


@dataclass(slots=True)
class Surroundings:
    """State of one run. `asking` keeps two questions to a person from being asked at once."""

    tools: Tools
    clock: Clock
    caller: Caller
    watch: Watcher
    journal: Journal | None = None
    seen: SeenSignals | None = None
    approver: Approver | None = None
    sources: tuple[str, ...] | None = None
    signals: dict[str, Signal] = field(default_factory=dict)
    dispatched: dict[str, DispatchOutput] = field(default_factory=dict)
    coverage: list[Coverage] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
