"""The authors' reference is held to the code: its tables, its playbooks, its expressions and the result it shows.

In a shown result the text … stands for anything, and a list shows its beginning.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import reference_tables
from cli.terminal import Terminal
from reference_tables import PAGE
from signal_playbooks.content.evaluation import evaluate
from signal_playbooks.content.expression import parse_expression
from signal_playbooks.content.functions import FUNCTIONS
from signal_playbooks.content.library import check_paths
from signal_playbooks.content.playbook import Budget, InputSpec, InputType, Playbook, Retry, Schedule, Step, ToolName
from signal_playbooks.content.rules import RULES
from signal_playbooks.content.values import text_of
from signal_playbooks.contract.vocabulary import Action, Depth
from signal_playbooks.engine.result import EXIT_CODES, LaneItem, StepResult
from signal_playbooks.errors import EvaluationFailed
from signal_playbooks.problem import render_text

TEXT = PAGE.read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(?P<kind>\w+)(?P<marks>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPRESSION = re.compile(r"(?P<text>.+?)\s+(?:gives (?P<result>.+)|fails)")


@dataclass(frozen=True)
class Block:
    """A fenced block of the page; `marks` are the words of its first line."""

    kind: str
    marks: str
    text: str
    line: int

    def mark(self, name: str) -> str | None:
        return next(iter(self.marked(name)), None)

    def marked(self, name: str) -> list[str]:
        return [word.partition("=")[2] for word in self.marks.split() if word.startswith(f"{name}=")]


def _blocks() -> Iterator[Block]:
    for found in _BLOCK.finditer(TEXT):
        yield Block(found["kind"], found["marks"], found["text"], TEXT.count("\n", 0, found.start()) + 1)


BLOCKS = list(_blocks())
PLAYBOOKS = {Path(name).stem: block for block in BLOCKS if (name := block.mark("file"))}
RUNS = {name: block for name, block in PLAYBOOKS.items() if block.mark("run")}
EXPRESSIONS = [line for block in BLOCKS if block.marks.strip() == "expressions" for line in block.text.splitlines()]


@dataclass
class Present:
    """A clock that stands still."""

    moment: datetime = field(default=datetime(2026, 5, 1, 12, tzinfo=UTC))

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A content folder that holds every playbook of the page."""
    folder = tmp_path / "mine"
    for block in PLAYBOOKS.values():
        file = folder / (block.mark("file") or "")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
    return folder


@pytest.fixture
def terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal with a database of its own."""
    monkeypatch.chdir(tmp_path)
    for name in ("SIGNAL_CONTENT", "SIGNAL_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SIGNAL_DB", str(tmp_path / "signal.db"))
    return Terminal(tmp_path, capsys)


def run(terminal: Terminal, content: Path, playbook: str) -> tuple[int, Any]:
    block = RUNS[playbook]
    words = ["run-playbook", playbook, "--sources", "demo", "--content", str(content), "--json", *block.marked("flag")]
    ran = terminal(*words, *(word for pair in block.marked("set") for word in ("--set", pair)))
    return ran.code, ran.json


# --- tables ----------------------------------------------------------------------------------------------------------


def test_the_tables_are_what_the_code_says() -> None:
    """An author believes a table; `python tests/reference_tables.py` writes them anew."""
    assert reference_tables.rewritten(TEXT) == TEXT, "run: python tests/reference_tables.py"


def test_every_table_stands_on_the_page_once() -> None:
    assert sorted(reference_tables.named_in(TEXT)) == sorted(reference_tables.tables())


def test_a_table_out_of_step_is_written_anew() -> None:
    """A check that could not fail would hold nothing."""
    stale = TEXT.replace("| `concurrency` | a whole number, 1–64 | `8` |", "| `concurrency` | a whole number | `9` |")
    assert stale != TEXT
    assert reference_tables.rewritten(stale) == TEXT


def test_links_inside_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.+)$", re.sub(_BLOCK, "", TEXT), re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    linked = set(re.findall(r"\]\(#([^)]*)\)", TEXT))
    assert linked
    assert linked <= anchors


# --- playbooks -------------------------------------------------------------------------------------------------------


def test_every_playbook_on_the_page_checks(content: Path) -> None:
    """What the page shows is what an author copies; a warning in it would be taught along."""
    problems, files = check_paths(PAGE.parent.parent, None, [content], shown_from=content)
    assert files == len(PLAYBOOKS) > 10
    assert not [render_text(problem) for problem in problems if problem.severity != "note"]


def test_every_whole_playbook_block_is_marked_with_its_file() -> None:
    """An example that no test sees grows wrong."""
    unmarked = [block.line for block in BLOCKS if block.kind == "yaml" and not block.mark("file")]
    assert not unmarked


def test_every_playbook_on_the_page_is_run() -> None:
    assert sorted(PLAYBOOKS) == sorted(RUNS)


@pytest.mark.parametrize("playbook", RUNS)
def test_a_playbook_on_the_page_ends_as_the_page_says(terminal: Terminal, content: Path, playbook: str) -> None:
    code, result = run(terminal, content, playbook)
    wanted = RUNS[playbook].mark("run")
    assert result["status"] == wanted, json.dumps(result, indent=1)[:4000]
    assert code == EXIT_CODES[wanted]  # type: ignore[index]  # a status, as the line before has shown


@pytest.mark.parametrize("playbook", ["founders_leaving", "rivals_compared", "busy_or_quiet", "side_by_side", "acting"])
def test_a_playbook_on_the_page_has_something_to_show(terminal: Terminal, content: Path, playbook: str) -> None:
    """A run in which every lane was skipped succeeds too, and would prove nothing."""
    _, result = run(terminal, content, playbook)
    assert result["staged"]
    assert all(output for output in result["outputs"].values())


def test_the_playbook_that_commits_has_committed(terminal: Terminal, content: Path) -> None:
    _, result = run(terminal, content, "flag_for_good")
    assert result["outputs"] == {"committed": ["committed", "committed"]}
    assert len(result["committed"]) == 2


def test_a_result_shown_on_the_page_is_part_of_what_a_run_prints(terminal: Terminal, content: Path) -> None:
    shown = [(block.mark("result") or "", json.loads(block.text)) for block in BLOCKS if block.kind == "json"]
    assert shown
    for playbook, wanted in shown:
        _, result = run(terminal, content, playbook)
        assert list(differences(wanted, result)) == []


def differences(shown: Any, found: Any, path: str = "") -> Iterator[str]:
    """Yield where what is shown is not part of what was found."""
    if shown == "…":
        return
    if isinstance(shown, Mapping) and isinstance(found, Mapping):
        for key, value in shown.items():
            if key in found:
                yield from differences(value, found[key], f"{path}.{key}")
            else:
                yield f"{path}.{key} is not there"
    elif isinstance(shown, list) and isinstance(found, list) and (shown or not found) and len(shown) <= len(found):
        for place, (one, other) in enumerate(zip(shown, found, strict=False)):
            yield from differences(one, other, f"{path}[{place}]")
    elif shown != found:
        yield f"{path}: {shown!r} is shown, and it is {found!r}"


@pytest.mark.parametrize(
    ("shown", "found", "count"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, 0),
        ({"a": 1}, {"b": 2}, 1),
        ([1], [1, 2], 0),
        ([], [1], 1),
        ([1, 2], [1], 1),
        ({"a": "…"}, {"a": [3]}, 0),
    ],
)
def test_what_is_shown_has_to_be_there(shown: Any, found: Any, count: int) -> None:
    assert len(list(differences(shown, found))) == count


# --- completeness ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Playbook, Step, InputSpec, Retry, Budget, Schedule])
def test_every_key_is_used_in_a_playbook_on_the_page(model: type[BaseModel]) -> None:
    """A key that no example shows is learnt from nothing but its line in a table."""
    keys = [info.alias or name for name, info in model.model_fields.items()]
    written = "\n".join(block.text for block in PLAYBOOKS.values())
    assert not [key for key in keys if not re.search(rf"(^|[\s{{,-]){key}:", written)]


@pytest.mark.parametrize("words", [InputType, ToolName, Action, Depth])
def test_every_word_of_a_vocabulary_is_used_in_a_playbook_on_the_page(words: Any) -> None:
    written = "\n".join(block.text for block in PLAYBOOKS.values())
    # The depth `thread` is the default, so an inspect without a depth shows it.
    missing = [word for word in get_args(words) if not re.search(rf": {word}\b", written)]
    assert missing in ([], ["thread"])


def test_every_rule_is_on_the_page() -> None:
    assert not [rule for rule in RULES if f"`{rule}`" not in TEXT]


def test_every_field_of_a_result_is_on_the_page() -> None:
    """What an expression can read of a step and of a lane is listed under Results."""
    section = TEXT.split("\n## Results\n")[1].split("\n## ")[0]
    lane = LaneItem("0", "succeeded", {}).view()
    step = StepResult("succeeded", items=[], counts={}).view("look")
    assert not [name for name in {**step, **lane} if f"`{name}`" not in section]


# --- expressions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_function_gives_what_the_page_prints(name: str) -> None:
    one = FUNCTIONS[name]
    assert text_of(evaluate(parse_expression(one.example), {}, Present())) == one.result


def _post() -> Any:
    found = re.search(r"^Where `post` is `(.*)`:$", TEXT, re.MULTILINE)
    assert found
    return json.loads(found[1])


def test_the_page_has_expressions() -> None:
    assert len(EXPRESSIONS) > 15


@pytest.mark.parametrize("line", EXPRESSIONS)
def test_an_expression_on_the_page_gives_what_the_page_says(line: str) -> None:
    found = _EXPRESSION.fullmatch(line)
    assert found, line
    expression = parse_expression(found["text"])
    if found["result"] is None:
        with pytest.raises(EvaluationFailed):
            evaluate(expression, {"post": _post()}, Present())
    else:
        assert text_of(evaluate(expression, {"post": _post()}, Present())) == found["result"]
