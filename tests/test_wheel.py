"""What the wheel has in it."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.conf import settings

from support.places import ROOT

PACKAGES = {*settings.ROOMS, "common", "config", "pawsmith"}
FOLDERS = {"docs", "locale", "static", "templates"}


def files_in(folder):
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", folder], cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def test_the_wheel_has_all_files_of_the_product_in_packages(wheel):
    code = set().union(*map(files_in, PACKAGES))
    others = {
        f"pawsmith/{name}"
        for name in set().union(*map(files_in, FOLDERS))
        if Path(name).suffix not in {".po", ".rst", ".tsv"} and name != "docs/conf.py"
    }
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == code | others


def test_messages_of_the_wheel_name_its_command(wheel, tmp_path):
    show = "from common.program import *; print(PROGRAM, install_command('neural'))"
    environment = os.environ | {"PYTHONPATH": str(wheel)}
    command = [sys.executable, "-c", show]
    printed = subprocess.check_output(command, cwd=tmp_path, env=environment, text=True)
    assert printed == 'pawsmith pip install "pawsmith[neural]"\n'
