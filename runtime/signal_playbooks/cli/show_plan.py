"""What a person sees of a plan: each call a run would make, and at most how many."""

import json
from collections.abc import Mapping
from typing import Any

from signal_playbooks.cli.show import plain, print_json, table
from signal_playbooks.text import cut

_LONGEST_ARGUMENTS = 160


def show_plan(plan: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a run would do: steps in order, upper bounds by effect, what the budget allows."""
    if as_json:
        print_json(plan)
        return
    print(f"Plan of {plan['playbook']}: nothing was called.")
    for name, value in plan["inputs"].items():
        print(f"  {name} = {plain(json.dumps(value, ensure_ascii=False, default=str))}")
    print()
    table(("step", "what", "at most", "with"), [_row(step) for step in plan["steps"]])
    print()
    allowed, wanted, most = plan["allowed"], plan["calls"], plan["at_most"]
    rows = [(effect, wanted[effect], allowed[effect], most[effect]) for effect in wanted]
    table(("calls", "wanted at most", "budget", "so at most"), rows)
    for note in plan.get("notes") or ():
        print(plain(note))


def _row(step: Mapping[str, Any]) -> tuple[object, ...]:
    told = [f"over {step['over']}"] if step["over"] else []
    told += (
        [cut(plain(json.dumps(step["arguments"], ensure_ascii=False)), _LONGEST_ARGUMENTS)] if step["arguments"] else []
    )
    given = cut(plain(json.dumps(step["arguments"], ensure_ascii=False)), _LONGEST_ARGUMENTS)
    told += [given] if step["arguments"] else []
    told += [f"when {step['when']}"] if step["when"] else []
    return (step["path"], step["what"], f"{step['times']}×", " ".join(told))
