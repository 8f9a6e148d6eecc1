"""Translators by name, from the folder of models."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generation.errors import MissingModel
from generation.methods import translators
from tests.generation.nlp.adapters import tiny_translators

OPTIONS = {"device": "cpu", "precision": "float32"}


@pytest.fixture
def models(settings: Any, tmp_path: Path) -> Path:
    """The folder of models of an installation that has one translator, "tiny"."""
    settings.DATA_DIR = tmp_path
    translators.load.cache_clear()
    tiny_translators.marian(tmp_path / "models" / "tiny")
    return tmp_path / "models"


@pytest.mark.usefixtures("models")
def test_a_translator_is_loaded_once() -> None:
    translator = translators.load("tiny", **OPTIONS)

    assert translators.load("tiny", **OPTIONS) is translator
    assert translator.identity == translators.identify("tiny")
    assert translator.translate(["Yes."], 2)


@pytest.mark.usefixtures("models")
def test_a_missing_translator_is_named_with_what_to_do() -> None:
    for ask in (translators.identify, lambda name: translators.load(name, **OPTIONS)):
        with pytest.raises(MissingModel, match="fetch_models opus/none"):
            ask("opus/none")


def test_a_folder_of_something_else_is_no_translator(models: Path) -> None:
    (models / "tiny" / "config.json").write_text('{"model_type": "gpt2"}')

    with pytest.raises(MissingModel, match="tiny cannot be loaded"):
        translators.load("tiny", **OPTIONS)


@pytest.mark.usefixtures("models")
def test_a_device_that_is_not_there_is_missed() -> None:
    with pytest.raises(MissingModel, match="tiny cannot be loaded"):
        translators.load("tiny", device="cuda:99", precision="float32")


@pytest.mark.usefixtures("models")
def test_without_the_packages_it_is_said_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        translators, "find_spec", lambda name: None if name == "torch" else found(name)
    )

    with pytest.raises(MissingModel, match=r"torch.*requirements-neural\.txt"):
        translators.identify("tiny")


def test_nothing_heavy_is_imported_before_a_translator_is_loaded(models: Path) -> None:
    script = (
        "import django, sys; django.setup()\n"
        "from generation.methods import back_translation as method\n"
        "settings = method.configure({'forward': 'tiny', 'backward': 'tiny'})\n"
        "print(method.identify(settings), {'torch', 'transformers'} & sys.modules.keys())"
    )
    environment = {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PAWSMITH_DATA_DIR": str(models.parent),
    }
    told = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )

    assert told.stdout.endswith("set()\n")
    assert "sha256" in told.stdout
