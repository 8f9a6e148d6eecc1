"""Models that are trained on the noisy labels of a release first (PAWS 6.2, Table 8)."""

import re
from dataclasses import replace

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from evaluation import measures, results
from evaluation.bow import Bow
from evaluation.data import Pairs, Unusable
from evaluation.experiments import fits, plain
from evaluation.experiments.datasets import read_dataset, read_silver
from evaluation.experiments.fits import Kept, Study
from evaluation.experiments.sets import NOTHING, SILVER, Silver, shared
from evaluation.models_by_name import model
from support.model_pairs import order_set
from tests.evaluation.small import Memory, dataset, pairs


class Taught(Memory):
    """Remembers both sets; where they differ, the last."""

    def fit_in_turn(self, trains, dev, *, seed, tell=None):
        first, last = trains
        return self.fit(first + last, dev, seed=seed)


TAUGHT = {"taught": Taught("taught")}


def accuracy(fitted, some):
    return measures.confusion(some.labels, fitted.scores(some)).scores.accuracy


def noisy(some, share):
    """The pairs with a share of wrong labels."""
    wrong = np.random.default_rng(0).random(len(some)) < share
    return Pairs(some.ids, some.first, some.second, some.labels ^ wrong.astype(np.int8))


def test_the_judged_pairs_have_the_last_word():
    dev, judged = order_set(100, seed=2), order_set(600, seed=4)
    fitted = model("esim").fit_in_turn([noisy(order_set(200, seed=1), 1.0), judged], dev, seed=1)
    assert accuracy(fitted, order_set(200, seed=3)) >= 0.9


@pytest.mark.parametrize("name", ["bow", "esim"])
def test_the_same_seed_gives_the_same_scores_and_the_first_set_counts(name):
    some, other, train, dev = (order_set(64, seed=seed) for seed in range(4))
    told = []
    fitted = [
        model(name)
        .fit_in_turn(sets, dev, seed=1, tell=lambda done, most: told.append((done, most)))
        .scores(dev)
        for sets in ([some, train], [some, train], [other, train], [train])
    ]
    assert (fitted[0] == fitted[1]).all()
    assert (fitted[0] != fitted[2]).any()
    assert (fitted[3] == model(name).fit(train, dev, seed=1).scores(dev)).all()
    # Both sets have a batch for each of 20 epochs, and the first may end early.
    assert told[0] == (1, 40)
    assert (20, 40) in told
    assert (21, 40) in told
    assert told.count((40, 40)) >= 3


def test_no_sentence_of_dev_or_test_is_trained_on(trial):
    of = read_dataset(trial)
    clean = read_silver(trial, of, TAUGHT)
    assert len(clean.pairs) > 20
    assert clean.left_out == 0
    with (trial / SILVER).open("a+") as file:
        file.seek(0)
        others = "\t" * (file.readline().count("\t") - 3)
        file.write(f"leak-1\t{of.test.second[0].upper()} \ta new sentence\t1{others}\n")
        file.write(f"leak-2\ta new sentence\t{of.dev.first[0]}\t0{others}\n")
    found = read_silver(trial, of, TAUGHT)
    assert found.pairs.ids == clean.pairs.ids
    assert found.left_out == 2
    planned = plain.fits(Study([of], ["taught"], [0], silver=found))
    before = [fit.before for fit in planned if fit.data == plain.PRETRAINED]
    assert before == [found.pairs]
    assert not shared(before[0], of.dev + of.test)


def silver_of(*labels):
    return Silver(pairs("test", labels), left_out=0, models=("taught",))


def test_kept_parts_are_reused_only_for_the_same_noisy_pairs(tmp_path):
    taught = Taught("taught")
    one = Study([dataset()], ["taught"], [0], silver=silver_of(0, 1))

    def run(study):
        planned = plain.fits(study)
        kept = Kept(tmp_path)
        done = fits.run(planned, models={"taught": taught}, kept=kept, tell=lambda *_: None)
        return {fit.key: part for fit, part in done}

    first, number = run(one), len(taught.fits)
    assert number == 2
    run(one)
    assert len(taught.fits) == number
    run(replace(one, silver=silver_of(0, 1, 1)))
    assert len(taught.fits) == number + 1
    entry = results.experiment_entry(one, {"taught": taught}, plain.figures(one, first))
    assert [each["data"] for each in entry["figures"]["models"]] == ["train", "pretrained"]
    results.update_folder(
        tmp_path / "1.0", one.dataset, lambda of: of["experiments"].update(plain=entry), files={}
    )
    # Here the noisy pairs are the first two of test, to see what they bring.
    readme = (tmp_path / "1.0/README.md").read_text()
    assert "| taught | 25.0 | 75.0 | 50.0 (+25.0) | 83.3 (+8.3) |" in readme
    assert "first trained on 2 pairs" in readme
    assert "Left out: 0 pairs" in readme


def test_a_command_fits_with_and_without_noisy_labels(trial, capsys):
    call_command("evaluate", trial, "--pretrain", "--seeds", "1")
    said = capsys.readouterr().out
    assert "Cannot be trained on noisy labels first: never, overlap." in said
    assert "bow on pretrained, seed 0" in said
    readme = (trial.parent / "evaluations/trial/README.md").read_text()
    assert re.search(r"\| never \| [\d.]+ \| [\d.]+ \| – \| – \|", readme)
    assert re.search(r"\| bow \| [\d.]+ \| [\d.]+ \| [\d.]+ \([+-][\d.]+\) \|", readme)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--experiment", "curve"], "curve takes no --pretrain. Only plain does"),
        (["--crossfit", "5"], "crossfit takes no --pretrain"),
        (["--models", "never,overlap"], "never, overlap cannot be trained on noisy labels first"),
    ],
)
def test_what_cannot_be_pretrained_is_said_before_fitting(trial, options, message):
    with pytest.raises(CommandError, match=message):
        call_command("evaluate", trial, "--pretrain", *options)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "has no pairs without a sentence of dev or test"),
        (["1\tone\ttwo\t1", "2\tthree\tfour\t1"], "has only paraphrases"),
        (["1\tone\ttwo\tmaybe"], "line 2: the noisy_label is 'maybe', not 0 or 1"),
    ],
)
def test_noisy_pairs_that_teach_nothing_are_refused(trial, rows, message):
    of = read_dataset(trial)
    header = "id\tsentence1\tsentence2\tnoisy_label"
    (trial / SILVER).write_text("\n".join([header, *rows]) + "\n")
    with pytest.raises(Unusable, match=message):
        read_silver(trial, of, {"bow": Bow()})


def test_a_release_without_noisy_pairs_is_refused(trial):
    of = read_dataset(trial)
    (trial / SILVER).unlink()
    with pytest.raises(Unusable, match=r"has no unlabeled_final/train.tsv"):
        read_silver(trial, replace(of, swap=NOTHING), TAUGHT)
