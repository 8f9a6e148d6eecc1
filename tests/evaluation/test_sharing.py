"""Base releases, and sentences that a test set shares with what a model is fitted to."""

from dataclasses import replace

import pytest
from sklearn.metrics import accuracy_score, average_precision_score

from evaluation import sections
from evaluation.baselines import Overlap
from evaluation.data import Unusable
from evaluation.experiments import cross_domain, curve, plain
from evaluation.experiments.datasets import base_of_release, domains
from evaluation.experiments.fits import Sharing
from tests.evaluation.small import Memory, dataset, pairs, study_of


class NamedOverlap(Overlap):
    name = "overlap"


def other(name="Other", **changed):
    """Another release, with no sentence of `dataset()`."""
    sets = {
        "train": pairs(f"{name} train", [0, 1] * 5, "{name} {number} of a base"),
        "dev": pairs(f"{name} dev", [0, 1]),
        "test": pairs(f"{name} test", [1, 0, 1, 1, 0]),
    }
    return dataset(name=name, sha256="ef" * 32, **sets | changed)


def leaking():
    """A release whose train has two of the four first sentences of test, and dev one."""
    of = dataset()
    train = of.train + of.test.take([0, 1])
    return replace(of, train=train, dev=of.dev + of.test.take([2]))


def by_data(figures):
    return {row["data"]: row for row in figures["models"]}


def test_a_base_release_is_tested_by_the_fits_that_know_it():
    study = study_of(dataset(), base=base_of_release(other()))
    tests = {fit.data: [*fit.tests] for fit in plain.fits(study)}
    assert tests == {
        "train": ["dev", "test"],
        "base": ["dev", "test", "base test"],
        "base+train": ["dev", "test", "base test"],
    }


def test_figures_on_a_base_release_equal_those_of_scikit_learn(run):
    base, of = other(), dataset()
    study = study_of(of, base=base_of_release(base), models=["overlap"])
    rows = by_data(run(plain, study, NamedOverlap()))
    for data, train in (("base", base.train), ("base+train", base.train + of.train)):
        scores = Overlap().fit(train, of.dev, seed=0).scores(base.test)
        expected = accuracy_score(base.test.labels, scores > 0.5)
        assert rows[data]["base_test"]["accuracy"]["mean"] == pytest.approx(expected, abs=1e-6)
        area = average_precision_score(base.test.labels, scores)
        assert rows[data]["base_test"]["average_precision"]["mean"] == pytest.approx(area, abs=1e-6)
    assert "base_test" not in rows["train"]


def test_the_readme_has_both_halves_of_table_7(run):
    study = study_of(dataset(), base=base_of_release(other()))
    figures = run(plain, study, Memory())
    settings = {"base": study.base.identity}
    text = "\n".join(sections.SECTIONS["plain"]({"figures": figures, "settings": settings}))
    assert "On the test set of Other 1.0; in brackets" in text
    assert "| memory | 40.0 | 60.0 | 40.0 (+0.0) | 60.0 (+0.0) |" in text


def test_cross_has_a_base_release_as_its_first_row_and_column(run):
    figures = run(cross_domain, study_of(dataset(), base=base_of_release(other())), Memory())
    assert [row["name"] for row in figures["sets"]] == ["base", "Trial"]
    assert [row["train"] for row in figures["rows"]] == ["base", "base+Trial"]
    assert all({*row["tests"]} == {"base", "Trial"} for row in figures["rows"])


def cell_of_cross(run, sharing):
    [row] = run(cross_domain, study_of(leaking(), sharing=sharing), Memory())["rows"]
    return row["tests"]["Trial"]


def test_a_test_set_that_shares_sentences_is_skipped(run):
    # Of each of three pairs, both sentences.
    assert cell_of_cross(run, Sharing.SKIP) == {"shared": 6}


def test_a_test_set_that_shares_sentences_is_kept_with_their_number(run):
    cell = cell_of_cross(run, Sharing.KEEP)
    # Memory knows the labels 0 and 1 of the two pairs in train, and says 0 of the others.
    assert (cell["kept"], cell["accuracy"]["mean"]) == (6, 0.5)


def test_pairs_with_a_sentence_of_the_test_set_are_dropped(run):
    memory = Memory()
    [row] = run(cross_domain, study_of(leaking(), sharing=Sharing.DROP), memory)["rows"]
    cell = row["tests"]["Trial"]
    assert (cell["left_out"], cell["accuracy"]["mean"]) == (3, 0.25)
    [(train, dev, _seed)] = memory.fits
    assert not {*train.first, *dev.first} & {*dataset().test.first}
    assert (len(train), len(dev)) == (8, 4)


def test_a_training_of_which_nothing_is_left_is_refused():
    of = dataset(train=dataset().test)
    with pytest.raises(Unusable, match="share a sentence with Trial, Trial has no pairs of both"):
        cross_domain.fits(study_of(of, sharing=Sharing.DROP))


def test_only_the_test_set_with_shared_sentences_has_a_fit_of_its_own():
    study = study_of(leaking(), other(), sharing=Sharing.DROP)
    fits = {fit.data: [*fit.tests] for fit in cross_domain.fits(study)}
    assert fits["Trial"] == ["Trial"]
    assert fits["Trial for Other"] == ["Other"]
    assert fits["Other"] == ["Trial", "Other"]


@pytest.mark.parametrize(
    ("sharing", "sizes"), [("skip", (10, 5)), ("keep", (10, 5)), ("drop", (8, 4))]
)
def test_plain_tests_the_release_itself_whatever_it_shares(run, sharing, sizes):
    study = study_of(leaking(), sharing=Sharing(sharing))
    [fit] = plain.fits(study)
    assert (fit.data, len(fit.train), len(fit.dev)) == ("train", *sizes)
    [row] = run(plain, study, Memory())["models"]
    note = {"left_out": 3} if sharing == "drop" else {"kept": 6}
    assert row["test"].items() >= note.items()


def test_what_is_shared_is_said_before_the_fits():
    said = {
        sharing: [
            line
            for scored in plain.plans(study_of(leaking(), sharing=sharing))
            for line in scored.lines()
        ]
        for sharing in Sharing
    }
    start = "test shares 6 sentences with train and dev: "
    assert said[Sharing.KEEP] == [f"{start}it is tested all the same."]
    assert said[Sharing.SKIP] == said[Sharing.KEEP]
    assert said[Sharing.DROP] == [f"{start}3 pairs with them left out."]


def test_a_base_with_sentences_of_the_release_is_used_without_them():
    of = dataset()
    base = base_of_release(other(train=other().train + of.test))
    with pytest.raises(Unusable, match="choose --shared drop"):
        plain.fits(study_of(of, base=base))
    planned = {fit.data: fit for fit in plain.fits(study_of(of, base=base, sharing=Sharing.DROP))}
    assert len(planned["base"].train) == 10
    # Its own test set shares nothing, so that nothing is left out for it.
    assert len(planned["base for base"].train) == 14
    assert [*planned["base for base"].tests] == ["base test"]


def test_the_curve_drops_pairs_before_it_takes_shares(run):
    figures = run(curve, study_of(leaking(), sharing=Sharing.DROP), Memory())
    assert figures["left_out"] == 3
    assert figures["models"][0]["points"][-1]["pairs"] == 8


def test_each_domain_is_a_set_of_its_own(run):
    of = dataset()
    domain_of = {
        key: "few" if key == "test-0" else ["news", "wiki"][int(key[-1]) // 2 % 2]
        for split in ("train", "dev", "test")
        for key in of.split(split).ids
    }
    divided = replace(of, columns={"domain": domain_of})
    parts, left_out = domains(divided)
    assert ([part.part for part in parts], left_out) == (["wiki", "news"], ["few"])
    assert [part.train.ids for part in parts] == [
        ("train-2", "train-3", "train-6", "train-7"),
        ("train-0", "train-1", "train-4", "train-5"),
    ]
    rows = run(cross_domain, study_of(*parts), Memory())["rows"]
    assert [row["train"] for row in rows] == ["wiki", "news", "wiki+news"]
    with pytest.raises(Unusable, match="column domain"):
        domains(of)


def test_accuracy_is_told_by_what_the_tables_say_of_a_pair(run):
    columns = {
        "domain": {"test-0": "news", "test-1": "news", "test-2": "wiki", "test-3": "wiki"},
        "generator": {"test-0": "gpt2"},
        "grade": {},
    }
    [row] = run(plain, study_of(dataset(columns=columns)), Memory())["models"]
    assert row["groups"]["domain"] == {
        "news": {"pairs": 2, "accuracy": 0.5},
        "wiki": {"pairs": 2, "accuracy": 0.0},
    }
    assert row["groups"]["generator"]["not known"] == {"pairs": 3, "accuracy": 0.0}
    assert "grade" not in row["groups"]
