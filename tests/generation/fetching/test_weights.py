"""Pickled weights on their way in: rewritten as safetensors, or refused."""

import os
import pickle
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import torch
from django.core.management import CommandError, call_command
from transformers import AutoModelForSeq2SeqLM, MarianMTModel

from generation.methods import model_store
from generation.model_record import ModelRecord
from generation.nlp.adapters import safe_weights
from generation.nlp.adapters.digests import file_digest
from tests.generation.nlp.adapters import tiny_translators

NAME = "Helsinki-NLP/opus-mt-en-de"


@pytest.fixture(autouse=True)
def models(tmp_path: Path, settings: Any) -> Path:
    """The folder of the models of an installation that has none."""
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "models"


@pytest.fixture
def pickled(tmp_path: Path) -> Path:
    """A translator as its makers published it: its weights pickled alone."""
    folder = tiny_translators.marian(tmp_path / "pickled")
    model = MarianMTModel.from_pretrained(folder)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


def bring(folder: Path) -> None:
    call_command("fetch_models", NAME, "--from", str(folder), stdout=StringIO())


def test_pickled_weights_are_rewritten_and_say_the_same(pickled: Path, models: Path) -> None:
    expected = _logits(pickled)

    bring(pickled)

    assert torch.equal(_logits(models / NAME), expected)
    assert not list(models.rglob("*.bin"))
    record = ModelRecord.read(models / NAME)
    assert record is not None
    assert "model.safetensors" in record.files
    assert record.converted == {
        "pytorch_model.bin": file_digest(pickled / "pytorch_model.bin"),
    }
    assert record.changes(models / NAME) == []


def test_the_same_weights_give_the_same_identity(pickled: Path, models: Path) -> None:
    bring(pickled)
    first = model_store.identity_of(NAME)
    (models / NAME).rename(models / "other")

    bring(pickled)

    assert model_store.identity_of(NAME) == first


def _logits(folder: Path) -> torch.Tensor:
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True).eval()
    ids = torch.tensor([[3, 4, 5, 0]])
    with torch.no_grad():
        logits: torch.Tensor = model(input_ids=ids, decoder_input_ids=ids).logits
    return logits


class _Evil:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


def test_weights_that_hold_more_than_tensors_are_refused_and_never_run(
    pickled: Path, models: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    for write in (_as_torch_saves, _as_pickle_dumps):
        write({"model.shared.weight": _Evil(mark)}, pickled / "pytorch_model.bin")

        with pytest.raises(CommandError, match="cannot be rewritten as safetensors"):
            bring(pickled)

    assert not mark.exists()
    assert not list(models.rglob("*"))


def _as_torch_saves(value: object, path: Path) -> None:
    torch.save(value, path)


def _as_pickle_dumps(value: object, path: Path) -> None:
    path.write_bytes(pickle.dumps(value, protocol=2))


def test_weights_that_are_broken_are_refused(pickled: Path, models: Path) -> None:
    (pickled / "pytorch_model.bin").write_bytes(b"no weights")

    with pytest.raises(CommandError, match="cannot be rewritten as safetensors"):
        bring(pickled)

    assert not list(models.rglob("*"))


def test_without_torch_pickled_weights_are_refused_before_they_are_brought(
    pickled: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safe_weights, "NEEDED", ("torch_that_is_not_here",))

    with pytest.raises(CommandError, match="torch_that_is_not_here must be installed"):
        bring(pickled)

    assert not models.exists()
