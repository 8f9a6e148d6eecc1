"""What the wheel has in it."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

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


def test_the_wheel_has_all_files_of_the_product_in_packages(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", tmp_path], cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    code = set().union(*map(files_in, PACKAGES))
    others = {
        f"pawsmith/{name}"
        for name in set().union(*map(files_in, FOLDERS))
        if Path(name).suffix not in {".po", ".rst", ".tsv"} and name != "docs/conf.py"
    }
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == code | others
