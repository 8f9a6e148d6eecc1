"""Predictions that were made elsewhere, read from a file and scored like those of our models."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from evaluation.contract import Scores
from evaluation.data import Pairs, Unusable
from evaluation.experiments.datasets import Dataset
from evaluation.experiments.figures import Figures, by_group, measured
from releases.dataset.manifest import sha256

MOST_ERRORS = 20
SCORE, LABEL = "score", "label"
_NAME = re.compile(r"\w[\w.+-]{0,59}")


def checked_name(name: str) -> str:
    """Return the name of brought predictions. Raises Unusable."""
    if not _NAME.fullmatch(name):
        raise Unusable(f"The name {name!r} must have 1 to 60 letters, digits or .+-_")
    return name


def figures(dataset: Dataset, split: str, path: Path) -> tuple[Scores, Figures]:
    """Return the scores in a file for a split, in the order of its pairs, and their figures.

    Raises Unusable.
    """
    pairs = dataset.split(split)
    if not len(pairs):
        raise Unusable(f"{dataset} has no {split} set. Name another one with --split.")
    scores, column = read_scores(path, pairs)
    found = {
        "sha256": sha256(path),
        "column": column,
        "figures": measured(pairs, scores),
        "groups": by_group(dataset, pairs, [scores]),
    }
    return scores, found


def read_scores(path: Path, pairs: Pairs) -> tuple[Scores, str]:
    """Read a TSV file with the columns id and score, or else label, and each id once.

    Returns the scores in the order of the pairs, and the column that was read. Raises Unusable,
    which names the first lines that cannot be used.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            places, column = _columns(path, next(rows, []))
            cells = [[row[at] if at < len(row) else "" for at in places] for row in rows]
    except FileNotFoundError:
        raise Unusable(f"{path} does not exist.") from None
    except UnicodeDecodeError:
        raise Unusable(f"{path} is not UTF-8 text.") from None
    if errors := list(islice(_errors(cells, column, pairs.ids), MOST_ERRORS)):
        raise Unusable("\n".join([f"{path} cannot be scored:", *errors]))
    given = {key: float(cell) for key, cell in cells}
    return np.array([given[key] for key in pairs.ids]), column


def _columns(path: Path, header: Sequence[str]) -> tuple[tuple[int, int], str]:
    column = SCORE if SCORE in header else LABEL
    if "id" not in header or column not in header:
        raise Unusable(f"{path}, line 1: the header must name id, and score or label, by tabs.")
    return (header.index("id"), header.index(column)), column


def _errors(cells: Sequence[Sequence[str]], column: str, ids: Sequence[str]) -> Iterator[str]:
    known, lines = {*ids}, dict[str, int]()
    for line, (key, cell) in enumerate(cells, start=2):
        if key not in known:
            yield f"line {line}: the split has no pair {key!r}"
        elif key in lines:
            yield f"line {line}: {key} is on line {lines[key]} too"
        elif not (cell in ("0", "1") if column == LABEL else _is_share(cell)):
            wanted = "0 or 1" if column == LABEL else "a number from 0 to 1"
            yield f"line {line}: the {column} is {cell!r}, not {wanted}"
        lines.setdefault(key, line)
    yield from (f"no line has the pair {key}" for key in ids if key not in lines)


def _is_share(cell: str) -> bool:
    try:
        return 0.0 <= float(cell) <= 1.0
    except ValueError:
        return False
