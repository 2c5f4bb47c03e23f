"""Checks on where things go: destinations and sources exist, and no post chooses one."""

import ast
from collections.abc import Collection, Iterator, Mapping

from signal_playbooks.content.checking.context import Check, Path
from signal_playbooks.content.checking.expressions import Reading
from signal_playbooks.content.playbook import Step
from signal_playbooks.content.types import Text, required

# Arguments that choose where something is read from or sent to, by tool: the path, and what it names.
TARGETS: Mapping[str, tuple[tuple[Path, str], ...]] = {
    "listen": ((("scope", "sources"), "source"),),
    "inspect": (),
    "dispatch": ((("params", "destination"), "destination"), (("params", "then_destination"), "destination")),
}


def check_target(check: Check, step: Step, here: Path, filled: Mapping[Path, Reading]) -> None:
    """Check every argument of a call that chooses a place."""
    for path, what in TARGETS[step.tool or "listen"]:
        check_place(check, (*here, "args", *path), value_at(step.args or {}, path), filled, what)


def check_place(
    check: Check, where: Path, value: object, filled: Mapping[Path, Reading], what: str, *, whole: bool = True
) -> None:
    """Check a value that chooses a place (`what`: source, destination); not `whole`: it is only a part of the name."""
    known = check.names.sources if what == "source" else check.names.destinations
    for at, word in _written(check, value, where) if whole else ():
        if word and at not in filled and word not in known:
            check.unknown(at, f"unknown-{what}", what, word, known)
    for at, reading in filled.items():
        if at[: len(where)] == where:
            _check_filled(check, at, reading, what, known if whole else None)


def value_at(args: Mapping[str, object], path: Path) -> object:
    """Return what stands in the arguments at a path, None where nothing does."""
    value: object = args
    for part in path:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _written(check: Check, value: object, where: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, list):
        for place, item in enumerate(value):
            if isinstance(item, str):
                # A list may have been read from a text, which is then one place.
                at = (*where, place)
                yield (at if check.document.at(at) is not None else where), item


def _check_filled(check: Check, at: Path, reading: Reading, what: str, known: Collection[str] | None) -> None:
    kind = required(reading.kind)
    if isinstance(kind, Text) and kind.values is not None:
        for word in kind.values if known is not None else ():
            if known is not None and word not in known:
                check.unknown(at, f"unknown-{what}", what, word, known)
        return
    if any(_comes_from_a_post(expression.tree) for expression in reading.expressions):
        message = f"what a post says must never choose a {what}: write it out, or let an input choose it"
        check.say(at, "tainted-target", message, hint="text of a post is welcome in a note")


def _comes_from_a_post(tree: ast.AST) -> bool:
    """Tell whether the value (not just the choice between values) may be something else than written or an input."""
    match tree:
        case ast.Expression():
            return _comes_from_a_post(tree.body)
        case ast.Constant():
            return False
        case ast.IfExp():
            return _comes_from_a_post(tree.body) or _comes_from_a_post(tree.orelse)
        case ast.List():
            return any(_comes_from_a_post(item) for item in tree.elts)
        case ast.BinOp():
            return _comes_from_a_post(tree.left) or _comes_from_a_post(tree.right)
        case ast.Call():
            return any(_comes_from_a_post(argument) for argument in tree.args)
        case ast.Attribute() | ast.Subscript():
            return _root(tree) != "inputs"
    return True


def _root(tree: ast.AST) -> str:
    while isinstance(tree, ast.Attribute | ast.Subscript):
        tree = tree.value
    return tree.id if isinstance(tree, ast.Name) else ""
