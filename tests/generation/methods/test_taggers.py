"""Taggers by name."""

import pytest
import spacy

from generation.errors import MissingModel
from generation.methods import taggers
from generation.model_record import ModelRecord
from generation.nlp.adapters.digests import folder_digest
from tests.generation.nlp.adapters import tiny_pipelines as tiny


@pytest.fixture(autouse=True)
def models(tmp_path, settings):
    """The folder of the models of an installation that has none."""
    settings.DATA_DIR = tmp_path
    taggers.load.cache_clear()
    yield tmp_path / "models"
    taggers.load.cache_clear()


def test_pipelines_are_known_by_their_record_or_as_packages_by_their_version(models, monkeypatch):
    folder = tiny.saved(tiny.with_tagger(), models / "en_tiny")
    facts = {"kind": "spacy", "revision": "3.8.0", "source": "", "licence": "MIT"}
    ModelRecord.of_folder(folder, name="en_tiny", **facts).write(folder)
    identity = {"name": "en_tiny", "version": "0.0.0", "entity_probability": "none given"}
    identity |= {"revision": "3.8.0", "sha256": folder_digest(folder)}
    assert taggers.identify("en_tiny") == identity
    package = models.parent / "packages" / "en_pipeline"
    inner = tiny.saved(tiny.with_tagger(), package / "en_pipeline-0.0.0")
    (package / "meta.json").write_bytes((inner / "meta.json").read_bytes())
    loads = (
        "from spacy.util import load_model_from_init_py as of\nload = lambda **k: of(__file__, **k)"
    )
    (package / "__init__.py").write_text(loads)
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setattr(spacy.util, "is_package", lambda name: name == package.name)
    identity = {"name": "en_pipeline", "version": "0.0.0", "entity_probability": "none given"}
    assert taggers.identify("en_pipeline") == identity
    for name in ("en_tiny", "en_pipeline"):
        (tagged,) = taggers.load(name).tag([tiny.TEXT])
        assert [token.tag for token in tagged.tokens] == tiny.TAGS
        assert taggers.load(name) is taggers.load(name)


def test_a_tagger_that_is_missing_or_something_else_is_named_with_what_to_do(models, tmp_path):
    advice = r"models/en_core_web_sm\..* fetch_models en_core_web_sm"
    tiny.saved(spacy.blank("en"), models / "en_blank")
    for act in (taggers.identify, taggers.load):
        for name, message in (
            ("en_core_web_sm", advice),
            (str(tmp_path), "is not the name of a model"),
            ("json", "no package of this name"),
            ("en_blank", "sets no tags"),
        ):
            with pytest.raises(MissingModel, match=message):
                act(name)
    (models / "en_blank" / "meta.json").unlink()
    with pytest.raises(MissingModel, match="holds no spaCy pipeline"):
        taggers.identify("en_blank")
