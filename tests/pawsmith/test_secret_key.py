"""The secret key of a trial."""

import os
import stat
import subprocess
import sys

import pytest

from support.places import ROOT

KEY = "PAWSMITH_SECRET_KEY"
SHOW = f"""
import os
from pawsmith.run import keep_secret_key
keep_secret_key()
print(os.environ["{KEY}"])
"""


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def key_of_a_start(data):
    environment = {name: value for name, value in os.environ.items() if name != KEY}
    command = [sys.executable, "-c", SHOW]
    environment["PAWSMITH_DATA_DIR"] = str(data)
    return subprocess.check_output(command, cwd=ROOT, env=environment, text=True).strip()


def test_nobody_else_may_read_the_file_of_the_key(data):
    key = key_of_a_start(data)
    assert (data / "pawsmith.env").read_text() == f"{KEY}={key}\n"
    assert stat.S_IMODE((data / "pawsmith.env").stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_the_next_start_has_the_same_key(data):
    assert key_of_a_start(data) == key_of_a_start(data)
