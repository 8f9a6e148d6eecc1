"""manage.py fetch_models."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

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
def models(tmp_path: Path, settings: Any) -> Path:
    """The folder of the models of an installation that has none."""
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "models"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that has the model."""
    hub = Hub(NAME, FILES)
    with serving(hub) as address:
        monkeypatch.setattr(source, "ENDPOINT", address)
        yield hub


def fetch(*arguments: str) -> str:
    output = StringIO()
    call_command("fetch_models", *arguments, stdout=output)
    return output.getvalue()


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_model_is_fetched_and_recorded(hub: Hub, models: Path) -> None:
    printed = fetch(NAME)

    folder = models / NAME
    record = json.loads((folder / RECORD).read_text())
    assert files_in(folder) == sorted([*TAKEN, RECORD])
    assert {key: record[key] for key in ("name", "kind", "revision", "licence", "sha256")} == {
        "name": NAME,
        "kind": "transformers",
        "revision": COMMIT,
        "licence": "mit",
        "sha256": folder_digest(folder),
    }
    assert record["files"] == {name: file_digest(folder / name) for name in TAKEN}
    assert record["source"] == f"{source.ENDPOINT}/{NAME}"
    assert f"revision {COMMIT}, licence mit" in printed
    assert model_store.identity_of(NAME)["revision"] == COMMIT
    assert files_in(models) == ["organisation", NAME, *(f"{NAME}/{n}" for n in files_in(folder))]


def test_a_second_fetch_asks_nobody(hub: Hub) -> None:
    fetch(NAME)
    hub.requests.clear()

    assert "is here already" in fetch(NAME)
    assert hub.requests == []


def test_another_revision_does_not_replace_the_one_that_is_here(hub: Hub) -> None:
    fetch(NAME)

    with pytest.raises(CommandError, match=f"in revision {COMMIT}. To fetch v2, move"):
        fetch(NAME, "--revision", "v2")


def test_a_revision_can_be_named(hub: Hub) -> None:
    fetch(NAME, "--revision", COMMIT)

    assert model_store.identity_of(NAME)["revision"] == COMMIT


def test_a_folder_without_a_record_is_compared_with_nothing(hub: Hub, models: Path) -> None:
    fetch(NAME)
    (models / "own").mkdir()
    (models / "own" / "config.json").write_text("{}")

    assert fetch("--check") == f"{NAME}: as recorded.\n"
    with pytest.raises(CommandError, match="has no record"):
        fetch("--check", "own")


def test_a_fetch_that_is_interrupted_leaves_nothing(
    hub: Hub, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(source, "snapshot_download", interrupted)

    with pytest.raises(CommandError, match="Stopped at organisation/tiny"):
        fetch(NAME)

    assert files_in(models) == []


def test_a_file_that_changed_is_found(hub: Hub, models: Path) -> None:
    fetch(NAME)
    assert fetch("--check") == f"{NAME}: as recorded.\n"
    (models / NAME / "config.json").write_bytes(b'{"model_type": "gpt3"}')

    with pytest.raises(CommandError, match=r"not as recorded: config\.json\."):
        fetch("--check", NAME)


@pytest.mark.parametrize(
    ("sent", "name"),
    [(b"WEIGHTS" * 1_000, "model.safetensors"), (b"short", "model.safetensors")],
)
def test_what_does_not_arrive_as_described_is_refused(
    hub: Hub, models: Path, sent: bytes, name: str
) -> None:
    hub.sent[name] = sent

    with pytest.raises(CommandError):
        fetch(NAME)

    assert files_in(models) == []


def test_a_fetch_that_is_killed_half_way_leaves_no_model(
    hub: Hub, models: Path, tmp_path: Path
) -> None:
    hub.stalls_at = "model.safetensors"
    environment = os.environ | {
        "HF_ENDPOINT": source.ENDPOINT,
        "PAWSMITH_DATA_DIR": str(tmp_path / "data"),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    command = [sys.executable, "manage.py", "fetch_models", NAME]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        assert hub.stalled.wait(60)
        process.send_signal(signal.SIGKILL)

    assert not (models / NAME).exists()
    assert NAME not in fetch()
    hub.stalls_at = ""
    fetch(NAME)
    assert fetch("--check", NAME) == f"{NAME}: as recorded.\n"


def test_without_a_network_it_says_what_is_missing_and_what_to_do(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "ENDPOINT", "http://127.0.0.1:9")

    with pytest.raises(CommandError) as failed:
        fetch("gpt2")

    told = str(failed.value)
    assert "http://127.0.0.1:9/openai-community/gpt2 did not answer" in told
    assert "gpt2 (551 MB, MIT) is still missing" in told
    assert f"copy its folder to {models / 'gpt2'}" in told
    assert "manage.py fetch_models gpt2 --from FOLDER" in told
    assert files_in(models.parent) == []


def test_offline_mode_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

    with pytest.raises(CommandError, match="HF_HUB_OFFLINE"):
        fetch("gpt2")


def test_one_that_fails_does_not_keep_the_others(hub: Hub, models: Path) -> None:
    with pytest.raises(CommandError, match="organisation/none: There is no model"):
        fetch("organisation/none", NAME)

    assert (models / NAME / RECORD).exists()


def test_a_revision_that_the_source_has_not_is_named(hub: Hub) -> None:
    with pytest.raises(CommandError, match="has no revision v9"):
        fetch(NAME, "--revision", "v9")


def test_a_repository_without_weights_is_no_model(hub: Hub) -> None:
    hub.files = {"config.json": b"{}", "README.md": b""}

    with pytest.raises(CommandError, match="holds no model that Pawsmith could load"):
        fetch(NAME)


def test_a_name_that_nobody_knows_is_refused() -> None:
    with pytest.raises(CommandError, match="does not know the model gpt7"):
        fetch("gpt7")


def test_a_path_is_no_name() -> None:
    with pytest.raises(CommandError, match="is not the name of a model"):
        fetch("../somewhere")


def test_the_list_names_what_there_is_and_what_is_here(hub: Hub, models: Path) -> None:
    fetch(NAME)
    (models / "own").mkdir()
    (models / "own" / "config.json").write_text("{}")

    lines = fetch().splitlines()

    assert lines[0] == f"Models in {models}:"
    assert lines[1::2][: len(MODELS)] == [model.name for model in MODELS]
    assert lines[2] == "  tags and names (tagger); 12 MB, MIT; not here"
    assert lines[-4:] == [NAME, f"  here, revision {COMMIT}", "own", "  here, without a record"]


def test_a_folder_can_be_brought_in(models: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    copied.mkdir()
    for name in ("config.json", "model.safetensors", "pytorch_model.bin"):
        (copied / name).write_bytes(FILES[name])
    facts = ("--revision", "abc", "--licence", "MIT")

    fetch("gpt2", "--from", str(copied), *facts)

    record = json.loads((models / "gpt2" / RECORD).read_text())
    assert (record["revision"], record["licence"], record["source"]) == ("abc", "MIT", str(copied))
    assert list(record["files"]) == ["config.json", "model.safetensors"]


def test_what_was_fetched_elsewhere_keeps_its_record(
    hub: Hub, models: Path, tmp_path: Path
) -> None:
    fetch(NAME)
    elsewhere = (models / NAME).rename(tmp_path / "elsewhere")

    fetch(NAME, "--from", str(elsewhere))

    assert model_store.identity_of(NAME)["revision"] == COMMIT


@pytest.mark.parametrize("make", [True, False])
def test_a_folder_without_a_model_is_refused(tmp_path: Path, models: Path, make: bool) -> None:
    if make:
        (tmp_path / "empty").mkdir()

    with pytest.raises(CommandError, match=r"empty"):
        fetch("gpt2", "--from", str(tmp_path / "empty"))

    assert not (models / "gpt2").exists()


def test_a_folder_is_brought_in_for_one_name_only(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="name it"):
        fetch("gpt2", "distilgpt2", "--from", str(tmp_path))
