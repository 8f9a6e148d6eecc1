"""Which files make up a model, and pipelines out of the archives that spaCy's makers release."""

import zipfile
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation.fetching import catalogue, spacy_release
from generation.fetching.files import Kind, kind_of, needed, pickled
from generation.methods import taggers
from generation.model_record import ModelRecord
from generation.nlp.adapters.digests import file_digest
from tests.generation.fetching.hub_server import http_server
from tests.generation.nlp.adapters import tiny_pipelines as tiny

NAME, TAG = "en_core_web_sm", "en_core_web_sm-3.8.0"


def test_of_a_model_one_set_of_weights_is_taken_and_neither_code_nor_archives():
    assert kind_of(["config.cfg", "meta.json", "config.json"]) is Kind.SPACY
    assert kind_of(["config.json", "model.safetensors"]) is Kind.TRANSFORMERS
    assert (kind_of(["meta.json"]), kind_of([])) == (None, None)
    parts = "model-00001-of-00002.safetensors model.safetensors.index.json"
    for taken, left in (
        ("config.json model.safetensors", "flax_model.msgpack pytorch_model.bin"),
        (parts, "pytorch_model.bin.index.json tf_model.h5"),
        ("config.json pytorch_model.bin source.spm target.spm vocab.json", ""),
        ("model.safetensors", ".gitattributes modeling.py onnx/config.json a.onnx"),
        ("merges.txt model.safetensors sentencepiece.bpe.model vocab.txt", ""),
        ("", "config.json tf_model.h5"),  # without weights nothing is needed
    ):
        names = taken.split() + left.split()
        assert needed(names, Kind.TRANSFORMERS) == taken.split(), names
    assert pickled(["config.json", "pytorch_model.bin"]) == ["pytorch_model.bin"]
    kept = ["config.cfg", "meta.json", "ner/cfg", "ner/model", "vocab/strings.json"]
    left = ["__init__.py", "en-any-py3-none-any.whl", ".gitattributes", "ner/.hidden", "x.pkl"]
    assert needed([*kept, *left], Kind.SPACY) == kept


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def wheel(tmp_path):
    """An archive laid out as the released ones are."""
    pipeline = tiny.saved(tiny.with_tagger(), tmp_path / "pipeline")
    path = tmp_path / "releases" / TAG / f"{TAG}-py3-none-any.whl"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{NAME}/__init__.py", "raise SystemExit")
        archive.writestr(f"{NAME}/{TAG}/code.py", "raise SystemExit")
        for file in pipeline.rglob("*"):
            archive.write(file, f"{NAME}/{TAG}/{file.relative_to(pipeline)}")
    return path


@pytest.fixture
def models(wheel, tmp_path, settings, monkeypatch):
    """The folder of the models, where that archive is what the catalogue names."""
    settings.DATA_DIR = tmp_path
    known = [replace(m, sha256=file_digest(wheel)) for m in catalogue.MODELS if m.name == NAME]
    monkeypatch.setattr(catalogue, "MODELS", known)
    with http_server(partial(Silent, directory=str(wheel.parent.parent))) as address:
        monkeypatch.setattr(spacy_release, "RELEASES", address)
        yield tmp_path / "models"


def fetch(*arguments):
    call_command("fetch_models", NAME, *arguments, stdout=StringIO())


def test_a_release_is_unpacked_without_its_code_and_tags(models, wheel):
    fetch()
    record = ModelRecord.read(models / NAME)
    assert (record.revision, record.licence, record.kind) == ("3.8.0", "MIT", "spacy")
    assert record.converted == {wheel.name: file_digest(wheel)}
    assert not list(models.rglob("*.py"))
    assert taggers.identify(NAME)["revision"] == "3.8.0"
    taggers.load.cache_clear()
    (tagged,) = taggers.load(NAME).tag([tiny.TEXT])
    assert [token.tag for token in tagged.tokens] == tiny.TAGS
    taggers.load.cache_clear()


def test_a_release_that_cannot_be_had_leaves_nothing(models, wheel, monkeypatch):
    with pytest.raises(CommandError, match=r"in version 3\.8\.0 alone"):
        fetch("--revision", "3.7.0")
    wheel.write_bytes(wheel.read_bytes() + b" ")
    with pytest.raises(CommandError, match="is not the file that its makers published"):
        fetch()
    wheel.unlink()
    with pytest.raises(CommandError, match="There is no http"):
        fetch()
    monkeypatch.setattr(spacy_release, "RELEASES", "http://127.0.0.1:9")
    with pytest.raises(CommandError, match=r"127\.0\.0\.1:9.*did not answer[^$]*still missing"):
        fetch()
    assert list(models.iterdir()) == []
