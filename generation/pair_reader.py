"""Reads externally generated pairs from TSV and JSON Lines files, in constant memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedIOBase

from generation.nlp.text import RefusedText, check
from generation.readers import label
from generation.records import (
    Fault,
    Format,
    Record,
    Refusal,
    RefusedLine,
    decoded,
    numbered_lines,
    record_reader,
)

REQUIRED = ("sentence1", "sentence2")
OPTIONAL = ("sentence1_id", "method", "model")


@dataclass(frozen=True, slots=True)
class PairLine:
    """A rewrite and its source sentence.

    `sentence1_id` is the source's id in its original file, or its public id.
    """

    line: int
    sentence1: str
    sentence2: str
    sentence1_id: str = ""
    method: str = ""
    model: str = ""


def read_pairs(
    stream: BufferedIOBase, file_format: Format, *, max_characters: int
) -> Iterator[PairLine | Refusal]:
    """Yield one pair or refusal for each line of a file. Raises UnreadableFile."""
    lines = numbered_lines(stream)
    record_of = record_reader(lines, file_format, required=REQUIRED, optional=OPTIONAL)
    for number, line in lines:
        try:
            yield _pair(number, record_of(decoded(line)), max_characters)
        except (RefusedText, RefusedLine) as refused:
            yield Refusal(number, refused.reason)


def _pair(number: int, record: Record, max_characters: int) -> PairLine:
    return PairLine(
        line=number,
        sentence1=check(record.get("sentence1", ""), max_characters=max_characters),
        sentence2=check(record.get("sentence2", ""), max_characters=max_characters),
        sentence1_id=label(record.get("sentence1_id", ""), Fault.BAD_ID),
        method=label(record.get("method", ""), Fault.UNKNOWN_METHOD),
        model=label(record.get("model", ""), Fault.BAD_MODEL),
    )
