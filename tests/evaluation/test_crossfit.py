"""Cross-fitting: no pair is scored by a model that saw its family, and wrong labels come first."""

import csv
import random

import pytest
from django.core.management import CommandError, call_command

from evaluation import models_by_name
from evaluation.data import Unusable
from evaluation.experiments import crossfit
from evaluation.experiments.datasets import judged, read_dataset
from evaluation.experiments.fits import Study
from releases.dataset.families import connections
from tests.evaluation.small import Memory, dataset
from tests.releases.dataset.studies import Study as Judged
from tests.releases.dataset.studies import write

PAIRS, FLIPPED = 300, 15


def study_of(folder, **further):
    return Study([read_dataset(folder)], ["memory"], range(2), **further)


def families(dataset):
    """The family of each text, from the rows of the files."""
    texts = {row.id: row.text for row in dataset.sentences}
    rows = [
        row._replace(text1=texts[row.sentence1], text2=texts[row.sentence2])
        for row in dataset.known.values()
    ]
    return connections(dataset.sentences, rows, texts).find


def seen_too(study):
    """The families that a fit of the study has seen and scores."""
    find = families(study.dataset)

    def of(pairs):
        return {find(text) for text in (*pairs.first, *pairs.second)}

    return {
        family
        for fit in crossfit.fits(study)
        for family in of(fit.tests[crossfit.HELD_OUT]) & of(fit.train + fit.dev)
    }


def test_no_pair_is_scored_by_a_model_that_saw_its_family(trial):
    assert not seen_too(study_of(trial, folds=5))


def test_control_folds_of_single_pairs_are_scored_by_models_that_saw_their_families(
    trial, monkeypatch
):
    class Apart:
        def find(self, text):
            return text

    monkeypatch.setattr(crossfit, "connections", lambda *_: Apart())
    assert seen_too(study_of(trial, folds=5))


def test_each_judged_pair_with_a_label_is_scored_once_for_each_seed(trial):
    study = study_of(trial, folds=4)
    wanted = sorted(key for key, row in judged(study.dataset).items() if row.label is not None)
    for seed in study.seeds:
        folds = [fit.tests[crossfit.HELD_OUT] for fit in crossfit.fits(study) if fit.seed == seed]
        assert len(folds) == 4
        assert sorted(key for fold in folds for key in fold.ids) == wanted


def release_with_wrong_labels(folder):
    """Paraphrases have the same words; people are all for the wrong label of the first pairs."""
    made, flipped = Judged(random.Random(5)), set()
    for number in range(PAIRS):
        words, is_wrong = made.random.sample(range(10_000), 12), number < FLIPPED
        label = number % 2
        source = made.source(text=" ".join(map(str, words[:6])))
        again = words[5::-1] if label else words[6:]
        other = made.rewrite(source, "back_translation", text=" ".join(map(str, again)))
        row = made.judged(source, other, 5 * (label ^ is_wrong), "back_translation")
        if is_wrong:
            flipped.add(row.id)
    write(folder, made)
    return flipped


def test_flipped_labels_are_far_up_the_list(tmp_path):
    flipped = release_with_wrong_labels(tmp_path / "trial")
    options = ("--models", "never,overlap", "--crossfit", "4", "--seeds", "1")
    call_command("evaluate", tmp_path / "trial", *options)
    found = tmp_path / "evaluations/trial/crossfit"
    among_first = {}
    for model in ("overlap", "never"):
        with (found / f"{model}.tsv").open() as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        assert len(rows) == PAIRS
        among_first[model] = sum(row["id"] in flipped for row in rows[: 2 * FLIPPED])
    assert among_first["overlap"] >= 0.9 * FLIPPED
    # The control learns nothing, so it finds them by chance alone: a tenth.
    assert among_first["never"] <= 0.4 * FLIPPED
    assert "in 4 folds" in (found.parent / "README.md").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--crossfit", "2"], "3 folds are the fewest"),
        (["--crossfit", "60"], "too few families of connected sentences for 60 folds"),
        (["--crossfit", "5", "--experiment", "curve"], "is instead of an --experiment"),
        (["--crossfit", "5", "--base", "other.tsv"], "crossfit takes no --base"),
    ],
)
def test_what_cannot_be_done_is_said(trial, monkeypatch, options, message):
    monkeypatch.setattr(models_by_name, "model", lambda name, **_: Memory())
    with pytest.raises(CommandError, match=message):
        call_command("evaluate", trial, "--models", "memory", *options)


def test_a_release_without_judged_pairs_has_no_label_to_doubt():
    with pytest.raises(Unusable, match="no judged pairs with a label"):
        crossfit.fits(Study([dataset()], ["memory"], [0], folds=5))
