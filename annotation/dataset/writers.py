"""Writes the files of a release: the same rows, the same bytes."""

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.dataset.card import card
from annotation.dataset.counts import Passing, release_counts
from annotation.dataset.croissant import croissant
from annotation.dataset.manifest import (
    MANIFEST,
    Manifest,
    ReleaseFacts,
    as_json,
    described,
    manifest,
)
from annotation.dataset.plan import ReleasePlan
from annotation.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.tables import TABLES, Row, Table, table_rows

ROWS_IN_MEMORY = 20_000
BREAKS = frozenset("\t\n\r")


def write_release(
    folder: Path,
    planned: ReleasePlan,
    *,
    sentences: Iterable[SentenceRow],
    judgments: Iterable[JudgmentRow],
    facts: ReleaseFacts,
    settings: ReleaseSettings,
) -> Manifest:
    """Write a release to a new folder and return its manifest.

    Sentences and judgments stream through in the order in which they come; for the same bytes each
    time, they must come in the same order. The folder appears when everything in it is written.

    Raises FileExistsError when the folder exists, and ValueError for an id or a sentence with a tab
    or a line break, which TSV cannot hold.
    """
    passing = Passing()
    with appearing(folder) as root:
        rows = write_tables(root, planned)
        rows["pairs.jsonl"] = write_lines(root / "pairs.jsonl", map(pair_line, planned.pairs))
        rows["sentences.jsonl"] = write_lines(
            root / "sentences.jsonl", map(sentence_line, passing.count_sentences(sentences))
        )
        rows["judgments.jsonl"] = write_lines(
            root / "judgments.jsonl", map(judgment_line, passing.count_judgments(judgments))
        )
        counts = release_counts(
            planned,
            passing,
            rejected=facts.rejected,
            annotators_per_pair=settings.annotators_per_pair,
        )
        write_text(root / "croissant.json", as_json(croissant(facts, described(root, rows))))
        write_text(
            root / "README.md", card(facts, settings, counts, simulated=passing.simulated > 0)
        )
        files = described(root, rows | {"croissant.json": None, "README.md": None})
        contents = manifest(
            facts, settings, counts=counts, simulated=passing.simulated > 0, files=files
        )
        write_text(root / MANIFEST, as_json(contents))
    return contents


@contextmanager
def appearing(folder: Path) -> Iterator[Path]:
    """A folder beside the one wanted, which gets its name once all is well."""
    if folder.exists():
        raise FileExistsError(f"{folder} exists, and a release is never changed in place")
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_tables(root: Path, planned: ReleasePlan) -> dict[str, int | None]:
    """Write each table twice, and return the rows of each file by its path."""
    rows: dict[str, int | None] = {}
    for table in TABLES:
        number = write_table(root, table, table_rows(table, planned))
        rows |= {table.tsv: number, table.parquet: number}
    return rows


def write_table(root: Path, table: Table, rows: Iterable[Row]) -> int:
    """Write rows as TSV and as Parquet in one go; returns how many there were."""
    schema = pa.schema(
        [
            (column, pa.int64() if column in table.values else pa.string())
            for column in table.columns
        ]
    )
    tsv, parquet = root / table.tsv, root / table.parquet
    tsv.parent.mkdir(parents=True, exist_ok=True)
    parquet.parent.mkdir(parents=True, exist_ok=True)
    number = 0
    with (
        tsv.open("w", encoding="utf-8", newline="\n") as lines,
        pq.ParquetWriter(parquet, schema) as groups,
    ):
        lines.write(tsv_line(table.columns))
        for batch in batches(rows):
            lines.writelines(map(tsv_line, batch))
            columns = map(list, zip(*batch, strict=True))
            groups.write_table(pa.table(list(columns), schema=schema))
            number += len(batch)
    return number


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows in lists of a size that memory holds easily."""
    source = iter(rows)
    while batch := list(islice(source, ROWS_IN_MEMORY)):
        yield batch


def tsv_line(row: Row) -> str:
    """A row without quoting: what cannot be told apart from the format is refused."""
    cells = [str(cell) for cell in row]
    for cell in cells:
        if not BREAKS.isdisjoint(cell):
            raise ValueError(f"a tab or a line break in {cell!r} of {cells[0]!r}")
    return "\t".join(cells) + "\n"


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> int:
    """Write one JSON object a line; returns how many there were."""
    number = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            number += 1
    return number


def write_text(path: Path, text: str) -> None:
    """Write a document with the line breaks that it has."""
    path.write_text(text, encoding="utf-8", newline="\n")


def sentence_line(row: SentenceRow) -> dict[str, Any]:
    """A line of sentences.jsonl; the group stands in it where there is one."""
    line = {
        "id": row.id,
        "text": row.text,
        "source": row.source,
        "rewritten_from": row.rewritten_from,
        "method": row.method,
        "correction": row.correction,
    }
    return line | {"group": row.group} if row.group else line


def pair_line(pair: ReleasedPair) -> dict[str, Any]:
    """A line of pairs.jsonl."""
    return {
        "id": pair.id,
        "sentence1": pair.sentence1,
        "sentence2": pair.sentence2,
        "origin": pair.origin,
        "via": pair.via,
        "method": pair.method,
        "votes": pair.votes,
        "label": pair.label,
        "kept": pair.kept,
        "subset": pair.subset,
        "split": pair.split,
    }


def judgment_line(row: JudgmentRow) -> dict[str, Any]:
    """A line of judgments.jsonl."""
    return {
        "pair": row.pair,
        "annotator": row.annotator,
        "label": row.label,
        "seconds": row.seconds,
        "simulated": row.simulated,
    }
