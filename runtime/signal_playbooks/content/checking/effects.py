"""Checks on effects: commits are never retried, and a budget is one that a run could keep."""

from collections.abc import Mapping

from signal_playbooks.content.checking.context import Check, Path
from signal_playbooks.content.steps import commits, effect_of


def check_effects(check: Check) -> None:
    """Check retries and the budget."""
    counts = dict.fromkeys(("listen", "inspect", "stage", "commit"), 0)
    first: dict[str, Path] = {}
    for path, step in check.steps:
        if commits(step) and step.retry is not None:
            message = "a commit is never retried: after a failure a person is asked whether it was done"
            check.say_key((*path, "retry"), "retry-commit", message)
        effect = effect_of(step)
        if effect and not isinstance((step.args or {}).get("params"), str):
            # Of params that an expression gives as a whole, nobody can say what they make at least.
            kind = step.tool if effect == "read" and step.tool else effect
            counts[kind] += 1
            first.setdefault(kind, path)
    _check_budget(check, counts, first)


def _check_budget(check: Check, counts: Mapping[str, int], first: Mapping[str, Path]) -> None:
    budget = check.playbook.budget
    outside = sum(
        1 for step in check.playbook.steps if step.tool == "listen" and step.for_each is None and step.when is None
    )
    for effect, count in counts.items():
        allowed = getattr(budget, effect)
        least = outside if effect == "listen" else min(count, 1)
        if least > allowed:
            path = first[effect]
            line = check.document.key_span((*path, "tool")).line
            message = f"the budget allows {allowed} {effect} and the steps make at least {least}: see line {line}"
            given = check.playbook.model_fields_set
            if "budget" in given and effect in budget.model_fields_set:
                check.say(("budget", effect), "budget-impossible", message)
            else:
                hint = f"budget: {{{effect}: {least}}}"
                check.say_key((*path, "tool"), "budget-impossible", message, hint=hint)
