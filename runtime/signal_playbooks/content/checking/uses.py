"""Checks across playbooks: nobody uses itself, however far around."""

from itertools import pairwise

from signal_playbooks.content.checking.context import Check, walk
from signal_playbooks.content.playbook import Playbook
from signal_playbooks.problem import Span


def check_uses(check: Check) -> None:
    """Check every `use` of the playbook for a way back to it."""
    for path, step in check.steps:
        if step.use is None:
            continue
        chain = _way_back(check, step.use, check.playbook.id, (check.playbook.id,))
        if chain:
            words = " → ".join(chain)
            related = tuple(_links(check, chain))
            message = f"playbooks that use each other never end: {words}"
            check.say((*path, "use"), "use-cycle", message, related=related)


def _way_back(check: Check, at: str, home: str, so_far: tuple[str, ...]) -> tuple[str, ...] | None:
    if at == home:
        return (*so_far, home)
    used = check.names.playbooks.get(at)
    if used is None or at in so_far:
        return None
    for following in used_by(used):
        chain = _way_back(check, following, home, (*so_far, at))
        if chain:
            return chain
    return None


def used_by(playbook: Playbook) -> list[str]:
    """Return the ids of the playbooks that a playbook uses, each once."""
    return list(dict.fromkeys(step.use for _, step in walk(playbook.steps) if step.use is not None))


def _links(check: Check, chain: tuple[str, ...]) -> list[tuple[Span, str]]:
    links = []
    for one, other in pairwise(chain[1:]):
        document = check.names.documents.get(one)
        used = check.names.playbooks.get(one)
        if document is None or used is None:
            continue
        for path, step in walk(used.steps):
            if step.use == other:
                node = document.at((*path, "use"))
                if node is not None:
                    links.append((document.span(node), f"{one} uses {other} here"))
                break
    return links
