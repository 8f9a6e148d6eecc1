"""manage.py fetch_models, from a hub on this machine and from folders."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from huggingface_hub import constants

from generation.fetching import hub as source
from generation.fetching.catalogue import MODELS
from generation.methods import model_store
from generation.nlp.adapters.digests import RECORD, file_digest, folder_digest
from tests.generation.fetching.hub_server import COMMIT, Hub, serving

NAME, NOWHERE = "organisation/tiny", "http://127.0.0.1:9"
CONFIG, WEIGHTS = b'{"model_type": "gpt2"}', b"weights" * 1_000
TAKEN = {"README.md": b"A model.", "config.json": CONFIG, "model.safetensors": WEIGHTS}
LEFT = {"pytorch_model.bin": b"pickled", "modeling.py": b"raise", "onnx/model.onnx": b"another"}


@pytest.fixture(autouse=True)
def models(tmp_path, settings):
    """The folder of the models of an installation that has none."""
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "models"


@pytest.fixture
def hub(monkeypatch):
    """A hub that has the model."""
    hub = Hub(NAME, TAKEN | LEFT)
    with serving(hub) as address:
        monkeypatch.setattr(source, "ENDPOINT", address)
        yield hub


def fetch(*arguments):
    output = StringIO()
    call_command("fetch_models", *arguments, stdout=output)
    return output.getvalue()


def refused(message, *arguments):
    with pytest.raises(CommandError, match=message):
        fetch(*arguments)


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
    assert lines[1::2][: len(MODELS)] == [model.name for model in MODELS]
    assert lines[2] == "  tags and names (tagger); 12 MB, MIT; not here"
    assert lines[-4:] == [NAME, f"  here, revision {COMMIT}", "own", "  here, without a record"]
    (models / NAME / "config.json").write_bytes(CONFIG.upper())
    refused(r"not as recorded: config\.json\.", "--check", NAME)


def test_what_is_interrupted_or_does_not_arrive_as_described_leaves_nothing(
    hub, models, monkeypatch
):
    for sent in (WEIGHTS.upper(), b"short"):
        hub.sent["model.safetensors"] = sent
        refused(NAME, NAME)
        assert list(models.iterdir()) == []

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(source, "snapshot_download", interrupted)
    refused("Stopped at organisation/tiny", NAME)
    assert list(models.iterdir()) == []


def test_what_cannot_be_fetched_is_named_with_what_to_do(models, monkeypatch):
    refused("does not know the model gpt7", "gpt7")
    refused("is not the name of a model", "../somewhere")
    refused("name it", "gpt2", "distilgpt2", "--from", ".")
    monkeypatch.setattr(source, "ENDPOINT", NOWHERE)
    for advice in (
        f"{NOWHERE}/openai-community/gpt2 did not answer",
        r"gpt2 \(551 MB, MIT\) is still missing",
        f"copy its folder to {models / 'gpt2'}",
        r"manage\.py fetch_models gpt2 --from FOLDER",
    ):
        refused(advice, "gpt2")
    assert files_in(models.parent) == []
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    refused("HF_HUB_OFFLINE", "gpt2")


def test_what_the_hub_does_not_have_is_named_and_the_other_models_are_fetched(hub, models):
    refused("has no revision v9", NAME, "--revision", "v9")
    refused("organisation/none: There is no model", "organisation/none", NAME)
    assert files_in(models / NAME) == sorted([*TAKEN, RECORD])
    (models / NAME).rename(models / "elsewhere")
    hub.files = {"config.json": CONFIG}
    refused("holds no model that Pawsmith could load", NAME)


def test_a_folder_can_be_brought_in_and_keeps_its_record(hub, models, tmp_path):
    fetch(NAME)
    elsewhere = (models / NAME).rename(tmp_path / "elsewhere")
    fetch(NAME, "--from", str(elsewhere))
    assert model_store.identity_of(NAME)["revision"] == COMMIT
    (elsewhere / RECORD).unlink()
    (elsewhere / "pytorch_model.bin").write_bytes(b"pickled")
    fetch("gpt2", "--from", str(elsewhere), "--revision", "abc", "--licence", "MIT")
    record = json.loads((models / "gpt2" / RECORD).read_text())
    facts = (record["revision"], record["licence"], record["source"])
    assert facts == ("abc", "MIT", str(elsewhere))
    assert list(record["files"]) == list(TAKEN)
    (tmp_path / "empty").mkdir()
    for folder in ("empty", "empty_and_missing"):
        refused("empty", "distilgpt2", "--from", str(tmp_path / folder))
    assert not (models / "distilgpt2").exists()
