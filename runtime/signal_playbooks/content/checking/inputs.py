"""Checks on declared inputs: defaults and examples fit their type, and each is used."""

import re
from collections.abc import Collection, Iterator

from signal_playbooks.content.checking.aims import aims_of
from signal_playbooks.content.checking.context import Check, Path
from signal_playbooks.content.checking.targets import check_place
from signal_playbooks.content.inputs import Unfit, input_specs, read_value
from signal_playbooks.content.playbook import InputSpec
from signal_playbooks.suggestion import nearest

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_PLACEHOLDER = re.compile(r"<([A-Za-z_][A-Za-z0-9_]*)>")
_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "date": "a date such as 2026-04-16, in quotes or not",
    "duration": "a duration such as 30s or 3d",
}


def check_inputs(check: Check) -> None:
    """Check what can be said of the inputs before the walk."""
    if check.playbook.inputs is None:
        _note_implicit(check)
    for name, spec in (check.playbook.inputs or {}).items():
        path: Path = ("inputs", name)
        _check_form(check, path, spec)
        if not spec.required and spec.default is not None:
            _check_value(check, (*path, "default"), spec, spec.default)
        for place, example in enumerate(spec.examples):
            _check_value(check, (*path, "examples", place), spec, example)
    specs = input_specs(check.playbook)
    for name, aims in aims_of(check.playbook, check.names.playbooks).items():
        for aim in sorted(aims) if name in specs else ():
            check_place(check, ("inputs", name, "default"), specs[name].default, {}, aim.what, whole=aim.whole)


def check_used(check: Check) -> None:
    """Check, after the walk, that each declared input was read, and that no `<name>` is a mistyped one."""
    declared = check.playbook.inputs or {}
    for name in declared:
        if name not in check.used_inputs:
            message = f"input {name!r} is declared and never used: use it as {{{{ inputs.{name} }}}}, or take it out"
            check.say_key(("inputs", name), "unused-input", message, severity="warning")
    if check.playbook.inputs is not None:
        _check_mistyped(check, declared)


def _note_implicit(check: Check) -> None:
    names = list(input_specs(check.playbook))
    if names:
        spoken = ", ".join(f"<{name}>" for name in names)
        message = f"this playbook declares no inputs, so {spoken} is taken as required text"
        check.say_key(("steps",), "implicit-input", message, severity="note", hint="declare it under inputs")


def _check_form(check: Check, path: Path, spec: InputSpec) -> None:
    if spec.type == "choice" and spec.choices is None:
        check.say((*path, "type"), "input-type", "an input of type choice needs choices: the list of values allowed")
    if spec.type != "choice" and spec.choices is not None:
        message = f"choices belong to an input of type choice, and this one is {spec.type}"
        check.say_key((*path, "choices"), "input-type", message, hint="write type: choice")
    if spec.type != "list" and spec.items is not None:
        message = f"items belong to an input of type list, and this one is {spec.type}"
        check.say_key((*path, "items"), "input-type", message, hint="write type: list")


def _check_value(check: Check, path: Path, spec: InputSpec, value: object) -> None:
    what = "example" if "examples" in path else "default"
    if spec.type == "choice" and spec.choices is None:
        return  # which is told already
    try:
        fits = value is not None and read_value(spec, value) is not None
        place = None
    except Unfit as unfit:
        fits, place = False, unfit.place
    if fits:
        return
    if spec.type == "choice":
        check.say(path, "input-default", f"the {what} is none of the choices: {', '.join(spec.choices or ())}")
    elif place is not None:
        words = _needed(spec.items or "string", value[place] if isinstance(value, list) else None)
        at = (*path, place) if isinstance(value, list) else path
        check.say(at, "input-default", f"an item of this list has to be {words}")
    elif spec.type == "list":
        check.say(path, "input-default", f"the {what} of a list is a list, such as [] or [one, two]")
    else:
        check.say(path, "input-default", f"the {what} of this {spec.type} has to be {_needed(spec.type, value)}")


def _needed(kind: str, value: object) -> str:
    is_written_as_one = kind == "date" and isinstance(value, str) and _DATE.fullmatch(value)
    return "a date that exists" if is_written_as_one else _WORDS[kind]


def _check_mistyped(check: Check, declared: Collection[str]) -> None:
    for path, step in check.steps:
        for key, value in (("args", step.args), ("with", step.with_), ("for_each", _listed(step.for_each))):
            for where, text in _placed((*path, key), value):
                for found in _PLACEHOLDER.finditer(text) if "<" in text else ():
                    word = found[1]
                    near = nearest(word, declared) if word not in declared else None
                    if near:
                        message = f"<{word}> stays as it is, for no input is called so; did you mean <{near}>?"
                        within = found.span()
                        check.say(where, "mistyped-placeholder", message, severity="warning", within=within)


def _placed(path: Path, value: object) -> Iterator[tuple[Path, str]]:
    """Yield every text inside a value, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from _placed((*path, key), member)
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from _placed((*path, place), member)


def _listed(for_each: object) -> object:
    return for_each if isinstance(for_each, list) else None
