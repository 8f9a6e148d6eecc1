"""The same file, in five forms, by page and by command: the same rows, the same refused lines."""

import csv
import json
import lzma
import re
import zlib
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.imports import compression, detection, files
from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines, open_file
from annotation.imports.services import corpora, uploads
from annotation.imports.services.work import IMPORTS
from annotation.models import Import
from common import leases
from generation.models import Sentence
from tests.annotation import make
from tests.annotation.imports.test_uploaded_tables import workbook

HEADER = ("id", "text", "group")
ROWS = {
    2: ("1", "Größe zählt.", "a"),
    3: ("2", "", "a"),
    4: ("3", "A bell\x7frings.", "a"),
    5: ("4", "x" * 2001, ""),
    6: ("5", "b'It pours.'", ""),
    7: ("6", "Back \u202eagain.", ""),
    8: ("x" * 201, "Bo ran.", ""),
    9: ("8", "Ada ran.", "g" * 201),
    10: ("1", "It snows in May.", ""),
    11: ("10", "It rains in May.", "b"),
}
ADDED = [("Größe zählt.", "1", "a", 2), ("It rains in May.", "10", "b", 11)]
REFUSED = {
    3: "empty",
    4: "control_character",
    5: "too_long",
    6: "python_byte_literal",
    7: "direction_control",
    8: "bad_id",
    9: "bad_group",
    10: "duplicate_id",
}


def separated(**options):
    text = StringIO()
    csv.writer(text, **options).writerows([HEADER, *ROWS.values()])
    return text.getvalue().encode()


def objects():
    """JSON Lines, whose first line is empty, so that the others have the same numbers."""
    rows = [dict(zip(HEADER, row, strict=True)) for row in ROWS.values()]
    return "\n".join(["", *(json.dumps(row) for row in rows)]).encode()


TABLE = b"text\nIt rains.\n"
FORMS = {
    "a.csv": separated,
    "a.tsv": lambda: separated(delimiter="\t"),
    "a.jsonl": objects,
    "a.xlsx": lambda: workbook(HEADER, *ROWS.values()),
    "a.jsonl.xz": lambda: lzma.compress(objects()),
}


@pytest.fixture
def upload(settings, tmp_path, monkeypatch):
    """Uploads a file of a kind to a project; returns the import once a worker has read it."""
    settings.IMPORTS_DIR = tmp_path
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)
    project = make.study()
    by = make.person(project, role="manager").user

    def upload(name, content, kind="sentences"):
        sent = {"name": name, "size": len(content), "chunks": [content], "by": by}
        row = uploads.create(project, kind=kind, **sent)
        assert IMPORTS.do_next()
        row.refresh_from_db()
        return row

    return upload


def stored():
    return list(
        Sentence.objects.order_by("line").values_list("text", "external_id", "group", "line")
    )


@pytest.mark.django_db
@pytest.mark.parametrize("name", FORMS)
def test_a_page_adds_the_rows_of_every_form(upload, name):
    row = upload(name, FORMS[name]())
    corpus = corpora.create("Rivers", owner=row.created_by)
    uploads.start(row, columns=row.columns, options={}, corpus=corpus, by=row.created_by)
    assert IMPORTS.do_next()
    row.refresh_from_db()
    assert (stored(), row.refused) == (ADDED, dict.fromkeys(REFUSED.values(), 1))
    with files.refused_of(row).open(encoding="utf-8-sig", newline="") as file:
        assert {int(line["pawsmith_line"]) for line in csv.DictReader(file)} == set(REFUSED)


@pytest.mark.django_db
@pytest.mark.parametrize("name", FORMS)
def test_a_command_adds_the_rows_of_every_form(tmp_path, capsys, name):
    path = tmp_path / name
    path.write_bytes(FORMS[name]())
    call_command("import_sentences", str(path), corpus="Rivers")
    said = re.findall(r"line (\d+): (.+)", capsys.readouterr().out)
    assert stored() == ADDED
    assert {int(line): reason.replace(" ", "_") for line, reason in said} == REFUSED


def asking_for_memory():
    """A table in xz whose header asks for a dictionary of 1.5 GiB."""
    packed = bytearray(lzma.compress(TABLE))
    packed[16] = 37
    packed[20:24] = zlib.crc32(packed[12:20]).to_bytes(4, "little")
    return bytes(packed)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (asking_for_memory(), "needs_memory"),
        (lzma.compress(TABLE) + asking_for_memory(), "needs_memory"),
        (lzma.compress(TABLE) + b"more", "damaged"),
        (lzma.compress(b"text\n" + b"It rains.\n" * 100), "packed_too_large"),
        (lzma.compress(TABLE)[:-9], "damaged"),
    ],
)
def test_an_upload_that_cannot_be_unpacked_is_refused(upload, monkeypatch, content, problem):
    monkeypatch.setattr(compression, "MOST_UNPACKED", 1_000)
    assert upload("a.csv.xz", content).preview["problem"] == problem


@pytest.mark.django_db
def test_a_command_names_the_file_that_cannot_be_unpacked(tmp_path):
    path = tmp_path / "a.csv.xz"
    path.write_bytes(asking_for_memory())
    with pytest.raises(CommandError, match=r"a\.csv\.xz: .* 100 MB of memory.* Compress it again"):
        call_command("import_sentences", str(path), corpus="Rivers")


@pytest.mark.django_db
def test_all_streams_of_an_upload_are_read(upload):
    packed = lzma.compress(TABLE) + bytes(8) + lzma.compress(b"It pours.\n")
    assert upload("a.csv.xz", packed).size == len(TABLE + b"It pours.\n")


def lines_of(tmp_path, content):
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    kind = KINDS[Import.Kind.SENTENCES]
    with open_file(path, kind.fields) as file:
        return list(make_lines(file.lines, kind.make))


def test_columns_have_their_exact_names_in_any_case(tmp_path):
    [line] = lines_of(tmp_path, '{"Text": "It rains.", "sentence": "It pours."}')
    assert line.text == "It rains."


def test_a_list_in_a_column_that_is_not_read_is_no_fault(tmp_path):
    [line] = lines_of(tmp_path, '{"text": "It rains.", "more": [1]}')
    assert line.text == "It rains."


def test_fields_that_only_later_objects_have_are_read(tmp_path):
    first = '{"text": "It rains."}\n' * 100
    assert lines_of(tmp_path, first + '{"text": "It pours.", "id": "x"}')[-1].external_id == "x"


def test_the_name_of_a_compressed_file_tells_its_format_too(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(lzma.compress(b"text\nIt rains, it pours.\n"))
    layout = detection.layout_of(path, "a.csv.xz", KINDS["sentences"].fields)
    assert layout.shape == "csv"
