"""Word swap as a method of generation: its settings, its models, its candidates."""

from pathlib import Path

import pytest

from generation import methods
from generation.errors import BadSettings, MissingModel
from generation.methods import language_models, word_swap
from generation.methods.contract import ACCEPTED
from generation.nlp.swap_settings import WordSwapSettings


def test_it_is_known_by_its_name() -> None:
    assert methods.named("word_swap") is word_swap.METHOD


def test_a_run_keeps_every_setting_but_the_seed() -> None:
    settings = word_swap.configure({"beam": 50})

    assert settings["beam"] == 50
    assert settings["tagger"] == settings["language_model"] == "embedded"
    assert settings.keys() - word_swap.MODELS.keys() == WordSwapSettings().to_dict().keys() - {
        "seed"
    }


def test_the_settings_of_one_run_can_be_given_to_another() -> None:
    settings = word_swap.configure({"threshold": 1.5})

    assert word_swap.configure(settings) == settings


@pytest.mark.parametrize(
    "values",
    [
        {"beams": 3},
        {"beam": "wide"},
        {"seed": 3},
        {"language_model": 3},
        {"rescorer": None},
        {"rescorer": "embedded"},
        {"rescored": 0},
        {"rescored": True},
        {"device": "tpu"},
        {"precision": "int8"},
    ],
)
def test_settings_that_it_does_not_know_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadSettings):
        word_swap.configure(values)


def test_a_missing_tagger_is_named() -> None:
    with pytest.raises(MissingModel, match="no_such_pipeline"):
        word_swap.load(word_swap.configure({"tagger": "no_such_pipeline"}), 0)


def test_a_missing_language_model_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(language_models, "EMBEDDED_FILE", tmp_path / "none.npz")
    language_models._embedded.cache_clear()

    with pytest.raises(MissingModel, match=r"none\.npz"):
        word_swap.load(word_swap.configure({}), 0)


def test_the_embedded_models_swap_words_the_same_way_each_time() -> None:
    texts = [
        "The company moved its office from Berlin to Vienna in 1921.",
        "The narrow windows of the ground floor contrast with the wide windows above.",
        "Yes.",
    ]
    rewriter = word_swap.load(word_swap.configure({}), 0)

    outcomes = list(rewriter.outcomes(texts))

    assert [outcome.name for outcome in outcomes] == [ACCEPTED, ACCEPTED, "too_short"]
    assert sorted(outcomes[0].rewrites[0].text) == sorted(texts[0])
    assert list(rewriter.outcomes(texts)) == outcomes
    assert {"name", "sha256"} <= rewriter.identities["tagger"].keys()
    assert {"name", "sha256"} <= rewriter.identities["language_model"].keys()
