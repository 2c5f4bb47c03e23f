"""What a run may spend, and in whose turn: calls are reserved before they start, in the final order of the lanes."""

import asyncio

from signal_playbooks.content.playbook import Budget
from signal_playbooks.engine.nodes import KINDS, Kind
from signal_playbooks.engine.result import Spent


class Account:
    """The calls a playbook may make; a used playbook's account also draws on its caller's."""

    __slots__ = ("_allowed", "_left", "_left_out", "_outer")

    def __init__(self, budget: Budget, outer: "Account | None" = None) -> None:
        self._allowed: dict[Kind, int] = {kind: getattr(budget, kind) for kind in KINDS}
        self._left = dict(self._allowed)
        self._left_out: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        self._outer = outer

    def remaining(self, kind: Kind) -> int:
        """Return how many more calls of this kind fit here and in every account around."""
        left = self._left[kind]
        return left if self._outer is None else min(left, self._outer.remaining(kind))

    def reserve(self, kind: Kind) -> bool:
        """Take one call; False, and counted as left out, where it does not fit."""
        if self.remaining(kind) < 1:
            self._cut(kind)
            return False
        self._take(kind)
        return True

    def release(self, kind: Kind) -> None:
        """Give one reserved call back: it did not start."""
        self._left[kind] += 1
        if self._outer is not None:
            self._outer.release(kind)

    def spent(self) -> dict[str, Spent]:
        """Return the account as it stands."""
        return {
            kind: Spent(self._allowed[kind], self._allowed[kind] - self._left[kind], self._left_out[kind])
            for kind in KINDS
        }

    def refusals(self) -> list[str]:
        """Return a sentence for each kind of call that did not fit."""
        return [
            f"{count} {kind} call{'s' if count != 1 else ''} did not fit the budget ({kind}: {self._allowed[kind]}) "
            "and did not happen"
            for kind, count in self._left_out.items()
            if count
        ]

    def _take(self, kind: Kind) -> None:
        self._left[kind] -= 1
        if self._outer is not None:
            self._outer._take(kind)

    def _cut(self, kind: Kind) -> None:
        self._left_out[kind] += 1
        if self._outer is not None:
            self._outer._cut(kind)


class Turns:
    """Who comes first among the lanes of one loop, so that a tight budget goes to the best and not to the fastest."""

    __slots__ = ("_done", "_low", "_waiting")

    def __init__(self, lanes: int) -> None:
        self._done = bytearray(lanes)
        self._low = 0
        self._waiting: list[asyncio.Future[None]] = []

    def has_turn(self, lane: int, most: float, account: Account, kind: Kind) -> bool:
        """Tell whether the lane may reserve: no lane before it is unfinished, or all of them surely still fit.

        `most` is what one lane can spend at most. Lanes are started in order, so the first unfinished one never waits.
        """
        return self._low >= lane or account.remaining(kind) >= (lane - self._low + 1) * most

    async def await_turn(self, lane: int, most: float, account: Account, kind: Kind) -> None:
        """Return when the lane may reserve."""
        while not self.has_turn(lane, most, account, kind):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn

    def finish(self, lane: int) -> None:
        """Say that the lane will spend nothing more."""
        self._done[lane] = 1
        if lane != self._low:
            return
        after = self._done.find(0, lane)
        self._low = len(self._done) if after < 0 else after
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)
