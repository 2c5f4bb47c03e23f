"""A terminal for tests: the real command line in this process, on a database and a folder of its own."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from signal_playbooks.cli import main


@dataclass
class Ran:
    """What one command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Terminal:
    """Runs commands in a folder that is otherwise empty."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *words: str) -> Ran:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main([str(word) for word in words])
        printed = self._capsys.readouterr()
        code = exit_.value.code
        return Ran(code if isinstance(code, int) else 0, printed.out, printed.err)
