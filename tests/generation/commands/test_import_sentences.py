"""manage.py import_sentences."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation.models import Corpus, Sentence

pytestmark = pytest.mark.django_db
REPEATS = "  1 of the added nearly repeat an earlier sentence"
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


def test_refused_lines_are_named_with_their_reasons_and_all_are_in_the_report(imported, tmp_path):
    options = ("--licence", "CC0", "--report", str(tmp_path / "report.tsv"))
    assert imported("a.txt", b"One.\n\xff\n\nTwo.\nOne.\n" + b"\n" * 30, *options)[:6] == [
        "35 read: 2 added, 1 known already, 32 refused",
        *("  empty: 31", "  broken utf8: 1", "Refused first:"),
        *("  line 2: broken utf8", "  line 3: empty"),
    ]
    lines = (tmp_path / "report.tsv").read_text().splitlines()
    assert lines[:3] == ["line\treason", "2\tbroken_utf8", "3\tempty"]
    assert (len(lines), Corpus.objects.get().licence) == (33, "CC0")


def test_options_choose_the_format_the_splitting_and_what_is_too_long_or_nearly_the_same(imported):
    text = b"Mr. Smith went to\nthe U.S. Senate. He spoke.\n\nThen he left!"
    imported("a.txt", b"id\ttext\n1\tOne.\n", "--format", "tsv")
    imported("b.txt", text, "--split")
    texts = ["One.", "Mr. Smith went to the U.S. Senate.", "He spoke.", "Then he left!"]
    assert list(Sentence.objects.order_by("id").values_list("text", flat=True)) == texts
    for option, value, content, added, said in [
        ("--max-characters", "5", text[:9], 0, ["  too long: 1"]),
        ("--near-duplicates", "skip", NEARLY_THE_SAME, 1, ["  near duplicate: 1"]),
        ("--near-duplicates", "off", NEARLY_THE_SAME, 2, []),
        ("--near-duplicates", "count", NEARLY_THE_SAME, 2, [REPEATS]),
    ]:
        first, *printed = imported(f"{value}.txt", content, option, value)
        assert (f" read: {added} added" in first, printed[:1]) == (True, said)


def test_a_file_that_cannot_be_read_and_another_licence_are_refused(imported, tmp_path):
    imported("a.txt", b"One.\n", "--licence", "CC0")
    for name, content, options, message in [
        ("a.csv", b"", (), "does not tell the format"),
        ("a.tsv", b"text\nOne.\n", (), "must name the columns id"),
        ("a.txt.gz", b"no archive", (), "Damaged after line 0"),
        ("a.jsonl", b"", ("--split",), "Only plain text"),
        ("a.txt", b"", ("--licence", "CC BY 4.0"), "stands under the licence 'CC0'"),
    ]:
        with pytest.raises(CommandError, match=message):
            imported(name, content, *options)
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_sentences", str(tmp_path / "none.txt"), "--corpus", "Tests")
