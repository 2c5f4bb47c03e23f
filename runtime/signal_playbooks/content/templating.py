"""Prompt and draft bodies: Jinja2 in its sandbox, checked before anything is rendered."""

from collections.abc import Collection
from functools import cache
from typing import Any

from signal_playbooks.problem import Problem, Span
from signal_playbooks.suggestion import nearest


def check_body(body: str, file: str, first_line: int, names: Collection[str]) -> list[Problem]:
    """Return what is wrong with a template body: its syntax, and names it may not use, each at its line."""
    if "{" not in body:
        return []  # nothing to fill in: no need to load the template library
    from jinja2 import TemplateSyntaxError, nodes  # noqa: PLC0415 - slow to import

    lines = body.splitlines()
    environment = _sandbox()
    try:
        tree = environment.parse(body)
    except TemplateSyntaxError as error:
        return [
            _at(
                file,
                first_line,
                lines,
                error.lineno,
                "template-syntax",
                f"this template does not read: {error.message}",
            )
        ]
    assigned = {node.name for node in tree.find_all(nodes.Name) if node.ctx == "store"}
    problems = []
    for node in tree.find_all(nodes.Name):
        if (
            node.ctx == "load"
            and node.name not in names
            and node.name not in assigned
            and node.name not in environment.globals
        ):
            near = nearest(node.name, names)
            meant = f"; did you mean {near!r}?" if near else ""
            message = f"{node.name!r} is no name of this template: there is {', '.join(sorted(names))}{meant}"
            problems.append(_at(file, first_line, lines, node.lineno, "template-name", message, node.name))
    return problems


@cache
def _sandbox() -> Any:
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415 - slow to import

    return SandboxedEnvironment(autoescape=False)


def _at(
    file: str, first_line: int, lines: list[str], number: int, rule: str, message: str, word: str | None = None
) -> Problem:
    text = lines[number - 1] if 0 < number <= len(lines) else ""
    start = text.find(word) if word else len(text) - len(text.lstrip())
    start = max(start, 0)
    end = start + len(word) if word else max(len(text), start + 1)
    return Problem(Span(file, first_line + number - 1, start + 1, end + 1, text), rule, message)
