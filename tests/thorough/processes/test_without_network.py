"""From sentences to a release, no process calls another machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.installation import ROOT

RECORDING = Path(__file__).parent / "recording"
CALL = (
    "from tests.thorough.processes import network_namespace as n; print(n.leave()); n.call_others()"
)
COUNTED = f"{CALL}; print(n.refused_ways())"


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    """The file to which calls of other machines are written."""
    file = tmp_path / "calls"
    file.touch()
    return file


def python(*arguments: str, calls: Path) -> str:
    """Run Python with its calls recorded; returns what it printed."""
    own = {"PYTHONPATH": f"{RECORDING}{os.pathsep}{ROOT}", "PAWSMITH_TEST_CALLS": str(calls)}
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | own,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_a_whole_study_calls_no_other_machine(
    new_postgres_database: str, calls: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()

    job = ("-m", "tests.thorough.processes.whole_study", new_postgres_database, str(folder))
    printed = python(*job, calls=calls)

    told = json.loads(printed.splitlines()[-1])
    assert calls.read_text() == ""
    assert told["ways"] == 0
    assert told["pages"] == {"/readyz": 200, "/accounts/login/": 200}
    assert all(told["done"].values())


def test_control_calls_are_recorded_and_counted(calls: Path) -> None:
    told = python("-c", COUNTED, calls=calls).split()

    assert "192.0.2.1" in calls.read_text()
    assert "host.invalid" in calls.read_text()
    assert told[0] == "False" or int(told[-1]) > 0
