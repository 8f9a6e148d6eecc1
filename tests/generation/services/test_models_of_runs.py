"""The models that a run names: kept with it, or missing, so that it does not start."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation import methods
from generation.errors import MissingModel
from generation.models import GenerationRun, Method
from generation.services import runs
from tests.annotation import cast
from tests.generation import fake
from tests.generation.nlp.adapters import tiny_pipelines as tiny

pytestmark = pytest.mark.django_db


def test_a_run_without_its_models_does_not_start(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path
    corpus = fake.corpus(1)
    for setting in ({"tagger": "organisation/x"}, {"tagger": "../x"}, {"language_model": "x"}):
        with pytest.raises(MissingModel, match="x"):
            runs.start(corpus, method="word_swap", settings=setting)
    names = ("--corpus", corpus.name, "--project", cast.study().name)
    with pytest.raises(CommandError, match="fetch_models en_core_web_sm"):
        call_command("generate", *names, "--set", "tagger=en_core_web_sm", stdout=StringIO())
    assert not GenerationRun.objects.exists()
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)
    swaps = fake.run(corpus)
    with pytest.raises(MissingModel, match="fetch_models Helsinki-NLP/opus-mt-en-de"):
        runs.start(corpus, method="back_translation", pairs_of=[swaps])
    assert GenerationRun.objects.get() == swaps


def test_a_run_keeps_where_the_probabilities_of_entities_come_from(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    tiny.saved(tiny.with_recogniser(), tmp_path / "models" / "en_tiny")
    run = runs.start(fake.corpus(1), method="word_swap", settings={"tagger": "en_tiny"})
    run.refresh_from_db()
    assert run.model_identities["tagger"]["entity_probability"] == "beam of 16 parses"
