"""The wheel carries the content: what is installed from it works anywhere, without the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_an_installed_wheel_has_its_content_inside_and_runs_the_demo(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(installed)
    here = tmp_path / "somewhere"
    here.mkdir()
    environment = os.environ | {"PYTHONPATH": str(installed), "SIGNAL_DB": str(here / "signal.db")}

    def signal(*words: str) -> str:
        command = [sys.executable, "-m", "signal_playbooks", *words]
        return subprocess.run(command, cwd=here, env=environment, check=True, capture_output=True, text=True).stdout

    where = subprocess.run(
        [sys.executable, "-c", "import signal_playbooks; print(signal_playbooks.__file__)"],
        cwd=here, env=environment, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert str(installed) in where
    assert "clean" in signal("check")
    assert "signal approve disp_" in signal(
        "run-playbook", "competitor_churn", "--set", "competitor=Plinthly", "--sources", "demo"
    )
