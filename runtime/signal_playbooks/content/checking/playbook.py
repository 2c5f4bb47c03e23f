"""All the checks of one playbook, in order."""

from signal_playbooks.content.checking.context import Check, Names
from signal_playbooks.content.checking.effects import check_effects
from signal_playbooks.content.checking.flow import check_flow
from signal_playbooks.content.checking.inputs import check_inputs, check_used
from signal_playbooks.content.checking.schedule import check_schedule
from signal_playbooks.content.checking.structure import check_structure
from signal_playbooks.content.checking.uses import check_uses
from signal_playbooks.content.document import Document
from signal_playbooks.content.playbook import Playbook
from signal_playbooks.problem import Problem, in_order

CHECKS = (check_structure, check_inputs, check_schedule, check_effects, check_uses, check_flow, check_used)


def check_playbook(document: Document, playbook: Playbook, names: Names) -> list[Problem]:
    """Return everything wrong or suspicious in a playbook whose form fits, by position."""
    check = Check(document, playbook, names)
    for run in CHECKS:
        run(check)
    return in_order(check.problems)
