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

NAME = "organisation/tiny"
FILES = {
    "config.json": b'{"model_type": "gpt2"}',
    "model.safetensors": b"weights" * 1_000,
    "tokenizer.json": b"{}",
    "README.md": b"A model.",
    "pytorch_model.bin": b"pickled",
    "modeling.py": b"raise SystemExit",
    "onnx/model.onnx": b"another",
}
TAKEN = ["README.md", "config.json", "model.safetensors", "tokenizer.json"]


@pytest.fixture(autouse=True)
def models(tmp_path, settings):
    """The folder of the models of an installation that has none."""
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "models"


@pytest.fixture
def hub(monkeypatch):
    """A hub that has the model."""
    hub = Hub(NAME, dict(FILES))
    with serving(hub) as address:
        monkeypatch.setattr(source, "ENDPOINT", address)
        yield hub


def fetch(*arguments):
    output = StringIO()
    call_command("fetch_models", *arguments, stdout=output)
    return output.getvalue()


def files_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_model_is_fetched_and_recorded(hub, models):
    printed = fetch(NAME)
    folder = models / NAME
    record = json.loads((folder / RECORD).read_text())
    facts = {"name": NAME, "kind": "transformers", "revision": COMMIT, "licence": "mit"}
    facts |= {"source": f"{source.ENDPOINT}/{NAME}", "sha256": folder_digest(folder)}
    facts |= {"files": {name: file_digest(folder / name) for name in TAKEN}}
    assert record == record | facts
    assert files_in(models) == [
        "organisation",
        NAME,
        *sorted(f"{NAME}/{n}" for n in [*TAKEN, RECORD]),
    ]
    assert f"revision {COMMIT}, licence mit" in printed
    assert model_store.identity_of(NAME)["revision"] == COMMIT


def test_a_model_that_is_here_is_not_fetched_again(hub):
    fetch(NAME, "--revision", COMMIT)
    hub.requests.clear()
    assert "is here already" in fetch(NAME)
    with pytest.raises(CommandError, match=f"in revision {COMMIT}. To fetch v2, move"):
        fetch(NAME, "--revision", "v2")
    assert hub.requests == []


def test_files_are_compared_with_the_record(hub, models):
    fetch(NAME)
    (models / "own").mkdir()
    (models / "own" / "config.json").write_text("{}")
    assert fetch("--check") == f"{NAME}: as recorded.\n"
    with pytest.raises(CommandError, match="has no record"):
        fetch("--check", "own")
    (models / NAME / "config.json").write_bytes(b'{"model_type": "gpt3"}')
    with pytest.raises(CommandError, match=r"not as recorded: config\.json\."):
        fetch("--check", NAME)


def test_what_is_interrupted_or_does_not_arrive_as_described_leaves_nothing(
    hub, models, monkeypatch
):
    for sent in (b"WEIGHTS" * 1_000, b"short"):
        hub.sent["model.safetensors"] = sent
        with pytest.raises(CommandError):
            fetch(NAME)
        assert files_in(models) == []

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(source, "snapshot_download", interrupted)
    with pytest.raises(CommandError, match="Stopped at organisation/tiny"):
        fetch(NAME)
    assert files_in(models) == []


def test_what_cannot_be_fetched_is_named_with_what_to_do(models, monkeypatch):
    monkeypatch.setattr(source, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(CommandError) as failed:
        fetch("gpt2")
    for advice in (
        "http://127.0.0.1:9/openai-community/gpt2 did not answer",
        "gpt2 (551 MB, MIT) is still missing",
        f"copy its folder to {models / 'gpt2'}",
        "manage.py fetch_models gpt2 --from FOLDER",
    ):
        assert advice in str(failed.value)
    assert files_in(models.parent) == []
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(CommandError, match="HF_HUB_OFFLINE"):
        fetch("gpt2")
    for arguments, message in (
        (["gpt7"], "does not know the model gpt7"),
        (["../somewhere"], "is not the name of a model"),
        (["gpt2", "distilgpt2", "--from", "."], "name it"),
    ):
        with pytest.raises(CommandError, match=message):
            fetch(*arguments)


def test_what_the_hub_does_not_have_is_named_and_the_other_models_are_fetched(hub, models):
    with pytest.raises(CommandError, match="has no revision v9"):
        fetch(NAME, "--revision", "v9")
    with pytest.raises(CommandError, match="organisation/none: There is no model"):
        fetch("organisation/none", NAME)
    assert files_in(models / NAME) == sorted([*TAKEN, RECORD])
    (models / NAME).rename(models / "elsewhere")
    hub.files = {"config.json": b"{}", "README.md": b""}
    with pytest.raises(CommandError, match="holds no model that Pawsmith could load"):
        fetch(NAME)


def test_the_list_names_what_there_is_and_what_is_here(hub, models):
    fetch(NAME)
    (models / "own").mkdir()
    (models / "own" / "config.json").write_text("{}")
    lines = fetch().splitlines()
    assert lines[0] == f"Models in {models}:"
    assert lines[1::2][: len(MODELS)] == [model.name for model in MODELS]
    assert lines[2] == "  tags and names (tagger); 12 MB, MIT; not here"
    assert lines[-4:] == [NAME, f"  here, revision {COMMIT}", "own", "  here, without a record"]


def test_a_folder_can_be_brought_in_and_keeps_its_record(hub, models, tmp_path):
    fetch(NAME)
    elsewhere = (models / NAME).rename(tmp_path / "elsewhere")
    fetch(NAME, "--from", str(elsewhere))
    assert model_store.identity_of(NAME)["revision"] == COMMIT
    copied = tmp_path / "copied"
    copied.mkdir()
    for name in ("config.json", "model.safetensors", "pytorch_model.bin"):
        (copied / name).write_bytes(FILES[name])
    fetch("gpt2", "--from", str(copied), "--revision", "abc", "--licence", "MIT")
    record = json.loads((models / "gpt2" / RECORD).read_text())
    assert (record["revision"], record["licence"], record["source"]) == ("abc", "MIT", str(copied))
    assert list(record["files"]) == ["config.json", "model.safetensors"]
    (tmp_path / "empty").mkdir()
    for folder in ("empty", "empty_and_missing"):
        with pytest.raises(CommandError, match="empty"):
            fetch("distilgpt2", "--from", str(tmp_path / folder))
    assert not (models / "distilgpt2").exists()
