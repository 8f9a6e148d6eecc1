"""What each experiment fits, and the figures that follow: by hand, with models of a few lines."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from evaluation.contract import silent
from evaluation.data import Pairs, Unusable
from evaluation.experiments import artefacts, cross_domain, curve, errors, fits, plain, regimes
from evaluation.experiments.datasets import read_dataset
from evaluation.experiments.fits import Kept
from evaluation.experiments.sets import Base
from releases.dataset.rows import ReleasedPair, SentenceRow
from tests.evaluation.small import Memory, dataset, pairs, study_of


def test_figures_of_a_model_are_those_by_hand(run):
    known = {
        f"test-{number}": ReleasedPair(f"test-{number}", "a", "b", method=method, votes=votes)
        for number, (method, votes) in enumerate(
            [("word_swap", (5, 0)), ("word_swap", (1, 4)), ("back_translation", (0, 5)), ("", None)]
        )
    }
    [found] = run(plain, study_of(dataset(known=known)), Memory())["models"]
    test = found["test"]
    assert (test["accuracy"]["mean"], test["average_precision"]["mean"]) == (0.25, 0.75)
    assert (test["recall"]["mean"], test["precision"], found["parameters"]) == (0.0, None, 3)
    assert found["groups"]["votes"] == {
        "4-1": {"pairs": 1, "accuracy": 0.0},
        "5-0": {"pairs": 2, "accuracy": 0.5},
        "not judged": {"pairs": 1, "accuracy": 0.0},
    }
    assert found["groups"]["method"]["word_swap"] == {"pairs": 2, "accuracy": 0.5}
    assert sum(each["pairs"] for each in found["groups"]["jaccard"].values()) == 4


def base_of(labels):
    return Base("other.tsv", "cd" * 32, pairs("base", labels), pairs("base dev", [0, 1]))


def test_a_base_set_is_fitted_with_and_without_the_release():
    study = study_of(dataset(), base=base_of([0, 1, 1]))
    sizes = {fit.data: (len(fit.train), fit.dev.ids[0]) for fit in plain.fits(study)}
    assert sizes == {
        "train": (8, "dev-0"),
        "base": (3, "base dev-0"),
        "base+train": (11, "dev-0"),
    }


@pytest.mark.parametrize("written", ["Said  He: `` NO '' .", "said he: “No”."])
@pytest.mark.parametrize("split", ["dev", "test"])
def test_a_base_set_with_a_sentence_of_dev_or_test_is_refused(split, written):
    of = dataset(**{split: Pairs.from_rows([("1", "another", 'Said he: "No".', 1)])})
    overlapping = replace(base_of([0, 1]), train=Pairs.from_rows([("2", written, "none", 0)]))
    message = re.escape(f"1 sentence of the {split} set of Trial 1.0, such as {written!r}")
    for experiment in (plain, curve):
        with pytest.raises(Unusable, match=message):
            experiment.fits(study_of(of, base=overlapping))


def test_a_base_set_is_only_not_tested_in_cross_where_it_shares_with_test():
    overlapping = replace(base_of([0, 1]), train=dataset().test)
    assert cross_domain.fits(study_of(dataset(), base=overlapping)) == []
    with pytest.raises(Unusable, match="of the dev set"):
        cross_domain.fits(study_of(dataset(), base=replace(overlapping, train=dataset().dev)))


def family_of(number, size):
    """Pairs with one common sentence."""
    return [
        (f"{number}-{at}", f"common {number}", f"rewrite {number} {at}", at % 2)
        for at in range(size)
    ]


def test_each_point_of_a_curve_has_the_whole_families_of_the_point_before():
    train = Pairs.from_rows(row for number in range(20) for row in family_of(number, 3))
    study = study_of(dataset(train=train), seeds=(0, 1))
    planned = curve.fits(study)
    for seed in study.seeds:
        steps = [{*fit.train.ids} for fit in planned if fit.seed == seed]
        assert [len(step) for step in steps] == [6, 15, 30, 45, 60]
        assert all(low < high for low, high in pairwise(steps))
    first, second = ({*fit.train.ids} for fit in planned if fit.data == "10 %")
    assert first != second


def test_a_curve_beside_a_base_set_begins_with_no_pair_of_the_release(run):
    study = study_of(dataset(), base=base_of([0, 1]), seeds=(0, 1))
    [found] = run(curve, study, Memory())["models"]
    assert [point["pairs"] for point in found["points"]] == [0, 1, 2, 4, 6, 8]
    assert curve.fits(study)[0].dev.ids[0] == "base dev-0"


def test_a_sum_of_train_sets_is_not_tested_where_it_shares_a_sentence(run):
    one, other = dataset(name="A"), dataset(name="B", test=pairs("else", [0, 1]))
    leaking = replace(one, swap=other.test)
    found = run(cross_domain, study_of(leaking, other), Memory())["rows"]
    tested = {
        row["train"]: [name for name, cell in row["tests"].items() if "shared" not in cell]
        for row in found
    }
    assert tested == {
        "A": ["A", "B"],
        "A+swap": ["A"],
        "B": ["A", "B"],
        "A+B": ["A", "B"],
        "A+B+swap": ["A"],
    }
    [cell] = [row["tests"]["B"] for row in found if row["train"] == "A+swap"]
    assert cell == {"shared": 4}


def test_mistakes_that_another_model_does_not_make_are_counted(run):
    never, always = Memory("never"), Memory("always", otherwise=1.0)
    study = study_of(dataset(), models=["never", "always"], seeds=(0, 1))
    found = run(errors, study, never, always)["models"]
    assert found == [
        {"of": "never", "by": "always", "mistakes": 6, "right": 6},
        {"of": "always", "by": "never", "mistakes": 2, "right": 2},
    ]
    with pytest.raises(Unusable, match="at least two"):
        errors.fits(study_of(dataset()))


def words_of(random, label, leak):
    word = ["cedar", "maple"][label] if leak else "cedar"
    return " ".join([*random.choice(list("abcdefgh"), 5), word])


def labelled(seed, count, *, leak):
    random = np.random.default_rng(seed)
    labels = random.integers(0, 2, count).tolist()
    return Pairs.from_rows(
        (str(at), "the first sentence", words_of(random, label, leak), label)
        for at, label in enumerate(labels)
    )


@pytest.mark.parametrize("leak", [False, True])
def test_a_control_finds_a_label_that_sentence2_gives_away(leak, tmp_path):
    train, dev, test = (labelled(seed, 300, leak=leak) for seed in range(3))
    study = study_of(dataset(train=train, dev=dev, test=test))
    kept = Kept(tmp_path)
    done = fits.run(artefacts.fits(study), models=artefacts.MODELS, kept=kept, tell=silent)
    [found] = artefacts.figures(study, {fit.key: part for fit, part in done})["controls"]
    assert found["better"] is leak
    assert found["accuracy"] > 0.95 or not leak


def test_the_side_of_the_source_is_known_where_one_was_rewritten_from_the_other():
    sentences = (
        SentenceRow("s", "source", "s"),
        SentenceRow("r", "rewrite", "s", rewritten_from="s"),
        SentenceRow("t", "again", "s", rewritten_from="r"),
    )
    rows = [("first", "s", "r"), ("second", "t", "r"), ("neither", "s", "t")]
    known = {key: ReleasedPair(key, one, two) for key, one, two in rows}
    of = dataset(sentences=sentences, known=known)
    some = artefacts.label_sides(of, Pairs.from_rows((key, "one", "two", 1) for key, *_ in rows))
    assert (some.ids, some.labels.tolist()) == (("first", "second"), [1, 0])


def study_of_folders(*folders):
    return study_of(*map(read_dataset, folders), folders=folders)


def test_regimes_train_select_and_test_with_the_pairs_of_their_files(source, german, run):
    study = study_of_folders(source, german)
    planned = {name: fit for fit in regimes.fits(study) for name in fit.tests}
    english, german = study.datasets
    assert planned["zero_shot/de"] is planned["translate_train/en"]
    assert planned["zero_shot/de"].train.ids == english.train.ids
    assert planned["merged/de"].train.ids == english.train.ids + german.train.ids
    assert planned["zero_shot/de"].tests["zero_shot/de"].first == german.test.first
    for fit in planned.values():
        assert not {*fit.train.ids} & {key for test in fit.tests.values() for key in test.ids}
    [found] = run(regimes, study, Memory())["models"]
    share = float((german.test.labels == 0).mean())
    assert found["means"]["zero_shot"]["accuracy"] == pytest.approx(share, abs=1e-6)
    none, one, both = found["right"]["merged"]
    assert one["pairs"] == 0
    assert none["pairs"] + both["pairs"] == len({*english.test.ids} & {*german.test.ids})


def test_regimes_need_a_translation_of_the_release(source, german):
    with pytest.raises(Unusable, match="each translation of it"):
        regimes.fits(study_of_folders(source))
    with pytest.raises(Unusable, match="is a translation"):
        regimes.fits(study_of_folders(german, german))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"test": pairs("test", [])}, "Trial 1.0 has no test set. Build a version"),
        ({"dev": pairs("dev", [])}, "Trial 1.0 has no dev set"),
        ({"train": pairs("train", [1, 1])}, "train has only paraphrases"),
    ],
)
def test_a_release_that_cannot_be_learned_from_is_refused(changed, message):
    for experiment in (plain, curve, cross_domain, artefacts):
        with pytest.raises(Unusable, match=message):
            experiment.fits(study_of(dataset(**changed)))
