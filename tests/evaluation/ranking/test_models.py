"""Fitted models as scorers."""

import json
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.core.management import CommandError

from evaluation import models_by_name
from evaluation.data import Pairs
from evaluation.experiments.datasets import read_dataset
from evaluation.management.commands import rank
from evaluation.ranking.files import read_groups
from evaluation.ranking.sources import read_source
from tests.evaluation.ranking.test_files import ranking, table, tell
from tests.evaluation.small import Memory

__all__ = ["ranking", "table"]


@pytest.fixture
def memory(monkeypatch):
    model = Memory(otherwise=0.75)
    monkeypatch.setattr(models_by_name, "model", lambda name, **where: {"memory": model}[name])
    return model


def test_models_are_fitted_to_train_and_dev_and_never_see_test(ranking, release, memory, tmp_path):
    arguments = ("--release", release, "--out", tmp_path / "out", "--scorers", "", "--seed", 5)
    tell("rank", ranking, "--models", "memory", *arguments, "--json", tmp_path / "figures.json")
    [(train, dev, seed)] = memory.fits
    test = read_source(release).pairs
    assert (train.ids, dev.ids) == tuple(
        read_source(release, split=split).pairs.ids for split in ("train", "dev")
    )
    assert not {*train.ids, *dev.ids} & {*test.ids}
    assert seed == 5
    [right] = json.loads((tmp_path / "figures.json").read_text())["right"]
    assert (right["model"], right["swaps"]) == ("memory", [1.0, 0.0, 0.0, 0.0])


def test_a_model_is_fitted_once_for_the_same_pairs(ranking, release, memory, tmp_path):
    arguments = ("--models", "memory", "--release", release, "--out", tmp_path / "out")
    first, again = (tell("rank", ranking, *arguments) for _ in range(2))
    assert len(memory.fits) == 1
    assert again == f"memory: kept from an earlier run\n{first}"


def test_the_tables_of_right_answers_have_their_numbers_of_pairs(
    ranking, release, memory, tmp_path
):
    arguments = ("--release", release, "--out", tmp_path / "out", "--scorers", "")
    said = tell("rank", ranking, "--models", "memory", *arguments)
    assert "| Right by swaps | 0 | 1 | 2 | 3 |" in said
    assert "| pairs | 2 | 2 | 2 | 2 |" in said
    assert "| pairs | 3 | 3 | 3 | 3 | 3 | 3 | 3 |" in said
    assert "a score above 0.5 says paraphrase" in said


@pytest.mark.parametrize("split", ["train", "dev"])
def test_models_do_not_rank_sentences_that_they_were_fitted_to(
    ranking, release, memory, monkeypatch, split
):
    @contextmanager
    def with_one_of_the_ranking(path):
        pivot = next(read_groups(ranking)).pivot
        more = Pairs.from_rows([("1", "Another sentence.", pivot, 0)])
        found = read_dataset(path)
        yield path, replace(found, **{split: found.split(split) + more})

    monkeypatch.setattr(rank, "open_release", with_one_of_the_ranking)
    with pytest.raises(CommandError, match="1 sentence of the ranking, such as"):
        tell("rank", ranking, "--models", "memory", "--release", release)
    assert not memory.fits


def test_models_are_not_fitted_to_one_label(ranking, release, memory, monkeypatch):
    @contextmanager
    def with_paraphrases_alone(path):
        dataset = read_dataset(path)
        yield path, replace(dataset, train=dataset.train.take(dataset.train.labels.nonzero()[0]))

    monkeypatch.setattr(rank, "open_release", with_paraphrases_alone)
    with pytest.raises(CommandError, match="train has only paraphrases"):
        tell("rank", ranking, "--models", "memory", "--release", release)
    assert not memory.fits
