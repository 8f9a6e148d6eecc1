"""Taggers by name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spacy

from generation.errors import MissingModel
from generation.methods import taggers
from generation.model_record import ModelRecord
from generation.nlp.adapters.digests import folder_digest
from generation.nlp.adapters.spacy_tagger import EMBEDDED
from tests.generation.nlp.adapters import tiny_pipelines as tiny


@pytest.fixture(autouse=True)
def models(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """The folder of the models of an installation that has none."""
    settings.DATA_DIR = tmp_path
    taggers.load.cache_clear()
    yield tmp_path / "models"
    taggers.load.cache_clear()


def test_the_embedded_tagger_is_known_by_its_files() -> None:
    assert taggers.identify("embedded") == {
        "name": "en_pawsmith_tagger",
        "version": "1.0.0",
        "sha256": folder_digest(EMBEDDED),
        "entity_probability": "own scores",
    }


def test_a_pipeline_among_the_models_tags(models: Path) -> None:
    tiny.saved(tiny.with_tagger(), models / "en_tiny")

    (tagged,) = taggers.load("en_tiny").tag([tiny.TEXT])

    assert [token.tag for token in tagged.tokens] == tiny.TAGS


def test_its_identity_is_the_recorded_one_and_says_whence_probabilities_come(models: Path) -> None:
    folder = tiny.saved(tiny.with_tagger(), models / "en_tiny")
    facts = {"kind": "spacy", "revision": "3.8.0", "source": "", "licence": "MIT"}
    ModelRecord.of_folder(folder, name="en_tiny", **facts).write(folder)

    assert taggers.identify("en_tiny") == {
        "name": "en_tiny",
        "version": "0.0.0",
        "revision": "3.8.0",
        "sha256": folder_digest(folder),
        "entity_probability": "none given",
    }


def test_an_installed_package_is_known_by_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packages" / "en_installed_tiny"
    nlp = tiny.with_tagger()
    nlp.meta["name"], nlp.meta["version"] = "installed_tiny", "2.0.0"
    inner = tiny.saved(nlp, package / "en_installed_tiny-2.0.0")
    (package / "meta.json").write_bytes((inner / "meta.json").read_bytes())
    loads = (
        "from spacy.util import load_model_from_init_py as l\nload = lambda **k: l(__file__, **k)"
    )
    (package / "__init__.py").write_text(loads)
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setattr(spacy.util, "is_package", lambda name: name == package.name)

    assert taggers.identify("en_installed_tiny") == {
        "name": "en_installed_tiny",
        "version": "2.0.0",
        "entity_probability": "none given",
    }
    (tagged,) = taggers.load("en_installed_tiny").tag([tiny.TEXT])
    assert [token.tag for token in tagged.tokens] == tiny.TAGS


@pytest.mark.parametrize("act", [taggers.identify, taggers.load])
def test_a_missing_pipeline_is_named_with_its_place_and_what_to_do(models: Path, act: Any) -> None:
    with pytest.raises(MissingModel) as refused:
        act("en_core_web_sm")

    assert str(models / "en_core_web_sm") in str(refused.value)
    assert "manage.py fetch_models en_core_web_sm" in str(refused.value)


@pytest.mark.parametrize("act", [taggers.identify, taggers.load])
def test_a_path_is_not_a_name(tmp_path: Path, act: Any) -> None:
    with pytest.raises(MissingModel, match="is not the name of a model"):
        act(str(tiny.saved(tiny.with_tagger(), tmp_path / "en_tiny")))


@pytest.mark.parametrize("act", [taggers.identify, taggers.load])
def test_a_pipeline_without_a_tagger_is_refused(models: Path, act: Any) -> None:
    tiny.saved(spacy.blank("en"), models / "en_blank")

    with pytest.raises(MissingModel, match="sets no tags"):
        act("en_blank")


def test_another_kind_of_model_is_no_tagger(models: Path) -> None:
    (models / "gpt2").mkdir(parents=True)
    (models / "gpt2" / "config.json").write_text("{}")

    with pytest.raises(MissingModel, match="holds no spaCy pipeline"):
        taggers.identify("gpt2")


def test_a_tagger_is_loaded_once(models: Path) -> None:
    tiny.saved(tiny.with_tagger(), models / "en_tiny")

    assert taggers.load("en_tiny") is taggers.load("en_tiny")
