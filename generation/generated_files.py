"""Parquet files with the rewrites of many sentences, written part by part and read again.

A part is named after the number of sentences before it. It is written under another name first, so
that one which is there is whole. What a file must tell to be read or continued is in its metadata.
"""

import json
import logging
import os
import shutil
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, process_time
from typing import Any, TextIO

import pyarrow as pa
import pyarrow.parquet as pq
from filelock import lock_descriptor

from generation.files import COLUMNS, Rewritten

KEY = b"pawsmith"
# A part ends with the batch that reaches one of these: what a killed process loses, and what is in
# memory together.
SENTENCES_IN_PART, ROWS_IN_PART, SECONDS_OF_PART = 10_000, 10_000, 600
ROWS_IN_GROUP = 50_000
ROWS_AT_ONCE = 5_000
_ALTERNATIVE = pa.struct(
    [
        ("text", pa.string()),
        ("log_likelihood", pa.float64()),
        ("kind", pa.string()),
        ("probability", pa.float64()),
    ]
)
_TYPES = {"line": pa.int64(), "rank": pa.int32(), "alternatives": pa.list_(_ALTERNATIVE)} | (
    dict.fromkeys(
        ("score", "source_score", "probability", "paraphrase", "similarity", "inversion_rate"),
        pa.float64(),
    )
)
logger = logging.getLogger(__name__)
SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in COLUMNS])


class OtherFile(Exception):
    """The file or its parts are of other settings, or another process writes them."""


@dataclass(slots=True)
class Counts:
    """What became of the sentences of a file. `dropped` counts rewrites, by reason."""

    sentences: int = 0
    rows: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    cpu_seconds: float = 0.0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.sentences + other.sentences,
            self.rows + other.rows,
            self.outcomes + other.outcomes,
            self.dropped + other.dropped,
            self.cpu_seconds + other.cpu_seconds,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentences": self.sentences,
            "rows": self.rows,
            "outcomes": dict(self.outcomes),
            "dropped": dict(self.dropped),
            "cpu_seconds": round(self.cpu_seconds, 1),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Counts":
        counters = {name: Counter(values[name]) for name in ("outcomes", "dropped")}
        return cls(**{**values, **counters})


@dataclass(frozen=True, slots=True)
class GeneratedFile:
    """A file of rewrites. `about` says how they were made: settings, seed, models, input.

    `counts` are those of its beginning; others may have left rows out since, and `size` are here.
    """

    path: Path
    about: Mapping[str, Any]
    counts: Counts
    size: int

    def rows(
        self, columns: Sequence[str] = COLUMNS, places: Sequence[int] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows, or those at the places, in ascending order, counted from 0."""
        first = 0
        with pq.ParquetFile(self.path) as file:
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(columns)):
                last = first + batch.num_rows
                if places is not None:
                    start, end = (bisect_left(places, place) for place in (first, last))
                    places_of_batch = [place - first for place in places[start:end]]
                    batch = batch.take(pa.array(places_of_batch, pa.int64()))
                yield from batch.to_pylist()
                first = last


def read(path: Path) -> GeneratedFile | None:
    """Return a file that `generate_file` wrote; None for any other, whatever its format."""
    try:
        parquet = pq.read_metadata(path)
    except (pa.ArrowInvalid, OSError):
        return None
    metadata = parquet.metadata or {}
    if KEY not in metadata:
        return None
    values = json.loads(metadata[KEY])
    counts = Counts.from_dict(values["counts"])
    return GeneratedFile(path, values["about"], counts, parquet.num_rows)


class Parts:
    """The parts of a file, in the folder next to it. `counts` are of those that are written."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path = path
        self.folder = path.with_name(f"{path.name}.parts")
        # As it comes back from a file.
        self.about = json.loads(json.dumps(about))
        self.counts = Counts()
        self._paths: list[Path] = []
        self._new: list[tuple[pa.Table, Counts]] = []
        self._began, self._cpu = monotonic(), process_time()

    @contextmanager
    def open(self) -> Iterator["Parts"]:
        """Read which parts there are, and keep other processes from writing any. Raises OtherFile.

        What was added is written at the end, whatever ends the block.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            self._claim(lock)
            self._read()
            try:
                yield self
            finally:
                self.write()

    def add(self, rewritten: Rewritten) -> None:
        """Add a batch, and write the part if it is large or old enough."""
        counts = Counts(
            rewritten.sentences, len(rewritten.rows), rewritten.outcomes, rewritten.dropped
        )
        # A table takes less memory than its rows.
        self._new.append((pa.Table.from_pylist(rewritten.rows, SCHEMA), counts))
        new = self._new_counts()
        is_old = monotonic() >= self._began + SECONDS_OF_PART
        if is_old or new.sentences >= SENTENCES_IN_PART or new.rows >= ROWS_IN_PART:
            self.write()

    def write(self) -> None:
        """Write what was added as a part. If this is interrupted, it can be called again."""
        if not self._new:
            return
        counts = self._new_counts()
        counts.cpu_seconds = process_time() - self._cpu
        path = self.folder / f"{self.counts.sentences:012}.parquet"
        _write(path, [pa.concat_tables(table for table, _ in self._new)], self.about, counts)
        self._paths.append(path)
        self.counts, self._new = self.counts + counts, []
        self._began, self._cpu = monotonic(), process_time()

    def join(self) -> None:
        """Write the file of all parts, and remove them. Call this last in the block of `open`."""
        self.write()
        _write(self.path, _groups(self._paths), self.about, self.counts)
        shutil.rmtree(self.folder)

    def _new_counts(self) -> Counts:
        return sum((counts for _, counts in self._new), Counts())

    def _claim(self, lock: TextIO) -> None:
        try:
            is_mine = lock_descriptor(lock.fileno(), blocking=False)
        except OSError:  # file systems of clusters may have no locks
            logger.warning("%s cannot be locked: start one process for each --out", self.folder)
            return
        if not is_mine:
            raise OtherFile(
                f"Another process writes {self.path}. Wait for it, or name another --out."
            )

    def _read(self) -> None:
        for path in self.folder.glob("*.new"):
            path.unlink()
        for path in sorted(self.folder.glob("*.parquet")):
            part = read(path)
            if part is None or int(path.stem) != self.counts.sentences:
                raise OtherFile(
                    f"{path} is damaged, or a part before it is missing. Delete it and all parts "
                    "after it."
                )
            check_same(part, self.about)
            self._paths.append(path)
            self.counts += part.counts


def check_same(file: GeneratedFile, about: Mapping[str, Any]) -> None:
    """Raise OtherFile if a file was made in another way than `about` says."""
    if changed := [name for name in about if file.about.get(name) != about[name]]:
        raise OtherFile(
            f"{file.path} was written from another input or in another way: it differs in "
            f"{', '.join(changed)}. Delete it, or name another --out."
        )


def _groups(paths: Iterable[Path]) -> Iterator[pa.Table]:
    """Yield the rows of all parts in tables of at least ROWS_IN_GROUP rows, but for the last."""
    tables: list[pa.Table] = []
    for path in paths:
        with pq.ParquetFile(path) as file:
            tables.append(file.read())
        if sum(table.num_rows for table in tables) >= ROWS_IN_GROUP:
            yield pa.concat_tables(tables)
            tables = []
    if tables:
        yield pa.concat_tables(tables)


def _write(
    path: Path, tables: Iterable[pa.Table], about: Mapping[str, Any], counts: Counts
) -> None:
    new = path.with_name(f"{path.name}.new")
    values = {"about": about, "counts": counts.to_dict()}
    schema = SCHEMA.with_metadata({KEY: json.dumps(values, ensure_ascii=False)})
    with pq.ParquetWriter(new, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)
    with new.open("rb") as file:
        os.fsync(file.fileno())
    new.replace(path)
