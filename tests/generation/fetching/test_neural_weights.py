"""Pickled weights on their way in: rewritten as safetensors, or refused."""

import os
import pickle
from io import StringIO

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


@pytest.fixture
def models(tmp_path, settings):
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "models"


@pytest.fixture
def pickled(tmp_path, models):
    """A translator as its makers published it: its weights pickled alone."""
    folder = tiny_translators.marian(tmp_path / "pickled")
    model = MarianMTModel.from_pretrained(folder)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


def bring(folder):
    call_command("fetch_models", NAME, "--from", str(folder), stdout=StringIO())


def logits(folder):
    model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True).eval()
    ids = torch.tensor([[3, 4, 5, 0]])
    with torch.no_grad():
        return model(input_ids=ids, decoder_input_ids=ids).logits


def test_pickled_weights_are_rewritten_and_always_the_same(pickled, models, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(safe_weights, "NEEDED", ("torch_that_is_not_here",))
        with pytest.raises(CommandError, match="torch_that_is_not_here must be installed"):
            bring(pickled)
    assert not models.exists()
    expected = logits(pickled)
    bring(pickled)
    assert torch.equal(logits(models / NAME), expected)
    assert not list(models.rglob("*.bin"))
    record = ModelRecord.read(models / NAME)
    assert "model.safetensors" in record.files
    weights = "pytorch_model.bin"
    assert record.converted == {weights: file_digest(pickled / weights)}
    assert record.changes(models / NAME) == []
    first = model_store.identity_of(NAME)
    (models / NAME).rename(models / "other")
    bring(pickled)
    assert model_store.identity_of(NAME) == first


class MakesFolder:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_weights_that_hold_more_than_tensors_are_refused_and_never_run(pickled, models, tmp_path):
    ran, weights = tmp_path / "ran", pickled / "pytorch_model.bin"
    evil = {"model.shared.weight": MakesFolder(ran)}
    for write in (
        lambda: torch.save(evil, weights),
        lambda: weights.write_bytes(pickle.dumps(evil, protocol=2)),
        lambda: weights.write_bytes(b"no weights"),
    ):
        write()
        with pytest.raises(CommandError, match="cannot be rewritten as safetensors"):
            bring(pickled)
    assert not ran.exists()
    assert not list(models.rglob("*"))
