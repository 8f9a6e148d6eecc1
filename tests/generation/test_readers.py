"""Reading files, of which each line gives a row or a refusal, and free JSON, stored as it is."""

import gzip
import io
import json
import lzma
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common import bounded_json
from common.bounded_json import InvalidJSON
from generation import records
from generation.readers import Row, read
from generation.records import Format, Refusal, UnreadableFile

TXT, TSV, JSONL = Format


def lines_of(content, file_format=TXT, **options):
    data = content.encode() if isinstance(content, str) else content
    return list(read(io.BytesIO(data), file_format, **options))


def test_plain_text_is_a_sentence_a_line_of_which_a_bad_one_is_refused_with_its_number():
    bom, one, two = b"\xef\xbb\xbfOne.\r\nTwo.\r\n", Row(1, "One."), Row(2, "Two.")
    assert lines_of("One.\nTwo.") == lines_of(bom) == [one, two]
    assert lines_of("Cafe\u0301.") == [Row(1, "Caf\u00e9.")]  # in normal form C
    for line, reason in [
        *((b"", "empty"), (b"  ", "empty"), (b"a\x00b", "nul"), (b"a\x07b", "control_character")),
        *((b"a\tb", "tab"), (b"a\rb", "line_break"), (b"\xff\xfe", "broken_utf8")),
        *((b"\xed\xa0\x80", "broken_utf8"), (b"a" * 2_001, "too_long")),
        (b"a" * records.MAX_LINE_BYTES, "line_too_long"),
    ]:
        found = lines_of(b"One.\n" + line + b"\nThree.\n")
        assert found == [Row(1, "One."), Refusal(2, reason), Row(3, "Three.")], line[:9]
    assert lines_of("abc\nabcd", max_characters=3) == [Row(1, "abc"), Refusal(2, "too_long")]
    stream = io.BytesIO(b"a" * 10_000_000 + b"\nNext.")  # which is skipped in pieces
    readline = Mock(wraps=stream.readline)
    lines = list(read(Mock(readline=readline), TXT))
    assert lines == [Refusal(1, "line_too_long"), Row(2, "Next.")]
    assert all(call == ((records.MAX_LINE_BYTES,),) for call in readline.call_args_list)


def test_tsv_columns_come_in_the_order_of_its_header_and_json_lines_hold_an_object_each():
    tsv = 'group\ttext\tyear\tid\nA\t"One."\t1999\tx1\n'
    assert lines_of(tsv, TSV) == [Row(2, '"One."', external_id="x1", group="A")]
    jsonl = '{"id": "a", "text": "One.", "group": "g", "more": [1]}\n'
    assert lines_of(jsonl, JSONL) == [Row(1, "One.", external_id="a", group="g")]
    for header in (b"", b"id\tsentence\n", b"\xff\xfe\n"):
        with pytest.raises(UnreadableFile, match="header"):
            lines_of(header + b"1\tOne.\n", TSV)
    for line, reason in [
        *(("1\tOne.\tmore", "wrong_columns"), ("1", "wrong_columns"), ("", "empty")),
        *(("1\t", "empty"), ("\tOne.", "missing_id"), ("1\x07\tOne.", "bad_id")),
        ("x" * 201 + "\tOne.", "bad_id"),
    ]:
        assert lines_of(f"id\ttext\n{line}\n", TSV) == [Refusal(2, reason)], line
    for line, reason in [
        *(("{", "bad_json"), ("[" * 100_000, "bad_json"), ('{"id": 99' + "9" * 5_000, "bad_json")),
        *(("[]", "not_an_object"), ('"One."', "not_an_object"), ("", "empty")),
        *(('{"id": 1, "text": "One."}', "not_a_string"), ('{"id": "1"}', "empty")),
        *(('{"id": "1", "text": null}', "not_a_string"), ('{"text": "One."}', "missing_id")),
        ('{"id": "1", "text": NaN}', "not_a_number"),
        ('{"id": "1", "id": "2", "text": "One."}', "repeated_name"),
        ('{"id": "1", "text": "a\\u0000b"}', "nul"),
        ('{"id": "1", "text": "a\\ud800b"}', "surrogate"),
        ('{"id": "\\ud800", "text": "One."}', "bad_id"),
        ('{"id": "1", "text": "One.", "group": "\\u0000"}', "bad_group"),
    ]:
        assert lines_of(line + "\n", JSONL) == [Refusal(1, reason)], line[:60]


@given(st.binary())
def test_each_line_gives_one_row_or_refusal(content):
    number = content.count(b"\n") + bool(content and not content.endswith(b"\n"))
    for file_format in (TXT, JSONL):
        assert [line.line for line in lines_of(content, file_format)] == [*range(1, number + 1)]
    assert len(lines_of(b"id\ttext\n" + content, TSV)) == number


def test_the_name_of_a_file_gives_its_format_and_a_compressed_one_is_unpacked(tmp_path):
    names = ("a.txt", "a.b.tsv.gz", "a.jsonl.xz")
    assert [records.format_of(Path(name)) for name in names] == [TXT, TSV, JSONL]
    for name in ("a", "a.gz", "a.csv"):
        with pytest.raises(UnreadableFile, match="does not tell the format"):
            records.format_of(Path(name))

    def unpacked(path, data):
        path.write_bytes(data)
        with path.open("rb") as raw:
            return list(read(records.decompressed(path, raw), TXT))

    for suffix, pack in [(".gz", gzip.compress), (".xz", lzma.compress)]:
        path, packed = tmp_path / f"a.txt{suffix}", pack(b"One.\nTwo.\n")
        assert unpacked(path, packed) == [Row(1, "One."), Row(2, "Two.")]
        with pytest.raises(UnreadableFile, match="is damaged after 10 bytes"):
            unpacked(path, packed[:-9])


def test_free_json_is_taken_as_it_is_or_refused_with_the_reason():
    for text in (f'"{"x" * 65_534}"', '{"a": [1.5, null, true]}', f"{2**63}", '"\\ud83d\\ude00"'):
        assert bounded_json.read(text) == json.loads(text)
    for text, why in [
        ('{"a": {"b": [1, "\\u0000"]}}', "holds a NUL"),
        ('{"a": {"\\ud800": 1}}', "surrogates not allowed"),
        ('["\\udc00"]', "surrogates not allowed"),
        ("1e999", "Out of range"),
        ("NaN", "Out of range"),
        ("9" * 5_000, "This is not JSON"),
        ("{", "This is not JSON"),
        ("[" * 50_000, "nested too deeply"),
        (f'"{"x" * 65_535}"', "longer than 65,536 bytes"),
    ]:
        with pytest.raises(InvalidJSON, match=why):
            bounded_json.read(text)
