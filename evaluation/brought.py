"""Predictions that were made elsewhere, read from a file and scored like those of our models."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from typing import Any

import numpy as np

from common.marked import gettext_noop as _
from evaluation import models_by_name
from evaluation.contract import Scores
from evaluation.data import Pairs, Unusable
from evaluation.experiments.datasets import PUBLISHED_ID
from evaluation.experiments.figures import Figures, by_group, measure_scores
from evaluation.experiments.sets import Dataset

MOST_ERRORS = 20
# Of a cell that a message quotes.
MOST_QUOTED = 60
ID, SCORE, LABEL = "id", "score", "label"
OWN = _(
    "“%(name)s” is the name of a model of Pawsmith, which the tables may have too. Choose another "
    "name, such as %(name)s-2."
)
OTHER_CASE = _(
    "There are predictions called “%(other)s” already, and “%(name)s” differs only in upper and "
    "lower case. Write %(other)s, or choose another name."
)
TAKEN = _("There are predictions called “%(name)s” already. Choose another name, or replace them.")
STOPPED = _("Reading stopped here. Further lines may be wrong too.")
OTHERS = _(
    "No id in the file belongs to a pair of this set: the predictions are for another "
    "release or set. Choose the set that you scored, or score the pairs of this one."
)
NOT_THERE = _("There are no predictions called “%(name)s” on %(sets)s to remove.")
# A number from 0 to 1 as programs write it; float() also takes "0_1" and digits of other scripts.
_SHARE = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+\.")
_NAME = re.compile(r"\w[\w.+-]{0,59}")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file, and what to do; `message` is marked for translation."""

    message: str
    values: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message % self.values


class Unscorable(Unusable):
    """A file, a name or a set cannot be used; `faults` names the first lines that are wrong."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults

    @property
    def is_of_name(self) -> bool:
        """Whether only the name is wrong, because another model has it."""
        return any(fault.message in (OWN, OTHER_CASE, TAKEN) for fault in self.faults)


def check_name(name: str) -> str:
    """Return the name of brought predictions. Raises Unscorable."""
    if not _NAME.fullmatch(name):
        message = _("The name “%(name)s” must have 1 to 60 letters, digits or .+-_")
        raise Unscorable(Fault(message, {"name": name[:MOST_QUOTED]}))
    return name


def refuse_name(name: str, others: Iterable[str]) -> None:
    """Raise Unscorable for a name of our models, or that differs only in case from another."""
    check_name(name)
    if name.casefold() in models_by_name.NAMES:
        raise Unscorable(Fault(OWN, {"name": name}))
    for taken_name in others:
        if taken_name != name and taken_name.casefold() == name.casefold():
            raise Unscorable(Fault(OTHER_CASE, {"name": name, "other": taken_name}))


def score_file(dataset: Dataset, split: str, content: bytes) -> tuple[Scores, Figures]:
    """Return the scores in a file, in the order of the pairs, and figures. Raises Unscorable."""
    pairs = dataset.split(split)
    if not len(pairs):
        message = _("%(release)s has no %(split)s set. Choose another set.")
        raise Unscorable(Fault(message, {"release": dataset, "split": split}))
    published_ids = dataset.columns.get(PUBLISHED_ID, {})
    scores, column = read_scores(content, pairs, published_ids=published_ids)
    entry = {
        "sha256": sha256(content).hexdigest(),
        "column": column,
        "figures": measure_scores(pairs, scores),
        "groups": by_group(dataset, pairs, [scores]),
    }
    return scores, entry


def read_scores(
    content: bytes, pairs: Pairs, *, published_ids: Mapping[str, str]
) -> tuple[Scores, str]:
    """Read a TSV file with the columns id and score, or else label, and each id once.

    Of a set that others published, it may have their ids (published_id) instead of ours. Returns
    the scores in the order of the pairs, and the column that was read. Raises Unscorable. Reading
    stops after MOST_ERRORS wrong lines: in a file for another set, all lines are wrong.
    """
    rows = _parse_rows(content)
    header = next(rows, [])
    id_column = PUBLISHED_ID if published_ids and ID not in header else ID
    columns, score_column = _find_columns(header, id_column)
    ids = [key if id_column == ID else published_ids.get(key, "") for key in pairs.ids]
    lines = dict.fromkeys(ids, 0)
    scores, faults = _read_lines(rows, columns, score_column, lines)
    if faults and not any(lines.values()):
        raise Unscorable(Fault(OTHERS))
    if len(faults) == MOST_ERRORS:
        raise Unscorable(*faults, Fault(STOPPED))
    faults += _missing_pairs(lines, most=MOST_ERRORS - len(faults))
    if faults:
        raise Unscorable(*faults)
    return np.array([scores[key] for key in ids]), score_column


def _read_lines(
    rows: Iterable[Sequence[str]], columns: Sequence[int], score_column: str, lines: dict[str, int]
) -> tuple[dict[str, float], list[Fault]]:
    """Return scores by pair, and faults; put the line of each pair into `lines`."""
    scores, faults = dict[str, float](), list[Fault]()
    for line, row in enumerate(rows, start=2):
        if not row:  # as at the end of many files
            continue
        key, cell = (row[place] if place < len(row) else "" for place in columns)
        if fault := _line_fault(line, key, cell, score_column, lines):
            faults.append(fault)
        else:
            scores[key] = float(cell)
        if key in lines:
            lines[key] = lines[key] or line
        if len(faults) == MOST_ERRORS:
            break
    return scores, faults


def _parse_rows(content: bytes) -> Iterator[list[str]]:
    text = TextIOWrapper(BytesIO(content), encoding="utf-8-sig", newline="")
    rows = csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        yield from rows
    except UnicodeDecodeError:
        raise Unscorable(Fault(_("The file is not UTF-8 text. Save it as UTF-8."))) from None
    except csv.Error:
        message = _("Line %(line)s cannot be read. Write one pair on each line.")
        raise Unscorable(Fault(message, {"line": rows.line_num})) from None


def _find_columns(header: Sequence[str], id_column: str) -> tuple[tuple[int, int], str]:
    score_column = SCORE if SCORE in header else LABEL
    if id_column not in header or score_column not in header:
        raise Unscorable(
            Fault(_("Line 1 must name the columns, separated by tabs: id, and score or label."))
        )
    if header.count(id_column) > 1 or header.count(score_column) > 1:
        message = _("Line 1 names a column twice. Remove one of the two columns.")
        raise Unscorable(Fault(message))
    if {SCORE, LABEL} <= {*header}:
        raise Unscorable(Fault(_("The file has both a score and a label. Remove one column.")))
    return (header.index(id_column), header.index(score_column)), score_column


def _line_fault(
    line: int, key: str, cell: str, column: str, lines: Mapping[str, int]
) -> Fault | None:
    """Return what is wrong with a line; `lines` has that of each pair so far, or 0."""
    values = {"line": line, "id": key[:MOST_QUOTED], "cell": cell[:MOST_QUOTED]}
    if key not in lines:
        return Fault(_("Line %(line)s: the set has no pair “%(id)s”. Remove this line."), values)
    if lines[key]:
        message = _("Line %(line)s: %(id)s is on line %(first)s too. Remove one of them.")
        return Fault(message, values | {"first": lines[key]})
    if column == LABEL and cell not in ("0", "1"):
        return Fault(_("Line %(line)s: the label is “%(cell)s”. Write 0 or 1."), values)
    if column == SCORE and not _is_share(cell):
        message = _("Line %(line)s: the score is “%(cell)s”. Write a number from 0 to 1.")
        return Fault(message, values)
    return None


def _missing_pairs(lines: Mapping[str, int], *, most: int) -> list[Fault]:
    missing = [key for key, line in lines.items() if not line]
    faults = [Fault(_("No line has the pair %(id)s. Add one."), {"id": key}) for key in missing]
    if (number := len(missing) - most) > 0:
        return [*faults[:most], Fault(_("and %(number)s more"), {"number": number})]
    return faults


def _is_share(cell: str) -> bool:
    return bool(_SHARE.fullmatch(cell)) and 0.0 <= float(cell) <= 1.0
