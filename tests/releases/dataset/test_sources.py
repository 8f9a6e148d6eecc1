"""The labelled pairs of a release, as what is made of it reads them."""

import pytest

from releases.dataset.reader import Unreadable, read_release
from releases.dataset.sources import LabelledPair, labelled
from tests.releases.dataset.test_definitions import definitions, written
from tests.releases.dataset.translated import translations


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graded") / "release"
    written(folder, *definitions(20))
    return folder


def test_the_labelled_pairs_of_a_graded_release_are_those_of_its_pairs_file(graded):
    pairs = [pair for pair in read_release(graded).pairs if pair.subset == "labeled_final"]
    assert {pair.split for pair in pairs} == {"train", "dev", "test"}
    assert sorted(labelled(graded)) == sorted(
        LabelledPair(pair.split, pair.id, pair.text1, pair.text2, pair.label) for pair in pairs
    )


def test_a_split_is_read_without_the_others(graded):
    (graded / "labeled_final/train.tsv").rename(graded / "moved")
    try:
        assert {pair.split for pair in labelled(graded, ["test"])} == {"test"}
        assert {pair.split for pair in labelled(graded)} == {"dev", "test"}
    finally:
        (graded / "moved").rename(graded / "labeled_final/train.tsv")


def test_a_release_of_translations_has_no_labels_of_its_own(graded, tmp_path):
    translations.write(tmp_path / "de", graded, translations.translations(graded))
    with pytest.raises(Unreadable, match="not of the format pawsmith-release"):
        list(labelled(tmp_path / "de"))
