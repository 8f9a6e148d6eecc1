import pytest

from generation import methods
from generation.models import Method
from tests.generation import fake


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Word swap is the method of tests.generation.fake."""
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)
