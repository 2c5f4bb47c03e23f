"""What can be named at a point of a playbook: the names in scope, each with its type or why it is not bound there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from signal_playbooks.content.checking.expressions import LaneScope
from signal_playbooks.content.playbook import InputSpec, Step
from signal_playbooks.content.steps import STATUSES
from signal_playbooks.content.types import (
    ANY,
    BOOLEAN,
    DURATION,
    INTEGER,
    MOMENT,
    NUMBER,
    TEXT,
    Field,
    List,
    Record,
    Text,
    Type,
    Unbound,
    from_model,
    optional,
)
from signal_playbooks.contract.dispatch import DispatchOutput
from signal_playbooks.contract.inspect import AuthorContext, ThreadItem
from signal_playbooks.contract.signal import Signal
from signal_playbooks.contract.tools import OUTPUTS, ToolName

_SCALARS: Mapping[str, Type] = {
    "string": TEXT,
    "integer": INTEGER,
    "number": NUMBER,
    "boolean": BOOLEAN,
    "date": MOMENT,
    "duration": DURATION,
}
_RUN = Record("run", {"id": Field(TEXT), "playbook": Field(TEXT), "started_at": Field(MOMENT)})


@cache
def wire_type(model: type) -> Type:
    """Return the type of one of the contract's models, read once."""
    return from_model(model)


def tool_output(tool: ToolName) -> Type:
    """Return the type of what a tool answers."""
    return wire_type(OUTPUTS[tool])


def input_type(spec: InputSpec) -> Type:
    """Return the type an input has in an expression."""
    if spec.type == "choice":
        kind: Type = Text(spec.choices)
    elif spec.type == "list":
        kind = List(_SCALARS[spec.items] if spec.items else ANY)
    else:
        kind = _SCALARS[spec.type]
    return optional(kind) if not spec.required and spec.default is None else kind


def inputs_record(specs: Mapping[str, InputSpec]) -> Record:
    """Return the type of `inputs`."""
    fields = {name: Field(input_type(spec), spec.description) for name, spec in specs.items()}
    return Record("inputs", fields, noun="input")


@cache
def _result_fields() -> Mapping[str, Field]:
    """Return what every finished step has besides its output."""
    error = {
        "name": Field(TEXT),
        "code": Field(INTEGER),
        "message": Field(TEXT),
        "suggested_action": Field(optional(TEXT)),
    }
    return {
        "status": Field(Text(STATUSES)),
        "error": Field(optional(Record("error", error))),
        "attempts": Field(INTEGER),
        "started_at": Field(optional(MOMENT)),
        "finished_at": Field(optional(MOMENT)),
    }


@cache
def _item_fields() -> Mapping[str, Field]:
    """Return what every lane of a loop has besides its output."""
    ended = _result_fields()
    return {
        "key": Field(TEXT),
        "status": ended["status"],
        "error": ended["error"],
        "reason": Field(optional(TEXT)),
    }


@cache
def _counts() -> Field:
    return Field(Record("counts", {status: Field(INTEGER) for status in STATUSES}))


def step_record(output: Type, reason: str | None = None) -> Record:
    """Return the type of a finished step; `reason` says why it has no output, where it has none."""
    return Record("step", {**_result_fields(), "output": Field(output, missing=reason)})


@cache
def tool_record(tool: ToolName) -> Record:
    """Return the type of a finished call of a tool, made once."""
    return step_record(tool_output(tool))


def lanes_record(key: str, outputs: Mapping[str, Type]) -> Record:
    """Return the type of a step with lanes, as it is read from outside."""
    reason = f"step {key!r} has lanes, so it has no one output: read steps.{key}.items, or steps.{key}.counts"
    output = Record("lane output", {name: Field(kind) for name, kind in outputs.items()}, noun="step")
    item = Record("item", {**_item_fields(), "output": Field(output)})
    fields = {"output": Field(ANY, missing=reason), "items": Field(List(item)), "counts": _counts()}
    return Record("step", {**_result_fields(), **fields})


@dataclass(slots=True)
class Scene:
    """The names in scope at one point. Steps done in a lane are the lane's own; `lanes` names the variables around."""

    inputs: Record
    steps: dict[str, Field]
    names: dict[str, Type]
    lanes: tuple[str, ...] = ()
    signal_variable: str | None = None
    listens: tuple[str, ...] = ()
    outputs: dict[str, Type] = field(default_factory=dict)

    def scope(self, **extra: Type) -> LaneScope:
        """Return the names, for the checking of an expression."""
        names = {
            "inputs": self.inputs,
            "run": _RUN,
            "steps": Record("steps", self.steps, noun="step"),
            **self.names,
            **extra,
        }
        return LaneScope(names, next((name for name in self.lanes[-1:] if name in ("signal", "item")), None))

    def lane(self, variable: str, item: Type, *, is_signal: bool) -> "Scene":
        """Return what is in scope in a new lane: everything around, its variable, and nothing looked up yet."""
        names = {name: kind for name, kind in self.names.items() if name in self.lanes}
        names |= _not_yet_looked_up(outside=False)
        if variable != "signal" and "signal" not in self.lanes:
            names["signal"] = Unbound(f"'signal' is not bound here: this lane's variable is called {variable!r}")
        if variable != "item" and "item" not in self.lanes:
            names["item"] = Unbound(f"'item' is not bound here: this lane's variable is called {variable!r}")
        names[variable] = item
        return Scene(
            self.inputs,
            dict(self.steps),
            names,
            (*self.lanes, variable),
            variable if is_signal else self.signal_variable,
            self.listens,
        )

    def finish(self, key: str, record: Type, output: Type | None) -> None:
        """Note a step as done."""
        self.steps[key] = Field(record)
        if output is not None:
            self.outputs[key] = output

    def bind(self, step: Step) -> None:
        """Bind what a tool call in a lane leaves in scope."""
        if not self.lanes:
            return
        if step.tool == "inspect":
            depth = (step.args or {}).get("depth", "thread")
            self.names |= _looked_up(depth)
        elif step.tool == "dispatch":
            self.names["dispatched"] = wire_type(DispatchOutput)


def first_scene(specs: Mapping[str, InputSpec], later: Mapping[str, str]) -> Scene:
    """Return what is in scope before the first step; `later` says of each step why it cannot be read yet."""
    steps = {name: Field(ANY, missing=reason) for name, reason in later.items()}
    return Scene(inputs_record(specs), steps, dict(_not_yet_looked_up(outside=True)))


def _looked_up(depth: object) -> dict[str, Type]:
    thread, author = List(wire_type(ThreadItem)), wire_type(AuthorContext)
    if depth == "surface":
        return {
            "thread": Unbound("'thread' needs an inspect of depth thread or author; the one before has depth surface"),
            "author": Unbound(_AUTHOR_NEEDS.format("surface")),
        }
    if depth == "thread":
        return {"thread": thread, "author": Unbound(_AUTHOR_NEEDS.format("thread"))}
    return {"thread": thread, "author": author}


_AUTHOR_NEEDS = "'author' needs an inspect with depth: author; the one before has depth {}"


@cache
def _not_yet_looked_up(*, outside: bool) -> Mapping[str, Type]:
    where = "outside a lane: open one with for_each, or read steps.<id>.output" if outside else None
    names: dict[str, Type] = {
        "author": Unbound(f"'author' is not bound {where or 'before an inspect with depth: author in this lane'}"),
        "thread": Unbound(f"'thread' is not bound {where or 'before an inspect in this lane'}"),
        "dispatched": Unbound(f"'dispatched' is not bound {where or 'before a dispatch in this lane'}"),
    }
    if outside:
        names["signal"] = Unbound("'signal' is not bound outside a lane: open one with for_each: signal")
        names["item"] = Unbound("'item' is not bound outside a lane: open one with for_each")
    for name in ("attempt", "output"):
        names[name] = Unbound(f"{name!r} is only bound in retry's until")
    return names


def is_signal(kind: Type) -> bool:
    """Tell whether values of the type are signals."""
    return isinstance(kind, Record) and kind.name == Signal.__name__
