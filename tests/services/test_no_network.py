"""The whole job needs nobody: from sentences to a release, no process calls another machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.installation import ROOT

HEARING = Path(__file__).parent / "hearing"
CALL = "from tests.services import alone; print(alone.leave()); alone.call_somebody()"
COUNTED = f"{CALL}; print(alone.refused_ways())"


@pytest.fixture
def heard(tmp_path: Path) -> Path:
    """The file into which is written who was called."""
    file = tmp_path / "heard"
    file.touch()
    return file


def python(*arguments: str, heard: Path) -> str:
    """Run Python with open ears; returns what it printed."""
    own = {"PYTHONPATH": f"{HEARING}{os.pathsep}{ROOT}", "PAWSMITH_TEST_HEARD": str(heard)}
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | own,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_a_whole_study_calls_nobody(
    new_postgres_database: str, heard: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()

    job = ("-m", "tests.services.whole_job", new_postgres_database, str(folder))
    printed = python(*job, heard=heard)

    told = json.loads(printed.splitlines()[-1])
    assert heard.read_text() == ""
    assert told["ways"] == 0
    assert told["pages"] == {"/readyz": 200, "/accounts/login/": 200}
    assert all(told["done"].values())


def test_control_whoever_calls_is_heard_and_counted(heard: Path) -> None:
    told = python("-c", COUNTED, heard=heard).split()

    assert "192.0.2.1" in heard.read_text()
    assert "nobody.invalid" in heard.read_text()
    assert told[0] == "False" or int(told[-1]) > 0
