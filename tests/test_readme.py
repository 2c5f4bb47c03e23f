"""The README is run: every file in it is written, every command typed, and what it prints is what the README shows.

In an expected line `…` stands for anything; a line of its own `…` for any number of lines.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
_BLOCK = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\[exit code (\d+)\]")


@dataclass
class Session:
    """A shell as the reader has it: where they stand, and what they exported."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def type(self, command: str) -> tuple[int, str]:
        if command.startswith("cd "):
            self.folder /= command[3:]
            return 0, ""
        if command.startswith("export "):
            name, _, value = command[7:].partition("=")
            self.environment[name] = value.strip('"').replace("$PWD", str(self.folder))
            return 0, ""
        scripts = str(Path(sys.executable).parent)
        environment = os.environ | self.environment | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return ran.returncode, ran.stdout


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a console block with the lines it is shown to print."""
    command, shown = "", list[str]()
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:], []
        else:
            shown.append(line)
    if command:
        yield command, shown


def pattern(shown: list[str]) -> re.Pattern[str]:
    """Return what the shown lines stand for."""
    lines = [r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in shown]
    return re.compile("".join(lines))


def test_a_reader_who_types_the_readme_sees_what_it_shows(tmp_path: Path) -> None:
    session = Session(tmp_path)
    for block in _BLOCK.finditer(README.read_text(encoding="utf-8")):
        if block["file"]:
            target = session.folder / block["file"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block["text"], encoding="utf-8")
        if block["kind"] != "console":
            continue
        for command, shown in commands(block["text"]):
            codes = [int(found[1]) for line in shown if (found := _EXIT.fullmatch(line))]
            expected = pattern([line for line in shown if not _EXIT.fullmatch(line)])
            code, printed = session.type(command)
            assert code == (codes[0] if codes else 0), f"{command}\n{printed}"
            assert expected.fullmatch(printed), f"{command}\n--- shown\n{expected.pattern}\n--- printed\n{printed}"


@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_the_readme_names_the_two_commands(command: str) -> None:
    assert command in README.read_text(encoding="utf-8")
