"""What models of an evaluation say about judged pairs is stored beside the labels of people."""

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.model_judgments import selectors
from annotation.models import JudgingModel, ModelJudgment, Project
from evaluation import models_by_name
from evaluation.experiments import fits, plain
from evaluation.experiments.datasets import read_dataset
from evaluation.experiments.fits import Fit, Part
from releases.selectors.releases import folder_of
from tests.evaluation.small import Guess, dataset


@pytest.fixture
def folder(release, monkeypatch):
    """The release of the project. The only model says 0.25, 0.5 and 0.75 by its seed."""
    monkeypatch.setattr(models_by_name, "model", lambda name, **_: Guess(name))
    return folder_of(release)


def evaluate(folder, *options):
    call_command("evaluate", folder, "--models", "guess", "--as-guest", *options)


def stored(**of):
    rows = ModelJudgment.objects.filter(**of).values_list("pair__public_id", "label", "score")
    return {str(key): (label, score) for key, *(label, score) in rows}


def test_the_mean_over_seeds_for_dev_and_test_is_a_model_of_the_project(folder, project, capsys):
    evaluate(folder)
    of = read_dataset(folder)
    assert stored() == dict.fromkeys((*of.dev.ids, *of.test.ids), (0, 0.5))
    [visit] = selectors.of_project(project)
    assert visit.table == [(1, [0, 10]), (0, [0, 10])]
    assert selectors.parting(project, visit.model).count() == 10
    assert "20 labels added, 0 known already, 0 lines refused" in capsys.readouterr().out


def test_the_same_again_adds_nothing_and_other_seeds_are_another_revision(folder, capsys):
    evaluate(folder)
    evaluate(folder)
    assert "0 labels added, 20 known already" in capsys.readouterr().out
    evaluate(folder, "--seeds", "1")
    assert JudgingModel.objects.values("revision").distinct().count() == 2
    assert {score for _, score in stored(model__note__endswith="seeds 0").values()} == {0.25}


def test_scores_that_differ_under_the_same_revision_are_not_mixed(folder, capsys):
    evaluate(folder)
    ModelJudgment.objects.update(score=0.125)
    evaluate(folder)
    assert "remove the model on the project's page" in capsys.readouterr().out
    assert {score for _, score in stored().values()} == {0.125}


def test_no_score_of_a_pair_that_was_trained_on_is_given():
    of = dataset()
    scored = {"train": of.train, "dev": of.dev, "test": of.test}
    part = Part(3, {name: np.full(len(pairs), 0.5) for name, pairs in scored.items()})
    fit = Fit(plain.TRAIN, "guess", 0, of.train, of.dev, scored)
    assert {*fits.mean_scores([(fit, part)])["guess"]} == {*of.dev.ids, *of.test.ids}
    untrained = Fit(plain.TRAIN, "guess", 0, of.dev, of.dev, scored)
    control = fits.mean_scores([(untrained, part)])["guess"]
    assert {*control} == {*of.train.ids, *of.test.ids}


def test_what_cannot_be_stored_is_said_before_anything_is_fitted(folder, project, trial):
    with pytest.raises(CommandError, match="no release of a project in this database"):
        evaluate(trial)
    with pytest.raises(CommandError, match="curve gives no scores to store"):
        evaluate(folder, "--experiment", "curve")
    Project.objects.filter(pk=project.pk).update(archived_at=timezone.now(), is_open=False)
    with pytest.raises(CommandError, match="This project is archived and read-only"):
        evaluate(folder)
    assert not (folder.parent / "evaluations").exists()
    assert not stored()


def test_cross_fitting_stores_all_judged_pairs_as_another_model(folder, project):
    evaluate(folder, "--crossfit", "4")
    assert {*stored()} == {*map(str, project.pairs.values_list("public_id", flat=True))}
    [visit] = selectors.of_project(project)
    assert visit.model.name == "guess (cross-fitted)"
    assert selectors.parting(project, visit.model).count() == 20
