"""One release for all who read it, and a copy for those who damage it."""

import shutil

import pytest

from releases.dataset.writers import write_release
from tests.releases.dataset.studies import FACTS, TELLING, complete_content, with_replies


@pytest.fixture(scope="session")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases") / "1.0.0"
    write_release(folder, with_replies(complete_content()), facts=FACTS, settings=TELLING)
    return folder


@pytest.fixture
def copied(release, tmp_path):
    def copy():
        shutil.rmtree(tmp_path / "1.0.0", ignore_errors=True)
        return shutil.copytree(release, tmp_path / "1.0.0")

    return copy
