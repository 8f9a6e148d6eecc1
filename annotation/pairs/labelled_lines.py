"""Read files of labelled lines, gold pairs or model judgments; refuse bad lines with a reason.

The header of a TSV file, or each object of a JSON Lines file, names the columns. Empty lines are
skipped.
"""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from io import BufferedIOBase
from typing import TypeVar
from uuid import UUID

from common import strict_json
from generation.nlp.text import RefusedText, check
from generation.readers import MAX_CHARACTERS
from generation.records import (
    Format,
    Record,
    Refusal,
    RefusedLine,
    decoded,
    numbered_lines,
    record_reader,
)

Line = TypeVar("Line")

GOLD_PAIR = ("sentence1", "sentence2", "label")
MODEL_JUDGMENT = ("pair", "label")
MAX_EXPLANATION = 2000


class LabelFault(StrEnum):
    """Reasons to refuse a line, in addition to generation.records and generation.nlp.text."""

    BAD_LABEL = "label_not_on_the_scale"
    BAD_PAIR = "pair_is_no_id"
    BAD_SCORE = "score_not_from_0_to_1"
    NO_OPEN_PAIR = "label_without_an_open_pair"
    OF_STUDY = "pair_of_the_study"
    OTHER_LABEL = "other_label_for_this_pair"
    OTHERWISE_BEFORE = "said_otherwise_before"
    UNKNOWN_PAIR = "unknown_pair"


@dataclass(frozen=True, slots=True)
class BadLine(Refusal):
    """A refused line: its number, reason and text, so that it can be fixed."""

    text: str


@dataclass(frozen=True, slots=True)
class GoldPair:
    """Two sentences with their known answer, and the number of their line."""

    sentence1: str
    sentence2: str
    label: int
    explanation: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ModelJudgmentLine:
    """A model's label for a pair; `score` is its probability of a paraphrase, 0 to 1."""

    line: int
    pair: UUID
    label: int
    score: float | None = None


def gold_pairs(
    stream: BufferedIOBase, file_format: Format, *, max_label: int
) -> Iterator[GoldPair | BadLine]:
    """Yield a pair or a BadLine for each non-empty line. Raises UnreadableFile."""
    make = partial(gold_pair, max_label=max_label)
    return _read(stream, file_format, GOLD_PAIR, ("explanation",), make)


def model_judgments(
    stream: BufferedIOBase, file_format: Format, *, max_label: int
) -> Iterator[ModelJudgmentLine | BadLine]:
    """Yield a label or a BadLine for each non-empty line. Raises UnreadableFile."""
    make = partial(model_judgment, max_label=max_label)
    return _read(stream, file_format, MODEL_JUDGMENT, ("score",), make)


def _read(
    stream: BufferedIOBase,
    file_format: Format,
    required: Collection[str],
    optional: Collection[str],
    make: Callable[[int, Record], Line],
) -> Iterator[Line | BadLine]:
    """Yield what `make` returns for the number and record of each line; it may refuse the line."""
    lines = numbered_lines(stream)
    record_of = record_reader(lines, file_format, required=required, optional=optional)
    for number, line in lines:
        if line == b"":
            continue
        try:
            text = decoded(line)
            record = record_of(_numbers_as_text(text) if file_format is Format.JSONL else text)
            yield make(number, record)
        except (RefusedText, RefusedLine) as refused:
            yield BadLine(number, refused.reason, (line or b"").decode(errors="replace"))


def gold_pair(line: int, record: Record, max_label: int) -> GoldPair:
    """Return the pair of a record. Raises RefusedText or RefusedLine."""
    explanation = _value(record, "explanation")
    return GoldPair(
        sentence1=check(record.get("sentence1", ""), max_characters=MAX_CHARACTERS),
        sentence2=check(record.get("sentence2", ""), max_characters=MAX_CHARACTERS),
        label=_label(record, max_label),
        explanation=explanation and check(explanation, max_characters=MAX_EXPLANATION),
        line=line,
    )


def model_judgment(line: int, record: Record, max_label: int) -> ModelJudgmentLine:
    """Return the label of a record. Raises RefusedLine."""
    return ModelJudgmentLine(
        line=line,
        pair=_public_id(_value(record, "pair")),
        label=_label(record, max_label),
        score=_score(_value(record, "score")),
    )


def _value(record: Record, column: str) -> str:
    """Return a column without surrounding space; "" if it is missing."""
    return record.get(column, "").strip()


def _label(record: Record, max_label: int) -> int:
    text = _value(record, "label")
    if text not in map(str, range(max_label + 1)):
        raise RefusedLine(LabelFault.BAD_LABEL)
    return int(text)


def _public_id(text: str) -> UUID:
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


def _numbers_as_text(line: str) -> str:
    """Accept labels and scores as JSON numbers; the record reader reports other errors."""
    try:
        return json.dumps(strict_json.read(line, number=str))
    except (ValueError, RecursionError):
        return line
