"""Language models and translators of transformers by name, word swap with them, pickled weights."""

import os
import pickle
from io import BytesIO

import pytest
import torch
from django.core.management import CommandError
from transformers import MarianMTModel

from generation import model_sources, model_store
from generation.errors import MissingModel
from generation.methods import back_translation, model_loaders, word_swap
from generation.model_store import ModelRecord
from generation.nlp.adapters import model_files
from generation.nlp.adapters.model_files import file_digest
from generation.nlp.judging import UNLIKELY
from tests.generation.commands.hub_server import Hub, fetch, serving
from tests.generation.nlp.adapters import tiny

OPTIONS = {"device": "cpu", "precision": "float32"}
TEXTS = ["The poet was born in Porto in 1881 and died in Madrid in 1949.", "Yes."]
OPUS = "Helsinki-NLP/opus-mt-en-de"


@pytest.fixture
def models(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    model_loaders.load_causal_model.cache_clear()
    model_loaders.load_translator.cache_clear()
    return tmp_path / "models"


def test_a_neural_language_model_is_identified_without_being_loaded_and_loaded_once(models):
    (models / "none").mkdir(parents=True)
    (models / "none" / "config.json").write_text("not a model")
    (models / "none" / "model.safetensors").write_text("no weights")
    identity = model_loaders.identify_language_model("none")
    assert (identity["name"], len(identity["sha256"])) == ("none", 64)
    with pytest.raises(MissingModel, match="The language model none cannot be loaded"):
        model_loaders.load_language_model("none")
    with pytest.raises(MissingModel, match=OPUS):
        back_translation.METHOD.identify(back_translation.METHOD.configure({}))
    with pytest.raises(MissingModel, match=r"manage\.py fetch_models gpt2"):
        model_loaders.identify_language_model("gpt2")
    folder = tiny.gpt2(models / "tiny")
    assert model_loaders.load_language_model("tiny") is model_loaders.load_language_model("tiny")
    # Weights that could hold code are not read.
    model_loaders.load_causal_model.cache_clear()
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(MissingModel, match="safetensors"):
        model_loaders.load_language_model("tiny")


def test_words_are_swapped_with_a_neural_model_the_same_way_each_time(models):
    tiny.gpt2(models / "tiny")
    for role in ("language_model", "rescorer"):
        settings = {role: "tiny", "threshold": 1000.0, "largest_fall": 1000.0}
        settings |= {"rescored": 7, "rescorer_threshold": 1000}
        rewriter = word_swap.METHOD.load(word_swap.METHOD.configure(settings), 0)
        accepted, too_short = outcomes = list(rewriter.outcomes(TEXTS))
        assert (accepted.name, too_short.name) == ("accepted", "too_short")
        assert sorted(accepted.rewrites[0].text) == sorted(TEXTS[0])
        assert list(rewriter.outcomes(TEXTS)) == outcomes
        assert rewriter.identities[role]["name"] == "tiny"
    # The second model has its own threshold, used where acceptance is not estimated.
    best = accepted.rewrites[0]
    settings["acceptance"] = 0
    settings["rescorer_threshold"] = best.source_score - best.score - 0.01
    strict = word_swap.METHOD.load(word_swap.METHOD.configure(settings), 0)
    assert [outcome.name for outcome in strict.outcomes(TEXTS)] == [UNLIKELY, "too_short"]


def test_a_translator_is_loaded_once_and_one_that_is_missing_or_something_else_refused(models):
    folder = tiny.marian(models / "tiny")
    translator = model_loaders.load_translator("tiny", **OPTIONS)
    assert model_loaders.load_translator("tiny", **OPTIONS) is translator
    assert translator.identity == model_loaders.identify_translator("tiny")
    assert len(translator.translate(["Yes."], 2)) == 1
    with pytest.raises(MissingModel, match="tiny cannot be loaded"):
        model_loaders.load_translator("tiny", device="cuda:99", precision="float32")
    for ask in (
        model_loaders.identify_translator,
        lambda name: model_loaders.load_translator(name, **OPTIONS),
    ):
        with pytest.raises(MissingModel, match="fetch_models opus/none"):
            ask("opus/none")
    model_loaders.load_translator.cache_clear()
    (folder / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(MissingModel, match="tiny cannot be loaded"):
        model_loaders.load_translator("tiny", **OPTIONS)


@pytest.fixture
def pickled(tmp_path):
    folder = tiny.marian(tmp_path / "pickled")
    model = MarianMTModel.from_pretrained(folder)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


@pytest.fixture
def bring(monkeypatch):
    def bring(folder):
        hub = Hub(OPUS, {path.name: path.read_bytes() for path in folder.iterdir()})
        with serving(hub) as address:
            monkeypatch.setattr(model_sources, "ENDPOINT", address)
            fetch(OPUS)

    return bring


def test_pickled_weights_are_rewritten_and_always_the_same(pickled, models, bring, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(model_files, "NEEDED", ("torch_that_is_not_here",))
        with pytest.raises(CommandError, match="torch_that_is_not_here must be installed"):
            bring(pickled)
    assert not models.exists()
    bring(pickled)
    found, expected = map(MarianMTModel.from_pretrained, (models / OPUS, pickled))
    torch.testing.assert_close(found.state_dict(), expected.state_dict(), rtol=0, atol=0)
    assert not list(models.rglob("*.bin"))
    record = ModelRecord.read(models / OPUS)
    assert "model.safetensors" in record.files
    name = "pytorch_model.bin"
    assert record.converted == {name: file_digest(pickled / name)}
    assert record.changes(models / OPUS) == []
    first = model_store.identity_of(OPUS)
    (models / OPUS).rename(models / "other")
    bring(pickled)
    assert model_store.identity_of(OPUS) == first


class MakesFolder:
    def __reduce__(self):
        return os.mkdir, ("ran",)


def test_weights_that_hold_more_than_tensors_are_never_run(pickled, models, bring, monkeypatch):
    monkeypatch.chdir(pickled)
    saved, evil = BytesIO(), {"model.shared.weight": MakesFolder()}
    torch.save(evil, saved)
    for weights in (saved.getvalue(), pickle.dumps(evil, protocol=2), b"no weights"):
        (pickled / "pytorch_model.bin").write_bytes(weights)
        with pytest.raises(CommandError, match="cannot be rewritten as safetensors"):
            bring(pickled)
    assert not (pickled / "ran").exists()
    assert not list(models.rglob("*"))
