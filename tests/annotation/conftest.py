"""What tests of studies and of their runs have in common."""

import pytest

from benchmarks.generation import fake
from generation import methods
from tests.annotation import make


@pytest.fixture
def project(db):
    return make.study()


@pytest.fixture
def backwards(monkeypatch):
    """Word swap is the method of benchmarks.generation.fake."""
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
