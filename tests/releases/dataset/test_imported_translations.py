"""Pairs translated elsewhere are read strictly, and audited against their source."""

from io import BytesIO

import pytest

from generation.records import UnreadableFile
from releases.dataset.reader import read_release
from releases.dataset.translated.imported import (
    Refused,
    WrongLabel,
    audit,
    read_lines,
    source_pairs,
    translations,
)
from releases.dataset.translated.rows import Pair

SOURCE = {
    pair.id: pair
    for pair in (
        Pair("1", "Ada met Bo in Rome.", "Bo met Ada in Rome.", "0"),
        Pair("2", "The mill burned in 1921.", "In 1921 the mill burned.", "1"),
        Pair("3", "The mill burned in 1921.", "The hall burned in 1921.", "0"),
        Pair("4", "Cold water meets warm.", "Warm water meets cold.", "1"),
    )
}
FILE = """id\tsentence1\tsentence2\tlabel\tsplit
1\tAda traf Bo.\tAda traf Bo.\t0\tdev
2\tDie Mühle brannte 1921. \t1921 brannte die Mühle.\t0\tdev
3\tDie Mühle ist 1921 abgebrannt.\tDie Halle brannte 1921.\t0\tdev
4\tNS\tWarmes Wasser trifft kaltes.\t0\tdev
4\tKaltes trifft warmes.\tWarmes trifft kaltes.\t1\tdev
9\tEs regnet.\tEs schneit.\t0\tdev
5\ta\tb
7\tEs \u202eregnet.\tEs schneit.\t0\tdev
"""


def audited(text=FILE, source=SOURCE):
    return audit(read_lines(BytesIO(text.encode())), source)


def test_placeholders_are_refused_wrong_labels_named_and_the_label_of_the_source_wins():
    found = audited()
    assert found.lines == 8
    assert found.pairs == [
        Pair("1", "Ada traf Bo.", "Ada traf Bo.", "0"),
        Pair("2", "Die Mühle brannte 1921.", "1921 brannte die Mühle.", "1"),
        Pair("3", "Die Mühle ist 1921 abgebrannt.", "Die Halle brannte 1921.", "0"),
    ]
    assert found.refused == [
        Refused(5, "4", "placeholder"),
        Refused(6, "4", "repeated_pair"),
        Refused(7, "9", "unknown_pair"),
        Refused(8, "", "wrong_columns"),
        Refused(9, "7", "unknown_pair"),
    ]
    # Also that of the refused line: the published data label all of these 0.
    assert found.wrong_labels == [WrongLabel(3, "2", "0", "1"), WrongLabel(5, "4", "0", "1")]


def test_equal_translations_are_named_and_those_of_negatives_apart():
    same = FILE.replace("1921 brannte die Mühle.", "Die Mühle brannte 1921.")
    found = audited(same)
    assert [pair.id for pair in found.collapsed] == ["1", "2"]
    assert [pair.id for pair in found.collapsed_negatives] == ["1"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "placeholder"),
        ("N / A", "placeholder"),
        ("Es \u202eregnet.", "direction_control"),
        ("x" * 7000, "too_long"),
    ],
)
def test_a_text_that_cannot_be_stored_is_refused_by_line(text, reason):
    found = audited(f"id\tsentence1\tsentence2\n1\t{text}\tBo traf Ada.\n")
    long = "7,000 characters, and at most 6,000 are allowed" if reason == "too_long" else ""
    assert (found.refused, found.pairs) == ([Refused(2, "1", reason, long)], [])


def test_a_sentence_of_several_pairs_has_its_first_translation():
    texts, others = translations(audited().pairs, SOURCE)
    assert texts["The mill burned in 1921."] == "Die Mühle brannte 1921."
    assert texts["The hall burned in 1921."] == "Die Halle brannte 1921."
    assert [pair.id for pair in others] == ["3"]


def test_the_source_is_a_release_or_a_file_in_its_language(release, tmp_path):
    of_release = source_pairs(release)
    rows = [row for row in read_release(release).pairs if row.subset == "labeled_final"]
    assert [*of_release.values()] == [
        Pair(row.id, row.text1, row.text2, str(row.label)) for row in rows
    ]
    assert audit(read_lines(BytesIO(_translated(of_release))), of_release).wrong_labels == []
    file = tmp_path / "en.tsv"
    file.write_text("id\tsentence1\tsentence2\tlabel\n1\tIt rains.\tIt snows.\t0\n")
    assert source_pairs(file) == {"1": Pair("1", "It rains.", "It snows.", "0")}
    file.write_text("id\tsentence1\tsentence2\tlabel\n1\tIt rains.\tIt snows.\t\n")
    with pytest.raises(UnreadableFile, match=r"en\.tsv, line 2: no label"):
        source_pairs(file)
    with pytest.raises(UnreadableFile, match="must name the columns id"):
        list(read_lines(BytesIO(b"sentence1\tsentence2\n")))


def _translated(pairs):
    rows = [
        f"{one.id}\tDe {one.sentence1}\tDe {one.sentence2}\t{one.label}" for one in pairs.values()
    ]
    return "\n".join(["id\tsentence1\tsentence2\tlabel", *rows, ""]).encode()
