"""Models by name: where they lie and what is stored of them with a run."""

from pathlib import Path
from typing import Any

import pytest

from generation.errors import MissingModel
from generation.methods import model_store
from generation.model_record import ModelRecord
from generation.nlp.adapters.digests import RECORD, folder_digest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    """Where the model organisation/tiny lies."""
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "models" / "organisation" / "tiny"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    return folder


@pytest.fixture
def record(folder: Path) -> ModelRecord:
    """The record that lies in the model's folder."""
    record = ModelRecord.of_folder(
        folder,
        name="organisation/tiny",
        kind="transformers",
        revision="c0ffee",
        source="https://example.org/organisation/tiny",
        licence="mit",
    )
    record.write(folder)
    return record


def test_a_model_is_found_by_its_name(folder: Path) -> None:
    assert model_store.folder_of("organisation/tiny") == folder


def test_a_missing_model_is_named_with_its_place_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MissingModel) as refused:
        model_store.folder_of("gpt2")

    assert str(tmp_path / "models" / "gpt2") in str(refused.value)
    assert "manage.py fetch_models gpt2" in str(refused.value)


@pytest.mark.parametrize("name", ["", "..", "../etc", "/etc", "a/b/c", "a/../b", "a\\b", ".hidden"])
def test_a_name_is_never_a_path(name: str) -> None:
    with pytest.raises(MissingModel, match="is not the name of a model"):
        model_store.folder_of(name)


def test_the_identity_is_that_of_the_record(folder: Path, record: ModelRecord) -> None:
    assert model_store.identity_of("organisation/tiny") == {
        "name": "organisation/tiny",
        "revision": "c0ffee",
        "sha256": folder_digest(folder),
    }


def test_without_a_record_the_folder_is_digested(folder: Path) -> None:
    assert model_store.identity_of("organisation/tiny") == {
        "name": "organisation/tiny",
        "sha256": folder_digest(folder),
    }


def test_a_folder_that_lost_or_gained_files_has_no_identity(
    folder: Path, record: ModelRecord
) -> None:
    (folder / "more.bin").write_bytes(b"1")

    with pytest.raises(MissingModel, match="--check organisation/tiny"):
        model_store.identity_of("organisation/tiny")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sha256": "1", "name": "tiny"}'])
def test_a_broken_record_is_an_error(folder: Path, text: str) -> None:
    (folder / RECORD).write_text(text)

    with pytest.raises(MissingModel, match=r"pawsmith\.json cannot be read"):
        model_store.identity_of("organisation/tiny")


def test_a_record_reads_as_it_was_written(folder: Path, record: ModelRecord) -> None:
    assert ModelRecord.read(folder) == record
