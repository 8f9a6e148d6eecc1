"""A true release, and a copy of it to be tampered with."""

import shutil
from pathlib import Path

import pytest

from tests.annotation.dataset.studies import study
from tests.annotation.dataset.verification.tampering import planned, write


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases") / "1.0.0"
    some = study(families=150)
    write(folder, planned(some), some)
    return folder


@pytest.fixture
def folder(untouched: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(untouched, tmp_path / "1.0.0"))
