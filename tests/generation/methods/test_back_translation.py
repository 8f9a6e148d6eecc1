"""Back translation as a method of generation: its settings, its models, its candidates."""

from pathlib import Path
from typing import Any

import pytest

from generation import methods
from generation.errors import BadSettings, MissingModel
from generation.methods import back_translation, translators
from generation.methods.contract import ACCEPTED, queue_of
from generation.models import Queue
from generation.nlp.back_translation_settings import BackTranslationSettings
from tests.generation.nlp.toy_translators import Marked, Unmarked

SENTENCE = "In 1953 the team also toured the far north of Australia."


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Translators by the names of their directions."""
    toys = {"there": Marked(), "back": Unmarked()}
    monkeypatch.setattr(translators, "load", lambda name, **_: toys[name])


def configured(**values: Any) -> dict[str, Any]:
    return back_translation.configure({"forward": "there", "backward": "back"} | values)


def test_it_is_known_by_its_name_and_rewrites_pairs() -> None:
    method = methods.named("back_translation")

    assert method is back_translation.METHOD
    assert method.of_pairs


def test_a_run_keeps_every_setting_but_the_seed() -> None:
    settings = back_translation.configure({"k": 3})

    assert settings["k"] == 3
    assert settings["forward"] == "Helsinki-NLP/opus-mt-en-de"
    assert settings["backward"] == "Helsinki-NLP/opus-mt-de-en"
    assert settings.keys() - back_translation.MODELS.keys() == (
        BackTranslationSettings().to_dict().keys() - {"seed"}
    )


def test_the_settings_of_one_run_can_be_given_to_another() -> None:
    settings = configured(reordered_share=0.25, device="cuda:1", precision="float16")

    assert back_translation.configure(settings) == settings


@pytest.mark.parametrize(
    "values",
    [
        {"beams": 3},
        {"k": "five"},
        {"seed": 3},
        {"forward": None},
        {"device": "tpu"},
        {"device": "cuda:x"},
        {"precision": "int4"},
    ],
)
def test_settings_that_it_does_not_know_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadSettings):
        back_translation.configure(values)


def test_a_run_on_a_gpu_waits_for_workers_with_one() -> None:
    assert queue_of(configured(device="cuda")) is Queue.GPU
    assert queue_of(configured()) is Queue.CPU


def test_a_missing_translator_is_missed_before_the_run_starts(
    settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path

    with pytest.raises(MissingModel, match="opus-mt-en-de"):
        back_translation.identify(back_translation.configure({}))


@pytest.mark.usefixtures("toys")
def test_a_sentence_may_have_several_rewrites_best_first() -> None:
    rewriter = back_translation.load(configured(), 0)

    accepted, too_long = rewriter.outcomes([SENTENCE, "Yes. " * 60])

    assert (accepted.name, too_long.name) == (ACCEPTED, "too_long")
    assert (len(accepted.rewrites), too_long.rewrites) == (10, ())
    scores = [rewrite.score for rewrite in accepted.rewrites]
    assert scores == sorted(scores, reverse=True)
    assert {rewrite.kind for rewrite in accepted.rewrites} == {"word order", "word choice"}


@pytest.mark.usefixtures("toys")
def test_the_seed_draws_and_nothing_else_is_random() -> None:
    def kept(seed: int) -> list[str]:
        (outcome,) = back_translation.load(configured(reordered_share=0.8), seed).outcomes(
            [SENTENCE]
        )
        return [rewrite.text for rewrite in outcome.rewrites]

    assert kept(1) == kept(1)
    assert len({tuple(kept(seed)) for seed in range(9)}) > 1


@pytest.mark.usefixtures("toys")
def test_a_run_keeps_the_identities_of_both_translators() -> None:
    assert back_translation.load(configured(), 0).identities == {
        "forward": Marked().identity,
        "backward": Unmarked().identity,
    }
