"""Language models and translators of transformers by name, and word swap with them."""

import pytest
import torch

from generation.errors import MissingModel
from generation.methods import language_models, translators, word_swap
from generation.nlp.rescoring import TwoStageModel
from tests.generation.nlp.adapters import tiny, tiny_translators

OPTIONS = {"device": "cpu", "precision": "float32"}
TEXTS = ["The poet was born in Porto in 1881 and died in Madrid in 1949.", "Yes."]


@pytest.fixture
def models(tmp_path, settings):
    """The folder of all models."""
    settings.DATA_DIR = tmp_path
    language_models.neural.cache_clear()
    translators.load.cache_clear()
    return tmp_path / "models"


def test_a_neural_language_model_is_identified_without_being_loaded_and_loaded_once(models):
    (models / "none").mkdir(parents=True)
    (models / "none" / "config.json").write_text("not a model")
    identity = language_models.identify("none")
    assert (identity["name"], len(identity["sha256"])) == ("none", 64)
    with pytest.raises(MissingModel, match="The language model none cannot be used"):
        language_models.load("none")
    with pytest.raises(MissingModel, match=r"manage\.py fetch_models gpt2"):
        language_models.identify("gpt2")
    folder = tiny.gpt2(models / "tiny")
    assert language_models.load("tiny") is language_models.load("tiny")
    # Weights that could hold code are not read.
    language_models.neural.cache_clear()
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(MissingModel, match="safetensors"):
        language_models.load("tiny")


def test_words_are_swapped_with_a_neural_model_the_same_way_each_time(models):
    tiny.gpt2(models / "tiny")
    for role in ("language_model", "rescorer"):
        settings = {role: "tiny", "rescored": 7, "threshold": 1000.0, "largest_fall": 1000.0}
        rewriter = word_swap.load(word_swap.configure(settings), 0)
        accepted, too_short = outcomes = list(rewriter.outcomes(TEXTS))
        assert (accepted.name, too_short.name) == ("accepted", "too_short")
        assert sorted(accepted.rewrites[0].text) == sorted(TEXTS[0])
        assert list(rewriter.outcomes(TEXTS)) == outcomes
        assert rewriter.identities[role]["name"] == "tiny"
    assert isinstance(rewriter.swapper.model, TwoStageModel)
    assert rewriter.swapper.model.best == 7


def test_a_translator_is_loaded_once_and_one_that_is_missing_or_something_else_refused(models):
    folder = tiny_translators.marian(models / "tiny")
    translator = translators.load("tiny", **OPTIONS)
    assert translators.load("tiny", **OPTIONS) is translator
    assert translator.identity == translators.identify("tiny")
    assert len(translator.translate(["Yes."], 2)) == 1
    with pytest.raises(MissingModel, match="tiny cannot be loaded"):
        translators.load("tiny", device="cuda:99", precision="float32")
    for ask in (translators.identify, lambda name: translators.load(name, **OPTIONS)):
        with pytest.raises(MissingModel, match="fetch_models opus/none"):
            ask("opus/none")
    translators.load.cache_clear()
    (folder / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(MissingModel, match="tiny cannot be loaded"):
        translators.load("tiny", **OPTIONS)
