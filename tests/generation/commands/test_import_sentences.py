"""manage.py import_sentences."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation.models import Corpus, Sentence

pytestmark = pytest.mark.django_db

NEARLY_THE_SAME = b"One two three four five six.\nOne two three four five six!\n"


@pytest.fixture
def imported(tmp_path):
    """Import a file into a corpus that is named for it; returns what the command printed."""

    def imported(name, content, *options):
        path, output = tmp_path / name, StringIO()
        path.write_bytes(content)
        call_command("import_sentences", str(path), "--corpus", name, *options, stdout=output)
        return output.getvalue().splitlines()

    return imported


def texts():
    return list(Sentence.objects.order_by("id").values_list("text", flat=True))


def test_a_file_is_imported_into_a_new_corpus_that_keeps_its_licence(imported):
    printed = imported("a.txt", b"One.\nTwo.\nOne.\n", "--licence", "CC BY-SA 4.0")
    assert printed == ["3 read: 2 added, 1 known already, 0 refused"]
    assert Corpus.objects.get().licence == "CC BY-SA 4.0"
    assert texts() == ["One.", "Two."]
    with pytest.raises(CommandError, match=r"stands under the licence 'CC BY-SA 4.0'"):
        imported("a.txt", b"Two.\n", "--licence", "CC0")


def test_refused_lines_are_named_with_their_reasons_and_all_are_in_the_report(imported, tmp_path):
    report = tmp_path / "report.tsv"
    assert imported("a.txt", b"One.\n\xff\n\nTwo.\n" + b"\n" * 30, "--report", str(report))[:6] == [
        "34 read: 2 added, 0 known already, 32 refused",
        "  empty: 31",
        "  broken utf8: 1",
        "Refused first:",
        "  line 2: broken utf8",
        "  line 3: empty",
    ]
    lines = report.read_text().splitlines()
    assert lines[:3] == ["line\treason", "2\tbroken_utf8", "3\tempty"]
    assert len(lines) == 33


def test_options_choose_the_format_the_greatest_length_and_the_splitting(imported):
    imported("a.txt", b"id\ttext\n1\tOne.\n", "--format", "tsv")
    assert "  too long: 1" in imported("b.txt", b"A long sentence.\n", "--max-characters", "5")
    text = b"Mr. Smith went to\nthe U.S. Senate. He spoke.\n\nThen he left!"
    imported("c.txt", text, "--split")
    split = ["Mr. Smith went to the U.S. Senate.", "He spoke.", "Then he left!"]
    assert texts() == ["One.", *split]


def test_near_duplicates_are_counted_refused_or_left_alone(imported):
    assert imported("a.txt", NEARLY_THE_SAME) == [
        "2 read: 2 added, 0 known already, 0 refused",
        "  1 of the added nearly repeat an earlier sentence",
    ]
    assert imported("b.txt", NEARLY_THE_SAME, "--near-duplicates", "skip") == [
        "2 read: 1 added, 0 known already, 1 refused",
        *("  near duplicate: 1", "Refused first:", "  line 2: near duplicate"),
    ]
    left_alone = imported("c.txt", NEARLY_THE_SAME, "--near-duplicates", "off")
    assert left_alone == ["2 read: 2 added, 0 known already, 0 refused"]


def test_a_file_that_cannot_be_read_fails(imported, tmp_path):
    for name, content, options, message in [
        ("a.csv", b"", (), "does not tell the format"),
        ("a.tsv", b"text\nOne.\n", (), "must name the columns id"),
        ("a.txt.gz", b"no archive", (), "Damaged after line 0"),
        ("a.jsonl", b"", ("--split",), "Only plain text"),
    ]:
        with pytest.raises(CommandError, match=message):
            imported(name, content, *options)
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_sentences", str(tmp_path / "none.txt"), "--corpus", "Tests")
