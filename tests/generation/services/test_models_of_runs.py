"""The models that a run names: kept with it, or missing, so that it does not start."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from spacy.language import Language

from generation import methods
from generation.errors import MissingModel
from generation.models import GenerationRun, Method
from generation.services import runs
from tests.annotation import cast
from tests.generation import fake
from tests.generation.nlp.adapters import tiny_pipelines as tiny

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path


@pytest.mark.parametrize(
    ("setting", "name"),
    [
        ("tagger", "en_core_web_sm"),
        ("tagger", "organisation/tagger"),
        ("tagger", "../models"),
        ("language_model", "gpt2"),
        ("language_model", "organisation/model"),
    ],
)
def test_a_word_swap_without_its_models_does_not_start(setting: str, name: str) -> None:
    with pytest.raises(MissingModel, match=name):
        runs.start(fake.corpus(1), method="word_swap", settings={setting: name})

    assert not GenerationRun.objects.exists()


def test_a_back_translation_without_its_translators_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = fake.corpus(1)
    with monkeypatch.context() as patched:
        patched.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)
        swaps = fake.run(corpus)

    with pytest.raises(MissingModel, match="fetch_models Helsinki-NLP/opus-mt-en-de"):
        runs.start(corpus, method="back_translation", pairs_of=[swaps])

    assert GenerationRun.objects.get() == swaps


def test_the_command_says_what_is_missing_and_what_to_do() -> None:
    names = ("--corpus", fake.corpus(1).name, "--project", cast.study().name)

    with pytest.raises(CommandError, match="fetch_models en_core_web_sm"):
        call_command("generate", *names, "--set", "tagger=en_core_web_sm", stdout=StringIO())

    assert not GenerationRun.objects.exists()


@pytest.mark.parametrize(
    ("make", "expected"),
    [(tiny.with_recogniser, "beam of 16 parses"), (tiny.with_rules, "none given")],
)
def test_a_run_keeps_where_the_probabilities_of_entities_come_from(
    tmp_path: Path, make: Callable[[], Language], expected: str
) -> None:
    tiny.saved(make(), tmp_path / "models" / "en_tiny")

    run = runs.start(fake.corpus(1), method="word_swap", settings={"tagger": "en_tiny"})

    run.refresh_from_db()
    assert run.model_identities["tagger"]["entity_probability"] == expected
