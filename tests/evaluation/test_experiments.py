"""What each experiment fits, and the figures that follow: by hand, with models of a few lines."""

import json
import re
import resource
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from common.failures import in_words
from evaluation.data import Pairs, Unusable
from evaluation.experiments import artefacts, cross_domain, curve, errors, fits, plain, regimes
from evaluation.experiments.datasets import Base, read_base, read_dataset
from evaluation.experiments.fits import Fit, Kept, Part, Study
from releases.dataset.reader import Unreadable, read_release
from releases.dataset.rows import ReleasedPair, SentenceRow
from tests.evaluation.small import Guess, Memory, dataset, pairs
from tests.releases.dataset.studies import study as judged
from tests.releases.dataset.studies import write
from tests.releases.dataset.translated import translations


def ignored(done, most):
    pass


@pytest.fixture
def run(tmp_path):
    """Fit what an experiment plans, and return its figures."""

    def fitted(experiment, study, *models):
        by_name = {model.name: model for model in models}
        kept = Kept(tmp_path / "parts")
        done = fits.run(experiment.fits(study), models=by_name, kept=kept, tell=ignored)
        return experiment.figures(study, {fit.key: part for fit, part in done})

    return fitted


def study_of(*datasets, models=("memory",), seeds=(0,), **further):
    return Study(datasets=datasets, models=models, seeds=seeds, **further)


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


def test_seeds_give_a_mean_and_a_range(run):
    study = study_of(dataset(), models=["guess"], seeds=(0, 1, 2))
    [found] = run(plain, study, Guess("guess"))["models"]
    assert found["test"]["accuracy"] == {"mean": 0.416667, "low": 0.25, "high": 0.75}


def test_finished_parts_are_reused_only_for_the_same_model_seed_and_pairs(run):
    model, study = Memory(), study_of(dataset())
    first = run(plain, study, model)
    assert run(plain, study, model) == first
    assert len(model.fits) == 1
    run(plain, replace(study, seeds=(0, 1)), model)
    assert len(model.fits) == 2
    model.otherwise = 1.0
    assert run(plain, study, model) != first
    relabelled = dataset(train=pairs("train", [1, 0] * 4))
    run(plain, study_of(relabelled), model)
    assert len(model.fits) == 4


def test_scores_that_are_none_are_refused(run):
    for wrong in (float("nan"), 1.5):
        with pytest.raises(Unusable, match=r"memory on train, seed 0: .* a score from 0 to 1"):
            run(plain, study_of(dataset()), Memory(otherwise=wrong))


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
    of = dataset(**{split: Pairs.of([("1", "another", 'Said he: "No".', 1)])})
    overlapping = replace(base_of([0, 1]), train=Pairs.of([("2", written, "none", 0)]))
    message = re.escape(f"1 sentence of the {split} set of Trial 1.0, such as {written!r}")
    for experiment in (plain, curve):
        with pytest.raises(Unusable, match=message):
            experiment.fits(study_of(of, base=overlapping))


def test_a_base_set_is_only_not_tested_in_cross_where_it_shares_with_test():
    overlapping = replace(base_of([0, 1]), train=dataset().test)
    assert cross_domain.fits(study_of(dataset(), base=overlapping)) == []
    with pytest.raises(Unusable, match="of the dev set"):
        cross_domain.fits(study_of(dataset(), base=replace(overlapping, train=dataset().dev)))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["one\ttwo\t0", "", "three\t \t1"], "line 4: sentence2 is empty"),
        (["one\ttwo\t1"] * 60, "only paraphrases, .* Name a file with pairs of both labels"),
        (["one\ttwo\t1", "three\tfour\t0"], "2 pairs are too few to train on"),
    ],
)
def test_a_base_set_that_teaches_nothing_is_refused(tmp_path, rows, message):
    file = tmp_path / "base.tsv"
    file.write_text("\n".join(["sentence1\tsentence2\tlabel", *rows]) + "\n")
    with pytest.raises(Unusable, match=message):
        read_base(file)


def test_a_tenth_of_a_base_set_is_kept_for_dev(tmp_path):
    file = tmp_path / "base.tsv"
    rows = (f"one {number}\ttwo {number}\t{number % 2}" for number in range(500))
    file.write_text("\n".join(["sentence1\tsentence2\tlabel", *rows]) + "\n")
    base = read_base(file)
    assert len(base.train) + len(base.dev) == 500
    assert 25 < len(base.dev) < 80
    assert not {*base.train.ids} & {*base.dev.ids}


def family_of(number, size):
    """Pairs with one common sentence."""
    return [
        (f"{number}-{at}", f"common {number}", f"rewrite {number} {at}", at % 2)
        for at in range(size)
    ]


def test_each_point_of_a_curve_has_the_whole_families_of_the_point_before():
    train = Pairs.of(row for number in range(20) for row in family_of(number, 3))
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
    return Pairs.of(
        (str(at), "the first sentence", words_of(random, label, leak), label)
        for at, label in enumerate(labels)
    )


@pytest.mark.parametrize("leak", [False, True])
def test_a_control_finds_a_label_that_sentence2_gives_away(leak, tmp_path):
    train, dev, test = (labelled(seed, 300, leak=leak) for seed in range(3))
    study = study_of(dataset(train=train, dev=dev, test=test))
    kept = Kept(tmp_path)
    done = fits.run(artefacts.fits(study), models=artefacts.MODELS, kept=kept, tell=ignored)
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
    some = artefacts.sided(of, Pairs.of((key, "one", "two", 1) for key, *_ in rows))
    assert (some.ids, some.labels.tolist()) == (("first", "second"), [1, 0])


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases")
    write(folder / "source", judged(3, families=120))
    made = translations.complete(folder / "source")
    translations.write(folder / "de", folder / "source", made)
    return folder / "source", folder / "de"


def study_of_folders(*folders):
    return study_of(*map(read_dataset, folders), folders=folders)


def test_regimes_train_select_and_test_with_the_pairs_of_their_files(released, run):
    study = study_of_folders(*released)
    planned = {name: fit for fit in regimes.fits(study) for name in fit.tests}
    source, german = study.datasets
    assert planned["zero_shot/de"] is planned["translate_train/en"]
    assert planned["zero_shot/de"].train.ids == source.train.ids
    assert planned["merged/de"].train.ids == source.train.ids + german.train.ids
    assert planned["zero_shot/de"].tests["zero_shot/de"].first == german.test.first
    for fit in planned.values():
        assert not {*fit.train.ids} & {key for test in fit.tests.values() for key in test.ids}
    [found] = run(regimes, study, Memory())["models"]
    share = float((german.test.labels == 0).mean())
    assert found["means"]["zero_shot"]["accuracy"] == pytest.approx(share, abs=1e-6)
    none, one, both = found["right"]["merged"]
    assert one["pairs"] == 0
    assert none["pairs"] + both["pairs"] == len({*source.test.ids} & {*german.test.ids})


def test_regimes_need_a_translation_of_the_release(released):
    source, german = released
    with pytest.raises(Unusable, match="each translation of it"):
        regimes.fits(study_of_folders(source))
    with pytest.raises(Unusable, match="not of the format"):
        regimes.fits(study_of_folders(german, german))


def test_a_release_is_read_with_what_is_known_of_its_pairs(released):
    found, full = read_dataset(released[0]), read_release(released[0])
    final = {pair.id for pair in full.pairs if pair.subset == "labeled_final"}
    assert {*found.train.ids, *found.dev.ids, *found.test.ids} == final
    assert {*found.swap.ids} == {pair.id for pair in full.pairs if pair.subset == "labeled_swap"}


def test_a_changed_or_missing_file_of_a_release_is_named(tmp_path):
    write(tmp_path / "1.0", judged(3, families=60))
    test = tmp_path / "1.0/labeled_final/test.tsv"
    test.write_text(test.read_text().replace("\t1\n", "\t0\n", 1))
    with pytest.raises(Unreadable, match=r"labeled_final/test.tsv: differs from its checksum"):
        read_dataset(tmp_path / "1.0")
    test.unlink()
    with pytest.raises(Unreadable, match=r"labeled_final/test.tsv: is missing"):
        read_dataset(tmp_path / "1.0")


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


def test_where_there_is_no_room_the_folder_is_named_and_nothing_stays(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(OSError, match="File too large") as met:
            Kept(tmp_path).keep("name", Part(3, {"test": np.zeros(100)}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert in_words(met.value) == f"{tmp_path}: File too large"
    assert not [*tmp_path.iterdir()]


def test_a_part_survives_its_file_and_a_damaged_one_is_fitted_again(tmp_path):
    kept, part = Kept(tmp_path), Part(3, {"test": np.array([0.1, 1 / 3])})
    kept.keep("name", part)
    assert kept.find("name").scores["test"].tolist() == [0.1, 1 / 3]
    (tmp_path / "name.json").write_text(json.dumps({"parameters": 3})[:-2])
    assert kept.find("name") is None


def test_a_model_that_cannot_learn_names_the_fit(tmp_path):
    class Stubborn(Memory):
        def fit(self, *args, **options):
            raise ValueError("12 pairs are too few.")

    some = dataset()
    fit = Fit("train", "memory", 0, some.train, some.dev, {"test": some.test})
    with pytest.raises(Unusable, match="memory on train, seed 0: 12 pairs are too few"):
        list(fits.run([fit], models={"memory": Stubborn()}, kept=Kept(tmp_path), tell=ignored))
