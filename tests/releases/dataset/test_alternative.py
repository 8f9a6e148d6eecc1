"""A release tells whether its models can stand in for people, and a verifier tests them again."""

import json
from dataclasses import replace

import pytest

from annotation.stats.alternative import alternative_test
from annotation.stats.labels import SAME_OR_DIFFERENT
from releases.dataset.alternative import model_tests, stand_in
from releases.dataset.files import JUDGMENTS, MODEL_JUDGMENTS
from releases.dataset.manifest import as_json
from releases.dataset.prose import as_text
from releases.dataset.rows import ModelJudgmentRow
from releases.dataset.verification import verify
from releases.dataset.writers import write_release
from tests.releases.dataset.studies import FACTS, SETTINGS, complete_content

TESTING = replace(FACTS, tests_models=True)


def majorities(content):
    return {
        pair.id: int(pair.votes[1] > pair.votes[0])
        for pair in content.pairs
        if pair.origin == "judged"
    }


@pytest.fixture(scope="module")
def content():
    """A model that gives every pair the label of the majority, and one with two labels."""
    content = complete_content()
    rows = [
        ModelJudgmentRow(pair, "Model", "8", label, None)
        for pair, label in majorities(content).items()
    ]
    return replace(content, model_judgments=[*content.model_judgments, *rows])


@pytest.fixture(scope="module")
def release(content, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tested") / "release"
    write_release(folder, content, facts=TESTING, settings=SETTINGS)
    return folder


def models_of(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    return manifest["counts"]["model_judgments"]


def test_the_manifest_has_the_figures_of_the_test(release, content):
    votes = {pair.id: pair.votes for pair in content.pairs if pair.origin == "judged"}
    compared = {}
    for row in content.judgments:
        key = row.annotator, votes[row.pair], row.label, majorities(content)[row.pair]
        compared[key] = compared.get(key, 0) + 1
    test = alternative_test(compared, SAME_OR_DIFFERENT)
    few, model = models_of(release)
    assert few["alternative"] == {"people": 0}
    assert model["alternative"] == {
        "people": 9,
        "pairs": [min(p.pairs for p in test.people), max(p.pairs for p in test.people)],
        "advantage": round(test.advantage, 6),
        "winning_rates": [round(verdict.winning_rate, 6) for verdict in test.verdicts],
    }


def test_the_card_tells_the_verdict_of_each_model(release):
    card = (release / "README.md").read_text()
    assert "beside 9 annotators on" in card
    assert "rate is 100.0% at epsilon = 0.1, 100.0% at epsilon = 0.15 and 100.0% at" in card
    assert "Annotators with 30 pairs that it labelled and others judged: 0; the" in card


def test_a_release_with_tests_has_no_difference(release):
    assert list(verify(release)) == []


def test_another_winning_rate_is_found(copied):
    folder = copied()
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["counts"]["model_judgments"][1]["alternative"]["winning_rates"][0] = 0.5
    (folder / "manifest.json").write_text(as_json(manifest))
    [difference] = verify(folder)
    assert "winning_rates" in str(difference)


@pytest.mark.parametrize(("layout", "is_tested"), [(2, True), (3, False)])
def test_a_model_that_chose_pairs_is_tested_in_older_layouts_only(release, layout, is_tested):
    judged_again = {("Model", "8"): 2}
    tests = model_tests(release, replace(SETTINGS, layout=layout), judged_again)
    assert ("winning_rates" in tests["Model", "8"]) == is_tested
    assert (tests["Model", "8"] == {"judged_again": 2}) != is_tested
    assert tests["Model", "7"] == {"people": 0}


def test_a_constant_model_that_passes_is_told_with_a_warning(tmp_path):
    pairs = range(42)
    answers = [
        {"pair": pair, "annotator": annotator, "label": int(pair < 3)}
        for pair in pairs
        for annotator in "abc"
    ]
    labels = [{"pair": pair, "model": "Model", "revision": "", "label": 0} for pair in pairs]
    for file, rows in ((JUDGMENTS, answers), (MODEL_JUDGMENTS, labels)):
        (tmp_path / file.path).write_text("\n".join(map(json.dumps, rows)))
    figures = model_tests(tmp_path, replace(SETTINGS, layout=4), {})["Model", ""]
    assert figures["kappa"] == 0
    assert figures["warning"].startswith("It hardly agrees with people beyond chance (kappa 0.00)")
    assert figures["warning"] in as_text(stand_in(figures))


def test_an_older_release_tells_nothing_of_the_test(content, tmp_path):
    write_release(tmp_path / "release", content, facts=FACTS, settings=SETTINGS)
    assert all("alternative" not in model for model in models_of(tmp_path / "release"))
    assert list(verify(tmp_path / "release")) == []
