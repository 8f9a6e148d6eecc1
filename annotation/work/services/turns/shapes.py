"""What goes into a turn and what comes out of it: plain values."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from annotation.projects.selectors.progress import Tally
from annotation.stats.consensus import Protocol


class Stands(Enum):
    """What became of an answer."""

    STORED = "stored, now or when it was sent before"
    DIFFERS = "the person has answered this pair, and differently"
    NOT_HELD = "the pair is not, or no longer, the person's"


@dataclass(frozen=True, slots=True)
class Answer:
    """A label for the pair with this public id, the seconds that it took, and whether the words
    that differ were marked."""

    pair: uuid.UUID
    label: int
    seconds: float | None = None
    highlighted: bool | None = None


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """What a membership keeps of the queue: see its columns."""

    place: int
    looked_behind_at: datetime | None
    known_after: int | None


@dataclass(frozen=True, slots=True)
class Hidden:
    """One judgment in `every` is of a hidden pair; `draw` says where in the next block of so many,
    and with which pair the search begins."""

    every: int
    draw: int

    def next_after(self, answers: int, known_after: int | None) -> int:
        """So many answers the person will have given before the next hidden pair, now that they
        have given `answers`: it lies in the block after this one; the first in the first whole one.
        """
        block = -(-answers // self.every) if known_after is None else answers // self.every + 1
        return block * self.every + self.draw % self.every


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that a turn depends on but the rows themselves.

    `main` is the main account of the person. They are given something new while they have given
    fewer than `most` answers. Where the project goes in breadth, `entry` is the key of the slot
    that the answer brings into the queue; in depth it is None.
    """

    membership: int
    person: int
    main: int
    project: int
    at: Whereabouts
    now: datetime
    midnight: datetime
    lease: datetime
    most: int
    looks_behind: bool
    entry: int | None
    hidden: Hidden | None
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
    at: Whereabouts


def standing(given: int | None, answer: Answer, *, stored: bool) -> Stands:
    """How an answer stands to the label that the person's slot of the pair bore before."""
    if stored or given == answer.label:
        return Stands.STORED
    return Stands.NOT_HELD if given is None else Stands.DIFFERS
