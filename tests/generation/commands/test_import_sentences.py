"""manage.py import_sentences."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from generation.models import Corpus, Sentence

pytestmark = pytest.mark.django_db


def import_file(path: Path, content: bytes, *options: str) -> str:
    """Write the file, import it into the corpus Tests; returns what the command printed."""
    path.write_bytes(content)
    output = StringIO()
    call_command("import_sentences", str(path), "--corpus", "Tests", *options, stdout=output)
    return output.getvalue()


def texts() -> list[str]:
    return list(Sentence.objects.order_by("id").values_list("text", flat=True))


def test_a_file_is_imported_into_a_new_corpus(tmp_path: Path) -> None:
    printed = import_file(tmp_path / "a.txt", b"One.\nTwo.\nOne.\n", "--licence", "CC BY-SA 4.0")

    assert printed == "3 read: 2 added, 1 known already, 0 refused\n"
    assert Corpus.objects.get().licence == "CC BY-SA 4.0"
    assert texts() == ["One.", "Two."]


def test_refused_lines_are_named_with_their_reasons(tmp_path: Path) -> None:
    printed = import_file(tmp_path / "a.txt", b"One.\n\xff\n\nTwo.\n")

    assert printed.splitlines() == [
        "4 read: 2 added, 0 known already, 2 refused",
        "  broken utf8: 1",
        "  empty: 1",
        "Refused first:",
        "  line 2: broken utf8",
        "  line 3: empty",
    ]


def test_every_refused_line_is_written_to_the_report(tmp_path: Path) -> None:
    report = tmp_path / "report.tsv"

    import_file(tmp_path / "a.txt", b"\n" * 30, "--report", str(report))

    lines = report.read_text().splitlines()
    assert lines[:2] == ["line\treason", "1\tempty"]
    assert len(lines) == 31


def test_the_format_can_be_told(tmp_path: Path) -> None:
    import_file(tmp_path / "a.txt", b"id\ttext\n1\tOne.\n", "--format", "tsv")

    assert texts() == ["One."]


def test_running_text_is_split_by_the_rules_of_the_language(tmp_path: Path) -> None:
    text = b"Mr. Smith went to\nthe U.S. Senate. He spoke.\n\nThen he left!"

    import_file(tmp_path / "a.txt", text, "--split")

    assert texts() == ["Mr. Smith went to the U.S. Senate.", "He spoke.", "Then he left!"]


def test_over_long_sentences_are_refused(tmp_path: Path) -> None:
    printed = import_file(tmp_path / "a.txt", b"A long sentence.\n", "--max-characters", "5")

    assert "too long: 1" in printed


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("a.csv", b"", (), "does not tell the format"),
        ("a.tsv", b"text\nOne.\n", (), "must name the columns id"),
        ("a.txt.gz", b"no archive", (), "Damaged after line 0"),
        ("a.jsonl", b"", ("--split",), "Only plain text"),
    ],
)
def test_a_file_that_cannot_be_read_fails(
    tmp_path: Path, name: str, content: bytes, options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        import_file(tmp_path / name, content, *options)


def test_a_missing_file_fails(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_sentences", str(tmp_path / "none.txt"), "--corpus", "Tests")


def test_a_corpus_keeps_its_licence(tmp_path: Path) -> None:
    import_file(tmp_path / "a.txt", b"One.\n", "--licence", "CC0")

    with pytest.raises(CommandError, match="stands under the licence 'CC0'"):
        import_file(tmp_path / "a.txt", b"Two.\n", "--licence", "CC BY 4.0")


NEARLY_THE_SAME = b"One two three four five six.\nOne two three four five six!\n"


def test_near_duplicates_are_counted(tmp_path: Path) -> None:
    printed = import_file(tmp_path / "a.txt", NEARLY_THE_SAME)

    assert printed.splitlines() == [
        "2 read: 2 added, 0 known already, 0 refused",
        "  1 of the added nearly repeat an earlier sentence",
    ]


def test_near_duplicates_can_be_refused(tmp_path: Path) -> None:
    printed = import_file(tmp_path / "a.txt", NEARLY_THE_SAME, "--near-duplicates", "skip")

    assert printed.splitlines() == [
        "2 read: 1 added, 0 known already, 1 refused",
        "  near duplicate: 1",
        "Refused first:",
        "  line 2: near duplicate",
    ]


def test_near_duplicates_can_be_left_alone(tmp_path: Path) -> None:
    printed = import_file(tmp_path / "a.txt", NEARLY_THE_SAME, "--near-duplicates", "off")

    assert printed == "2 read: 2 added, 0 known already, 0 refused\n"
