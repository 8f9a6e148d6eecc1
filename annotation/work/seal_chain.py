"""A chain of digests over answers: one that was changed, removed or added later is found.

The digest of the first answer is SHA-256 of 32 zero bytes and its content, that of any other of the
digest before it and its content. So each stands for all answers up to it, and whoever changes one
has to make all later digests anew, the last of which may be written down elsewhere.
"""

import json
from collections.abc import Iterable, Iterator
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
    """Who said what, when, and of which sentences in which order.

    Only what never changes from then on: not the number of the slot, nor whether the answer counts,
    nor what the person is called. `judgment` and `annotator` are keys of their rows, `pair` is a
    public id; `number` says which of the person's answers it was.
    """

    judgment: int
    pair: str
    sentence1: str
    sentence2: str
    flipped: bool
    annotator: int
    label: int
    seconds: float | None
    highlighted: bool | None
    number: int | None
    submitted_at: datetime | None


_fields = attrgetter(*(field.name for field in fields(Answer)))


class Link(NamedTuple):
    """A seal as it is stored, counted from 1, and its answer as it is now; None when it is gone."""

    number: int
    digest: bytes
    answer: Answer | None


class Fault(StrEnum):
    """What can be amiss with a seal."""

    DIFFERS = "differs"
    GONE = "gone"
    MISSING = "missing"


class Break(NamedTuple):
    """Seals of these numbers, both included, that are not what they should be."""

    fault: Fault
    first: int
    last: int


def content(answer: Answer) -> bytes:
    """The fields of an answer in their order as one JSON list without spaces, in ASCII.

    Times are whole microseconds since 1970 in UTC, so both database engines give the same bytes.
    """
    *before, submitted_at = _fields(answer)
    moment = None if submitted_at is None else (submitted_at - _EPOCH) // _MICROSECOND
    return _encode([*before, moment]).encode()


def digest_of(answer: Answer, *, after: bytes) -> bytes:
    """The digest of an answer that follows on the digest `after`: 32 bytes."""
    return sha256(after + content(answer)).digest()


def chain(answers: Iterable[Answer], *, after: bytes = START) -> Iterator[bytes]:
    """The digest of each answer, one following on the other."""
    for answer in answers:
        after = digest_of(answer, after=after)
        yield after


def breaks(links: Iterable[Link]) -> Iterator[Break]:
    """Where a chain, read from its beginning, is not what was sealed; nothing if it is whole.

    Each link is held against the stored digest before it, so that one changed answer is one break.
    A digest that was written anew is found at the next link. What follows on a gap cannot be
    checked, and is not named.
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
