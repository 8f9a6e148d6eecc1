"""Writes the files of a release and packs them: the same rows give the same bytes."""

import gzip
import shutil
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, TextIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from releases.dataset import citations
from releases.dataset.card import card
from releases.dataset.croissant import croissant
from releases.dataset.croissant_provenance import provenance
from releases.dataset.croissant_rai import responsible_ai
from releases.dataset.files import (
    ADJUDICATIONS,
    JUDGMENTS,
    MODEL_JUDGMENTS,
    PAIRS,
    PAPER,
    SENTENCES,
    Column,
    LineFile,
    Row,
    Table,
    tables,
    tsv_lines,
)
from releases.dataset.formats import RELEASE, Format
from releases.dataset.manifest import (
    MANIFEST,
    Files,
    Manifest,
    ReleaseFacts,
    RowCounts,
    as_json,
    counted,
    describe_files,
    manifest,
)
from releases.dataset.paper import paper
from releases.dataset.rows import (
    AdjudicationRow,
    JudgmentRow,
    ModelJudgmentRow,
    Place,
    ReleasedPair,
    SentenceRow,
    batches,
)
from releases.dataset.settings import ReleaseSettings

RowNumbers = dict[str, int | None]
# Of a row group of Parquet, whose rows are in memory at once.
ROWS_IN_GROUP = 20_000
NUMBERS = {pa.int64(): np.int64, pa.float64(): np.float64}
FOLDER_MODE, FILE_MODE = 0o755, 0o644


@dataclass(frozen=True, slots=True)
class Content:
    """All rows of a release, each kind in the order of its file. They are streamed and not kept.

    `pairs` are the judged and recombined ones, then the silver ones, each ordered by id; the counts
    are ReleasePlan.totals. `reopened` counts judged pairs whose answers come from a second or
    later round.
    """

    pairs: Iterable[ReleasedPair]
    sentences: Iterable[SentenceRow]
    judgments: Iterable[JudgmentRow]
    adjudications: Iterable[AdjudicationRow] = ()
    model_judgments: Iterable[ModelJudgmentRow] = ()
    conflicts: int = 0
    unknown: int = 0
    silver_left_out: int = 0
    reopened: int = 0


def write_release(
    folder: Path,
    content: Content,
    *,
    facts: ReleaseFacts,
    settings: ReleaseSettings,
    release_format: Format = RELEASE,
) -> Manifest:
    """Write a release to a new folder and return its manifest.

    Rows are streamed in their given order, and memory use does not grow with their number; the same
    order gives the same bytes. The folder appears only when it is complete.

    Raises FileExistsError if the folder has files, and ValueError for an id or a sentence with a
    tab or a line break, which TSV cannot hold.
    """
    row_counts = RowCounts(settings.judgments_per_pair)
    release_tables = tables(settings.columns, release_format.version)
    with new_folder(folder) as root:
        numbers = write_rows(
            root, content, row_counts, tables=release_tables, version=release_format.version
        )
        files = describe_files(root, numbers)
        counts = row_counts.to_dict(
            rejected=facts.rejected,
            raw=facts.raw,
            excluded=facts.excluded,
            conflicts=content.conflicts,
            unknown=content.unknown,
            unlabeled_left_out=content.silver_left_out,
            reopened=content.reopened,
            groups=facts.groups,
            overlap=facts.overlap,
            grades=facts.grades,
            runs=facts.runs,
            taken_out=facts.taken_out,
        )
        simulated = row_counts.simulated > 0
        files = write_documents(
            root,
            facts,
            files,
            card=card(facts, settings, counts, simulated=simulated, release_format=release_format),
            paper=paper(facts, settings, counts) if release_format.has_paper else "",
            croissant=croissant(
                facts,
                files,
                tables=release_tables,
                line_files=release_format.line_files,
                properties=lambda: (
                    responsible_ai(facts, settings, counts) | provenance(facts, settings, counts)
                ),
            ),
        )
        contents = manifest(
            facts,
            settings,
            counts=counts,
            simulated=simulated,
            files=files,
            format_name=release_format.name,
        )
        if release_format.version > 1:
            contents["runs"] = [dict(run) for run in facts.runs]
        write_text(root / MANIFEST, as_json(contents))
    return contents


def write_documents(
    root: Path,
    facts: ReleaseFacts,
    files: Files,
    *,
    card: str,
    croissant: Mapping[str, Any],
    paper: str = "",
) -> Files:
    """Write the files without rows, but the manifest; return the entries of all files."""
    citation_texts = citations.documents(facts)
    texts = {"croissant.json": as_json(croissant), "README.md": card, **citation_texts}
    texts |= {PAPER: paper} if paper else {}
    for path, text in texts.items():
        write_text(root / path, text)
    return dict(sorted((files | describe_files(root, dict.fromkeys(texts))).items()))


def write_rows(
    root: Path, content: Content, counts: RowCounts, *, tables: Iterable[Table], version: int
) -> RowNumbers:
    rows: dict[LineFile[Any], Iterable[Any]] = {
        SENTENCES: counted(content.sentences, counts.add_sentence),
        JUDGMENTS: counted(content.judgments, counts.add_judgment),
        ADJUDICATIONS: counted(content.adjudications, counts.add_adjudication),
        MODEL_JUDGMENTS: counted(content.model_judgments, counts.add_model_judgment),
    }
    pairs = counted(content.pairs, counts.add_pair)
    numbers = write_pairs(root, pairs, tables=tables, version=version)
    for file, lines_of_file in rows.items():
        numbers |= write_lines(root, file, lines_of_file, version=version)
    return numbers


def write_pairs(
    root: Path, pairs: Iterable[ReleasedPair], *, tables: Iterable[Table], version: int
) -> RowNumbers:
    """Write pairs.jsonl and, in the same pass, the tables."""
    with ExitStack() as stack:
        files = {table: stack.enter_context(open_table(root, table)) for table in tables}
        lines_written = write_lines(root, PAIRS, add_to_tables(pairs, files), version=version)
    rows_by_path = {
        path: files[table].rows for table in files for path in (table.tsv, table.parquet)
    }
    return rows_by_path | lines_written


def add_to_tables(
    pairs: Iterable[ReleasedPair], files: "dict[Table, TableFiles]"
) -> Iterator[ReleasedPair]:
    """Add each pair to its table, if it has one; yield those that belong in pairs.jsonl."""
    tables_by_place: dict[Place, Table] = {(table.subset, table.split): table for table in files}
    for pair in pairs:
        if pair.subset:
            table = tables_by_place[pair.place]
            files[table].add(table.row(pair))
        if pair.origin != "silver":
            yield pair


def write_lines(
    root: Path, file: LineFile[Any], rows: Iterable[Any], *, version: int
) -> RowNumbers:
    """Write a JSONL file, an optional one only if it has rows; return its number of rows."""
    number, file = 0, file.at_version(version)
    with (root / file.path).open("w", encoding="utf-8", newline="\n") as lines:
        for batch in batches(rows):
            lines.write(file.lines(batch))
            number += len(batch)
    if file.optional and not number:
        (root / file.path).unlink()
        return {}
    return {file.path: number}


@dataclass(slots=True)
class TableFiles:
    """Both files of a table, TSV and Parquet, being written; rows are buffered by row group."""

    tsv: TextIO
    parquet: pq.ParquetWriter
    rows: int = 0
    group: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Buffer a row, and write full groups. Raises ValueError if TSV cannot hold a row."""
        self.group.append(row)
        if len(self.group) == ROWS_IN_GROUP:
            self.flush()

    def flush(self) -> None:
        if self.group:
            self.rows += len(self.group)
            self.tsv.write(tsv_lines(self.group))
            schema = self.parquet.schema
            columns = zip(schema.types, zip(*self.group, strict=True), strict=True)
            arrays = [build_array(cells, kind) for kind, cells in columns]
            self.parquet.write_table(pa.Table.from_arrays(arrays, schema=schema))
            self.group.clear()


@contextmanager
def open_table(root: Path, table: Table) -> Iterator[TableFiles]:
    tsv, parquet = root / table.tsv, root / table.parquet
    for path in (tsv, parquet):
        path.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([(column.name, arrow_type(column)) for column in table.columns])
    with (
        tsv.open("w", encoding="utf-8", newline="\n") as lines,
        pq.ParquetWriter(parquet, schema) as groups,
    ):
        lines.write(tsv_lines([table.names]))
        files = TableFiles(lines, groups)
        yield files
        files.flush()


def arrow_type(column: Column) -> pa.DataType:
    if column.is_text:
        return pa.string()
    return pa.float64() if column.is_fraction else pa.int64()


def build_array(cells: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return a column of texts or numbers; None is null.

    Built by hand, because pyarrow.array imports pandas if it is installed, to check for pandas
    input: half a second, and 50 MB.
    """
    has_value = np.array([cell is not None for cell in cells])
    nulls = None if has_value.all() else pa.py_buffer(np.packbits(has_value, bitorder="little"))
    if kind != pa.string():
        numbers = np.array([cell or 0 for cell in cells], NUMBERS[kind])
        return pa.Array.from_buffers(kind, len(cells), [nulls, pa.py_buffer(numbers)])
    texts = [(cell or "").encode() for cell in cells]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    buffers = [nulls, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(kind, len(texts), buffers)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder that is renamed to `folder` on success."""
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise FileExistsError(
            f"{folder} exists, and a release is never changed in place: name a new folder"
        )
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def pack(folder: Path, archive: Path, *, name: str, created: str) -> None:
    """Pack a release into a .tar.gz that contains one folder of this name.

    `created`, an ISO 8601 time with its zone, becomes the modification time of every entry. Nothing
    else of this machine is in the archive.
    """
    moment = int(datetime.fromisoformat(created).timestamp())
    with (
        archive.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as gzipped,
        tarfile.open(fileobj=gzipped, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in (folder, *sorted(folder.rglob("*"))):
            entry = tarfile.TarInfo(str(PurePosixPath(name, path.relative_to(folder))))
            entry.mtime = moment
            if path.is_dir():
                entry.type, entry.mode = tarfile.DIRTYPE, FOLDER_MODE
                tar.addfile(entry)
            else:
                entry.mode, entry.size = FILE_MODE, path.stat().st_size
                with path.open("rb") as file:
                    tar.addfile(entry, file)
