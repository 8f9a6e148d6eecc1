"""One release for all who read it, and a copy for those who damage it."""

import shutil

import pytest

from annotation.dataset.writers import write_content
from tests.annotation.dataset.studies import FACTS, SETTINGS, complete_content


@pytest.fixture(scope="session")
def release(tmp_path_factory):
    """The folder of a release with every file that there can be."""
    folder = tmp_path_factory.mktemp("releases") / "1.0.0"
    write_content(folder, complete_content(), facts=FACTS, settings=SETTINGS)
    return folder


@pytest.fixture
def copied(release, tmp_path):
    """Makes a fresh copy of it each time that it is called."""

    def copy():
        shutil.rmtree(tmp_path / "1.0.0", ignore_errors=True)
        return shutil.copytree(release, tmp_path / "1.0.0")

    return copy
