"""dispatch: acts on signals in two phases. Staging composes and shows; committing executes what was shown, once."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from signal_playbooks.caller import Caller, Scope
from signal_playbooks.clock import Clock
from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.contract.reading import refusal
from signal_playbooks.contract.vocabulary import ActStatus
from signal_playbooks.destinations.protocol import Destination
from signal_playbooks.errors import ArgumentError, NotAllowed, UnknownHandle, UnknownSignal
from signal_playbooks.store.act import Act
from signal_playbooks.store.database import Store
from signal_playbooks.store.staging import LIVE_STATUSES
from signal_playbooks.tools.committing import Committing, over
from signal_playbooks.tools.composing import compose
from signal_playbooks.tools.drafting import Drafts
from signal_playbooks.tools.params import checked_params, given_params
from signal_playbooks.tools.recalling import Recalled, Recalling


@dataclass(frozen=True, slots=True)
class DispatchRules:
    """For how long a staged act can be committed and one author is not drafted to twice; where drafts go by default."""

    expires_after: timedelta = timedelta(hours=24)
    one_draft_in: timedelta = timedelta(days=30)
    default_destination: str = "outbox"


class Dispatch:
    """Stages, commits and discards acts for a caller."""

    def __init__(
        self,
        store: Store,
        recalling: Recalling,
        destinations: Mapping[str, Destination],
        drafts: Drafts,
        clock: Clock,
        rules: DispatchRules = DispatchRules(),
    ) -> None:
        self._store = store
        self._recalling = recalling
        self._destinations = destinations
        self._drafts = drafts
        self._clock = clock
        self._rules = rules
        self._committing = Committing(store, destinations, clock)
        self._begun: set[asyncio.Task[Act]] = set()
        self._drafting = asyncio.Lock()  # two lanes must not both find that an author has no draft yet

    async def dispatch(self, request: DispatchInput, caller: Caller) -> DispatchOutput:
        """Stage, replace, commit or discard, as the params say.

        Raises InvalidArguments, NotAllowed, UnknownSignal, UnknownHandle, AlreadySettled, NotConfigured or
        EvaluationFailed. A commit that could not be delivered is an answer with the status failed and a note.
        """
        params = request.params
        if params.commit and params.discard:
            raise refusal([ArgumentError("params.discard", "commit and discard exclude each other; give one of them")])
        if params.commit:
            _allow(caller, "commit")
            act = await self._meant(request, caller, ("staged", "committed", "in_doubt"))
            return _answer(await self._commit(act, caller))
        if params.discard:
            _allow(caller, "stage")
            return _answer(await self._discard(await self._meant(request, caller, ("staged", "discarded")), caller))
        _allow(caller, "stage")
        return await self._stage(request, caller)

    async def approve(self, handle: str, caller: Caller) -> DispatchOutput:
        """Commit the act of that handle, whatever its signal and action; raises as `dispatch` does."""
        _allow(caller, "commit")
        return _answer(await self._commit(await self._by_handle(handle, caller), caller))

    async def discard(self, handle: str, caller: Caller) -> DispatchOutput:
        """Throw the act of that handle away; raises as `dispatch` does."""
        _allow(caller, "stage")
        return _answer(await self._discard(await self._by_handle(handle, caller), caller))

    async def act(self, handle: str, caller: Caller) -> DispatchOutput:
        """Return the act of that handle as it stands; raises UnknownHandle."""
        return _answer(await self._by_handle(handle, caller))

    async def listing(self, statuses: Sequence[ActStatus], caller: Caller, limit: int) -> list[DispatchOutput]:
        """Return the acts in these statuses that the caller may see, newest first, at most `limit`."""
        await self._committing.recover(caller.name)
        found: list[DispatchOutput] = []
        offset, page = 0, min(max(limit, 1), 200)
        while len(found) < limit and (acts := await self._store.acts.listing(statuses, page, offset)):
            seen = await self._recalling.visible({act.signal_id for act in acts}, caller)
            found.extend(_answer(act) for act in acts if act.signal_id in seen)
            offset += len(acts)
        return found[:limit]

    async def recover(self, caller: Caller) -> list[DispatchOutput]:
        """Settle the acts whose process died while it was committing them; return what became of each."""
        return [_answer(act) for act in await self._committing.recover(caller.name)]

    # --- staging -----------------------------------------------------------------------------------------------------

    async def _stage(self, request: DispatchInput, caller: Caller) -> DispatchOutput:
        recalled = await self._recalling.recall(request.signal_id, caller, self._clock.now())
        params = checked_params(request, self._destinations, self._rules.default_destination)
        replaced = await self._replaced(request, caller)
        if replaced is not None and (not given_params(request) or _stands_as(replaced, params)):
            return _answer(replaced)
        if replaced is not None and replaced.status != "staged":
            raise over(replaced)
        if request.action != "draft_reply":
            return await self._staged(self._composed(request, params, recalled, caller), replaced)
        async with self._drafting:
            act = self._composed(request, params, recalled, caller)
            earlier = None if params.get("again") else await self._earlier_draft(act, replaced)
            return _repeated(earlier) if earlier else await self._staged(act, replaced)

    def _composed(self, request: DispatchInput, params: dict[str, Any], recalled: Recalled, caller: Caller) -> Act:
        if recalled.gone and request.action in ("route", "draft_reply"):
            raise UnknownSignal(
                f"The post of {request.signal_id} was deleted at its source, so there is nothing to {request.action}.",
                "Archive the signal, or choose another.",
            )
        now = self._clock.now()
        composed = compose(
            request.action, params, recalled.signal, recalled.post, drafts=self._drafts, staged_by=caller.name, now=now
        )
        return Act(
            handle=self._clock.new_id("disp"),
            signal_id=recalled.signal.id,
            action=request.action,
            params=params,
            status="staged",
            preview=composed.preview,
            payload=composed.content,
            author_key=recalled.author_key,
            created_at=now,
            expires_at=now + self._rules.expires_after,
            staged_by=caller.name,
            run_id=caller.run_id,
            due_at=composed.due_at,
        )

    async def _staged(self, act: Act, replaced: Act | None) -> DispatchOutput:
        kept, _ = await self._store.acts.stage(act, replaces=replaced.handle if replaced else None)
        return _answer(kept)

    async def _replaced(self, request: DispatchInput, caller: Caller) -> Act | None:
        """Return the act that this staging replaces; None where it names none."""
        if request.params.handle is None:
            return None
        act = await self._by_handle(request.params.handle, caller)
        _belongs(act, request)
        return act

    async def _earlier_draft(self, act: Act, replaced: Act | None) -> Act | None:
        """Return a live draft to the same author within the guarded time, not this act or its forerunner."""
        if act.author_key is None:
            return None
        now = self._clock.now()
        alike = await self._store.acts.find(act.signal_id, act.action, *LIVE_STATUSES)
        if any(one.params == act.params for one in alike):
            return None
        earlier = await self._store.acts.drafted_since(act.author_key, now - self._rules.one_draft_in)
        return None if replaced is not None and earlier is not None and earlier.handle == replaced.handle else earlier

    # --- the second phase --------------------------------------------------------------------------------------------

    async def _commit(self, act: Act, caller: Caller) -> Act:
        act = self._open(act)
        # A caller that goes away does not stop half-way what was begun.
        begun = asyncio.create_task(self._committing.commit(act, caller.name))
        self._begun.add(begun)
        begun.add_done_callback(self._begun.discard)
        return await asyncio.shield(begun)

    async def _discard(self, act: Act, caller: Caller) -> Act:
        act = self._open(act)
        if act.status == "discarded":
            return act
        discarded = await self._store.acts.discard(act.handle, caller.name)
        if discarded is None:
            raise over(await self._store.acts.get(act.handle) or act)
        return discarded

    def _open(self, act: Act) -> Act:
        if act.status in ("expired", "superseded"):
            raise over(act)
        return act

    async def _meant(self, request: DispatchInput, caller: Caller, statuses: Sequence[ActStatus]) -> Act:
        """Return the act that a commit or discard means: by handle, else the one for its signal and action."""
        if request.params.handle is not None:
            act = await self._by_handle(request.params.handle, caller)
            _belongs(act, request)
        else:
            await self._recalling.recall(request.signal_id, caller, self._clock.now())
            act = await self._only(request, statuses)
        self._unchanged(act, request)
        return act

    async def _only(self, request: DispatchInput, statuses: Sequence[ActStatus]) -> Act:
        acts = await self._store.acts.find(request.signal_id, request.action, *statuses)
        staged = [act for act in acts if act.status == "staged"]
        if len(staged) > 1:
            listed = [{"handle": act.handle, "preview": act.preview[:200]} for act in staged]
            raise UnknownHandle(
                f"{len(staged)} acts are staged for this signal and {request.action}.",
                f"Say which one with params.handle: {', '.join(act.handle for act in staged)}.",
                staged=listed,
            )
        if not acts:
            raise UnknownHandle(
                f"Nothing is staged for this signal and {request.action}.",
                "Stage it first: the same call without commit, and look at the preview.",
            )
        return staged[0] if staged else max(acts, key=lambda act: (act.settled_at or act.created_at, act.handle))

    def _unchanged(self, act: Act, request: DispatchInput) -> None:
        given = given_params(request)
        changed = sorted(name for name, value in given.items() if act.params.get(name) != value)
        if changed:
            words = "the act was staged otherwise; commit and discard take it as it was previewed"
            raise refusal(
                [ArgumentError(f"params.{name}", words) for name in changed],
                f"Leave these params out, or stage again with params.handle {act.handle} to change the act.",
            )

    async def _by_handle(self, handle: str, caller: Caller) -> Act:
        act = await self._store.acts.get(handle)
        if act is None or not await self._recalling.visible({act.signal_id}, caller):
            raise UnknownHandle(
                f"There is no act {handle[:60]!a}.",
                "See what waits (signal staged, or signal://dispatches/staged), or stage it.",
            )
        return act


def _allow(caller: Caller, scope: Scope) -> None:
    if caller.may(scope):
        return
    action = "Ask someone with that scope to approve the staged act." if scope == "commit" else "Use a key that has it."
    raise NotAllowed(f"{caller.name} does not have the scope {scope}.", action, scope=scope)


def _stands_as(act: Act, params: dict[str, Any]) -> bool:
    return act.params == params and act.status in LIVE_STATUSES


def _belongs(act: Act, request: DispatchInput) -> None:
    if (act.signal_id, act.action) == (request.signal_id, request.action):
        return
    raise UnknownHandle(
        f"The act {act.handle} is not staged for this signal and {request.action}.",
        f"Its signal is {act.signal_id} and its action {act.action}: call with these.",
        signal_id=act.signal_id,
        action=act.action,
    )


def _repeated(earlier: Act) -> DispatchOutput:
    note = (
        f"This author has a draft from {earlier.created_at:%Y-%m-%d} already ({earlier.status}); "
        "nothing new was staged. Pass params.again: true to draft all the same."
    )
    return _answer(earlier, note)


def _answer(act: Act, note: str | None = None) -> DispatchOutput:
    return DispatchOutput.model_validate(
        {
            "action": act.action,
            "status": "in_doubt" if act.status == "committing" else act.status,
            "handle": act.handle,
            "signal_id": act.signal_id,
            "preview": act.preview,
            "expires_at": act.expires_at if act.status == "staged" else None,
            "receipt": act.receipt,
            "note": note or act.note,
        }
    )
