"""Arguments of a step held against the tool's own schema: written values exactly, expressions by their type."""

from collections.abc import Iterator, Mapping

from signal_playbooks.content.checking.actions import check_action
from signal_playbooks.content.checking.bounds import as_argument, check_bounds
from signal_playbooks.content.checking.context import Check, Path
from signal_playbooks.content.checking.expressions import Reading, template_at
from signal_playbooks.content.checking.scene import Scene, wire_type
from signal_playbooks.content.checking.targets import check_target
from signal_playbooks.content.fitting import fit
from signal_playbooks.content.node import Mapping as MappingNode
from signal_playbooks.content.node import Node, Scalar, Sequence
from signal_playbooks.content.playbook import Step
from signal_playbooks.content.template import has_marks
from signal_playbooks.content.types import (
    ANY,
    Field,
    List,
    Record,
    Scope,
    Text,
    Type,
    describe,
    fits,
    from_model,
    required,
)
from signal_playbooks.contract.tools import INPUTS, ToolName

# The required texts of each besides signal_id, and one that fits, to stand where an expression fills them in.
_REQUIRED: Mapping[str, Mapping[str, str]] = {
    "listen": {"query": "given"},
    "inspect": {},
    "dispatch": {"action": "archive"},
}


def check_arguments(check: Check, step: Step, here: Path, scene: Scene) -> Reading:
    """Check the arguments of a tool call; return what they read."""
    tool = step.tool or "listen"
    path = (*here, "args")
    node = check.document.at(path) if step.args is not None else None
    filled: dict[Path, Reading] = {}
    if isinstance(node, MappingNode):
        filled = dict(filled_in(check, node, path, scene.scope()))
        fitting = _check_types(check, tool, filled, path)
        if step.when is None:
            check_bounds(check, tool, fitting, path)
        _check_written(check, tool, node, here, filled)
    elif step.args is None and tool != "inspect":
        _missing(check, here, tool, step)
    _check_signal_id(check, step, here, scene)
    check_target(check, step, here, filled)
    check_action(check, step, here)
    return Reading(steps=frozenset().union(*(reading.steps for reading in filled.values())))


def infer_value(check: Check, path: Path, wanted: Type, scene: Scene) -> Reading:
    """Check one value, written or filled in, against the type that is wanted there; return what it reads."""
    node = check.document.at(path)
    if node is None:
        return Reading()
    return infer_filled(check, path, node, wanted, dict(filled_in(check, node, path, scene.scope())))


def infer_filled(check: Check, path: Path, node: Node, wanted: Type, filled: Mapping[Path, Reading]) -> Reading:
    """Check a value of which the parts that are filled in are read already."""
    whole = filled.get(path)
    if whole is not None:
        fits_at(check, path, whole, wanted, str(path[-1]))
        return whole
    steps = frozenset().union(*(reading.steps for reading in filled.values()))
    found = _written_type(check, node, path, filled)
    if not fits(found, wanted):
        message = f"{path[-1]} is {describe(found)}, and {describe(wanted)} is expected"
        check.say(path, "bad-arg", message)
    return Reading(found, steps)


def _written_type(check: Check, node: Node, path: Path, filled: Mapping[Path, Reading]) -> Type:
    if path in filled:
        return filled[path].kind
    if isinstance(node, Sequence):
        items = [_written_type(check, item, (*path, place), filled) for place, item in enumerate(node.items)]
        return List(items[0] if items and all(item == items[0] for item in items) else ANY)
    if isinstance(node, MappingNode):
        fields = {
            key.text: Field(_written_type(check, value, (*path, key.text), filled)) for key, value in node.entries
        }
        return Record("map", fields)
    return from_model(type(node.value))


def filled_in(check: Check, node: Node, path: Path, scope: Scope) -> Iterator[tuple[Path, Reading]]:
    """Yield every text under a node in which something is filled in, with what it will be."""
    if isinstance(node, MappingNode):
        for key, value in node.entries:
            yield from filled_in(check, value, (*path, key.text), scope)
    elif isinstance(node, Sequence):
        for place, item in enumerate(node.items):
            yield from filled_in(check, item, (*path, place), scope)
    elif has_marks(node.text):
        reading = template_at(check, path, node.text, scope)
        if reading is not None:
            yield path, reading


def _check_types(check: Check, tool: ToolName, filled: Mapping[Path, Reading], args: Path) -> dict[Path, Reading]:
    """Check what is filled in against the types of the arguments; return what fits where it stands."""
    fitting: dict[Path, Reading] = {}
    for path, reading in filled.items():
        wanted = wanted_at(wire_type(INPUTS[tool]), path[len(args) :])
        if wanted is not None and reading.sound and fits_at(check, path, reading, wanted, _spoken(path[len(args) :])):
            fitting[path] = reading
    return fitting


def fits_at(check: Check, path: Path, reading: Reading, wanted: Type, name: str) -> bool:
    """Tell whether what is filled in at a path may stand where a type is wanted, and complain where it may not."""
    if fits(reading.kind, wanted):
        return True
    is_free_text = isinstance(required(wanted), Text) and _allowed(wanted) == describe(wanted)
    hint = 'an expression alone keeps its type; with a word beside it, as in "{{ … }} posts", it is text'
    message = f"{name} needs {_allowed(wanted)}, and this is {_allowed(reading.kind)}"
    check.say(path, "bad-arg", message, hint=hint if is_free_text else None)
    return False


def _allowed(kind: Type) -> str:
    values = getattr(required(kind), "values", None)
    return f"one of {', '.join(values)}" if values else describe(kind)


def wanted_at(kind: Type, path: Path) -> Type | None:
    """Return the type that a tool's schema wants at a path, None where the schema has no such place."""
    for part in path:
        kind = required(kind)
        if isinstance(kind, Record) and isinstance(part, str) and part in kind.fields:
            kind = kind.fields[part].type
        elif isinstance(kind, List) and isinstance(part, int):
            kind = kind.item
        else:
            return None
    return kind


def _spoken(path: Path) -> str:
    return ".".join(str(part) for part in path if isinstance(part, str))


def _check_written(check: Check, tool: ToolName, node: MappingNode, here: Path, filled: Mapping[Path, Reading]) -> None:
    """Hold what is written out against the schema; what is filled in, or implied in a lane, counts as given."""
    args = (*here, "args")
    written = _without(node, args, filled)
    if tool != "listen":
        written = _given(written, "signal_id", "given")
    for name, text in _REQUIRED[tool].items():
        if (*args, name) in filled:
            written = _given(written, name, text)
    _, problems = fit(check.document, written, INPUTS[tool])
    check.problems += [as_argument(problem, tool) for problem in problems]


def _given(node: MappingNode, name: str, text: str) -> MappingNode:
    """Return the mapping with a text under the name: what is filled in, or implied in a lane, counts as given."""
    if node.get(name) is not None:
        return node
    key, value = Scalar(name, "plain", node.start, node.end), Scalar(text, "plain", node.start, node.end)
    entries = (*node.entries, (key, value))
    places = {**node.places, name: len(node.entries)}
    return MappingNode(entries, node.flow, node.start, node.end, node.alias, places)


def _without(node: MappingNode, path: Path, filled: Mapping[Path, Reading]) -> MappingNode:
    """Return the mapping without the parts that are filled in; places stay as they are."""
    if not filled:
        return node
    kept = tuple(
        (key, _inner_without(value, (*path, key.text), filled))
        for key, value in node.entries
        if (*path, key.text) not in filled
    )
    places = {key.text: place for place, (key, _) in enumerate(kept)}
    return MappingNode(kept, node.flow, node.start, node.end, node.alias, places)


def _inner_without(node: Node, path: Path, filled: Mapping[Path, Reading]) -> Node:
    if isinstance(node, MappingNode):
        return _without(node, path, filled)
    if isinstance(node, Sequence):
        items = enumerate(node.items)
        kept = tuple(_inner_without(item, (*path, n), filled) for n, item in items if (*path, n) not in filled)
        return Sequence(kept, node.flow, node.start, node.end, node.alias)
    return node


def _missing(check: Check, here: Path, tool: str, step: Step) -> None:
    needed = {"listen": "query", "dispatch": "action"}[tool]
    if step.tool:
        check.say_key((*here, "tool"), "missing-arg", f"{tool} needs args, with {needed} at least")


def _check_signal_id(check: Check, step: Step, here: Path, scene: Scene) -> None:
    if step.tool == "listen" or "signal_id" in (step.args or {}) or scene.signal_variable is not None:
        return
    message = f"{step.tool} needs signal_id here: no lane around it has a signal"
    hint = "open lanes with for_each: signal, or write signal_id"
    check.say_key((*here, "tool"), "missing-arg", message, hint=hint)
