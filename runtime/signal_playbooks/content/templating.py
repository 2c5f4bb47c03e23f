"""Prompt and draft bodies: Jinja2 in its sandbox, checked before anything is rendered."""

import re
from collections.abc import Collection
from functools import cache
from keyword import iskeyword
from typing import Any

from signal_playbooks.problem import Problem, Span
from signal_playbooks.suggestion import nearest

# What most bodies hold and nothing else: a name, perhaps with what stands in for it and a filter, and an if on one.
_TEXT = r"""(?:"[^"\\{}%\n]*"|'[^'\\{}%\n]*')"""
_NAME = r"([a-z_][a-z0-9_]*)"
_TAG = re.compile(
    rf"\{{\{{ (?:{_NAME}(?: or {_TEXT})?|\({_NAME} or {_TEXT}\))(?: \| tojson)? \}}\}}"
    rf"|\{{% (?:(?P<if>if) {_NAME}(?: == {_TEXT})?|(?P<end>else|endif)) %\}}"
)
_MARK = re.compile(r"\{[{%#]")
_DEEPEST = 20


def is_plain(body: str, names: Collection[str]) -> bool:
    """Tell whether a body holds only plain tags over known names, each `if` closed: then nothing is wrong with it.

    False says nothing yet: whatever goes further is for the template library to judge.
    """
    may_have_else: list[bool] = []  # of each `if` that is open
    at = 0
    while mark := _MARK.search(body, at):
        tag = _TAG.match(body, mark.start())
        if tag is None or not _is_in_place(tag, may_have_else):
            return False
        name = tag[1] or tag[2] or tag[4]
        if name and (name not in names or iskeyword(name)):
            return False
        at = tag.end()
    return not may_have_else


def _is_in_place(tag: re.Match[str], may_have_else: list[bool]) -> bool:
    """Tell whether a tag may stand where it does, and note what it opens or closes."""
    if tag["if"]:
        may_have_else.append(True)
        return len(may_have_else) <= _DEEPEST
    if not tag["end"]:
        return True
    if not may_have_else:
        return False
    was_free = may_have_else.pop()
    if tag["end"] == "else":
        may_have_else.append(False)
        return was_free
    return True


def check_body(body: str, file: str, first_line: int, names: Collection[str]) -> list[Problem]:
    """Return what is wrong with a template body: its syntax, and names it may not use, each at its line."""
    if is_plain(body, names):
        return []  # no need to load the template library
    from jinja2 import TemplateSyntaxError, nodes  # noqa: PLC0415 - slow to import

    lines = body.splitlines()
    environment = sandbox()
    try:
        tree = environment.parse(body)
        environment.compile(tree)  # which also finds filters and tests that do not exist
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
def sandbox() -> Any:
    """Return the one environment that templates are checked and rendered in: sandboxed, and strict about names."""
    from jinja2 import StrictUndefined  # noqa: PLC0415 - slow to import
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    return ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)


def _at(
    file: str, first_line: int, lines: list[str], number: int, rule: str, message: str, word: str | None = None
) -> Problem:
    text = lines[number - 1] if 0 < number <= len(lines) else ""
    start = text.find(word) if word else len(text) - len(text.lstrip())
    start = max(start, 0)
    end = start + len(word) if word else max(len(text), start + 1)
    return Problem(Span(file, first_line + number - 1, start + 1, end + 1, text), rule, message)
