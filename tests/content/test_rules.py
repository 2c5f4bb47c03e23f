"""Each rule has a case of two parts: a content folder that breaks it, and `expected.txt` with what is said about it."""

from pathlib import Path

import pytest

from signal_playbooks.content.library import check_paths
from signal_playbooks.content.rules import RULES
from signal_playbooks.problem import render_text

HERE = Path(__file__).parent
CASES = sorted(folder for folder in (HERE / "rules").iterdir() if folder.is_dir())


# Rules about size: a case as a file would be megabytes of nothing.
GENERATED = {
    "yaml-size": "id: case\ntitle: A case\nsteps: [" + "a," * 2_100_000 + "]\n",
    "yaml-problems": "id: case\n" + "".join(f"k{n}: !tag x\n" for n in range(500)),
}


def said(case: Path) -> str:
    """Return what checking a case's folder says, as a terminal shows it."""
    problems, _ = check_paths(HERE / "world", None, [case], shown_from=case)
    return "".join(f"{render_text(problem)}\n" for problem in problems)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_wrong_is_said_at_its_place_in_the_expected_words(case: Path) -> None:
    assert said(case) == (case / "expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", [case for case in CASES if case.name in RULES], ids=lambda case: case.name)
def test_a_case_shows_the_rule_it_is_named_after(case: Path) -> None:
    assert f"[{case.name}]" in said(case)


def test_every_rule_has_a_case_and_every_case_of_a_rule_is_listed() -> None:
    named = {case.name for case in CASES} | set(GENERATED)
    assert set(RULES) <= named, sorted(set(RULES) - named)


def test_every_rule_that_is_said_anywhere_is_listed() -> None:
    """A rule nobody listed has no line in the reference, and an author who looks it up finds nothing."""
    shown = {
        problem.rule for case in CASES for problem in check_paths(HERE / "world", None, [case], shown_from=case)[0]
    }
    assert shown <= set(RULES), sorted(shown - set(RULES))


@pytest.mark.parametrize("rule", GENERATED)
def test_a_file_beyond_every_size_is_named_by_its_rule(rule: str, tmp_path: Path) -> None:
    (tmp_path / "playbooks").mkdir()
    (tmp_path / "playbooks/case.yaml").write_text(GENERATED[rule], encoding="utf-8")
    problems, _ = check_paths(HERE / "world", None, [tmp_path], shown_from=tmp_path)
    assert rule in {problem.rule for problem in problems}
