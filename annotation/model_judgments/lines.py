"""Reads a model's labels from a file: pair (public id), label, and optional score from 0 to 1."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from io import BufferedIOBase
from uuid import UUID

from annotation.pairs import labelled_lines
from annotation.pairs.labelled_lines import BadLine, LabelFault, value
from generation.records import Format, Record, RefusedLine

REQUIRED = ("pair", "label")
OPTIONAL = ("score",)


@dataclass(frozen=True, slots=True)
class ModelJudgmentLine:
    """A model's label for a pair; `score` is its probability of a paraphrase, 0 to 1."""

    line: int
    pair: UUID
    label: int
    score: float | None = None


def read(
    stream: BufferedIOBase, file_format: Format, *, max_label: int
) -> Iterator[ModelJudgmentLine | BadLine]:
    """Yield a label or a BadLine for each non-empty line. Raises UnreadableFile."""
    make = partial(_said, max_label=max_label)
    return labelled_lines.read(stream, file_format, required=REQUIRED, optional=OPTIONAL, make=make)


def _said(line: int, record: Record, max_label: int) -> ModelJudgmentLine:
    return ModelJudgmentLine(
        line=line,
        pair=_pair(value(record, "pair")),
        label=labelled_lines.label(record, max_label),
        score=_score(value(record, "score")),
    )


def _pair(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise RefusedLine(LabelFault.BAD_PAIR) from None


def _score(text: str) -> float | None:
    try:
        score = float(text) if text else None
    except ValueError:
        raise RefusedLine(LabelFault.BAD_SCORE) from None
    if score is not None and not 0 <= score <= 1:
        raise RefusedLine(LabelFault.BAD_SCORE)
    return score
