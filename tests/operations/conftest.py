"""Shared by the tests of operations."""

import pytest

from generation import methods
from generation.models import Method
from tests.generation import fake


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Word swap turns the words of a sentence round, at no cost."""
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)
