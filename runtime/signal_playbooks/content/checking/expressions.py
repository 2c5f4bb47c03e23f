"""How one expression or template of a file is read against a scope, its complaints put where they stand."""

from dataclasses import dataclass, replace

from signal_playbooks.content.checking.context import Check, Path
from signal_playbooks.content.expression import Expression
from signal_playbooks.content.inference import check_condition, infer, infer_template
from signal_playbooks.content.tokens import Complaint, ExpressionInvalid
from signal_playbooks.content.types import ANY, List, Scope, Type, describe, required


@dataclass(frozen=True, slots=True)
class Reading:
    """What an expression turned out to be: its type, the steps it reads, and whether it had nothing wrong."""

    kind: Type = ANY
    steps: frozenset[str] = frozenset()
    sound: bool = False
    expressions: tuple[Expression, ...] = ()

    @property
    def words(self) -> str:
        """Return the type in words."""
        return describe(self.kind)

    @property
    def item_type(self) -> Type:
        """Return the type of the items, where it is a list."""
        kind = required(self.kind)
        return kind.item if isinstance(kind, List) else ANY


class LaneScope(dict[str, Type]):
    """Names in scope; `unnamed` is the variable of the lane here, where its loop gave it no name of its own."""

    def __init__(self, names: Scope, unnamed: str | None) -> None:
        super().__init__(names)
        self.unnamed = unnamed


def infer_at(check: Check, path: Path, text: str, scope: Scope) -> Reading:
    """Read a bare expression that stands at a path."""
    expression = _parsed(check, path, text)
    if expression is None:
        return Reading()
    kind, complaints = infer(expression, scope)
    return _reading(check, path, kind, _in_lane(complaints, text, scope), (expression,))


def check_condition_at(check: Check, path: Path, text: str, scope: Scope) -> Reading:
    """Read a condition that stands at a path: it has to be a boolean, and able to be true and false."""
    expression = _parsed(check, path, text)
    if expression is None:
        return Reading()
    return _reading(check, path, ANY, _in_lane(check_condition(expression, scope), text, scope), (expression,))


def template_at(check: Check, path: Path, text: str, scope: Scope) -> Reading | None:
    """Read a text argument: None where nothing in it is to be filled in, else what it will be."""
    try:
        template = check.template(text)
    except ExpressionInvalid as invalid:
        _tell(check, path, [invalid.complaint])
        return Reading()
    if not template.expressions:
        return None
    kind, complaints = infer_template(template, scope)
    return _reading(check, path, kind, _in_lane(complaints, text, scope), template.expressions)


def _parsed(check: Check, path: Path, text: str) -> Expression | None:
    try:
        return check.expression(text)
    except ExpressionInvalid as invalid:
        _tell(check, path, [invalid.complaint])
        return None


def _reading(
    check: Check, path: Path, kind: Type, complaints: list[Complaint], expressions: tuple[Expression, ...]
) -> Reading:
    steps: set[str] = set()
    for expression in expressions:
        for read in expression.paths:
            if read.parts[0] == "inputs" and len(read.parts) > 1:
                check.used_inputs.add(str(read.parts[1]))
            elif read.parts[0] == "steps" and len(read.parts) > 1:
                steps.add(str(read.parts[1]))
    _tell(check, path, complaints)
    return Reading(kind, frozenset(steps), not any(c.severity == "error" for c in complaints), expressions)


def _in_lane(complaints: list[Complaint], text: str, scope: Scope) -> list[Complaint]:
    """Return the complaints; where a name is unknown that a loop may have been meant to give, the hint says so."""
    variable = scope.unnamed if isinstance(scope, LaneScope) else None
    return [_lane_hint(complaint, text, variable) if variable else complaint for complaint in complaints]


def _lane_hint(complaint: Complaint, text: str, variable: str) -> Complaint:
    word, after = text[complaint.start : complaint.end], text[complaint.end : complaint.end + 1]
    is_meant = complaint.rule == "unknown-name" and after == "." and "did you mean" not in complaint.message
    if not is_meant:
        return complaint
    return replace(complaint, hint=f"this lane's variable is called {variable!r}; as: {word} gives it that name")


def _tell(check: Check, path: Path, complaints: list[Complaint]) -> None:
    for complaint in complaints:
        check.say(
            path,
            complaint.rule,
            complaint.message,
            severity=complaint.severity,
            hint=complaint.hint,
            within=(complaint.start, complaint.end),
        )
