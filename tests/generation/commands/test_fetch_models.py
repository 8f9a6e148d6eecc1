"""manage.py fetch_models: from a hub on this machine, from a release of spaCy."""

import fcntl
import io
import json
import zipfile
from dataclasses import replace
from unittest.mock import Mock

import pytest
from huggingface_hub import constants

from generation import model_catalogue as catalogue
from generation import model_sources as source
from generation import model_store
from generation.errors import MissingModel
from generation.methods import model_loaders
from generation.model_store import ModelRecord
from generation.nlp.adapters.model_files import (
    RECORD,
    Kind,
    file_digest,
    files_to_fetch,
    folder_digest,
    kind_of,
    pickled,
)
from generation.services import model_downloads
from tests.generation.commands.hub_server import COMMIT, Hub, fetch, refused, serving, sha256
from tests.generation.nlp.adapters import tiny_pipelines as tiny

NAME, NOWHERE = "organisation/tiny", "http://127.0.0.1:9"
CONFIG, WEIGHTS = b'{"model_type": "gpt2"}', b"weights" * 1_000
TAKEN = {"README.md": b"A model.", "config.json": CONFIG, "model.safetensors": WEIGHTS}
LEFT = {"pytorch_model.bin": b"pickled", "modeling.py": b"raise", "onnx/model.onnx": b"another"}
PIPELINE, TAG = "en_core_web_sm", "en_core_web_sm-3.8.0"
WHEEL = f"{TAG}-py3-none-any.whl"


@pytest.fixture(autouse=True)
def models(tmp_path, settings):
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "models"


@pytest.fixture
def hub(monkeypatch):
    hub = Hub(NAME, TAKEN | LEFT)
    with serving(hub) as address:
        monkeypatch.setattr(source, "ENDPOINT", address)
        yield hub


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_model_is_fetched_once_and_recorded(hub, models):
    assert f"revision {COMMIT}, licence mit" in fetch(NAME, "--revision", COMMIT)
    folder = models / NAME
    record = json.loads((folder / RECORD).read_text())
    facts = {"name": NAME, "kind": "transformers", "revision": COMMIT, "licence": "mit"}
    facts |= {"source": f"{source.ENDPOINT}/{NAME}", "sha256": folder_digest(folder)}
    facts |= {"files": {name: file_digest(folder / name) for name in TAKEN}}
    assert record == record | facts
    assert files_in(models) == sorted(f"{NAME}/{name}" for name in [*TAKEN, RECORD])
    assert model_store.identity_of(NAME)["revision"] == COMMIT
    hub.requests.clear()
    assert "is here already" in fetch(NAME)
    refused(f"in revision {COMMIT}. To fetch v2, move", NAME, "--revision", "v2")
    assert hub.requests == []


def test_files_are_compared_with_the_record_and_listed(hub, models):
    fetch(NAME)
    (models / "own").mkdir()
    (models / "own" / "config.json").write_text("{}")
    assert fetch("--check") == f"{NAME}: as recorded.\n"
    refused("has no record", "--check", "own")
    lines = fetch().splitlines()
    assert lines[0] == f"Models in {models}:"
    assert lines[1::2][: len(catalogue.MODELS)] == [model.name for model in catalogue.MODELS]
    assert lines[2] == "  tags and names (tagger); 12 MB, MIT; not here"
    assert lines[-4:] == [NAME, f"  here, revision {COMMIT}", "own", "  here, without a record"]
    (models / NAME / "config.json").write_bytes(CONFIG.upper())
    refused(r"not as recorded: config\.json\.", "--check", NAME)


def test_what_is_interrupted_or_is_not_as_described_leaves_nothing(hub, models, monkeypatch):
    for sent in (WEIGHTS.upper(), b"short"):
        hub.sent["model.safetensors"] = sent
        refused(NAME, NAME)
        assert list(models.iterdir()) == []
    monkeypatch.setattr(source, "snapshot_download", Mock(side_effect=KeyboardInterrupt))
    refused("Stopped at organisation/tiny", NAME)
    assert list(models.iterdir()) == []


def test_what_cannot_be_fetched_is_named_with_what_to_do(hub, models, monkeypatch):
    # The other models are fetched.
    refused("organisation/none: There is no model", "organisation/none", NAME)
    assert files_in(models / NAME) == sorted([*TAKEN, RECORD])
    (models / NAME).rename(models / "elsewhere")
    refused("has no revision v9", NAME, "--revision", "v9")
    hub.files = {"config.json": CONFIG}
    refused("holds no model that Pawsmith could load", NAME)
    refused("does not know the model gpt7", "gpt7")
    refused("is not the name of a model", "../somewhere")
    monkeypatch.setattr(source, "ENDPOINT", NOWHERE)
    for advice in (
        f"{NOWHERE}/openai-community/gpt2 did not answer",
        r"gpt2 \(551 MB, MIT\) is still missing",
        f"copy its folder to {models / 'gpt2'}",
    ):
        refused(f"(?s){advice}", "gpt2")
    assert not (models / "gpt2").exists()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    refused("HF_HUB_OFFLINE", "gpt2")


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
        assert files_to_fetch(names, Kind.TRANSFORMERS) == taken.split(), names
    assert pickled(["config.json", "pytorch_model.bin"]) == ["pytorch_model.bin"]
    kept = ["config.cfg", "meta.json", "ner/cfg", "ner/model", "vocab/strings.json"]
    left = ["__init__.py", "en-any-py3-none-any.whl", ".gitattributes", "ner/.hidden", "x.pkl"]
    assert files_to_fetch([*kept, *left], Kind.SPACY) == kept


@pytest.fixture
def releases(tmp_path, monkeypatch):
    pipeline = tiny.saved(tiny.with_tagger(), tmp_path / "pipeline")
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{PIPELINE}/__init__.py", "raise SystemExit")
        archive.writestr(f"{PIPELINE}/{TAG}/code.py", "raise SystemExit")
        for file in pipeline.rglob("*"):
            archive.write(file, f"{PIPELINE}/{TAG}/{file.relative_to(pipeline)}")
    digest = sha256(wheel.getvalue())
    known = [replace(m, sha256=digest) for m in catalogue.MODELS if m.name == PIPELINE]
    monkeypatch.setattr(catalogue, "MODELS", known)
    releases = Hub("releases", {f"{TAG}/{WHEEL}": wheel.getvalue()})
    with serving(releases) as address:
        monkeypatch.setattr(source, "RELEASES", f"{address}/releases/resolve/{COMMIT}")
        yield releases


def test_a_release_of_spacy_is_unpacked_without_its_code(releases, models, monkeypatch):
    fetch(PIPELINE)
    record = ModelRecord.read(models / PIPELINE)
    assert (record.revision, record.licence, record.kind) == ("3.8.0", "MIT", "spacy")
    assert record.converted == {WHEEL: catalogue.MODELS[0].sha256}
    assert not list(models.rglob("*.py"))
    assert model_loaders.identify_tagger(PIPELINE)["revision"] == "3.8.0"
    model_loaders.load_tagger.cache_clear()
    (tagged,) = model_loaders.load_tagger(PIPELINE).tag([tiny.TEXT])
    assert [token.tag for token in tagged.tokens] == tiny.TAGS
    model_loaders.load_tagger.cache_clear()
    # One that cannot be had leaves nothing.
    (models / PIPELINE).rename(models.parent / "elsewhere")
    refused(r"only version 3\.8\.0", PIPELINE, "--revision", "3.7.0")
    releases.files[f"{TAG}/{WHEEL}"] += b" "
    refused("is not the file that its makers published", PIPELINE)
    releases.files.clear()
    refused("There is no http", PIPELINE)
    monkeypatch.setattr(source, "RELEASES", NOWHERE)
    refused(r"127\.0\.0\.1:9.*did not answer[^$]*still missing", PIPELINE)
    assert list(models.iterdir()) == []


def test_the_next_fetch_removes_the_folders_of_killed_ones(hub, models):
    left = models / ".fetching-killed"
    (left / "model").mkdir(parents=True)
    (left / "lock").touch()
    fetch(NAME)
    assert not left.exists()


def test_the_folder_of_another_fetch_stays(hub, models):
    other = models / ".fetching-other"
    other.mkdir(parents=True)
    with (other / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fetch(NAME)
    assert other.exists()


def test_a_fetch_reports_its_progress(hub, models, monkeypatch):
    monkeypatch.setattr(model_downloads, "REPORT_SECONDS", 0.0)
    assert "MB of about" in fetch(NAME)


def test_a_folder_without_weights_is_no_model(models):
    folder = models / NAME
    folder.mkdir(parents=True)
    (folder / "config.json").write_bytes(CONFIG)
    with pytest.raises(MissingModel, match="has no model that can be loaded"):
        model_store.identity_of(NAME)
    (folder / "model.safetensors").write_bytes(WEIGHTS)
    assert model_store.identity_of(NAME)["name"] == NAME
