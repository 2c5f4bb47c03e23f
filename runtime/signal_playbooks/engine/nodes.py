"""The prepared parts of a playbook: frozen nodes that the engine walks, with what each reads and may spend."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from signal_playbooks.content.playbook import Budget, OnError
from signal_playbooks.content.steps import Effect
from signal_playbooks.contract.signal import Signal
from signal_playbooks.contract.tools import ToolName
from signal_playbooks.engine.binding import Arguments, Formula, Mentions

MAX_LANES = 10_000
Kind = Literal["listen", "inspect", "stage", "commit"]
KINDS: tuple[Kind, ...] = ("listen", "inspect", "stage", "commit")
READS: tuple[Kind, ...] = ("listen", "inspect")
ACTS: tuple[Kind, ...] = ("stage", "commit")
Worst = Mapping[Kind, float]


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """How often a call is tried again, in seconds."""

    attempts: int = 1
    wait: float = 0
    factor: float = 1
    max_wait: float = 0
    causes: frozenset[str] = frozenset()
    until: Formula | None = None

    def pause(self, attempt: int, asked: float) -> float:
        """Return the seconds to wait after this attempt (from 1); `asked` is what the source wishes for."""
        grown: float = self.wait * self.factor ** (attempt - 1)
        return min(max(grown, asked), self.max_wait)


ONCE = RetryPlan()


@dataclass(frozen=True, slots=True)
class Common:
    """What every step has: `condition` is its `when`; `otherwise`: it runs where the step before was passed over."""

    key: str
    condition: Formula | None = None
    otherwise: bool = False
    needs: tuple[str, ...] = ()
    on_error: OnError = "stop"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `effect` is what it can do at most; a commit is never tried again."""

    common: Common
    tool: ToolName
    arguments: Arguments
    effect: Effect
    implied_id: bool
    retry: RetryPlan = ONCE
    timeout: float | None = None
    new_only: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """A run of another playbook inside this one."""

    common: Common
    playbook: str
    inputs: Arguments


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that ends the lane where it is false."""

    common: Common
    holds: Formula


@dataclass(frozen=True, slots=True)
class Loop:
    """Lanes over a list: `source` gives it, or `listen` is the step whose signals they are.

    `variable` is its name in a lane, where the playbook gives one: else signals are `signal` and anything else `item`.
    `inner` are the ids of steps inside the lanes; `flows` tells that lanes may open while the listen still streams.
    """

    common: Common
    variable: str | None
    body: "Body"
    source: Formula | None = None
    listen: str | None = None
    limit: int | None = None
    concurrency: int = 8
    inner: frozenset[str] = frozenset()
    flows: bool = False

    def called(self, item: object) -> str:
        """Return what an item is called in its lane."""
        return self.variable or ("signal" if type(item) is Signal else "item")

    @property
    def most(self) -> int:
        """Return how many lanes there can be."""
        return MAX_LANES if self.limit is None else self.limit


@dataclass(frozen=True, slots=True)
class Together:
    """Neighbouring listens that run at once, and the loop, if any, whose lanes flow from one of them."""

    listens: tuple[Call, ...]
    flow: Loop | None = None


Node = Call | Use | Filter | Loop | Together
Single = Call | Use | Filter | Loop


@dataclass(frozen=True, slots=True)
class Body:
    """Nodes in order: `first_act` is the place of the first that may stage or commit, `worst` what a pass may spend."""

    nodes: tuple[Node, ...]
    first_act: int
    worst: Worst
    mentions: Mentions


@dataclass(frozen=True, slots=True)
class Program:
    """A playbook ready to run."""

    id: str
    body: Body
    outputs: tuple[tuple[str, Formula], ...]
    budget: Budget
    mentions: Mentions
    notes: tuple[str, ...] = field(default=())

    def allowed(self, kind: Kind) -> int:
        """Return how many calls of this kind the playbook's own budget allows."""
        return int(getattr(self.budget, kind))


def kind_of(tool: ToolName, effect: Effect) -> Kind:
    """Return what a call is counted as."""
    if tool == "dispatch":
        return "commit" if effect == "commit" else "stage"
    return tool


def mentions_in(node: Node) -> Mentions:
    """Return everything the node reads."""
    if isinstance(node, Together):
        found = Mentions()
        for listen in node.listens:
            found |= mentions_in(listen)
        return found if node.flow is None else found | mentions_in(node.flow)
    found = node.common.condition.mentions if node.common.condition else Mentions()
    found |= Mentions(steps=frozenset(node.common.needs))
    if isinstance(node, Call):
        found |= node.arguments.mentions
        return found if node.retry.until is None else found | node.retry.until.mentions
    if isinstance(node, Use):
        return found | node.inputs.mentions
    if isinstance(node, Filter):
        return found | node.holds.mentions
    return found | node.body.mentions | (node.source.mentions if node.source else Mentions())


def worst_of(node: Node) -> dict[Kind, float]:
    """Return how many calls of each kind one pass over the node may spend at most; infinite where nobody can tell."""
    if isinstance(node, Call):
        worst: dict[Kind, float] = {kind_of(node.tool, node.effect): node.retry.attempts}
        # A commit flag that turns out false at run time only stages.
        return worst | {"stage": 1} if node.effect == "commit" else worst
    if isinstance(node, Use):
        return dict.fromkeys(KINDS, inf)
    if isinstance(node, Filter):
        return {}
    if isinstance(node, Loop):
        return {kind: calls * node.most for kind, calls in node.body.worst.items()}
    parts = [worst_of(listen) for listen in node.listens]
    return add_worst([*parts, worst_of(node.flow)] if node.flow else parts)


def add_worst(parts: list[dict[Kind, float]]) -> dict[Kind, float]:
    """Return the sum of what several nodes may spend."""
    total: dict[Kind, float] = {}
    for part in parts:
        for kind, calls in part.items():
            total[kind] = total.get(kind, 0) + calls
    return total
