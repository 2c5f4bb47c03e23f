"""The terminal that command tests type into."""

from pathlib import Path

import pytest

from cli.terminal import Terminal


@pytest.fixture
def signal(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in an empty folder; the environment names its database, as a person's could."""
    monkeypatch.chdir(tmp_path)
    for name in ("SIGNAL_CONTENT", "SIGNAL_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SIGNAL_DB", str(tmp_path / "signal.db"))
    return Terminal(tmp_path, capsys)
