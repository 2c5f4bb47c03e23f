"""The tables of the authors' reference that repeat the code, made from it; as a script, it writes them into the page."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from signal_playbooks import errors
from signal_playbooks.content.checking.structure import RESERVED
from signal_playbooks.content.functions import FUNCTIONS
from signal_playbooks.content.model import DURATION_PATTERN
from signal_playbooks.content.playbook import Budget, InputSpec, Playbook, Retry, Schedule, Step
from signal_playbooks.content.rules import RULES
from signal_playbooks.content.types import Boolean, List, Moment, Optional, Record, Text, Type, describe, from_model
from signal_playbooks.contract.dispatch import (
    ACTION_PARAMS,
    PHASE_PARAMS,
    DispatchInput,
    DispatchOutput,
    DispatchParams,
)
from signal_playbooks.contract.inspect import AuthorContext, InspectInput, InspectOutput, Link, ThreadItem
from signal_playbooks.contract.listen import Coverage, ListenInput, ListenOutput, ListenScope, QueryPlan
from signal_playbooks.contract.signal import Engagement, OtherIntent, Place, Signal, SignalAuthor
from signal_playbooks.engine.result import EXIT_CODES, Act
from signal_playbooks.problem import Severity

PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
_TABLE = re.compile(r"(?P<head><!-- table: (?P<name>\w+) -->\n).*?(?P<foot>^<!-- end -->$)", re.MULTILINE | re.DOTALL)

# What a default of null comes to; the models leave it to whoever reads them.
_MEANT: Mapping[tuple[type[BaseModel], str], str] = {
    (InputSpec, "default"): "none: the input is required",
    (InputSpec, "items"): "`string`",
    (Step, "id"): "tool and place: `inspect_2`",
    (Step, "as"): "`signal` for signals, else `item`",
    (Step, "on_error"): "`stop`; with `for_each`: `continue`",
    (Playbook, "inputs"): "each `<name>`, required",
}
# Written by hand where the annotation says less than an author has to know.
_TAKES: Mapping[tuple[type[BaseModel], str], str] = {
    (InputSpec, "default"): "a value of the type",
    (InputSpec, "examples"): "a list of such values",
    (Step, "args"): "a map, [see below](#tools)",
    (Step, "with"): "a map of inputs",
    (Step, "for_each"): "`signal`, an expression, or a list",
    (Step, "when"): "a condition, or `otherwise`",
    (Step, "filter"): "a condition",
    (Step, "steps"): "a list of steps",
    (Step, "retry"): "a map, [see below](#retry-timeout-until)",
    (Retry, "until"): "a condition",
    (Retry, "factor"): "a number, 1–10",
    (Playbook, "inputs"): "a map of names, [see below](#inputs)",
    (Playbook, "budget"): "a map, [see below](#budget-and-effects)",
    (Playbook, "schedule"): "a map, [see below](#schedule)",
    (Playbook, "steps"): "a list of steps",
    (Playbook, "outputs"): "a map of names to expressions",
}


def tables() -> dict[str, str]:
    """Return every table of the page by its name, as Markdown."""
    return {name: make() for name, make in _TABLES.items()}


def rewritten(page: str) -> str:
    """Return the page with each table between its markers as the code has it; KeyError for one there is not."""
    made = tables()
    return _TABLE.sub(lambda found: f"{found['head']}{made[found['name']]}\n{found['foot']}", page)


def named_in(page: str) -> list[str]:
    """Return the names of the tables that the page holds, in order."""
    return [found["name"] for found in _TABLE.finditer(page)]


def table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """Return a Markdown table; a bar inside a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


# --- what authors write ----------------------------------------------------------------------------------------------


def _keys(model: type[BaseModel]) -> Callable[[], str]:
    def rows() -> Iterator[Sequence[str]]:
        for name, field in model.model_fields.items():
            key = field.alias or name
            yield f"`{key}`", _takes(model, key, field), _default(model, key, field), field.description or ""

    return lambda: table(("key", "takes", "default", "meaning"), rows())


def _takes(model: type[BaseModel], key: str, field: FieldInfo) -> str:
    if written := _TAKES.get((model, key)):
        return written
    annotation = field.annotation
    inner = next((one for one in get_args(annotation) if one is not type(None)), annotation)
    inner = inner if type(None) in get_args(annotation) else annotation
    marked = str(field.metadata) + repr(inner)
    for special, words in (
        (DURATION_PATTERN, "a duration"),
        ("_is_duration", "a duration"),
        ("_is_nameable", "a name"),
        ("_as_expression", "an expression"),
    ):
        if special in marked:
            return f"a list of {words[2:]}s" if str(inner).startswith("list") else words
    return _bounds(field, _words(from_model(inner)))


def _words(kind: Type) -> str:
    match kind:
        case Text(values=tuple() as values):
            return ", ".join(f"`{value}`" for value in values)
        case List(item=Text(values=tuple() as values)):
            return f"a list of {', '.join(f'`{value}`' for value in values)}"
        case Boolean():
            return "`true` or `false`"
        case Moment():
            return "a moment, RFC 3339"
        case Record():
            return "a map"
        case List(item=Record()):
            return "a list of maps"
        case Optional():
            return f"{_words(kind.inner)} or null"
        case _:
            return describe(kind)


def _bounds(field: FieldInfo, words: str) -> str:
    low = next((one.ge for one in field.metadata if hasattr(one, "ge")), None)
    high = next((one.le for one in field.metadata if hasattr(one, "le")), None)
    longest = next((one.max_length for one in field.metadata if getattr(one, "max_length", None)), None)
    if low is not None:
        return f"{words}, {low:,}–{high:,}" if high is not None else f"{words}, {low:,} or more"
    return f"{words}, at most {longest:,} characters" if longest else words


def _default(model: type[BaseModel], key: str, field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if meant := _MEANT.get((model, key)):
        return meant
    if value is None or value == "":
        return ""
    if isinstance(value, BaseModel):
        return "each key's own"
    if isinstance(value, list):
        return f"`[{', '.join(map(str, value))}]`" if value else "`[]`"
    if isinstance(value, dict):
        return "`{}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


# --- what tools take and give ----------------------------------------------------------------------------------------


def _arguments(model: type[BaseModel], inner: Mapping[str, type[BaseModel]]) -> Callable[[], str]:
    def rows() -> Iterator[Sequence[str]]:
        for path, owner, key, field in _flat(model, inner):
            yield f"`{path}`", _takes(owner, key, field), _default(owner, key, field), field.description or ""

    return lambda: table(("argument", "takes", "default", "meaning"), rows())


def _flat(
    model: type[BaseModel], inner: Mapping[str, type[BaseModel]]
) -> Iterator[tuple[str, type[BaseModel], str, FieldInfo]]:
    for name, field in model.model_fields.items():
        key = field.alias or name
        if key not in inner:
            yield key, model, key, field
            continue
        for path, owner, name_inside, inside in _flat(inner[key], {}):
            yield f"{key}.{path}", owner, name_inside, inside


def _fields(model: type[BaseModel], inner: Mapping[str, type[BaseModel]] | None = None) -> Callable[[], str]:
    """Return a maker of the table of fields; members of the models in `inner` stand under `name.member`."""

    def rows() -> Iterator[Sequence[str]]:
        for name, field in model.model_fields.items():
            key = field.alias or name
            member = (inner or {}).get(key)
            yield f"`{key}`", _words(from_model(field.annotation)), field.description or ""
            if member is not None:
                mark = "[]" if str(field.annotation).startswith("list") else ""
                for under, one in member.model_fields.items():
                    path = f"{key}{mark}.{one.alias or under}"
                    yield f"`{path}`", _words(from_model(one.annotation)), one.description or ""

    return lambda: table(("field", "is", "meaning"), rows())


# --- the rest --------------------------------------------------------------------------------------------------------


def _actions() -> str:
    names = [info.alias or name for name, info in DispatchParams.model_fields.items()]
    taken = {**ACTION_PARAMS, "any": PHASE_PARAMS}
    rows = (
        (
            f"`{action}`" if action in ACTION_PARAMS else action,
            ", ".join(f"`{name}`" for name in names if name in takes),
        )
        for action, takes in taken.items()
    )
    return table(("action", "params"), rows)


def _functions() -> str:
    rows = ((f"`{one.signature}`", one.doc, f"`{one.example}`", f"`{one.result}`") for one in FUNCTIONS.values())
    return table(("function", "gives", "example", "result"), rows)


def _errors() -> str:
    found = [
        one
        for one in vars(errors).values()
        if inspect.isclass(one) and issubclass(one, errors.SignalError) and one.__module__ == errors.__name__
    ]
    causes = get_args(get_args(Retry.model_fields["on"].annotation)[0])
    rows = (
        (f"`{one.name}`", str(one.code), "yes" if one.name in causes else "", (one.__doc__ or "").splitlines()[0])
        for one in found
        if one is not errors.SignalError
    )
    other = ("`error`", str(errors.SignalError.code), "", "Anything else; the message says what.")
    return table(("name", "code", "may be retried", "meaning"), iter([*rows, other]))


def severity_of(words: str) -> Severity:
    """Return the severity that a rule's line in the code names; an error where it names none."""
    found = re.search(r" \((warning|note)\)$", words)
    return "error" if not found else "warning" if found[1] == "warning" else "note"


def _rules() -> str:
    rows = ((f"`{rule}`", severity_of(words), re.sub(r" \(\w+\)$", "", words)) for rule, words in RULES.items())
    return table(("rule", "severity", "what it is about"), rows)


def _exit_codes() -> str:
    words = {
        "succeeded": "succeeded; staged acts are success",
        "failed": "failed",
        "partial": "partial: a lane or a step that was allowed to failed, or the budget cut something",
        "in_doubt": "an act is in doubt: nobody knows whether it was carried out; this wins over 3",
    }
    codes = {EXIT_CODES[status]: text for status, text in words.items()}  # type: ignore[index]  # the keys are statuses
    codes[errors.UsageError.exit_code] = "the command or an input is wrong, or the playbook does not check: nothing ran"
    codes[errors.Interrupted.exit_code] = "interrupted"
    return table(("exit code", "meaning"), ((str(code), codes[code]) for code in sorted(codes)))


def _act() -> str:
    return f"`{' '.join(Act._fields)}`"


def _reserved() -> str:
    return f"`{' '.join(sorted(RESERVED))}`"


_TABLES: Mapping[str, Callable[[], str]] = {
    "playbook_keys": _keys(Playbook),
    "input_keys": _keys(InputSpec),
    "step_keys": _keys(Step),
    "retry_keys": _keys(Retry),
    "budget_keys": _keys(Budget),
    "schedule_keys": _keys(Schedule),
    "listen_arguments": _arguments(ListenInput, {"scope": ListenScope}),
    "inspect_arguments": _arguments(InspectInput, {}),
    "dispatch_arguments": _arguments(DispatchInput, {"params": DispatchParams}),
    "action_params": _actions,
    "listen_output": _fields(ListenOutput, {"query_plan": QueryPlan, "coverage": Coverage}),
    "inspect_output": _fields(InspectOutput, {"links": Link}),
    "dispatch_output": _fields(DispatchOutput),
    "signal_fields": _fields(
        Signal, {"author": SignalAuthor, "engagement": Engagement, "other_intents": OtherIntent, "also_seen": Place}
    ),
    "author_fields": _fields(AuthorContext),
    "thread_fields": _fields(ThreadItem),
    "functions": _functions,
    "errors": _errors,
    "rules": _rules,
    "exit_codes": _exit_codes,
    "act_fields": _act,
    "reserved_names": _reserved,
}


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
