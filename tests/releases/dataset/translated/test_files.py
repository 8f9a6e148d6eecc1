"""What a release of translations holds, and that everybody can read it."""

import json

import mlcroissant
import pandas
import pytest

from releases.dataset.documentation import Documentation
from releases.dataset.metadata import Metadata
from releases.dataset.translated.files import LINE_FILES
from releases.dataset.translated.rows import LeftOut
from releases.dataset.verification import verify
from tests.releases.dataset.studies import contents
from tests.releases.dataset.translated import translations

pytestmark = pytest.mark.filterwarnings("ignore")  # of libraries, about pandas


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text())


def table(folder, path):
    return pandas.read_csv(
        folder / path, sep="\t", quoting=3, keep_default_na=False, index_col="id"
    )


def test_it_verifies_with_and_without_its_source_and_repeats_byte_by_byte(
    german, source, made, tmp_path
):
    assert verify(german) == verify(german, source) == []
    translations.write(tmp_path / "again", source, made)
    assert contents(tmp_path / "again") == contents(german)


def test_labels_splits_and_sides_are_those_of_the_source(german, source):
    for split in ("train", "dev", "test"):
        there = table(source, f"labeled_final/{split}.tsv")
        translated = table(german, f"translated/{split}.tsv")
        of_source = there.loc[translated.index]
        assert list(translated["label"]) == list(of_source["label"])
        same = translated["sentence1"] == of_source["sentence1"].map(translations.german)
        assert same.sum() >= len(same) - 3  # what a person fixed, or translated alike


def test_what_is_left_out_and_why_is_named(german, made):
    manifest, planned = manifest_of(german), made.planned()
    left_out = manifest["left_out"]
    assert left_out == {str(why): splits for why, splits in planned.left_out.items()}
    assert made.pair("test", 0).id in left_out[LeftOut.UNTRANSLATABLE]["test"]
    assert made.pair("dev", 1).id in left_out[LeftOut.EQUAL]["dev"]
    assert made.pair("train", 1).id in left_out[LeftOut.NO_MACHINE_TRANSLATION]["train"]
    assert made.pair("dev", 0).id in manifest["collapsed"]["dev"]
    for split in ("train", "dev", "test"):
        there = manifest["counts"]["subsets"]["translated"][split]["pairs"]
        out = (splits.get(split, []) for why, splits in left_out.items())
        every = sum(pair.split == split for pair in made.pairs)
        assert there + sum(map(len, out)) == every
    card = (german / "README.md").read_text()
    assert f"- dev: `{made.pair('dev', 0).id}`" in card
    assert "people could not translate a sentence" in card


def test_word_errors_count_fixed_words_and_all_of_what_was_rejected(german, made):
    figures = manifest_of(german)["word_errors"]
    fixed, rejected = made.validations[12:14]
    errors = 2 + len(rejected.before.split()) + 1  # "Ja" and its comma; words and the full stop
    assert (fixed.errors, figures["overall"]["errors"], figures["unit"]) == (2, errors, "word")
    names = {row.translator for row in made.validations}
    assert figures["translators"].keys() == names
    assert sum(rate["words"] for rate in figures["translators"].values()) == sum(
        row.words for row in made.validations
    )


def test_the_card_refers_to_the_data_statement_of_the_source(source, made, tmp_path):
    metadata = Metadata(documentation=Documentation(uses=("To test models.",)))
    translations.write(tmp_path / "de", source, made, metadata=metadata)
    assert verify(tmp_path / "de", source) == []
    card = (tmp_path / "de" / "README.md").read_text()
    assert "**Provenance appendix.** See the data statement of Trial pairs 1.0.0." in card


def test_tables_without_rows_are_left_out(source, tmp_path):
    made = translations.translations(source)
    made.sentences = [row for row in made.sentences if row.by == "human"]
    translations.write(tmp_path / "de", source, made)
    assert {path for path in contents(tmp_path / "de") if path.endswith(".tsv")} == {
        "translated/dev.tsv",
        "translated/test.tsv",
    }
    assert not (tmp_path / "de" / "untranslated.jsonl").exists()
    assert verify(tmp_path / "de", source) == []


def test_mlcroissant_reads_every_file_and_objects_to_nothing(german):
    dataset = mlcroissant.Dataset(jsonld=german / "croissant.json")
    assert (dataset.metadata.issues.errors, dataset.metadata.issues.warnings) == (set(), set())
    for file in LINE_FILES:
        lines = (german / file.path).read_text().splitlines()
        assert len(list(dataset.records(file.path.removesuffix(".jsonl")))) == len(lines)
