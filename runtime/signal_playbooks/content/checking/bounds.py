"""What an input may be, held against the bounds of the argument that takes it whole, before a run finds out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from signal_playbooks.content.checking.context import Check, Path
from signal_playbooks.content.checking.expressions import Reading
from signal_playbooks.content.fitting import fit
from signal_playbooks.content.node import Mapping as MappingNode
from signal_playbooks.content.node import Node, Scalar
from signal_playbooks.content.playbook import InputSpec
from signal_playbooks.contract.tools import INPUTS, ToolName
from signal_playbooks.problem import Problem

# Rules of the generic fitting, as they are called where the value is an argument.
_RULES: Mapping[str, str] = {
    "unknown-key": "unknown-arg",
    "missing-key": "missing-arg",
    "bad-value": "bad-arg",
    "bad-type": "bad-arg",
}


def check_bounds(check: Check, tool: ToolName, filled: Mapping[Path, Reading], args: Path) -> None:
    """Check the default and the choices of every input that is all of an argument.

    A step with a `when` is for the caller to leave out: there the condition may keep a value away.
    """
    for path, reading in filled.items():
        name = _input_of(check, path, reading)
        inner = tuple(part for part in path[len(args) :] if isinstance(part, str))
        if name is None or len(inner) != len(path) - len(args):
            continue
        for value, what in _values(check.playbook.inputs[name]) if check.playbook.inputs else ():
            node = check.document.at(path)
            same = (tool, inner, repr(value))
            if node is None or same in check.within_bounds:
                continue  # a value that fitted once fits wherever that argument takes it
            if _hold(check, tool, _nested(inner, _scalar(value, node)), f"{what} of input {name!r} is {value}"):
                check.within_bounds.add(same)


def _input_of(check: Check, path: Path, reading: Reading) -> str | None:
    """Return the declared input that is all of a text argument, None where it is something else."""
    node = check.document.at(path)
    if not reading.sound or not isinstance(node, Scalar):
        return None
    single = check.template(node.text).single
    if single is None or len(single.paths) != 1 or single.paths[0].text != single.text.strip():
        return None
    parts = single.paths[0].parts
    name = str(parts[-1])
    return name if len(parts) == 2 and parts[0] == "inputs" and name in (check.playbook.inputs or {}) else None


def _values(spec: InputSpec) -> Iterator[tuple[str | int | float | bool, str]]:
    if spec.type == "choice":
        yield from ((choice, "a choice") for choice in spec.choices or ())
    elif isinstance(spec.default, str | int | float):
        yield spec.default, "the default"


def _hold(check: Check, tool: ToolName, node: MappingNode, origin: str) -> bool:
    """Complain where the value does not fit; return whether it does."""
    _, problems = fit(check.document, node, INPUTS[tool])
    wrong = [as_argument(problem, tool) for problem in problems if problem.rule != "missing-key"]
    check.problems += [replace(said, message=f"{said.message}; {origin}", hint=None) for said in wrong]
    return not wrong


def _scalar(value: str | float | bool, node: Node) -> Scalar:
    if isinstance(value, str):
        return Scalar(value, "double", node.start, node.end)
    return Scalar(str(value).lower(), "plain", node.start, node.end)


def _nested(path: tuple[str, ...], node: Node) -> MappingNode:
    """Return a mapping in which the node stands at a path; every part of it stands where the node does."""
    for name in reversed(path):
        key = Scalar(name, "plain", node.start, node.end)
        node = MappingNode(((key, node),), False, node.start, node.end, None, {name: 0})
    assert isinstance(node, MappingNode)  # noqa: S101 - an argument has a name
    return node


def as_argument(problem: Problem, tool: str) -> Problem:
    """Return what the fitting of an argument complains about as the rule and words it has for arguments."""
    rule = _RULES.get(problem.rule, problem.rule)
    if problem.rule == "missing-key":
        message = f"{tool} needs {problem.message.rpartition(' ')[2]}"
    else:
        message = problem.message.replace("is not a key of this mapping", f"is no argument of {tool}")
    return replace(problem, rule=rule, message=message)
