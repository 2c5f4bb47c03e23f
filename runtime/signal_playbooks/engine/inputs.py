"""The inputs of a run: text or JSON values held against what the playbook declares, all complaints at once."""

from collections.abc import Mapping
from typing import Any

from signal_playbooks.content.inputs import Unfit, input_specs, read_value, shown
from signal_playbooks.content.playbook import InputSpec, Playbook
from signal_playbooks.errors import ArgumentError, InvalidArguments
from signal_playbooks.suggestion import did_you_mean


def read_inputs(playbook: Playbook, given: Mapping[str, object]) -> dict[str, object]:
    """Return a value for every input, typed; raise InvalidArguments that names every input which does not fit.

    Text is read by the input's type (`3` for an integer, `a, b` or `["a", "b"]` for a list), never guessed:
    `1.10` for a string stays `1.10`. A null for an input with a default is the default.
    """
    specs = input_specs(playbook)
    errors = [ArgumentError(name, _unknown(name, specs)) for name in given if name not in specs]
    values: dict[str, object] = {}
    missing: list[str] = []
    for name, spec in specs.items():
        value = given.get(name)
        if value is None and spec.required:
            missing.append(name)
            continue
        try:
            values[name] = read_value(spec, spec.default if value is None else value)
        except Unfit as unfit:
            errors.append(ArgumentError(name, f"input {name}: {unfit}"))
    errors += [ArgumentError(name, f"input {name} is missing{_described(specs[name])}") for name in missing]
    if errors:
        raise InvalidArguments(_sentence(playbook.id, errors, missing), errors, _advice(specs, missing))
    return values


def _unknown(name: str, specs: Mapping[str, Any]) -> str:
    known = f"it has {', '.join(specs)}" if specs else "it has none"
    return f"{shown(name)} is no input of this playbook ({known}){did_you_mean(name, specs)}"


def _described(spec: InputSpec) -> str:
    words = f": {spec.description.rstrip('.')}" if spec.description else ""
    if spec.choices:
        words += f" (one of {', '.join(spec.choices)})"
    elif spec.examples:
        words += f" (for example {spec.examples[0]})"
    return words


def _sentence(playbook: str, errors: list[ArgumentError], missing: list[str]) -> str:
    if len(errors) == 1:
        return f"playbook {playbook}: {errors[0].message}"
    if len(missing) == len(errors):
        return f"playbook {playbook} needs {len(missing)} more inputs: " + "; ".join(error.message for error in errors)
    return f"playbook {playbook}: {len(errors)} inputs do not fit: " + "; ".join(error.message for error in errors)


def _advice(specs: Mapping[str, InputSpec], missing: list[str]) -> str:
    if missing:
        return "give " + " ".join(f"--set {name}=…" for name in missing)
    if not specs:
        return "leave the inputs out"
    return "give each input as its type: " + ", ".join(f"{name} ({spec.type})" for name, spec in specs.items())
