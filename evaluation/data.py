"""Labelled pairs, from tables of releases or from any TSV file."""

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.stats.labels import Scheme

COLUMNS = ("id", "sentence1", "sentence2", "label")


class Unusable(ValueError):
    """A file has no pairs that can be used; the message names the file, the line and the remedy."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs with their labels, in the order of their file. Label 1 is a paraphrase."""

    ids: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    labels: NDArray[np.int8]

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, str, int]]) -> "Pairs":
        """Return the pairs of rows (id, sentence1, sentence2, label)."""
        all_rows = list(rows)
        return cls(
            tuple(row[0] for row in all_rows),
            tuple(row[1] for row in all_rows),
            tuple(row[2] for row in all_rows),
            np.array([row[3] for row in all_rows], dtype=np.int8),
        )

    @property
    def texts(self) -> Iterator[tuple[str, str]]:
        return zip(self.first, self.second, strict=True)

    @property
    def empty(self) -> list[str]:
        rows = zip(self.ids, self.texts, strict=True)
        return [key for key, texts in rows if not all(map(str.strip, texts))]

    def __len__(self) -> int:
        return len(self.ids)

    def __add__(self, other: "Pairs") -> "Pairs":
        return Pairs(
            self.ids + other.ids,
            self.first + other.first,
            self.second + other.second,
            np.concatenate([self.labels, other.labels]),
        )

    def take(self, places: Sequence[int] | NDArray[np.intp]) -> "Pairs":
        return Pairs(
            tuple(self.ids[place] for place in places),
            tuple(self.first[place] for place in places),
            tuple(self.second[place] for place in places),
            self.labels[np.asarray(places, dtype=np.intp)],
        )


def refuse_other_labels(manifest: Mapping[str, Any]) -> None:
    """Raise Unusable for the manifest of a release whose labels are not two sides."""
    values = manifest.get("settings", {}).get("scheme")
    if values and not (scheme := Scheme.from_dict(values)).is_binary:
        raise Unusable(
            f"{manifest['name']} {manifest['version']} has the labels "
            f"{', '.join(scheme.outcomes)}. Evaluation needs paraphrase or not."
        )


def read_pairs(path: Path, *, label: str = "label") -> Pairs:
    """Read a TSV file without quoting: a header with sentence1, sentence2, label, and perhaps id.

    `label` is another name of that column. Pairs without ids are named by their lines, from 1. A
    sentence may be empty. Raises Unusable.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            needed = (*COLUMNS[1:3], label)
            if any(name not in (rows.fieldnames or ()) for name in needed):
                raise Unusable(f"{path}: the first line must name {', '.join(needed)}.")
            return Pairs.from_rows(
                (
                    row.get("id", str(number)),
                    *_parse_row(f"{path}, line {rows.line_num}", row, label),
                )
                for number, row in enumerate(rows, start=1)
            )
    except FileNotFoundError:
        raise Unusable(f"{path} does not exist.") from None
    except UnicodeDecodeError:
        raise Unusable(f"{path} is not UTF-8 text.") from None


def read_columns(path: Path, names: Collection[str]) -> dict[str, dict[str, str]]:
    """Return the cells of those of the named columns that a table of a release has, by id."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        cells: dict[str, dict[str, str]] = {
            name: {} for name in rows.fieldnames or () if name in names
        }
        for row in rows if cells else ():
            for name, cells_by_id in cells.items():
                cells_by_id[row["id"]] = row[name]
    return cells


def _parse_row(where: str, row: dict[str, str], label: str) -> tuple[str, str, int]:
    """Return both sentences and the label of a row. Raises Unusable."""
    if None in row or None in row.values():
        raise Unusable(f"{where}: has another number of cells than the header.")
    if row[label] not in ("0", "1"):
        raise Unusable(f"{where}: the {label} is {row[label]!r}, not 0 or 1.")
    return row["sentence1"], row["sentence2"], int(row[label])
