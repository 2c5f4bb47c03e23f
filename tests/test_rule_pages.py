"""Each rule has a page of its own, whose examples are run: the wrong one is told as the page shows, the right one is clean."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from signal_playbooks.content.library import check_paths
from signal_playbooks.content.rules import RULES
from signal_playbooks.problem import Problem, render_text

SHIPPED = Path(__file__).parents[1]
FOLDER = SHIPPED / "docs/rules"
INDEX = FOLDER / "README.md"
_BLOCK = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (Wrong|What is said|Right)$", re.MULTILINE)
_ENTRY = re.compile(r"^- \[(?P<rule>[a-z-]+)\]\((?P<page>[^)]+)\): (?P<line>.+)$", re.MULTILINE)
_NO_EXAMPLE = re.compile(r"^<!-- no example: \S.* -->$", re.MULTILINE)

# What a page describes and cannot show; of these it gives the complaint alone, without the line of the file.
GENERATED: Mapping[str, tuple[str, bytes]] = {
    "unreadable": ("playbooks/cafe.yaml", b"id: cafe\ntitle: Caf\xe9 owners who ask about Beacon\n"),
    "yaml-character": ("playbooks/chat.yaml", b"id: chat\ntitle: Chat\x07 about Beacon\n"),
    "yaml-depth": ("playbooks/deep.yaml", b"id: deep\ntitle: " + b"[" * 120 + b"]" * 120 + b"\n"),
    "yaml-size": ("playbooks/long.yaml", b"id: long\ntitle: Long\nsteps: [" + b"a," * 2_100_000 + b"]\n"),
    "yaml-problems": ("playbooks/tags.yaml", b"id: tags\ntitle: [" + b"!t x," * 500 + b"]\nsteps: []\n"),
}
SHOWN = sorted(set(RULES) - set(GENERATED))


@dataclass(frozen=True)
class Page:
    """A rule's page: its text, and the parts of it under the three headings that every page has."""

    rule: str

    @cached_property
    def text(self) -> str:
        return (FOLDER / f"{self.rule}.md").read_text(encoding="utf-8")

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """Return the text under each heading, in the order written; what comes before them under ""."""
        found = ["", *_HEADING.split(self.text)]
        return dict(zip(found[::2], found[1::2], strict=True))

    def files(self, heading: str) -> dict[str, bytes]:
        """Return the files that an example is made of, by path."""
        blocks = _BLOCK.finditer(self.parts[heading])
        return {block["file"]: block["text"].encode() for block in blocks if block["file"]}

    @property
    def said(self) -> str:
        """Return what the page says is said."""
        return "".join(block["text"] for block in _BLOCK.finditer(self.parts["What is said"]))


def check(folder: Path, files: Mapping[str, bytes]) -> list[Problem]:
    """Return what is said of files, written to a content folder and checked over the shipped content."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    problems, _ = check_paths(SHIPPED, None, [folder], shown_from=folder)
    return problems


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert {path.stem for path in FOLDER.iterdir()} - {INDEX.stem} == set(RULES)


def test_the_index_leads_to_every_page_with_the_line_of_its_rule() -> None:
    """Two lists of one thing drift apart, so the index says what the rules say of themselves."""
    entries = _ENTRY.findall(INDEX.read_text(encoding="utf-8"))
    assert sorted(entries) == sorted((rule, f"{rule}.md", line) for rule, line in RULES.items())


@pytest.mark.parametrize("rule", RULES)
def test_a_page_has_the_parts_that_a_reader_looks_for(rule: str) -> None:
    page = Page(rule)
    assert list(page.parts) == ["", "Wrong", "What is said", "Right"]
    assert re.fullmatch(rf"# {rule}\n\n\S.*", page.parts[""], re.DOTALL)
    assert all(part.strip() for part in page.parts.values())


@pytest.mark.parametrize("rule", RULES)
def test_a_page_shows_files_or_says_why_it_cannot(rule: str) -> None:
    wrong = Page(rule).parts["Wrong"]
    assert bool(_NO_EXAMPLE.search(wrong)) == (rule in GENERATED)
    assert bool(Page(rule).files("Wrong")) == (rule not in GENERATED)


@pytest.mark.parametrize("rule", SHOWN)
def test_of_the_wrong_files_is_said_what_the_page_shows(rule: str, tmp_path: Path) -> None:
    """Whoever compares the page with their terminal must find the same words under the same columns."""
    page = Page(rule)
    found = [problem for problem in check(tmp_path, page.files("Wrong")) if problem.rule == rule]
    assert found
    assert "".join(f"{render_text(problem)}\n" for problem in found) == page.said


@pytest.mark.parametrize("rule", SHOWN)
def test_of_the_right_files_nothing_is_said(rule: str, tmp_path: Path) -> None:
    """They are what people copy, so not even a note may be left, of this rule or of another."""
    files = Page(rule).files("Right")
    assert files
    assert [render_text(problem) for problem in check(tmp_path, files)] == []


@pytest.mark.parametrize("rule", GENERATED)
def test_of_a_file_too_long_or_strange_to_show_is_said_what_the_page_gives(rule: str, tmp_path: Path) -> None:
    name, content = GENERATED[rule]
    found = [problem for problem in check(tmp_path, {name: content}) if problem.rule == rule]
    assert found
    assert "".join(render_text(problem).partition("\n")[0] + "\n" for problem in found) == Page(rule).said
