"""Pairs whose answer is known, out of TSV text: what is read is kept, the rest comes with a reason.

The header line names the columns sentence1, sentence2, label and, where wanted, explanation.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from generation.nlp.text import RefusedText, check
from generation.readers import MAX_CHARACTERS
from generation.records import (
    Format,
    Record,
    RefusedLine,
    decoded,
    numbered_lines,
    record_reader,
)

REQUIRED = ("sentence1", "sentence2", "label")
OPTIONAL = ("explanation",)
BAD_LABEL = "bad_label"
MAX_EXPLANATION = 2000


@dataclass(frozen=True, slots=True)
class KnownPair:
    """Two sentences and the answer that is known."""

    sentence1: str
    sentence2: str
    label: int
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that gives no pair: its number, a named reason, and itself, to be mended."""

    line: int
    reason: str
    text: str


def read(data: bytes, *, max_label: int) -> Iterator[KnownPair | Refused]:
    """A pair or a refusal for each line that is not empty.

    Raises generation.records.UnreadableFile where the header line lacks a column.
    """
    lines = numbered_lines(BytesIO(data))
    record_of = record_reader(lines, Format.TSV, required=REQUIRED, optional=OPTIONAL)
    for number, line in lines:
        if line == b"":
            continue
        try:
            yield _pair(record_of(decoded(line)), max_label)
        except (RefusedText, RefusedLine) as refused:
            yield Refused(number, str(refused.reason), (line or b"").decode(errors="replace"))
        except BadLabel:
            yield Refused(number, BAD_LABEL, (line or b"").decode(errors="replace"))


class BadLabel(ValueError):
    """A label that is none of the project's scale."""


def _pair(record: Record, max_label: int) -> KnownPair:
    explanation = record.get("explanation", "").strip()
    return KnownPair(
        sentence1=check(record["sentence1"], max_characters=MAX_CHARACTERS),
        sentence2=check(record["sentence2"], max_characters=MAX_CHARACTERS),
        label=_label(record["label"].strip(), max_label),
        explanation=explanation and check(explanation, max_characters=MAX_EXPLANATION),
    )


def _label(text: str, max_label: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2 and int(text) <= max_label):
        raise BadLabel
    return int(text)
