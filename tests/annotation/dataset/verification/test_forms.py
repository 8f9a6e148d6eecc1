"""A signed file whose lines have another form than the format gives them."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from annotation.dataset.verification import verify
from tests.annotation.dataset.verification.tampering import sign


def told(folder: Path) -> list[str]:
    sign(folder)
    return [str(difference) for difference in verify(folder)]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"via": [1]}, "via is not a list of ids"),
        ({"votes": [1.0, 4]}, "votes are not two numbers"),
        ({"votes": [1, 2, 2]}, "votes are not two numbers"),
        ({"kept": 1}, "kept is 1"),
        ({"note": ""}, "not the fields id, sentence1"),
    ],
)
def test_a_pair_of_another_form_is_found_with_its_line(
    folder: Path, change: dict[str, object], what: str
) -> None:
    path = folder / "pairs.jsonl"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | change), *rest, ""]))
    assert [each for each in told(folder) if each.startswith(f"pairs.jsonl, line 1: {what}")]


@pytest.mark.parametrize("label", ["", "01", "-1", "1.0", "one", "1\t1"])
def test_a_cell_of_a_table_that_is_no_number_is_found_with_its_line(
    folder: Path, label: str
) -> None:
    path = folder / "labeled_final/dev.tsv"
    header, row, *rest = path.read_text().split("\n")
    cells = row.split("\t")
    path.write_text("\n".join([header, "\t".join([*cells[:3], label]), *rest]))
    assert "labeled_final/dev.tsv, line 2: not id, sentence1, sentence2, label" in told(folder)


def test_a_file_that_was_cut_off_is_found(folder: Path) -> None:
    path = folder / "labeled_final/dev.tsv"
    text = path.read_text()
    path.write_text(text[:-1])
    line = text.count("\n")
    assert f"labeled_final/dev.tsv, line {line}: the line has no end" in told(folder)


def test_parquet_with_other_columns_is_found(folder: Path) -> None:
    path = folder / "parquet/labeled_final/dev.parquet"
    table = pq.read_table(path)
    pq.write_table(table.rename_columns(["id", "sentence1", "sentence2", "answer"]), path)
    what = "the columns are not id, sentence1, sentence2, label"
    assert f"parquet/labeled_final/dev.parquet: {what}" in told(folder)


def test_lines_of_pairs_in_another_order_are_found(folder: Path) -> None:
    path = folder / "pairs.jsonl"
    one, two, *rest = path.read_text().split("\n")
    path.write_text("\n".join([two, one, *rest]))
    assert "pairs.jsonl: the pairs are in another order" in told(folder)
