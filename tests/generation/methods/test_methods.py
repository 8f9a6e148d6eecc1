"""Word swap and back translation as methods of generation; models by name."""

import subprocess
import sys

import pytest

from generation import methods
from generation.errors import BadSettings, MissingModel
from generation.methods import (
    back_translation,
    language_models,
    model_store,
    translators,
    word_swap,
)
from generation.methods.contract import ACCEPTED, queue_of
from generation.model_record import ModelRecord
from generation.models import Queue
from generation.nlp.adapters.digests import RECORD, folder_digest
from generation.nlp.back_translation_settings import BackTranslationSettings
from generation.nlp.swap_settings import WordSwapSettings
from tests.generation.nlp.toy_translators import Marked, Unmarked

SENTENCE = "In 1953 the team also toured the far north of Australia."
TINY = "organisation/tiny"


def test_a_run_keeps_every_setting_but_the_seed_and_says_which_workers_it_needs():
    opus = {"forward": "Helsinki-NLP/opus-mt-en-de", "backward": "Helsinki-NLP/opus-mt-de-en"}
    for name, method, own, given, defaults in (
        ("word_swap", word_swap, WordSwapSettings, {"beam": 50}, {"tagger": "embedded"}),
        ("back_translation", back_translation, BackTranslationSettings, {"k": 3}, opus),
    ):
        assert methods.named(name) is method.METHOD
        assert method.METHOD.of_pairs is (name == "back_translation")
        settings = method.configure(given)
        assert settings == method.configure(settings) == settings | given | defaults
        assert settings.keys() == method.MODELS.keys() | own().to_dict().keys() - {"seed"}
        devices = [method.configure({"device": device}) for device in ("cpu", "cuda", "cuda:1")]
        assert list(map(queue_of, devices)) == [Queue.CPU, Queue.GPU, Queue.GPU]


def test_settings_that_a_method_does_not_know_are_refused():
    for method, refused in (
        (word_swap, [("beams", 3), ("beam", "wide"), ("language_model", 3), ("rescorer", None)]),
        (word_swap, [("rescorer", "embedded"), ("rescored", 0), ("rescored", 10_001)]),
        (word_swap, [("rescored", True), ("precision", "int8")]),
        (back_translation, [("beams", 3), ("k", "five"), ("forward", None), ("device", "cuda:x")]),
        *[(method, [("seed", 3), ("device", "tpu")]) for method in (word_swap, back_translation)],
    ):
        for name, value in refused:
            with pytest.raises(BadSettings):
                method.configure({name: value})


def test_the_embedded_models_swap_words_the_same_way_each_time(monkeypatch, tmp_path):
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
    assert rewriter.identities.keys() == {"tagger", "language_model", "likeness"}
    assert all({"name", "sha256"} <= identity.keys() for identity in rewriter.identities.values())
    monkeypatch.setattr(language_models, "EMBEDDED_FILE", tmp_path / "none.npz")
    language_models._embedded.cache_clear()
    with pytest.raises(MissingModel, match=r"none\.npz"):
        word_swap.load(word_swap.configure({}), 0)


def back_translated(monkeypatch, texts, seed=0, **settings):
    toys = {"there": Marked(), "back": Unmarked()}
    monkeypatch.setattr(translators, "load", lambda name, **_: toys[name])
    configured = back_translation.configure({"forward": "there", "backward": "back"} | settings)
    rewriter = back_translation.load(configured, seed)
    identities = {"forward": Marked().identity, "backward": Unmarked().identity}
    assert rewriter.identities == identities
    return list(rewriter.outcomes(texts))


def test_a_back_translated_sentence_may_have_several_rewrites_best_first(monkeypatch):
    accepted, too_long = back_translated(monkeypatch, [SENTENCE, "Yes. " * 60])
    assert (accepted.name, too_long.name) == (ACCEPTED, "too_long")
    assert (len(accepted.rewrites), too_long.rewrites) == (10, ())
    scores = [rewrite.score for rewrite in accepted.rewrites]
    assert scores == sorted(scores, reverse=True)
    assert {rewrite.kind for rewrite in accepted.rewrites} == {"word order", "word choice"}
    # The seed draws, and nothing else is random.
    kept = [
        [rewrite.text for rewrite in outcome.rewrites]
        for seed in (1, *range(9))
        for outcome in back_translated(monkeypatch, [SENTENCE], seed, reordered_share=0.8)
    ]
    assert kept[0] == kept[2]
    assert len({*map(tuple, kept)}) > 1


@pytest.fixture
def folder(tmp_path, settings):
    """Where the model organisation/tiny lies."""
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "models" / "organisation" / "tiny"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    return folder


def test_a_missing_model_is_named_with_its_place_and_what_to_do_and_a_path_is_no_name(folder):
    assert model_store.folder_of(TINY) == folder
    with pytest.raises(MissingModel, match=r"models/gpt2\. Get it: manage\.py fetch_models gpt2"):
        model_store.folder_of("gpt2")
    for name in ("", "..", "../etc", "/etc", "a/b/c", "a/../b", "a\\b", ".hidden"):
        with pytest.raises(MissingModel, match="is not the name of a model"):
            model_store.folder_of(name)


def test_the_identity_of_a_model_is_that_of_its_record_or_its_digest(folder):
    digest = folder_digest(folder)
    assert model_store.identity_of(TINY) == {"name": TINY, "sha256": digest}
    facts = {"name": TINY, "kind": "transformers", "revision": "c0ffee", "licence": "mit"}
    record = ModelRecord.of_folder(folder, source="https://example.org/tiny", **facts)
    record.write(folder)
    assert ModelRecord.read(folder) == record
    identity = {"name": TINY, "revision": "c0ffee", "sha256": digest}
    assert model_store.identity_of(TINY) == identity
    (folder / "more.bin").write_bytes(b"1")
    with pytest.raises(MissingModel, match="--check organisation/tiny"):
        model_store.identity_of(TINY)
    for text in ("", "[]", "{}", '{"sha256": "1", "name": "tiny"}'):
        (folder / RECORD).write_text(text)
        with pytest.raises(MissingModel, match=r"pawsmith\.json cannot be read"):
            model_store.identity_of(TINY)


def test_without_the_neural_packages_it_is_said_how_to_get_them(folder, monkeypatch):
    for module in (language_models, translators):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
        with pytest.raises(MissingModel, match=r"torch.*pip install -r requirements-neural\.txt"):
            module.identify(TINY)


def test_nothing_heavy_is_imported_before_a_translator_is_loaded(folder):
    script = (
        "import django, sys; django.setup()\n"
        "from generation.methods import back_translation as method, translators\n"
        "translators.find_spec = lambda name: 'there'\n"
        f"settings = method.configure({{'forward': {TINY!r}, 'backward': {TINY!r}}})\n"
        "print(method.identify(settings), {'torch', 'transformers'} & sys.modules.keys())"
    )
    environment = {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PAWSMITH_DATA_DIR": str(folder.parents[2]),
    }
    printed = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert printed.stdout.endswith("set()\n")
    assert folder_digest(folder) in printed.stdout
