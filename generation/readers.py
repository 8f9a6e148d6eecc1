"""Sentences and pairs that are made of the records of files, and checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generation.nlp.text import MAX_CHARACTERS as MAX_CHARACTERS
from generation.nlp.text import RefusedText, check, folded
from generation.records import Fault, Record, RefusedLine

MAX_LABEL_CHARACTERS = 200
LABEL = "label"
# The methods of pairs that nothing made from their first sentence.
FINISHED = ("", "imported")


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence of a file; lines are counted from 1."""

    line: int
    text: str
    external_id: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Generated:
    """What a file of `generate_file` says about a rewrite, besides its text.

    `run` has settings, seed and models of its run, as JSON with sorted keys.
    """

    run: str
    rank: int
    kind: str
    score: float | None
    source_score: float | None
    probability: float | None
    paraphrase: float | None
    alternatives: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class PairLine:
    """A rewrite and its source sentence.

    `sentence1_id` is the source's id in its original file, or its public id. `pair_id` is the
    pair's id in its file.
    """

    line: int
    sentence1: str
    sentence2: str
    sentence1_id: str = ""
    method: str = ""
    model: str = ""
    label: str = ""
    pair_id: str = ""
    generated: Generated | None = None


def row(number: int, record: Record, max_characters: int = MAX_CHARACTERS) -> Row:
    """Return the sentence of a record. Raises RefusedText or RefusedLine."""
    return Row(
        line=number,
        text=check(record.get("text", ""), max_characters=max_characters),
        external_id=label(record.get("id", ""), Fault.BAD_ID),
        group=label(record.get("group", ""), Fault.BAD_GROUP),
    )


def pair_line(
    number: int,
    record: Record,
    max_characters: int = MAX_CHARACTERS,
    generated: Generated | None = None,
) -> PairLine:
    """Return the pair of a record. Raises RefusedText or RefusedLine.

    Finished pairs may have equal sentences; a rewrite of a sentence changes it.
    """
    source, rewrite = (
        check(record.get(name, ""), max_characters=max_characters)
        for name in ("sentence1", "sentence2")
    )
    method = label(record.get("method", ""), Fault.UNKNOWN_METHOD)
    if method not in FINISHED and folded(source) == folded(rewrite):
        raise RefusedLine(Fault.IDENTICAL)
    return PairLine(
        line=number,
        sentence1=source,
        sentence2=rewrite,
        sentence1_id=label(record.get("sentence1_id", ""), Fault.BAD_ID),
        method=method,
        model=label(record.get("model", ""), Fault.BAD_MODEL),
        label=record.get(LABEL, "").strip(),
        pair_id=label(record.get("pair_id", ""), Fault.BAD_ID),
        generated=generated,
    )


def label(value: str, fault: Fault) -> str:
    """Return a short name from a file, such as an id. Raises RefusedLine with the fault."""
    try:
        return check(value, max_characters=MAX_LABEL_CHARACTERS) if value else ""
    except RefusedText:
        raise RefusedLine(fault) from None
