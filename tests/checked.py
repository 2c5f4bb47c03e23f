"""Playbooks written in a test, checked as files over a small world: one source, one destination, one helper."""

import re
from pathlib import Path

from signal_playbooks.content.library import check_paths
from signal_playbooks.problem import Problem

WORLD = Path(__file__).parent / "content/world"


def problems(folder: Path, text: str, **used: str) -> list[Problem]:
    """Return what checking says of the playbook `one` in a folder, where `used` are others by id."""
    playbooks = folder / "playbooks"
    playbooks.mkdir(parents=True, exist_ok=True)
    for name, body in {"one": text, **used}.items():
        head = "".join(f"{key}: {name}\n" for key in ("id", "title") if not re.search(rf"(?m)^{key}:", body))
        (playbooks / f"{name}.yaml").write_text(head + body, encoding="utf-8")
    found, _ = check_paths(WORLD, None, [folder], shown_from=folder)
    return [problem for problem in found if problem.span.file == "playbooks/one.yaml"]


def errors(folder: Path, text: str, **used: str) -> list[tuple[str, str]]:
    """Return rule and message of every error in the playbook `one`."""
    return [(one.rule, one.message) for one in problems(folder, text, **used) if one.severity == "error"]


def rules(folder: Path, text: str, **used: str) -> list[str]:
    """Return the rule of every error in the playbook `one`."""
    return [rule for rule, _ in errors(folder, text, **used)]
