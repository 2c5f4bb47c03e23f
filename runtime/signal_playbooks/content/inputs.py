"""The inputs a playbook takes: those it declares, or, where it declares none at all, its placeholders."""

from collections.abc import Iterator, Mapping

from signal_playbooks.content.playbook import InputSpec, Playbook, Step
from signal_playbooks.content.template import has_marks, parse_template
from signal_playbooks.content.tokens import ExpressionInvalid


def input_specs(playbook: Playbook) -> Mapping[str, InputSpec]:
    """Return the declared inputs, or, where the playbook declares none at all, one required text for each `<name>`."""
    if playbook.inputs is not None:
        return playbook.inputs
    return {name: InputSpec() for name in dict.fromkeys(_placeholders(playbook))}


def placeholders_of(playbook: Playbook) -> list[str] | None:
    """Return the names that `<name>` may stand for; None where every one is a placeholder."""
    return None if playbook.inputs is None else list(playbook.inputs)


def _placeholders(playbook: Playbook) -> Iterator[str]:
    for step in playbook.steps:
        for text in filter(has_marks, _texts_of(step)):
            try:
                yield from (placeholder.name for placeholder in parse_template(text, None).placeholders)
            except ExpressionInvalid:
                continue  # the checker tells it where it stands


def _texts_of(step: Step) -> Iterator[str]:
    yield from texts_in(step.args)
    yield from texts_in(step.with_)
    for inner in step.steps or ():
        yield from _texts_of(inner)


def texts_in(value: object) -> Iterator[str]:
    """Yield every text inside a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from texts_in(member)
    elif isinstance(value, list):
        for member in value:
            yield from texts_in(member)
