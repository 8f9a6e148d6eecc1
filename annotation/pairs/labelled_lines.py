"""Gold pairs and model judgments that are made of the records of files, and checked."""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from annotation.stats.labels import BadScheme, Scheme
from generation.nlp.text import check
from generation.readers import MAX_CHARACTERS
from generation.records import Record, RefusedLine

MAX_EXPLANATION = 2000


class LabelFault(StrEnum):
    """Reasons to refuse a line, in addition to those of tables and texts."""

    BAD_LABEL = "label_not_on_the_scale"
    BAD_PAIR = "pair_is_no_id"
    BAD_SCORE = "score_not_from_0_to_1"
    NO_OPEN_PAIR = "label_without_an_open_pair"
    OF_STUDY = "pair_of_the_study"
    OTHER_LABEL = "other_label_for_this_pair"
    OTHERWISE_BEFORE = "said_otherwise_before"
    UNKNOWN_PAIR = "unknown_pair"


@dataclass(frozen=True, slots=True)
class GoldPair:
    """Two sentences with their known answer, the place of a label, and the number of their line."""

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


def gold_pair(line: int, record: Record, scheme: Scheme) -> GoldPair:
    """Return the pair of a record. Raises RefusedText or RefusedLine."""
    explanation = _value(record, "explanation")
    return GoldPair(
        sentence1=check(record.get("sentence1", ""), max_characters=MAX_CHARACTERS),
        sentence2=check(record.get("sentence2", ""), max_characters=MAX_CHARACTERS),
        label=_read_label(_value(record, "label"), scheme),
        explanation=explanation and check(explanation, max_characters=MAX_EXPLANATION),
        line=line,
    )


def model_judgment(line: int, record: Record, scheme: Scheme) -> ModelJudgmentLine:
    """Return the label of a record. Raises RefusedLine."""
    return ModelJudgmentLine(
        line=line,
        pair=_public_id(_value(record, "pair")),
        label=_read_label(_value(record, "label"), scheme),
        score=_read_score(_value(record, "score")),
    )


def _value(record: Record, column: str) -> str:
    """Return a column without surrounding space; "" if it is missing."""
    return record.get(column, "").strip()


def _read_label(text: str, scheme: Scheme) -> int:
    """Return the place of a label. Raises RefusedLine."""
    try:
        return scheme.place(text)
    except BadScheme:
        raise RefusedLine(LabelFault.BAD_LABEL) from None


def _public_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise RefusedLine(LabelFault.BAD_PAIR) from None


def _read_score(text: str) -> float | None:
    try:
        score = float(text) if text else None
    except ValueError:
        raise RefusedLine(LabelFault.BAD_SCORE) from None
    if score is not None and not 0 <= score <= 1:
        raise RefusedLine(LabelFault.BAD_SCORE)
    return score
