"""Lines that an import adds or refuses: why it refuses them, and the report of both."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Protocol, TypeAlias, TypeVar

FIRST_REFUSALS = 20

Line = TypeVar("Line")
Record: TypeAlias = dict[str, str]


class Fault(StrEnum):
    """Why a line was refused, in addition to the reasons of generation.nlp.text.check."""

    BAD_ID = "bad_id"
    BAD_GROUP = "bad_group"
    MISSING_ENTITY = "missing_entity"
    BAD_ENTITY = "bad_entity"
    TOO_FEW_WORDS = "too_few_words"
    TOO_MANY_WORDS = "too_many_words"
    NOT_A_TERM = "not_a_term"
    OTHER_SCRIPT = "other_script"
    SHARED_DEFINITION = "shared_definition"
    DUPLICATE_ID = "duplicate_id"
    NEAR_DUPLICATE = "near_duplicate"
    UNKNOWN_SENTENCE = "unknown_sentence"
    OTHER_TEXT = "other_text_under_this_id"
    UNKNOWN_METHOD = "unknown_method"
    BAD_MODEL = "bad_model"
    IDENTICAL = "identical"
    HAS_LABEL = "label_neither_taken_nor_ignored"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that was refused."""

    line: int
    reason: str


class Follower(Protocol):
    """Follows an import: it learns of each refused line, and when those before it are stored."""

    def refused(self, line: int, reason: str) -> None: ...

    def stored(self, report: "Report") -> None: ...


@dataclass(slots=True)
class Report:
    """The outcome for the lines of a file; `refused` counts them by reason."""

    read: int = 0
    added: int = 0
    duplicates: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    first_refusals: list[Refusal] = field(default_factory=list)
    follower: Follower | None = field(default=None, repr=False, compare=False)

    def refuse(self, line: int, reason: str) -> None:
        self.refused[reason] += 1
        if len(self.first_refusals) < FIRST_REFUSALS:
            self.first_refusals.append(Refusal(line, reason))
        if self.follower:
            self.follower.refused(line, reason)

    def stored(self) -> None:
        """Tell the follower, in the transaction that stores the lines which were read so far."""
        if self.follower:
            self.follower.stored(self)

    def readable(self, lines: Iterable[Line | Refusal]) -> Iterator[Line]:
        for line in lines:
            self.read += 1
            if isinstance(line, Refusal):
                self.refuse(line.line, line.reason)
            else:
                yield line


class RefusedLine(Exception):
    """Raised for an invalid line; `reason` says why."""

    def __init__(self, fault: StrEnum) -> None:
        super().__init__(fault)
        self.reason = fault


def in_chunks(lines: Iterable[Line], size: int) -> Iterator[list[Line]]:
    remaining = iter(lines)
    while chunk := list(islice(remaining, size)):
        yield chunk
