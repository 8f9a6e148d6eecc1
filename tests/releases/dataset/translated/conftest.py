"""A source release and its translation, for all who read them."""

import pytest

from tests.releases.dataset.studies import study, write
from tests.releases.dataset.translated import translations


@pytest.fixture(scope="session")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases") / "source"
    write(folder, study(3, families=60))
    return folder


@pytest.fixture(scope="session")
def made(source):
    return translations.complete(source)


@pytest.fixture(scope="session")
def german(source, made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases") / "de"
    translations.write(folder, source, made)
    return folder
