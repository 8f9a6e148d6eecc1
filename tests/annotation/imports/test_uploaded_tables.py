"""Files as people have them: what is found out about them, and what cannot be read in them."""

import gzip
import json
import zipfile
from dataclasses import replace
from io import BytesIO
from types import SimpleNamespace

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.imports import detection, object_lists, records, tables
from annotation.imports.kinds import KINDS
from annotation.imports.records import MAX_RECORD, TableFault, UnreadableTable
from annotation.imports.tables import Layout, Shape

SENTENCES, PAIRS = KINDS["sentences"], KINDS["pairs"]
GERMAN = (
    "Die größten Flüsse führen im Frühjahr Hochwasser.\nÄrzte prüfen das Gerät für die Übung.\n"
)
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy. Včera večer jsme šli do kina.\n"
RUSSIAN = "Вчера вечером мы ходили в кино и смотрели новый фильм о войне.\n"


@pytest.fixture
def looked_at(tmp_path):
    """Call it with the content of a file: returns how it is read, its columns and its records."""

    def look(content, name="rivers.txt", kind=SENTENCES):
        path = tmp_path / "data"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        layout = detection.layout_of(path, name, kind.fields)
        with tables.open_table(path, layout) as table:
            columns = detection.columns_of(table, kind.fields)
            return SimpleNamespace(
                layout=layout, header=table.header, columns=columns, records=list(table.records)
            )

    return look


def workbook(*rows):
    book, file = openpyxl.Workbook(), BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("text", "encoding", "found"),
    [
        (GERMAN, "utf-8", "utf-8"),
        (GERMAN, "utf-8-sig", "utf-8"),
        (GERMAN, "utf-16", "utf-16"),
        (GERMAN, "latin-1", "cp1252"),
        ("The river flows to the sea.\n" * 300 + "Größe zählt.\n", "latin-1", "cp1252"),
        (CZECH, "cp1250", "cp1250"),
        (RUSSIAN, "cp1251", "cp1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
    ],
)
def test_the_encoding_of_a_text_is_found(looked_at, text, encoding, found):
    seen = looked_at(text.encode(encoding))
    assert seen.layout.encoding == found
    assert [record.cells[0] for record in seen.records] == text.splitlines()


@pytest.mark.parametrize(
    ("content", "name", "kind", "layout", "columns"),
    [
        ("It rains; it pours.\nBo ran; he fell.\n", "Pasted", SENTENCES, "txt , False", [0]),
        ("id;text\n1;It rains.\n", "a.csv", SENTENCES, "csv ; True", [1, 0]),
        ("ID,Sentence\n1,It rains.\n", "Pasted", SENTENCES, "csv , True", [1, 0]),
        ("7\tIt rains in May.\n8\tIt pours.\n", "Pasted", SENTENCES, "csv \t False", [1]),
        ('{"id": 7, "text": "It rains."}\n', "a.jsonl", SENTENCES, "jsonl , True", [1, 0]),
        ('[{"id": 7, "text": "It rains."}]', "Pasted", SENTENCES, "json , True", [1, 0]),
        ("It rains.\tIt pours.\n", "a.tsv", PAIRS, "csv \t False", [0, 1]),
        ("id,sentence1,sentence2\n1,A.,B.\n", "a.csv", PAIRS, "csv , True", [1, 2, 0]),
        ("id,own_id,sentence1,sentence2\n1,a,A.,B.\n", "a.csv", PAIRS, "csv , True", [2, 3, 1]),
        ("premise,hypothesis,pairID\nA.,B.,3\n", "a.csv", PAIRS, "csv , True", [0, 1, 2]),
        ("premise|hypothesis|label\nA.|B.|1\n", "a.txt", PAIRS, "csv | True", [0, 1, 2]),
        ("A, b.\tC.\n" * 2, "a.txt", PAIRS, "csv \t False", [0, 1]),
        ('{"text": {"en": "It rains."}}\n{"text": {}}', "a.json", SENTENCES, "jsonl , True", [0]),
        ('{"1": {"text": "It rains."}}', "a.json", SENTENCES, "json , True", [1, 0]),
    ],
)
def test_the_columns_of_a_table_are_found(looked_at, content, name, kind, layout, columns):
    seen = looked_at(content, name, kind)
    found = seen.layout
    assert f"{found.shape} {found.delimiter} {found.has_header}" == layout
    assert list(seen.columns.values()) == columns


def test_a_workbook_is_read_as_people_see_it(looked_at):
    rows = [["id", "text"], [7, "It rains."], [8.0, None], [None, None], [9, True]]
    seen = looked_at(workbook(*rows), "a.xlsx")
    assert (seen.layout.shape, seen.columns) == (Shape.XLSX, {"text": 1, "id": 0})
    assert [(each.number, each.cells) for each in seen.records] == [
        (2, ["7", "It rains."]),
        (3, ["8"]),
        (5, ["9", "1"]),
    ]


def test_formulas_are_their_last_value_and_their_errors_are_refused(looked_at):
    content = workbook(["id", "text"], [1, "=A1"], [2, "#REF!"])
    seen = looked_at(content, "a.xlsx")
    # Nothing has computed the first one, and a value that is no text is none either.
    assert [(each.cells, each.fault) for each in seen.records] == [
        (["1"], None),
        (["2", "#REF!"], TableFault.FORMULA_ERROR),
    ]


def test_a_row_of_nothing_but_formulas_that_nothing_has_computed_is_no_empty_row(looked_at):
    seen = looked_at(workbook(["text"], ["It rains."], [None], ['="A"&"b"'], ["Bo ran."]), "a.xlsx")
    found = [(each.number, each.cells) for each in seen.records]
    assert found == [(2, ["It rains."]), (4, []), (5, ["Bo ran."])]


def test_bad_lines_are_refused_one_by_one_and_reading_goes_on(looked_at):
    long = "x" * (3 * MAX_RECORD)
    text = f"id,text\n1,{'ü' * 50} rains.\n2\n3,{long}\n"
    text += '4,"It "rains"".\n5,"It\npours."\n\n6,Bo fell.\n'
    content = text.encode() + b"7,\xff.\n8,Ada fell.\n"
    found = [(each.number, each.fault) for each in looked_at(content, "a.csv").records]
    assert found == [
        (2, None),
        (3, TableFault.WRONG_COLUMNS),
        (4, TableFault.TOO_LONG),
        (5, None),
        (6, None),
        (9, None),
        (10, TableFault.BROKEN_TEXT),
        (11, None),
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04 and no more", "not an Excel workbook"),
        (workbook(["text"])[:-200], "not an Excel workbook"),
        (b"\xd0\xcf\x11\xe0 old", "old Excel format"),
        (gzip.compress(workbook(["text"])), "compressed"),
        (b"\x89PNG\0\0\0\0\0 a picture", "not a text file"),
        (b" \n", "empty"),
        (",".join(["column"] * 20_000) + "\n", "more than 200 columns"),
        (workbook(["column"] * 16_000), "more than 200 columns"),
    ],
    ids=lambda each: each if isinstance(each, str) and len(each) < 40 else "",
)
def test_what_is_no_table_is_refused_as_a_whole_with_a_reason(looked_at, content, said):
    with pytest.raises(UnreadableTable, match=said):
        looked_at(content, "a.csv", PAIRS)


OBJECT = '{"text": "It rains."}\n'


@pytest.mark.parametrize("rows", [3, 4])
@pytest.mark.parametrize(
    ("content_of", "name"),
    [
        (lambda rows: "text\nIt rains.\n" + "\n" * rows + "It pours.\n", "a.txt"),
        (lambda rows: "text,id\nIt rains.,1\n" + " ,\n" * rows + "It pours.,2\n", "a.csv"),
        (lambda rows: OBJECT * 2 + "\n" * rows + OBJECT, "a.jsonl"),
        (lambda rows: sheet_with_cells_far_right(rows), "a.xlsx"),
    ],
    ids=["txt", "csv", "jsonl", "xlsx"],
)
def test_one_more_empty_row_than_a_gap_may_have_is_refused(
    looked_at, monkeypatch, content_of, name, rows
):
    monkeypatch.setattr(records, "MOST_EMPTY", 3)
    if rows == 3:
        assert len(looked_at(content_of(rows), name).records) >= 2
    else:
        with pytest.raises(UnreadableTable, match="More than 3 rows up to row 6 are empty"):
            looked_at(content_of(rows), name)


def sheet_with_cells_far_right(rows):
    """A workbook with a sentence, rows that have an empty cell in the last column, a sentence."""
    cell = '<row r="{n}"><c r="{at}{n}"{rest}</row>'
    text = ' t="inlineStr"><is><t>It rains.</t></is></c>'
    lines = [cell.format(n=n, at="A", rest=text) for n in (1, 2)]
    lines += [cell.format(n=n, at="XFD", rest=' s="0"/>') for n in range(3, rows + 3)]
    lines.append(cell.format(n=rows + 3, at="A", rest=text))
    return changed(workbook(["text"]), "xl/worksheets/sheet1.xml", SHEET % "".join(lines))


SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    "%s</sheetData></worksheet>"
)


def changed(content, part, text):
    """The workbook with another content of one of its parts."""
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name, text if name == part else old.read(name))
    return file.getvalue()


def test_one_more_column_than_allowed_is_refused(looked_at):
    assert len(looked_at(workbook(["column"] * 200, ["A"]), "a.xlsx").header) == 200
    with pytest.raises(UnreadableTable, match="more than 200 columns"):
        looked_at(workbook(["column"] * 201), "a.xlsx")


def test_one_more_byte_of_styles_than_allowed_is_refused(looked_at, monkeypatch):
    content = workbook(["text"])
    with zipfile.ZipFile(BytesIO(content)) as archive:
        largest = max(archive.getinfo(f"xl/{name}.xml").file_size for name in PARTS)
    monkeypatch.setattr(records, "MOST_OF_PART", largest)
    assert looked_at(content, "a.xlsx").header == ["text"]
    monkeypatch.setattr(records, "MOST_OF_PART", largest - 1)
    with pytest.raises(UnreadableTable, match="too many styles"):
        looked_at(content, "a.xlsx")


PARTS = ("styles", "theme/theme1", "workbook")


@pytest.mark.parametrize(
    ("limit", "part", "size"),
    [
        ("MOST_UNPACKED", "xl/worksheets/sheet1.xml", 1_000_011),
        ("MOST_SHARED", "xl/sharedStrings.xml", 1_000_000),
    ],
)
def test_one_more_byte_unpacked_than_allowed_is_refused(looked_at, monkeypatch, limit, part, size):
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr(part, " " * 1_000_000)
    monkeypatch.setattr(records, limit, size)
    with pytest.raises(UnreadableTable, match="not an Excel workbook"):
        looked_at(file.getvalue(), "a.xlsx")
    monkeypatch.setattr(records, limit, size - 1)
    with pytest.raises(UnreadableTable, match="too large once unpacked"):
        looked_at(file.getvalue(), "a.xlsx")


def test_reading_beyond_its_memory_is_refused(looked_at, monkeypatch):
    monkeypatch.setattr(records, "MEMORY", 400_000_000)
    row = f'<row r="1">{"<c/>" * 2_000_000}</row>'
    content = changed(workbook(["text"]), "xl/worksheets/sheet1.xml", SHEET % row)
    with pytest.raises(UnreadableTable, match="too large once unpacked"):
        looked_at(content, "a.xlsx")


def test_each_object_of_a_json_list_is_a_record(looked_at):
    objects = """\ufeff[
        {"id": 7, "text": "It rains."}, {"id": 8, "text": "It [pours]."}
        , {"id": 8.50, "text": "Ada ran.", "text": "Ada fell."}, "Bo ran."]
    """
    seen = looked_at(objects, "a.json")
    assert (seen.header, seen.columns) == (["id", "text"], {"text": 1, "id": 0})
    assert [(each.number, each.cells[-1], each.fault) for each in seen.records[:2]] == [
        (1, "It rains.", None),
        (2, "It [pours].", None),
    ]
    faults = [each.fault for each in seen.records[2:]]
    assert faults == [TableFault.REPEATED_NAME, TableFault.NOT_AN_OBJECT]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f'[{OBJECT}, {{"text": "It', "After object 1"),
        (f"[{OBJECT}, {OBJECT},]", "After object 2"),
        (f"[{OBJECT}] and more", "After object 1"),
        (f"[{OBJECT[:-1]}{' ' * 200}]", "has at most 0 MB"),
    ],
)
def test_a_json_list_that_ends_early_or_is_too_large_is_refused(
    looked_at, monkeypatch, content, said
):
    monkeypatch.setattr(object_lists, "LARGEST", 200)
    with pytest.raises(UnreadableTable, match=said):
        looked_at(content, "a.json")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"text": NaN}', TableFault.NOT_A_NUMBER),
        ('{"text": -Infinity}', TableFault.NOT_A_NUMBER),
        ('{"text": 1e999}', TableFault.NOT_A_NUMBER),
        ('{"text": "It rains.", "text": "It pours."}', TableFault.REPEATED_NAME),
        ('{"text": 1.50}', None),
    ],
)
def test_json_of_which_the_meaning_is_unclear_is_refused(looked_at, line, fault):
    assert [each.fault for each in looked_at(line, "a.jsonl").records] == [fault]


def test_objects_of_an_object_are_records_with_their_names_as_keys(looked_at):
    content = """{
        "7": {"text": {"left": "It rains.", "right": "It pours."}, "votes": {"ann": 1}},
        "8": {"text": {"left": "Bo ran.", "right": "Bo fell."}, "votes": {"bo": 0}, "tags": ["a"]},
        "9": {}
    }"""
    seen = looked_at(content, "a.json")
    assert seen.header == ["key", "text", "text.left", "text.right", "votes", "tags"]
    assert [record.cells[:1] + record.cells[2:] for record in seen.records] == [
        ["7", "It rains.", "It pours.", '{"ann": "1"}', ""],
        ["8", "Bo ran.", "Bo fell.", '{"bo": "0"}', '["a"]'],
        ["9", "", "", "", ""],
    ]


def test_a_list_that_is_longer_than_what_is_read_at_once_is_read_whole(looked_at, monkeypatch):
    monkeypatch.setattr(object_lists, "READ_AT_ONCE", 7)
    texts = [f"{'It rains. ' * (n % 5)}It pours." for n in range(30)]
    content = json.dumps([{"id": n, "text": text} for n, text in enumerate(texts)], indent=3)
    cells = [record.cells for record in looked_at(content, "a.json").records]
    assert cells == [[str(n), text] for n, text in enumerate(texts)]


def test_quotation_marks_between_tabs_are_read_as_the_layout_says(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text('id\ttext\n1\t"It\trains.\nIt pours."\n')
    layout = Layout(Shape.CSV, delimiter="\t", quoted=True)
    with tables.open_table(path, layout) as table:
        assert [record.cells for record in table.records] == [["1", "It\trains.\nIt pours."]]
    with tables.open_table(path, replace(layout, quoted=False)) as table:
        faults = [record.fault for record in table.records]
        assert faults == [TableFault.WRONG_COLUMNS, TableFault.WRONG_COLUMNS]


def test_parquet_is_read_in_batches_with_the_values_that_other_tables_have(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "ROWS_AT_ONCE", 2)
    rows = [
        {"id": 1, "text": "It rains.", "is_same": True, "score": 0.5, "votes": [1, 0]},
        {"id": 2, "text": None, "is_same": None, "score": 2.0, "votes": []},
        {"id": 3, "text": "Bo ran.", "is_same": False, "score": None, "votes": None},
    ]
    path = tmp_path / "pairs.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    with tables.open_table(path, Layout(Shape.PARQUET)) as table:
        assert (table.header, table.total) == ([*rows[0]], 3)
        assert [(record.number, record.cells) for record in table.records] == [
            (1, ["1", "It rains.", "1", "0.5", "[1, 0]"]),
            (2, ["2", "", "", "2.0", "[]"]),
            (3, ["3", "Bo ran.", "0", "", ""]),
        ]
    path.write_bytes(path.read_bytes()[:-9])
    with (
        pytest.raises(UnreadableTable, match="not a Parquet file"),
        tables.open_table(path, Layout(Shape.PARQUET)),
    ):
        pass


def test_lines_within_an_unclosed_quotation_are_refused_one_by_one(looked_at):
    lines = ["id,text", '1,"It rains.', *(f"{n},It pours." for n in range(2, 60)), '60,"Bo ran."']
    found = [(each.number, each.fault) for each in looked_at("\n".join(lines), "a.csv").records]
    swallowed = [(n, TableFault.SWALLOWED) for n in range(3, 62)]
    assert found == [(2, TableFault.UNCLOSED), *swallowed]


def test_a_quotation_that_a_later_row_would_close_is_refused(looked_at):
    lines = 'id,text,label\n1,"It rains.,0\n2,"It pours.",1\n3,"Bo\nran.",1'
    faults = [each.fault for each in looked_at(lines, "a.csv").records]
    assert faults == [TableFault.UNCLOSED, TableFault.SWALLOWED, None]


def test_a_quotation_that_the_last_line_opens_is_refused(looked_at):
    seen = looked_at('id,text\n1,It rains.\n2,"It pours.', "a.csv")
    assert [each.fault for each in seen.records] == [None, TableFault.UNCLOSED]


def test_a_quotation_of_many_characters_ends_where_a_line_may(looked_at, monkeypatch):
    monkeypatch.setattr(tables, "MAX_RECORD", 100)
    lines = ["id,text", '1,"It rains.', *(f"{n},It pours." for n in range(2, 20))]
    faults = [each.fault for each in looked_at("\n".join(lines), "a.csv").records]
    assert faults.count(TableFault.UNCLOSED) == 1
    assert faults.index(None) == 9  # 100 characters later


def test_refused_lines_that_come_back_are_read_as_they_were(looked_at):
    seen = looked_at("text,pawsmith_reason,pawsmith_line\n'=1+1,Empty.,7\n", "refused.csv")
    assert (seen.columns, seen.records[0].cells[0]) == ({"text": 0}, "=1+1")


def test_a_layout_is_kept_as_it_was():
    layout = Layout(Shape.CSV, "cp1252", ";", has_header=False)
    assert Layout.from_dict(layout.to_dict()) == layout
