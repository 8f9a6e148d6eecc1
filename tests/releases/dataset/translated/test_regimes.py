"""Which files each regime of PAWS-X Table 3 trains, selects and tests with."""

import shutil

import pytest

from releases.dataset.translated.files import BY_PLACE
from releases.dataset.translated.regimes import regimes
from releases.dataset.translated.rows import RegimeName
from tests.releases.dataset.translated.test_verification import Forger


def named(paths, source, german):
    roots = {source: "en", german: "de"}
    return [
        f"{roots[root]}/{path.relative_to(root)}"
        for path in paths
        for root in roots
        if path.is_relative_to(root)
    ]


def test_each_regime_has_the_files_of_table_3(source, german):
    final = [f"en/labeled_final/{split}.tsv" for split in ("train", "dev", "test")]
    human = [f"de/translated/{split}.tsv" for split in ("train", "dev", "test")]
    back = [f"de/translate_test/{split}.tsv" for split in ("dev", "test")]
    every_train, every_dev = [final[0], human[0]], [final[1], human[1]]
    found = {
        (regime.name, regime.language): [
            named(paths, source, german) for paths in (regime.train, regime.dev, [regime.test])
        ]
        for regime in regimes(source, [german])
    }
    assert found == {
        (RegimeName.TRANSLATE_TRAIN, "en"): [[path] for path in final],
        (RegimeName.TRANSLATE_TRAIN, "de"): [[path] for path in human],
        (RegimeName.TRANSLATE_TEST, "de"): [[final[0]], [back[0]], [back[1]]],
        (RegimeName.ZERO_SHOT, "de"): [[final[0]], [final[1]], [human[2]]],
        (RegimeName.MERGED, "en"): [every_train, every_dev, [final[2]]],
        (RegimeName.MERGED, "de"): [every_train, every_dev, [human[2]]],
    }
    assert not any(regime.missing for regime in regimes(source, [german]))


def test_no_pair_of_a_test_set_is_ever_trained_on(source, german, tmp_path):
    false = shutil.copytree(german, tmp_path / "de")
    train, test = (BY_PLACE["translated", split] for split in ("train", "test"))
    forger = Forger(false)
    forger.write(train, [*forger.rows(train), forger.rows(test)[0]])
    with pytest.raises(ValueError, match=r"train.tsv has the pair .* of the test set"):
        regimes(source, [false])


def test_missing_files_and_other_sources_are_named(source, german, tmp_path):
    partial = shutil.copytree(german, tmp_path / "de")
    (partial / "translated/train.tsv").unlink()
    lacking = {
        (regime.name, regime.language) for regime in regimes(source, [partial]) if regime.missing
    }
    assert lacking == {
        (RegimeName.TRANSLATE_TRAIN, "de"),
        (RegimeName.MERGED, "en"),
        (RegimeName.MERGED, "de"),
    }
    Forger(partial).manifest("source", "sha256", value="0" * 64)
    with pytest.raises(ValueError, match="Name the release that was translated"):
        regimes(source, [partial])
    with pytest.raises(ValueError, match="one folder for each language"):
        regimes(source, [german, german])
