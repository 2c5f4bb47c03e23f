"""Which inputs of a playbook choose a place that something is read from or sent to, there or in what it uses."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from signal_playbooks.content.checking.context import walk
from signal_playbooks.content.checking.targets import TARGETS, value_at
from signal_playbooks.content.inputs import placeholders_of, texts_in
from signal_playbooks.content.playbook import Playbook, Step
from signal_playbooks.content.template import has_marks, parse_template
from signal_playbooks.content.tokens import ExpressionInvalid


class Aim(NamedTuple):
    """What an input chooses (`source` or `destination`); `whole` where its value is the name, not a part of one."""

    what: str
    whole: bool


Aims = Mapping[str, frozenset[Aim]]


def aims_of(playbook: Playbook, playbooks: Mapping[str, Playbook]) -> Aims:
    """Return what each input of a playbook chooses, through every playbook it uses; inputs that choose nothing lack."""
    return _aims(playbook, playbooks, {})


def _aims(playbook: Playbook, playbooks: Mapping[str, Playbook], known: dict[str, Aims]) -> Aims:
    if playbook.id in known:
        return known[playbook.id]
    known[playbook.id] = {}  # a playbook that uses itself is told elsewhere
    found: dict[str, set[Aim]] = {}
    for _, step in walk(playbook.steps):
        for value, aim in _aimed(step, playbooks, known):
            for name, whole in _choosers(value, playbook):
                found.setdefault(name, set()).add(Aim(aim.what, whole and aim.whole))
    known[playbook.id] = {name: frozenset(aims) for name, aims in found.items()}
    return known[playbook.id]


def _aimed(step: Step, playbooks: Mapping[str, Playbook], known: dict[str, Aims]) -> Iterator[tuple[object, Aim]]:
    """Yield every value of a step that chooses a place, with what it chooses."""
    for path, what in TARGETS[step.tool] if step.tool else ():
        yield value_at(step.args or {}, path), Aim(what, whole=True)
    used = playbooks.get(step.use) if step.use else None
    for name, aims in (_aims(used, playbooks, known) if used else {}).items():
        for aim in aims:
            yield (step.with_ or {}).get(name), aim


def _choosers(value: object, playbook: Playbook) -> Iterator[tuple[str, bool]]:
    """Yield the inputs that a value is made of, each with whether it is all of a name."""
    for text in filter(has_marks, texts_in(value)):
        try:
            template = parse_template(text, placeholders_of(playbook))
        except ExpressionInvalid:
            continue  # the checker tells it where it stands
        for expression in template.expressions:
            tree = expression.tree
            whole = template.single is expression and isinstance(tree, ast.Attribute | ast.Subscript)
            yield from ((name, whole) for name in _inputs_in(tree))


def _inputs_in(tree: ast.AST) -> Iterator[str]:
    match tree:
        case ast.IfExp():
            yield from _inputs_in(tree.body)
            yield from _inputs_in(tree.orelse)
        case ast.Attribute(value=ast.Name(id="inputs")):
            yield tree.attr
        case ast.Subscript(value=ast.Name(id="inputs"), slice=ast.Constant(value=str() as name)):
            yield name
        case ast.Attribute() | ast.Subscript():
            yield from _inputs_in(tree.value)
        case _:
            for part in ast.iter_child_nodes(tree):
                yield from _inputs_in(part)
