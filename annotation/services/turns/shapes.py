"""What goes into a turn and what comes out of it: plain values."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from annotation.selectors.progress import Tally
from annotation.stats.consensus import Protocol


class Stands(Enum):
    """What became of an answer."""

    STORED = "stored, now or when it was sent before"
    DIFFERS = "the person has answered this pair, and differently"
    NOT_HELD = "the pair is not, or no longer, the person's"


@dataclass(frozen=True, slots=True)
class Answer:
    """A label for the pair with this public id, and the seconds that it took."""

    pair: uuid.UUID
    label: int
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that a turn depends on but the rows themselves."""

    membership: int
    person: int
    project: int
    place: int
    now: datetime
    midnight: datetime
    lease: datetime
    claims: bool
    protocol: Protocol
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class HeldPair:
    """The pair that a person is to judge, and the slot of it that is theirs."""

    slot: int
    public_id: uuid.UUID
    sentence1: str
    sentence2: str
    flipped: bool
    language: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn came to. `stands` is None without an answer, `held` when nothing is left."""

    stands: Stands | None
    held: HeldPair | None
    tally: Tally
    place: int


def standing(given: int | None, answer: Answer, *, stored: bool) -> Stands:
    """How an answer stands to the label that the person's slot of the pair bore before."""
    if stored or given == answer.label:
        return Stands.STORED
    return Stands.NOT_HELD if given is None else Stands.DIFFERS
