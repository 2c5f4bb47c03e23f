"""Checks on what a step gives the playbook it uses: each value as the input's type, and no post choosing a place."""

from collections.abc import Mapping

from signal_playbooks.content.checking.aims import Aim
from signal_playbooks.content.checking.arguments import filled_in, fits_at, infer_filled
from signal_playbooks.content.checking.context import Check, Path
from signal_playbooks.content.checking.expressions import Reading
from signal_playbooks.content.checking.scene import Scene, input_type
from signal_playbooks.content.checking.targets import check_place
from signal_playbooks.content.inputs import Unfit, read_value
from signal_playbooks.content.node import Node, Sequence
from signal_playbooks.content.playbook import InputSpec
from signal_playbooks.content.types import ANY, List, required


def check_given(check: Check, path: Path, spec: InputSpec, aims: frozenset[Aim], scene: Scene) -> Reading:
    """Check the value given for one input of a used playbook, as a run would read it; return what it reads."""
    node = check.document.at(path)
    if node is None:
        return Reading()
    filled = dict(filled_in(check, node, path, scene.scope()))
    value = check.document.python(node)
    if not filled:
        value = _read(check, path, node, spec, value)
    elif spec.type == "list" and isinstance(node, Sequence):
        _check_items(check, path, node, spec, filled)
    else:
        infer_filled(check, path, node, input_type(spec), filled)
    for aim in sorted(aims):
        check_place(check, path, value, filled, aim.what, whole=aim.whole)
    return Reading(steps=frozenset().union(*(reading.steps for reading in filled.values())))


def _read(check: Check, path: Path, node: Node, spec: InputSpec, value: object) -> object:
    """Return a value that is written out, as a run reads it; None where it does not fit."""
    if spec.type == "choice" and spec.choices is None:
        return None  # which is told where the input is declared
    try:
        return read_value(spec, value)
    except Unfit as unfit:
        at = path if unfit.place is None or not isinstance(node, Sequence) else (*path, unfit.place)
        check.say(at, "bad-arg", f"{path[-1]}: {unfit}")
        return None


def _check_items(check: Check, path: Path, node: Sequence, spec: InputSpec, filled: Mapping[Path, Reading]) -> None:
    """Check each item of a list of which some are filled in."""
    if spec.items is None:
        return
    kind = required(input_type(spec))
    wanted = kind.item if isinstance(kind, List) else ANY
    for place, item in enumerate(node.items):
        at = (*path, place)
        if at in filled:
            fits_at(check, at, filled[at], wanted, f"an item of {path[-1]}")
        else:
            _read(check, at, item, InputSpec(type=spec.items), check.document.python(item))
