from dataclasses import replace

import pytest

from generation import methods
from support import fake


@pytest.fixture
def of_pairs(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "back_translation", replace(fake.METHOD, of_pairs=True))


@pytest.fixture
def backwards(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
