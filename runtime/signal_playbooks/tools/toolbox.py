"""The three tools in one hand, put together from their parts."""

from collections.abc import AsyncIterator, Mapping, Sequence

from signal_playbooks.caller import Caller
from signal_playbooks.clock import Clock
from signal_playbooks.content.prompt import DraftEntry
from signal_playbooks.content.source import SourceEntry
from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.contract.inspect import InspectInput, InspectOutput
from signal_playbooks.contract.listen import ListenInput
from signal_playbooks.contract.vocabulary import ActStatus
from signal_playbooks.destinations.protocol import Destination
from signal_playbooks.meaning.intent import IntentReader
from signal_playbooks.sources.protocol import Source
from signal_playbooks.store.database import Store
from signal_playbooks.tools.dispatch import Dispatch, DispatchRules
from signal_playbooks.tools.drafting import Drafts
from signal_playbooks.tools.inspect import Inspect
from signal_playbooks.tools.listen import SECONDS, Listen
from signal_playbooks.tools.protocol import Heard
from signal_playbooks.tools.recalling import Recalling
from signal_playbooks.tools.shaping import Shaping


class Toolbox:
    """listen, inspect and dispatch (see tools/protocol.py), and what the command line does with acts by their handle.

    `listen_seconds` is after how long a listen ends with what it has; `rules` say how long staged acts live.
    """

    def __init__(
        self,
        *,
        store: Store,
        entries: Mapping[str, SourceEntry],
        sources: Mapping[str, Source],
        destinations: Mapping[str, Destination],
        reader: IntentReader,
        vocabulary: Vocabulary,
        drafts: Mapping[str, DraftEntry],
        clock: Clock,
        rules: DispatchRules | None = None,
        listen_seconds: float = SECONDS,
    ) -> None:
        shaping = Shaping(entries)
        recalling = Recalling(store, shaping)
        self._listen = Listen(
            store.signals,
            entries,
            sources,
            reader=reader,
            vocabulary=vocabulary,
            shaping=shaping,
            clock=clock,
            seconds=listen_seconds,
        )
        self._inspect = Inspect(store, recalling, sources, vocabulary, clock)
        self._dispatch = Dispatch(store, recalling, destinations, Drafts(drafts), clock, rules or DispatchRules())

    def listen(self, request: ListenInput, caller: Caller) -> AsyncIterator[Heard]:
        """Yield each signal when found, each source's coverage when it has ended, and the ranked whole last."""
        return self._listen.listen(request, caller)

    async def inspect(self, request: InspectInput, caller: Caller) -> InspectOutput:
        """Return one signal in its context."""
        return await self._inspect.inspect(request, caller)

    async def dispatch(self, request: DispatchInput, caller: Caller) -> DispatchOutput:
        """Stage, replace, commit or discard an act."""
        return await self._dispatch.dispatch(request, caller)

    async def approve(self, handle: str, caller: Caller) -> DispatchOutput:
        """Commit the staged act of that handle, exactly as previewed, once."""
        return await self._dispatch.approve(handle, caller)

    async def discard(self, handle: str, caller: Caller) -> DispatchOutput:
        """Throw the staged act of that handle away."""
        return await self._dispatch.discard(handle, caller)

    async def act(self, handle: str, caller: Caller) -> DispatchOutput:
        """Return the act of that handle as it stands."""
        return await self._dispatch.act(handle, caller)

    async def staged(self, caller: Caller, limit: int = 100) -> list[DispatchOutput]:
        """Return the acts that wait for a commit, newest first."""
        return await self.acts(("staged",), caller, limit)

    async def acts(self, statuses: Sequence[ActStatus], caller: Caller, limit: int = 100) -> list[DispatchOutput]:
        """Return the acts in these statuses that the caller may see, newest first."""
        return await self._dispatch.listing(statuses, caller, limit)

    async def recover(self, caller: Caller) -> list[DispatchOutput]:
        """Settle what a process left behind that died while committing; return what became of each act."""
        return await self._dispatch.recover(caller)
