"""Models that are fitted, and the parts of a fit that are kept in files."""

import json
import resource
from dataclasses import replace

import numpy as np
import pytest

from common.failures import in_words
from evaluation.contract import silent
from evaluation.data import Unusable
from evaluation.experiments import fits, plain
from evaluation.experiments.fits import Fit, Kept, Part
from tests.evaluation.small import Guess, Memory, dataset, pairs, study_of


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
        list(fits.run([fit], models={"memory": Stubborn()}, kept=Kept(tmp_path), tell=silent))
