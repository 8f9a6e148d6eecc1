"""Whatever is changed in a release of translations, and signed anew, is named."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from releases.dataset.folders import write_text
from releases.dataset.manifest import MANIFEST, as_json, describe_files
from releases.dataset.reader import read_tsv
from releases.dataset.table_files import build_array, open_table
from releases.dataset.translated.files import BY_PLACE, TranslationSettings
from releases.dataset.translated.reader import ReadTranslations
from releases.dataset.translated.rows import TranslationRow
from releases.dataset.translated.rules import back_translations_follow
from releases.dataset.verification import verify
from tests.releases.dataset.studies import describe_again

ACCEPTED = " Missing validations and word error rates of 5.0% and more were allowed."
TRAIN, DEV, TEST = (BY_PLACE["translated", split] for split in ("train", "dev", "test"))
BACK = BY_PLACE["translate_test", "dev"]
SENTENCES, UNTRANSLATED = "sentences.jsonl", "untranslated.jsonl"
VALIDATIONS, CARD = "validations.jsonl", "README.md"


class Forger:
    """Changes a copy of a release, and signs what is there."""

    def __init__(self, folder):
        self.folder = folder

    def rows(self, table):
        return [list(row) for row in read_tsv(self.folder, table)]

    def write(self, table, rows):
        with open_table(self.folder, table) as files:
            for row in rows:
                files.add(tuple(row))

    def cell(self, table, number, **cells):
        rows = self.rows(table)
        for name, value in cells.items():
            rows[number][table.names.index(name)] = value
        self.write(table, rows)

    def lines(self, path):
        return [json.loads(line) for line in (self.folder / path).read_text().splitlines()]

    def write_lines(self, path, lines):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        write_text(self.folder / path, text)

    def line(self, path, number, **values):
        lines = self.lines(path)
        lines[number] |= values
        self.write_lines(path, lines)

    def manifest(self, *keys, value):
        manifest = json.loads((self.folder / MANIFEST).read_text())
        part = manifest
        for key in keys[:-1]:
            part = part[key]
        part[keys[-1]] = value
        write_text(self.folder / MANIFEST, as_json(manifest))

    def sign(self):
        """Bring checksums, sizes and row numbers in manifest.json up to date."""
        files = json.loads((self.folder / MANIFEST).read_text())["files"]
        rows = {path: entry["rows"] for path, entry in files.items()}
        for path in [path for path in rows if path.endswith((".tsv", ".jsonl"))]:
            rows[path] = len((self.folder / path).read_text().splitlines()) - path.endswith("v")
        for table in BY_PLACE.values():
            rows[table.parquet] = rows[table.tsv]
        self.manifest("files", value=describe_files(self.folder, rows))


@pytest.fixture
def forged(german, source, tmp_path):
    """What is told of a release after a change, with its source."""

    def forge(change, *, with_source=True):
        folder = tmp_path / "forged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(german, folder)
        forger = Forger(folder)
        change(forger)
        describe_again(folder)
        forger.sign()
        return list(map(str, verify(folder, source if with_source else None)))

    return forge


def swap_sides(forger):
    [key, one, other, label], *rest = forger.rows(TEST)
    forger.write(TEST, [[key, other, one, label], *rest])


def pair_of_test_in_train(forger):
    forger.write(TRAIN, [*forger.rows(TRAIN), forger.rows(TEST)[0]])


def drop_row(forger):
    forger.write(TEST, forger.rows(TEST)[1:])


def other_translation(forger):
    rows = forger.rows(TEST)
    rows[0][1] = rows[-1][1]
    forger.write(TEST, rows)


def drop_sentence(forger):
    text = forger.rows(TEST)[0][1]
    kept = [line for line in forger.lines(SENTENCES) if line["text"] != text]
    forger.write_lines(SENTENCES, kept)


def drop_validation(forger):
    forger.write_lines(VALIDATIONS, forger.lines(VALIDATIONS)[1:])


def untranslated_source(forger):
    """Put the source text, unmarked, where its translation was."""
    lines = forger.lines(SENTENCES)
    back = {line["translates"]: line["text"] for line in lines if line["language"] == "en"}
    at = next(at for at, line in enumerate(lines) if line["id"] in back)
    forger.line(SENTENCES, at, text=back[lines[at]["id"]])


def by_a_person(forger):
    return next(at for at, line in enumerate(forger.lines(SENTENCES)) if line["by"] == "human")


def validate_alone(forger):
    forger.line(VALIDATIONS, 0, validator=forger.lines(VALIDATIONS)[0]["translator"])


def fewer_pairs(forger):
    """Claim that fewer pairs were drawn than there are."""
    forger.manifest("settings", "test", value=3)


def forget_pair(forger):
    """Take a pair out of its table, and name a number of pairs that it was drawn for."""
    drop_row(forger)
    forger.manifest("settings", "test", value=10_000)


def no_longer_simulated(forger):
    """Say of every sentence that a person translated it."""
    for number in range(len(forger.lines(SENTENCES))):
        forger.line(SENTENCES, number, simulated=False)


def real_at_once(forger):
    """Say of one answer of a simulated person that it is real."""
    lines = forger.lines(SENTENCES)
    at = next(at for at, line in enumerate(lines) if line["simulated"])
    forger.line(SENTENCES, at, simulated=False)


def card_says(old, new):
    def change(forger):
        text = (forger.folder / CARD).read_text()
        assert old in text
        write_text(forger.folder / CARD, text.replace(old, new))

    return change


def first_label(forger):
    forger.cell(TEST, 0, label=1 - forger.rows(TEST)[0][3])


# What a forger does; what is told; whether that needs the source.
MUTATIONS = [
    (first_label, "translated/test.tsv, line 2: the label of ", True),
    (lambda it: it.cell(DEV, 0, id="x"), "x is no pair of labeled_final/dev of the source", True),
    (swap_sides, "has its sentences in the other order than the source", True),
    (other_translation, "has other sentences than the source", True),
    (drop_row, " is missing", True),
    (forget_pair, " was drawn for test, but is in no table and not left out", True),
    (untranslated_source, "equals its source, but is not marked as unchanged", True),
    (fewer_pairs, "pairs with those left out, more than 3", True),
    (lambda it: it.line(UNTRANSLATED, 0, text="Ada."), "has not the text of the source", True),
    (lambda it: it.manifest("source", "sha256", value="0"), " was translated 0. Copy", True),
    (lambda it: it.manifest("source", "version", value="2.0"), " 2.0 was translated. Name ", True),
    (lambda it: it.manifest("language", value="es"), "language is es, not ", False),
    (lambda it: it.manifest("left_out", "equal", value={}), "equal is {}, not {'dev': [", True),
    (lambda it: it.cell(TEST, 0, sentence1="NS"), "a text that is no human translation", False),
    (lambda it: it.line(SENTENCES, 0, text="N/A"), "has the placeholder 'N/A'", False),
    (pair_of_test_in_train, "translated/train.tsv, line ", False),
    (lambda it: it.cell(TRAIN, 0, label=7), "has the label 7", False),
    (drop_sentence, "has a text that is no human translation in sentences.jsonl", False),
    (lambda it: it.line(SENTENCES, 0, language="fr"), "is in the language fr", False),
    (lambda it: it.line(SENTENCES, by_a_person(it), by="machine"), "needs a translator", False),
    (lambda it: it.line(VALIDATIONS, 12, errors=0), "has 0 errors in ", False),
    (lambda it: it.line(VALIDATIONS, 12, after="Nein."), "is not the text in sentences", False),
    (lambda it: it.line(VALIDATIONS, 0, after="Ja."), "has the action accept, which", False),
    (validate_alone, "is validated by its translator", False),
    (drop_validation, "validations.jsonl: the validation of ", False),
    (lambda it: it.line(UNTRANSLATED, 0, reasons=["other"]), "has fewer than 2 reasons", False),
    (lambda it: it.cell(BACK, 0, sentence2="An eel."), "does not translate its sentence", False),
    (lambda it: it.manifest("word_errors", "overall", value={"rate": 0.01}), "overall is ", False),
    (lambda it: it.manifest("collapsed", value={}), "collapsed is {}, not ", False),
    (lambda it: it.manifest("counts", "translators", value=1), "translators is 1, not ", False),
    (no_longer_simulated, "simulated is {'translations': ", False),
    (real_at_once, "is marked as simulated, unlike elsewhere", False),
    (lambda it: it.manifest("simulated", value=False), "simulated is False, not True", False),
    (lambda it: it.manifest("settings", "accepts_errors", value=False), "fewer than ", False),
    (lambda it: it.manifest("settings", "most_error", value=0.2), "rates of 20.0% and", False),
    (card_says("| 14 |", "| 140 |"), "README.md: lacks a line that the rows and the", False),
    (card_says("Word errors", "Errors"), "rows and the manifest give: ## Word errors", False),
    (card_says("it is a trial, not data", "of sorts"), "the manifest give: **This release", False),
]  # fmt: skip


def test_each_change_is_named(forged, subtests):
    for number, (change, what, needs_source) in enumerate(MUTATIONS):
        with subtests.test(number=number, what=what):
            found = forged(change, with_source=needs_source)
            assert any(what in each for each in found), found


def test_settings_that_accept_no_errors_are_held_against_the_rows(forged):
    def strict(share, bound):
        def change(forger):
            for name, value in (("accepts_errors", False), ("validated_share", share),
                                ("least_validated", 0), ("most_error", bound)):  # fmt: skip
                forger.manifest("settings", name, value=value)
            card_says(ACCEPTED, "")(forger)

        return [each for each in forged(change) if "models" not in each]

    assert strict(0.0, 0.5) == []
    assert any("was drawn for validation, but is not" in each for each in strict(0.5, 0.5))
    low = strict(0.0, 0.01)
    assert any("the word error rate of the release is not below most_error" in each for each in low)


def test_an_untouched_copy_verifies(forged):
    assert forged(lambda _: None) == []


def test_back_translations_of_a_single_pair_follow():
    def release(text):
        sentences = [
            TranslationRow("t1", "Ada traf Bo.", "de", "s1", "human"),
            TranslationRow("t2", "Bo traf Ada.", "de", "s2", "human"),
            TranslationRow("b1", "Ada met Bo.", "en", "t1", "machine"),
            TranslationRow("b2", "Bo met Ada.", "en", "t2", "machine"),
        ]
        tables = {
            DEV: [(2, ("p", "Ada traf Bo.", "Bo traf Ada.", 1))],
            BACK: [(2, ("p", "Ada met Bo.", text, 1))],
        }
        settings = TranslationSettings("en", "de")
        return ReadTranslations(Path(), {}, settings, sentences, [], [], tables)

    assert list(back_translations_follow(release("Bo met Ada."))) == []
    [difference] = back_translations_follow(release("Ada met Bo."))
    assert "does not translate its sentence back" in str(difference)


def test_a_table_whose_parquet_differs_is_named(forged):
    def relabel(forger):
        table = pq.read_table(path := forger.folder / DEV.parquet)
        labels = build_array([7] * table.num_rows, table.schema.field("label").type)
        pq.write_table(table.set_column(3, "label", labels), path)

    assert forged(relabel, with_source=False) == [
        f"{DEV.parquet}: does not hold the rows of {DEV.tsv}, from its line 2 on"
    ]


@pytest.fixture
def told_of(german, source, tmp_path, capsys):
    """What the command says of a changed copy of the source."""

    def told(change):
        folder = shutil.copytree(source, tmp_path / "copy")
        change(folder)
        with pytest.raises(CommandError, match="1 difference in"):
            call_command("verify_release", str(german), source=folder)
        return capsys.readouterr().out

    return told


def test_a_source_that_is_no_release_is_named(told_of):
    said = told_of(lambda folder: (folder / MANIFEST).unlink())
    assert said.startswith("source: manifest.json: is missing, so this is no release: ")


def test_another_release_than_the_translated_one_is_named(told_of, german):
    said = told_of(lambda folder: shutil.copytree(german, folder, dirs_exist_ok=True))
    assert said.startswith("source: manifest.json: is of Trial pairs (de) 1.0.0, but Trial pairs ")
    assert "1.0.0 was translated. Name the release that was translated with --source" in said


def test_a_changed_byte_of_the_source_is_named_with_its_file(told_of):
    def change(folder):
        path = folder / "labeled_final/train.tsv"
        path.write_bytes(path.read_bytes().replace(b".", b"!", 1))

    said = told_of(change)
    assert said.startswith("source: labeled_final/train.tsv: has another checksum or size than ")


def test_a_missing_file_of_the_source_is_named(told_of):
    said = told_of(lambda folder: (folder / "labeled_final/dev.tsv").unlink())
    assert said.startswith("source: labeled_final/dev.tsv: is missing. Copy the source release ")
