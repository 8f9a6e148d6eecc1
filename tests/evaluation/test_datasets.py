"""Releases and base sets as models see them."""

import pytest

from evaluation.data import Unusable
from evaluation.experiments.datasets import read_base, read_dataset
from releases.dataset.reader import Unreadable, read_release


@pytest.mark.parametrize(
    ("rows", "message"),
    [
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


def test_a_release_is_read_with_what_is_known_of_its_pairs(written):
    found, full = read_dataset(written), read_release(written)
    final = {pair.id for pair in full.pairs if pair.subset == "labeled_final"}
    assert {*found.train.ids, *found.dev.ids, *found.test.ids} == final
    assert {*found.swap.ids} == {pair.id for pair in full.pairs if pair.subset == "labeled_swap"}


def test_a_changed_or_missing_file_of_a_release_is_named(trial):
    test = trial / "labeled_final/test.tsv"
    test.write_text(test.read_text().replace("\t1\t", "\t0\t", 1))
    with pytest.raises(Unreadable, match=r"labeled_final/test.tsv: differs from its checksum"):
        read_dataset(trial)
    test.unlink()
    with pytest.raises(Unreadable, match=r"labeled_final/test.tsv: is missing"):
        read_dataset(trial)
