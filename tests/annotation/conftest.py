"""What tests of studies and of their runs have in common."""

import pytest

from annotation.models import Project
from generation import methods
from generation.models import Method
from tests.annotation import cast
from tests.generation import fake


@pytest.fixture
def project(db: None) -> Project:
    return cast.study()


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Word swap is the method of tests.generation.fake."""
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)
