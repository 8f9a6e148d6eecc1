"""What experiments know of the pairs of a set that was published elsewhere."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation import models_by_name
from evaluation.experiments import crossfit
from evaluation.experiments.datasets import read_dataset
from evaluation.experiments.fits import Study
from tests.evaluation.small import Guess
from tests.releases.published import STATED

ENTITIES = 20


@pytest.fixture
def folder(tmp_path):
    """Three pairs of each entity, with the votes of five people; one of ten is dev, one test."""
    rows = [
        f"River {n // 3}\tRiver {n // 3} bends to the {side}, says book {n}.\t"
        f"Book {n} says that it bends {side}.\t({votes}, {5 - votes})"
        for n in range(3 * ENTITIES)
        for side, votes in [(("left", 4), ("right", 1))[n % 2]]
    ]
    lines = "\n".join(["entity\tsentence1\tsentence2\tlabel", *rows])
    (tmp_path / "rivers.tsv").write_text(f"{lines}\n")
    options = ("--votes=4,4", "--draw=dev=0.2,test=0.2", f"--out={tmp_path / 'out'}")
    call_command(
        "import_release", str(tmp_path / "rivers.tsv"), *STATED, *options, stdout=StringIO()
    )
    return tmp_path / "out"


def test_pairs_have_their_votes_and_sentences_their_entity(folder):
    dataset = read_dataset(folder)
    assert len(dataset.known) == 3 * ENTITIES
    assert {row.votes for row in dataset.known.values()} == {(1, 4), (4, 1)}
    assert {dataset.known[key].split for key in dataset.test.ids} == {"test"}
    assert {row.group for row in dataset.sentences} == {f"River {n}" for n in range(ENTITIES)}


def test_cross_fitting_scores_every_published_pair_apart_from_its_entity(folder):
    dataset = read_dataset(folder)
    fits = crossfit.fits(Study([dataset], ["guess"], range(1), folds=4))
    held_out = [fit.tests[crossfit.HELD_OUT] for fit in fits]
    assert {key for pairs in held_out for key in pairs.ids} == {*dataset.known}
    entity = dataset.columns["entity"]
    for fit, pairs in zip(fits, held_out, strict=True):
        learned = {entity[key] for key in (*fit.train.ids, *fit.dev.ids)}
        assert learned.isdisjoint(entity[key] for key in pairs.ids)


@pytest.mark.django_db
def test_labels_of_models_are_refused_because_its_pairs_are_in_no_study(folder, monkeypatch):
    monkeypatch.setattr(models_by_name, "model", lambda name, **_: Guess(name))
    with pytest.raises(CommandError, match=r"in no study\. Judge them again first"):
        call_command("evaluate", folder, "--models", "guess", "--as-guest")
