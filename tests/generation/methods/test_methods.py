"""Word swap and back translation as methods of generation; models by name."""

import json
from pathlib import Path

import pytest
import spacy

from generation import methods, model_store
from generation.errors import BadSettings, MissingModel
from generation.methods import model_loaders
from generation.methods.back_translation import METHOD as BACK
from generation.methods.word_swap import METHOD as SWAP
from generation.model_store import ModelRecord
from generation.models import Queue
from generation.nlp import ngram
from generation.nlp.adapters import model_files
from generation.nlp.adapters.model_files import RECORD, folder_digest
from generation.nlp.rewrites import ACCEPTED
from generation.nlp.word_swap import WordSwapper
from tests.generation.nlp.adapters import tiny_pipelines as tiny
from tests.generation.nlp.toy_translators import Marked, Unmarked

DOCUMENT = Path(__file__).parents[3] / "docs" / "researcher" / "word_swap.md"
SENTENCE = "In 1953 the team also toured the far north of Australia."
OPUS = {"forward": "Helsinki-NLP/opus-mt-en-de", "backward": "Helsinki-NLP/opus-mt-de-en"}
TINY = "organisation/tiny"
LOADS = "from spacy.util import load_model_from_init_py as of\nload = lambda **k: of(__file__, **k)"


def test_a_run_keeps_every_setting_but_the_seed_and_refuses_unknown_ones():
    for name, method, given, defaults in (
        ("word_swap", SWAP, {"beam": 50}, {"tagger": "embedded"}),
        ("back_translation", BACK, {"k": 3}, OPUS),
    ):
        assert methods.named(name) is method
        assert method.takes_pairs is (name == "back_translation")
        settings = method.configure(given)
        stored = json.loads(json.dumps(settings))
        assert settings == method.configure(stored) == settings | given | defaults
        shown = {each.name for each in (*method.fields, *method.models)}
        assert settings.keys() - {"corpus_language"} == shown
        devices = [method.configure({"device": device}) for device in ("cpu", "cuda", "cuda:1")]
        assert list(map(method.queue_of, devices)) == [Queue.CPU, Queue.GPU, Queue.GPU]


def refused_values(field):
    """Values that a setting of this declaration does not allow."""
    yield from (None, [3])
    if isinstance(field.default, bool | str | tuple):
        yield 1
    else:
        yield from ("5", True, field.bounds[0] - 1, field.bounds[1] + 1, float("nan"))
    if isinstance(field.default, int):
        yield 2.5
    if field.choices:
        yield "unknown"


@pytest.mark.parametrize("name", methods.METHODS)
def test_every_setting_refuses_values_of_another_type_or_that_are_not_allowed(name):
    method = methods.named(name)
    wrong = [("beams", 3), ("seed", 3)]
    for field in (*method.fields, *method.models):
        wrong += [(field.name, value) for value in refused_values(field)]
    wrong += {
        "word_swap": [
            ("rescorer", "embedded"),
            ("device", "cuda:x"),
            *(("movable", kinds) for kinds in (["mixed"], ["noun", "proverb"], [])),
        ]
    }.get(name, [])
    for setting, value in wrong:
        with pytest.raises(BadSettings, match=setting):
            method.configure({setting: value})


def test_the_embedded_models_swap_words_the_same_way_each_time(monkeypatch, tmp_path):
    texts = ["The company moved its office from Berlin to Vienna in 1921.", "Yes."]
    rewriter = SWAP.load(SWAP.configure({}), 0)
    outcomes = list(rewriter.outcomes(texts))
    assert [outcome.name for outcome in outcomes] == [ACCEPTED, "too_short"]
    assert sorted(outcomes[0].rewrites[0].text) == sorted(texts[0])
    assert list(rewriter.outcomes(texts)) == outcomes
    roles = {"tagger", "language_model", "likeness", "acceptance"}
    assert rewriter.identities.keys() == roles
    assert all({"name", "sha256"} <= identity.keys() for identity in rewriter.identities.values())
    monkeypatch.setattr(ngram, "EMBEDDED_FILE", tmp_path / "none.npz")
    ngram.load_embedded.cache_clear()
    with pytest.raises(MissingModel, match=r"none\.npz"):
        SWAP.load(SWAP.configure({}), 0)


def test_a_swapper_without_django_gives_what_a_run_gives():
    texts = ["In 1951 the old bridge was moved from Graz to Linz.", *(row[0] for row in PRINTED)]
    configuration = SWAP.configure(SWAP.with_preset("balanced", {"beam": 50}))
    swapper = WordSwapper.embedded("balanced", beam=50, seed=3)
    assert list(swapper.outcomes(texts)) == list(SWAP.load(configuration, 3).outcomes(texts))
    with pytest.raises(ValueError, match="balanced, default, more, paper"):
        WordSwapper.embedded("best")


PRINTED = (  # in the PAWS paper: swaps without other words, and the partner's rank
    ("flights from New York to Florida", "flights from Florida to New York", 2),
    ("Flights from New York to Florida.", "Flights from Florida to New York.", 1),
    ("Can a bad person become good?", "Can a good person become bad?", 1),
    (
        "Which is the cheapest flight from anywhere in South America to Europe?",
        "Which is the cheapest flight from anywhere in Europe to South America?",
        1,
    ),
    (
        "Jerry looks over Tom’s shoulder and gets punched.",
        "Tom looks over Jerry’s shoulder and gets punched.",
        1,
    ),
)


def test_the_preset_paper_finds_the_swaps_that_the_paper_prints_as_the_document_says():
    settings = SWAP.configure(SWAP.preset("paper").settings)
    outcomes = SWAP.load(settings, 0).outcomes([source for source, _, _ in PRINTED])
    for outcome, (_, partner, rank) in zip(outcomes, PRINTED, strict=True):
        [best] = outcome.rewrites
        texts = [best.text, *(other.text for other in best.alternatives)]
        assert texts.index(partner) + 1 == rank
    document = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert "`paper` finds all 5: 4 first, 1 at rank 2." in document


def test_a_back_translated_sentence_has_rewrites_best_first_as_the_seed_draws(monkeypatch):
    toys = {OPUS["forward"]: Marked(), OPUS["backward"]: Unmarked()}
    monkeypatch.setattr(model_loaders, "load_translator", lambda name, **_: toys[name])

    def loaded(seed, **settings):
        return BACK.load(BACK.configure(settings), seed)

    identities = {"forward": Marked.identity, "backward": Unmarked.identity}
    assert loaded(0).identities == identities
    accepted, too_long = loaded(0).outcomes([SENTENCE, "Yes. " * 60])
    assert (accepted.name, too_long.name, too_long.rewrites) == (ACCEPTED, "too_long", ())
    scores = [rewrite.score for rewrite in accepted.rewrites]
    assert len(scores) == 10
    assert scores == sorted(scores, reverse=True)
    assert {rewrite.kind for rewrite in accepted.rewrites} == {"word order", "word choice"}
    seeded = [loaded(seed, reordered_share=0.8) for seed in (1, *range(9))]
    drawn = [next(iter(some.outcomes([SENTENCE]))).rewrites for some in seeded]
    assert drawn[0] == drawn[2]  # both by 1
    assert len({*drawn}) > 1


@pytest.fixture
def models(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    model_loaders.load_tagger.cache_clear()
    yield tmp_path / "models"
    model_loaders.load_tagger.cache_clear()


@pytest.fixture
def folder(models):
    folder = models / TINY
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"")
    return folder


def test_a_missing_model_is_named_with_its_place_and_what_to_do_and_a_path_is_no_name(folder):
    assert model_store.folder_of(TINY) == folder
    with pytest.raises(
        MissingModel, match=r"has no models/gpt2\. Get it: manage\.py fetch_models gpt2"
    ):
        model_store.folder_of("gpt2")
    for name in ("", "..", "../etc", "/etc", "a/b/c", "a/../b", "a\\b", ".hidden", "a" * 300):
        with pytest.raises(MissingModel, match="is not the name of a model"):
            model_store.folder_of(name)
    # A run does not start without a model that it names.
    for role in ("tagger", "language_model", "rescorer"):
        with pytest.raises(MissingModel, match="gpt2"):
            SWAP.identify(SWAP.configure({role: "gpt2"}))


def test_the_identity_of_a_model_is_that_of_its_record_or_its_digest(folder, monkeypatch):
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
    # People who send settings over REST learn no absolute path of the server.
    for text in ("", "[]", "{}", '{"sha256": "1", "name": "tiny"}'):
        (folder / RECORD).write_text(text)
        with pytest.raises(
            MissingModel, match=rf"^The record models/{TINY}/pawsmith\.json cannot be read"
        ):
            model_store.identity_of(TINY)
    # Without the neural packages it is said how to get them.
    monkeypatch.setattr(model_files, "find_spec", lambda name: None)
    for identify in (model_loaders.identify_language_model, model_loaders.identify_translator):
        with pytest.raises(MissingModel, match=r"torch.*pip install -r requirements-neural\.txt"):
            identify(TINY)


def test_pipelines_are_known_by_their_record_or_as_packages_by_their_version(models, monkeypatch):
    folder = tiny.saved(tiny.with_tagger(), models / "en_tiny")
    facts = {"kind": "spacy", "revision": "3.8.0", "source": "", "licence": "MIT"}
    ModelRecord.of_folder(folder, name="en_tiny", **facts).write(folder)
    facts = {"version": "0.0.0", "entity_probability": "none given"}
    recorded = {"name": "en_tiny", "revision": "3.8.0", "sha256": folder_digest(folder)}
    assert model_loaders.identify_tagger("en_tiny") == facts | recorded
    assert SWAP.identify(SWAP.configure({"tagger": "en_tiny"}))["tagger"] == facts | recorded
    package = models.parent / "packages" / "en_pipeline"
    inner = tiny.saved(tiny.with_tagger(), package / "en_pipeline-0.0.0")
    (package / "meta.json").write_bytes((inner / "meta.json").read_bytes())
    (package / "__init__.py").write_text(LOADS)
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setattr(spacy.util, "is_package", lambda name: name == package.name)
    assert model_loaders.identify_tagger("en_pipeline") == facts | {"name": "en_pipeline"}
    for name in ("en_tiny", "en_pipeline"):
        (tagged,) = model_loaders.load_tagger(name).tag([tiny.TEXT])
        assert [token.tag for token in tagged.tokens] == tiny.TAGS
        assert model_loaders.load_tagger(name) is model_loaders.load_tagger(name)


def test_a_tagger_that_is_missing_or_something_else_is_named_with_what_to_do(models, tmp_path):
    advice = r"the data folder has no models/en_core_web_sm\..* fetch_models en_core_web_sm"
    tiny.saved(spacy.blank("en"), models / "en_blank")
    for act in (model_loaders.identify_tagger, model_loaders.load_tagger):
        for name, message in (
            ("en_core_web_sm", advice),
            (str(tmp_path), "is not the name of a model"),
            ("json", "no package of this name"),
            ("en_blank", "sets no tags"),
        ):
            with pytest.raises(MissingModel, match=message):
                act(name)
    (models / "en_blank" / "meta.json").unlink()
    with pytest.raises(MissingModel, match="holds no spaCy pipeline"):
        model_loaders.identify_tagger("en_blank")
