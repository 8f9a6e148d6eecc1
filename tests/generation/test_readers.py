"""Reading files: every line gives a row or a refusal, whatever it holds."""

import gzip
import io
import json
import lzma
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation import records
from generation.nlp.text import RefusedText, check
from generation.readers import Row, read, read_running_text
from generation.records import Format, Refusal, UnreadableFile

TXT, TSV, JSONL = Format


def lines_of(
    content: bytes | str, file_format: Format = TXT, **options: int
) -> list[Row | Refusal]:
    """What the reader makes of a file with this content."""
    data = content.encode() if isinstance(content, str) else content
    return list(read(io.BytesIO(data), file_format, **options))


def reasons(lines: Iterable[Row | Refusal]) -> list[tuple[int, str]]:
    """Line and reason of each refusal."""
    return [(line.line, line.reason) for line in lines if isinstance(line, Refusal)]


def is_sentence(text: str) -> bool:
    """Whether a corpus takes the text just as it is."""
    try:
        return check(text, max_characters=2_000) == text
    except RefusedText:
        return False


sentences = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])).filter(is_sentence)


def test_plain_text_is_a_sentence_a_line() -> None:
    assert lines_of("One.\nTwo.") == [Row(1, "One."), Row(2, "Two.")]


def test_windows_line_ends_and_a_byte_order_mark_are_no_part_of_the_text() -> None:
    assert lines_of(b"\xef\xbb\xbfOne.\r\nTwo.\r\n") == [Row(1, "One."), Row(2, "Two.")]


def test_text_comes_in_normal_form_c() -> None:
    assert lines_of("Cafe\u0301.") == [Row(1, "Caf\u00e9.")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "empty"),
        (b"  ", "empty"),
        (b"a\x00b", "nul"),
        (b"a\x07b", "control_character"),
        (b"a\tb", "tab"),
        (b"a\rb", "line_break"),
        (b"\xff\xfe", "broken_utf8"),
        (b"\xed\xa0\x80", "broken_utf8"),
        (b"a" * 2_001, "too_long"),
        (b"a" * (records.MAX_LINE_BYTES + 1), "line_too_long"),
    ],
)
def test_a_bad_line_is_refused_with_its_number_and_the_next_is_read(
    line: bytes, reason: str
) -> None:
    lines = lines_of(b"One.\n" + line + b"\nThree.\n")

    assert lines == [Row(1, "One."), Refusal(2, reason), Row(3, "Three.")]


def test_the_greatest_length_can_be_chosen() -> None:
    assert reasons(lines_of("abc\nabcd", max_characters=3)) == [(2, "too_long")]


def test_a_line_of_ten_megabytes_is_passed_over_in_pieces() -> None:
    class Counting(io.BytesIO):
        largest = 0

        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(size)
            Counting.largest = max(Counting.largest, len(line))
            return line

    stream = Counting(b"a" * 10_000_000 + b"\nNext.")

    assert list(read(stream, TXT)) == [Refusal(1, "line_too_long"), Row(2, "Next.")]
    assert Counting.largest <= records.MAX_LINE_BYTES


def test_tsv_columns_stand_in_the_order_of_its_header() -> None:
    content = "group\ttext\tyear\tid\nA\tOne.\t1999\tx1\n"

    assert lines_of(content, TSV) == [Row(2, "One.", external_id="x1", group="A")]


def test_tsv_quotation_marks_are_text() -> None:
    assert lines_of('id\ttext\n1\t"One."\n', TSV) == [Row(2, '"One."', external_id="1")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1\tOne.\tmore", "wrong_columns"),
        ("1", "wrong_columns"),
        ("", "empty"),
        ("1\t", "empty"),
        ("\tOne.", "missing_id"),
        ("1\x07\tOne.", "bad_id"),
        ("x" * 201 + "\tOne.", "bad_id"),
    ],
)
def test_a_bad_tsv_line_is_refused(line: str, reason: str) -> None:
    assert lines_of(f"id\ttext\n{line}\n", TSV) == [Refusal(2, reason)]


@pytest.mark.parametrize("header", [b"", b"id\tsentence\n", b"\xff\xfe\n"])
def test_a_tsv_file_without_a_header_cannot_be_read(header: bytes) -> None:
    with pytest.raises(UnreadableFile, match="header"):
        lines_of(header + b"1\tOne.\n", TSV)


def test_json_lines_hold_an_object_each() -> None:
    content = '{"id": "a", "text": "One.", "group": "g", "more": [1]}\n'

    assert lines_of(content, JSONL) == [Row(1, "One.", external_id="a", group="g")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "bad_json"),
        ("[" * 100_000, "bad_json"),
        ('{"id": ' + "9" * 5_000 + "}", "bad_json"),
        ("[]", "not_an_object"),
        ('"One."', "not_an_object"),
        ('{"id": 1, "text": "One."}', "not_a_string"),
        ('{"id": "1", "text": null}', "not_a_string"),
        ('{"text": "One."}', "missing_id"),
        ('{"id": "1"}', "empty"),
        ('{"id": "1", "text": "a\\u0000b"}', "nul"),
        ('{"id": "1", "text": "a\\ud800b"}', "surrogate"),
        ('{"id": "\\ud800", "text": "One."}', "bad_id"),
        ('{"id": "1", "text": "One.", "group": "\\u0000"}', "bad_group"),
        ("", "empty"),
    ],
)
def test_a_bad_json_line_is_refused(line: str, reason: str) -> None:
    assert lines_of(line + "\n", JSONL) == [Refusal(1, reason)]


@given(st.lists(sentences))
def test_what_is_written_as_plain_text_is_read_again(texts: list[str]) -> None:
    content = "".join(f"{text}\n" for text in texts)

    assert lines_of(content) == [Row(number, text) for number, text in enumerate(texts, 1)]


@given(st.lists(sentences), st.booleans())
def test_what_is_written_as_json_is_read_again(texts: list[str], ascii_only: bool) -> None:
    objects = [{"id": f"s{number}", "text": text} for number, text in enumerate(texts, 1)]
    content = "".join(json.dumps(value, ensure_ascii=ascii_only) + "\n" for value in objects)

    assert lines_of(content, JSONL) == [
        Row(number, text, external_id=f"s{number}") for number, text in enumerate(texts, 1)
    ]


@given(st.binary())
def test_whatever_a_file_holds_each_line_gives_one_row_or_refusal(content: bytes) -> None:
    numbers = range(1, content.count(b"\n") + 1 + bool(content and not content.endswith(b"\n")))

    for file_format in (TXT, JSONL):
        assert [line.line for line in lines_of(content, file_format)] == list(numbers)


@given(st.binary())
def test_whatever_comes_after_its_header_a_tsv_file_gives_one_row_or_refusal_a_line(
    content: bytes,
) -> None:
    lines = lines_of(b"id\ttext\n" + content, TSV)

    assert len(lines) == content.count(b"\n") + bool(content and not content.endswith(b"\n"))


def by_full_stop(text: str) -> list[str]:
    """A splitter for tests."""
    return [f"{part}." for part in text.split(".") if part.strip()]


def test_running_text_is_split_within_passages() -> None:
    content = b"One goes\non. Two. Three\n\nA heading\n\nFour.\nFive."

    assert list(read_running_text(io.BytesIO(content), by_full_stop)) == [
        Row(1, "One goes on."),
        Row(1, "Two."),
        Row(1, "Three."),
        Row(4, "A heading."),
        Row(6, "Four."),
        Row(7, "Five."),
    ]


def test_a_bad_line_of_running_text_ends_its_passage() -> None:
    content = b"One\n\xff\nTwo a\x07.\nThree."

    assert list(read_running_text(io.BytesIO(content), by_full_stop)) == [
        Row(1, "One."),
        Refusal(2, "broken_utf8"),
        Refusal(3, "control_character"),
        Row(4, "Three."),
    ]


@pytest.mark.parametrize(
    ("name", "file_format"), [("a.txt", TXT), ("a.b.tsv.gz", TSV), ("a.jsonl.xz", JSONL)]
)
def test_a_file_name_tells_the_format(name: str, file_format: Format) -> None:
    assert records.format_of(Path(name)) is file_format


@pytest.mark.parametrize("name", ["a", "a.gz", "a.csv"])
def test_another_file_name_does_not(name: str) -> None:
    with pytest.raises(UnreadableFile, match="does not tell the format"):
        records.format_of(Path(name))


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_files_are_unpacked_while_they_are_read(
    tmp_path: Path, suffix: str, pack: object
) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pack(b"One.\nTwo.\n"))  # type: ignore[operator]

    with path.open("rb") as raw:
        assert len(list(read(records.decompressed(path, raw), TXT))) == 2


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_a_damaged_archive_cannot_be_read(tmp_path: Path, suffix: str, pack: object) -> None:
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pack(b"One.\nTwo.\n")[:-9])  # type: ignore[operator]

    with path.open("rb") as raw, pytest.raises(UnreadableFile, match="Damaged after line"):
        list(read(records.decompressed(path, raw), TXT))
