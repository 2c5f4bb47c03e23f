"""What every check is given: the playbook, where its words stand, what may be named, and where to complain."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from signal_playbooks.content.document import Document
from signal_playbooks.content.expression import Expression, parse_expression
from signal_playbooks.content.playbook import Playbook, Step
from signal_playbooks.content.template import Template, parse_template
from signal_playbooks.problem import Problem, Severity, Span
from signal_playbooks.suggestion import did_you_mean

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Names:
    """What content may name: by kind, the ids that exist; and the playbooks themselves, with where they stand."""

    sources: Collection[str]
    destinations: Collection[str]
    playbooks: Mapping[str, Playbook]
    documents: Mapping[str, Document] = field(default_factory=dict)
    broken: Collection[str] = ()


@dataclass(slots=True)
class Check:
    """One playbook under check; `problems` grows."""

    document: Document
    playbook: Playbook
    names: Names
    problems: list[Problem] = field(default_factory=list)
    used_inputs: set[str] = field(default_factory=set)
    within_bounds: set[tuple[str, tuple[str, ...], str]] = field(default_factory=set)
    _steps: tuple[tuple[Path, Step], ...] = ()
    _expressions: dict[str, Expression] = field(default_factory=dict)
    _templates: dict[str, Template] = field(default_factory=dict)

    @property
    def steps(self) -> tuple[tuple[Path, Step], ...]:
        """Return every step of the playbook with its path, outer before inner, in the order written."""
        if not self._steps:
            self._steps = tuple(walk(self.playbook.steps))
        return self._steps

    def expression(self, text: str) -> Expression:
        """Return a bare expression of the playbook, read once however often it is written; raises ExpressionInvalid."""
        if text not in self._expressions:
            self._expressions[text] = parse_expression(text)
        return self._expressions[text]

    def template(self, text: str) -> Template:
        """Return a text argument of the playbook, read once however often it is written; raises ExpressionInvalid."""
        if text not in self._templates:
            self._templates[text] = parse_template(text, self.playbook.inputs)
        return self._templates[text]

    def say(
        self,
        path: Path,
        rule: str,
        message: str,
        *,
        severity: Severity = "error",
        hint: str | None = None,
        within: tuple[int, int] | None = None,
        related: Sequence[tuple[Span, str]] = (),
    ) -> None:
        """Complain about the value at a path, or about a part of its text (`within`, characters)."""
        node = self.document.at(path)
        if node is None:
            self.say_key(path, rule, message, severity=severity, hint=hint, related=related)
            return
        problem = self.document.problem(node, rule, message, severity=severity, hint=hint, within=within)
        both = (*problem.related, *related)
        self.problems.append(Problem(problem.span, rule, message, severity, hint, both))

    def say_key(
        self,
        path: Path,
        rule: str,
        message: str,
        *,
        severity: Severity = "error",
        hint: str | None = None,
        related: Sequence[tuple[Span, str]] = (),
    ) -> None:
        """Complain about the key at a path."""
        span = self.document.key_span(path)
        self.problems.append(Problem(span, rule, message, severity, hint, tuple(related)))

    def unknown(self, path: Path, rule: str, what: str, word: str, known: Collection[str]) -> None:
        """Complain about a name that does not exist, with the one that was probably meant."""
        self.say(path, rule, f"{word!r} is no {what}: {expected(sorted(known))}{did_you_mean(word, known)}")


def walk(steps: Sequence[Step], path: Path = ("steps",)) -> Iterator[tuple[Path, Step]]:
    """Yield every step with its path, outer before inner, in the order written."""
    for index, step in enumerate(steps):
        here = (*path, index)
        yield here, step
        if step.steps is not None:
            yield from walk(step.steps, (*here, "steps"))


def expected(known: Sequence[str]) -> str:
    """Return what would have been right: "expected one of a, b", "expected a", or that there is nothing."""
    if not known:
        return "there is none"
    return f"expected {known[0]}" if len(known) == 1 else f"expected one of {', '.join(known)}"


def kind_of(step: Step) -> str:
    """Return what a step is, by the key that makes it so; empty where none or several do."""
    present = [kind for kind in ("tool", "use", "filter", "steps") if getattr(step, kind) is not None]
    return present[0] if len(present) == 1 else ""
