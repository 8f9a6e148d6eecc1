"""What tests of studies and of their runs have in common."""

import pytest

from generation import methods
from tests.annotation import make
from tests.generation import fake


@pytest.fixture
def project(db):
    return make.study()


@pytest.fixture
def backwards(monkeypatch):
    """Word swap is the method of tests.generation.fake."""
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
