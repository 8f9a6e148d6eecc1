from dataclasses import replace

import pytest

from generation import methods
from generation.models import Method
from tests.generation import fake


@pytest.fixture
def of_pairs(monkeypatch):
    method = replace(fake.METHOD, of_pairs=True)
    monkeypatch.setitem(methods.METHODS, Method.BACK_TRANSLATION, method)


@pytest.fixture
def backwards(monkeypatch):
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)
