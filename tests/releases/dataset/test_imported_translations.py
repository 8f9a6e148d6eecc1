"""Pairs translated elsewhere are read strictly, and audited against their source."""

import pytest

from releases.dataset.reader import read_release
from releases.dataset.translated.imported import (
    Refused,
    WrongLabel,
    audit,
    pairs_of_lines,
    pairs_of_release,
    read_lines,
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
    return audit(lines_of(text), source)


def lines_of(text):
    """The lines of a table, as its reader gives them."""
    names, *rows = [line.split("\t") for line in text.splitlines()]
    return read_lines(
        (number, dict(zip(names, cells, strict=False)), _fault(names, cells))
        for number, cells in enumerate(rows, 2)
    )


def _fault(names, cells):
    return "" if len(cells) == len(names) else "other_number_of_columns"


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
        Refused(8, "", "other_number_of_columns"),
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


def test_the_source_is_a_release_or_a_file_in_its_language(release):
    of_release = pairs_of_release(release)
    rows = [row for row in read_release(release).pairs if row.subset == "labeled_final"]
    assert of_release == {
        row.id: Pair(row.id, row.text1, row.text2, str(row.label)) for row in rows
    }
    assert audit(lines_of(_translated(of_release)), of_release).wrong_labels == []
    file = "id\tsentence1\tsentence2\tlabel\n1\tIt rains.\tIt snows.\t0\n"
    assert pairs_of_lines(lines_of(file)) == {"1": Pair("1", "It rains.", "It snows.", "0")}
    with pytest.raises(ValueError, match="line 2: no label"):
        pairs_of_lines(lines_of(file.replace("\t0\n", "\t\n")))


def _translated(pairs):
    rows = [
        f"{one.id}\tDe {one.sentence1}\tDe {one.sentence2}\t{one.label}" for one in pairs.values()
    ]
    return "\n".join(["id\tsentence1\tsentence2\tlabel", *rows, ""])
