"""Executing a staged act once: claim it, do it, settle it; and settling what a process left behind when it died."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from signal_playbooks.clock import Clock
from signal_playbooks.contract.vocabulary import ActStatus
from signal_playbooks.destinations.protocol import Delivery, DeliveryFailed, Destination
from signal_playbooks.errors import AlreadySettled, NotConfigured, SignalError, UnknownSignal
from signal_playbooks.store.act import Act
from signal_playbooks.store.database import Store

# How long another's commit of the same act is waited for: 50 looks, a tenth of a second apart.
_LOOKS = 50
_BETWEEN = 0.1

_WAY_ON = {
    "committed": "It is done and cannot be undone here; nothing more is to do.",
    "in_doubt": "Look in its destination whether it arrived; nothing is sent again by itself.",
}


@dataclass(frozen=True, slots=True)
class _Outcome:
    status: ActStatus
    receipt: str | None = None
    note: str | None = None


class Committing:
    """Executes acts. Whatever happens, an act is delivered at most once: the claim in the store decides who does it."""

    def __init__(self, store: Store, destinations: Mapping[str, Destination], clock: Clock) -> None:
        self._store = store
        self._destinations = destinations
        self._clock = clock

    async def commit(self, act: Act, by: str) -> Act:
        """Return the act as it stands after it was executed, by this call or by an earlier one.

        Its status is committed, failed (surely nothing was delivered; the note says why) or in_doubt. Raises
        AlreadySettled where it is expired, discarded or superseded.
        """
        if act.status == "staged":
            claimed = await self._store.acts.begin_commit(act.handle, by)
            if claimed is not None:
                return await self._execute(claimed, by)
        return await self._after_another(act.handle, by)

    async def recover(self, by: str) -> Sequence[Act]:
        """Settle every act whose process died while it was committing; return them as they stand now."""
        return [await self._settle_interrupted(act, by) for act in await self._store.acts.interrupted()]

    async def _execute(self, act: Act, by: str) -> Act:
        try:
            outcome = _Outcome("committed", await self._perform(act))
        except (DeliveryFailed, NotConfigured) as error:
            outcome = _failed(error)
        except Exception as error:  # noqa: BLE001  (a destination is a border: whatever it raises, the act must not stay claimed)
            outcome = _in_doubt(act) if _is_delivery(act) else _failed(error)
        return await self._settle(act, outcome, by)

    async def _perform(self, act: Act) -> str:
        """Do what was previewed and return the receipt. Everything but a delivery may be done twice without harm."""
        signals, params = self._store.signals, act.params
        match act.action:
            case "archive":
                await signals.mark(act.signal_id, archived=True)
                return "archived"
            case "flag":
                await signals.mark(act.signal_id, add_label=params["label"])
                return f"flagged as {params['label']}"
            case "schedule_followup":
                return f"due {act.payload['due_at']}"
            case _:
                return await self._destination(act).deliver(Delivery(act.handle, act.payload))

    def _destination(self, act: Act) -> Destination:
        asked = act.payload["destination"]
        if asked not in self._destinations:
            raise NotConfigured(
                f"The destination {asked} is not declared any more; nothing was delivered.",
                f"Declare it in catalog/destinations/{asked}.yaml, or stage the act again for another one.",
            )
        return self._destinations[asked]

    async def _settle(self, act: Act, outcome: _Outcome, by: str) -> Act:
        return await self._store.acts.settle(
            act.handle, outcome.status, receipt=outcome.receipt, note=outcome.note, by=by
        )

    async def _now(self, handle: str) -> Act:
        act = await self._store.acts.get(handle)
        if act is None:
            raise AlreadySettled(f"The act {handle} is not kept any more.", "Stage it again.")
        return act

    # --- when somebody else has claimed it ---------------------------------------------------------------------------

    async def _after_another(self, handle: str, by: str) -> Act:
        for _ in range(_LOOKS):
            act = await self._now(handle)
            if act.status != "committing":
                return _settled(act)
            if any(left.handle == handle for left in await self._store.acts.interrupted()):
                return _settled(await self._settle_interrupted(act, by))
            await self._clock.sleep(_BETWEEN)
        raise AlreadySettled(
            f"The act {handle} is being committed by another process right now.",
            "Ask again in a moment; it will be delivered once.",
            handle=handle,
        )

    async def _settle_interrupted(self, act: Act, by: str) -> Act:
        outcome = await self._found(act)
        settled = await self._store.acts.recover(
            act.handle, outcome.status, receipt=outcome.receipt, note=outcome.note, by=by
        )
        return settled or await self._now(act.handle)

    async def _done(self, act: Act) -> _Outcome:
        """Do what stays here, and may be done twice, again."""
        try:
            return _Outcome("committed", await self._perform(act))
        except UnknownSignal as error:
            return _failed(error)

    async def _found(self, act: Act) -> _Outcome:
        """Return what became of an interrupted act, as far as its destination knows."""
        if not _is_delivery(act):
            return await self._done(act)
        try:
            receipt = await self._destination(act).delivered(Delivery(act.handle, act.payload))
        except SignalError:
            return _in_doubt(act)
        if receipt is not None:
            return _Outcome("committed", receipt)
        return _Outcome("failed", note="Its process stopped before anything arrived; stage it again to deliver it.")


def _is_delivery(act: Act) -> bool:
    return act.action in ("route", "draft_reply")


def _failed(error: Exception) -> _Outcome:
    told = (error.message, error.suggested_action) if isinstance(error, SignalError) else ("It could not be done.",)
    return _Outcome("failed", note=" ".join(filter(None, told)))


def _in_doubt(act: Act) -> _Outcome:
    asked = act.payload["destination"]
    return _Outcome(
        "in_doubt", note=f"It may have arrived in {asked}, or not: look there; it is never sent again by itself."
    )


def _settled(act: Act) -> Act:
    """Return an act that was executed, so that the same commit gets the same answer; AlreadySettled for any other."""
    if act.status in ("committed", "failed", "in_doubt"):
        return act
    raise over(act)


def over(act: Act) -> AlreadySettled:
    """Return the refusal to touch an act that is expired, discarded, superseded or otherwise at its end."""
    return AlreadySettled(
        f"The act {act.handle} is {act.status}.",
        _WAY_ON.get(act.status, "Stage it again without a handle, and look at the new preview."),
        handle=act.handle,
        status=act.status,
    )
