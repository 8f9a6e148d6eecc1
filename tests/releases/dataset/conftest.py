"""One release for all who read it, and a copy for those who damage it."""

import shutil
from dataclasses import replace

import pytest

from releases.dataset.writers import write_release
from tests.releases.dataset.studies import (
    FACTS_WITH_PROMPT,
    PROMPT_ROW,
    TELLING,
    complete_content,
    with_replies,
)


@pytest.fixture(scope="session")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases") / "1.0.0"
    content = replace(with_replies(complete_content()), prompts=[PROMPT_ROW])
    write_release(folder, content, facts=FACTS_WITH_PROMPT, settings=TELLING)
    return folder


@pytest.fixture
def copied(release, tmp_path):
    def copy():
        shutil.rmtree(tmp_path / "1.0.0", ignore_errors=True)
        return shutil.copytree(release, tmp_path / "1.0.0")

    return copy
