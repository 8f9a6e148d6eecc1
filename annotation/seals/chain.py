"""A hash chain over answers that reveals later changes, deletions and insertions.

The digest of the first answer is SHA-256 of 32 zero bytes and its content; each later digest is
SHA-256 of the previous digest and the content. So each digest covers all answers up to it, and to
change one, all later digests must be recomputed. A copy of the last digest reveals that.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from operator import attrgetter
from typing import NamedTuple

START = bytes(32)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything about an answer that never changes.

    That excludes the slot number, whether the answer counts, and the annotator's name. `judgment`
    and `annotator` are primary keys, `pair` is the public id of the item; `number` counts the
    person's answers from 1. A correction has no label and no pair of sentences, but an `action`,
    the `text` as fixed, and the `candidate` text that it is about. A judgment may have a `text` and
    `words` that say why.
    """

    judgment: int
    pair: str
    sentence1: str | None
    sentence2: str | None
    flipped: bool
    annotator: int
    label: int | None
    seconds: float | None
    highlighted: bool | None
    number: int | None
    submitted_at: datetime | None
    action: str = ""
    text: str = ""
    candidate: str = ""
    words: Sequence[Sequence[int]] | None = None


# Fields that are in the content only of answers that have any of them.
FURTHER = ("action", "text", "candidate")
_further = attrgetter(*FURTHER)
_fields = attrgetter(
    *(field.name for field in fields(Answer) if field.name not in (*FURTHER, "words"))
)


class Link(NamedTuple):
    """A stored seal, numbered from 1, with its answer as it is now; None if it was deleted."""

    number: int
    digest: bytes
    answer: Answer | None


class Fault(StrEnum):
    """What can be wrong with a seal."""

    DIFFERS = "differs"
    GONE = "gone"
    MISSING = "missing"


class Break(NamedTuple):
    """A range of seal numbers, both ends included, with the same fault."""

    fault: Fault
    first: int
    last: int


def content(answer: Answer) -> bytes:
    """Return the fields of an answer, in order, as a compact JSON list in ASCII.

    Times are integer microseconds since 1970 in UTC, so both engines give the same bytes.
    """
    *before, submitted_at = _fields(answer)
    moment = None if submitted_at is None else (submitted_at - _EPOCH) // _MICROSECOND
    further = _further(answer) if any(_further(answer)) or answer.words else ()
    words = (answer.words,) if answer.words else ()
    return _encode([*before, moment, *further, *words]).encode()


def digest_of(answer: Answer, *, after: bytes) -> bytes:
    """Return the 32-byte digest of an answer that follows the digest `after`."""
    return sha256(after + content(answer)).digest()


def chain(answers: Iterable[Answer], *, after: bytes = START) -> Iterator[bytes]:
    """Yield the digest of each answer, each based on the one before."""
    for answer in answers:
        after = digest_of(answer, after=after)
        yield after


def breaks(links: Iterable[Link]) -> Iterator[Break]:
    """Yield the faults of a chain that is read from its start; none if it is intact.

    Each link is checked against the stored digest before it, so one changed answer is one break. A
    recomputed digest is detected at the next link. The link after a gap cannot be checked and is
    not reported.
    """
    last, after = 0, START
    for number, digest, answer in links:
        has_gap = number > last + 1
        if has_gap:
            yield Break(Fault.MISSING, last + 1, number - 1)
        if answer is None:
            yield Break(Fault.GONE, number, number)
        elif not has_gap and digest_of(answer, after=after) != digest:
            yield Break(Fault.DIFFERS, number, number)
        last, after = number, digest
