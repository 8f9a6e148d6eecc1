"""A value changed by somebody who brings every checksum up to date is found."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.dataset.verification import verify
from tests.annotation.dataset.verification.tampering import sign


def edit(folder: Path, path: str, line: int, old: str, new: str) -> None:
    """Change one line of a file and sign the release anew."""
    lines = (folder / path).read_text(encoding="utf-8").split("\n")
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    (folder / path).write_text("\n".join(lines), encoding="utf-8")
    sign(folder)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("labeled_final/train.tsv", ".\t", "!\t"),
        ("labeled_swap/train.tsv", ".\t", "!\t"),
        ("low_agreement.tsv", "\t3\t2", "\t2\t3"),
        ("unlabeled_final/dev.tsv", ".\t", "!\t"),
        ("sentences.jsonl", ".", "!"),
        ("sentences.jsonl", ": ", ":  "),
        ("sentences.jsonl", '"method": null', '"method": 1'),
        ("pairs.jsonl", '"kept": true', '"kept": false'),
        ("pairs.jsonl", '"split": "train"', '"split": "dev"'),
        ("pairs.jsonl", '"split": "train"', '"split": "exam"'),
        ("judgments.jsonl", '"label": 1', '"label": 0'),
        ("judgments.jsonl", '"label": 1', '"label": 2'),
        ("judgments.jsonl", "annotator-", "somebody-"),
        ("judgments.jsonl", '"simulated": false', '"simulated": true'),
        ("manifest.json", '"seed": 7', '"seed": 8'),
        ("manifest.json", '"simulated": false', '"simulated": true'),
        ("manifest.json", '"dev": 0.2', '"dev": 0.1'),
        ("manifest.json", '"recombined": ', '"recombined": 1'),
        ("manifest.json", '"paraphrases": ', '"paraphrases": 1'),
        ("manifest.json", '"format": "pawsmith-release/1"', '"format": "pawsmith-release/0"'),
    ],
)
def test_a_signed_change_of_one_value_is_found(folder: Path, path: str, old: str, new: str) -> None:
    lines = (folder / path).read_text(encoding="utf-8").split("\n")
    edit(folder, path, next(n for n, line in enumerate(lines) if n and old in line), old, new)
    assert verify(folder)


def test_a_signed_second_is_found(folder: Path) -> None:
    lines = (folder / "judgments.jsonl").read_text().split("\n")
    line = next(n for n, line in enumerate(lines) if '"seconds": null' in line)
    edit(folder, "judgments.jsonl", line, '"seconds": null', '"seconds": 1.5')
    assert [difference.path for difference in verify(folder)] == ["manifest.json"]


def test_a_signed_row_moved_between_tables_is_found(folder: Path) -> None:
    train, test = folder / "labeled_final/train.tsv", folder / "labeled_final/test.tsv"
    header, row, *rest = train.read_text().split("\n")
    train.write_text("\n".join([header, *rest]))
    test.write_text(test.read_text() + row + "\n")
    sign(folder)
    key = row.split("\t")[0]
    last = test.read_text().count("\n")
    found = {str(difference) for difference in verify(folder)}
    assert f"labeled_final/test.tsv, line {last}: {key} does not belong here" in found
    assert f"labeled_final/train.tsv: {key} is missing" in found


def test_signed_rows_in_another_order_are_found(folder: Path) -> None:
    path = folder / "labeled_final/train.tsv"
    header, one, two, *rest = path.read_text().split("\n")
    path.write_text("\n".join([header, two, one, *rest]))
    sign(folder)
    assert "another order" in str(verify(folder)[0])


def test_a_signed_value_in_parquet_is_found(folder: Path) -> None:
    path = folder / "parquet/labeled_final/dev.parquet"
    table = pq.read_table(path)
    labels = [1 - label.as_py() for label in table["label"]]
    pq.write_table(table.set_column(3, "label", pa.array(labels, pa.int64())), path)
    sign(folder)
    assert [difference.path for difference in verify(folder)] == [
        "parquet/labeled_final/dev.parquet"
    ]


def test_another_encoding_or_line_end_is_found(folder: Path) -> None:
    path = folder / "labeled_final/dev.tsv"
    for content in (b"\xef\xbb\xbf" + path.read_bytes(), path.read_bytes().replace(b"\n", b"\r\n")):
        path.write_bytes(content)
        sign(folder)
        assert [difference.path for difference in verify(folder)] == ["labeled_final/dev.tsv"]
