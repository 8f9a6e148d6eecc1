"""Input and output of a turn, as plain values."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from annotation.projects.selectors.progress import Tally
from annotation.stats.consensus import Protocol


class Stands(Enum):
    """The outcome of an answer."""

    STORED = "stored, now or when it was sent before"
    DIFFERS = "the person has answered this pair, and differently"
    NOT_HELD = "the pair is not, or no longer, the person's"


@dataclass(frozen=True, slots=True)
class Answer:
    """A label for a pair, with the time taken and whether differing words were highlighted."""

    pair: uuid.UUID
    label: int
    seconds: float | None = None
    highlighted: bool | None = None


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The queue columns of a membership."""

    place: int
    looked_behind_at: datetime | None
    known_after: int | None


@dataclass(frozen=True, slots=True)
class Hidden:
    """One judgment in `every` is of a gold pair, at a position that `draw` decides."""

    every: int
    draw: int

    def next_after(self, answers: int, known_after: int | None) -> int:
        """Return the number of answers after which the next gold pair is due.

        It lies in the block after that of `answers`; the first one in the first whole block.
        """
        block = -(-answers // self.every) if known_after is None else answers // self.every + 1
        return block * self.every + self.draw % self.every


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that a turn depends on except the rows themselves.

    `main` is the person's main account. They get new items while they have given fewer than `most`
    answers. In breadth, `entry` is the key of the slot that the answer adds to the queue; in depth
    it is None.
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
    """The pair that a person is to judge, and their slot of it."""

    slot: int
    public_id: uuid.UUID
    sentence1: str
    sentence2: str
    flipped: bool
    language: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The result of a turn. `stands` is None without an answer, `held` if nothing is left."""

    stands: Stands | None
    held: HeldPair | None
    tally: Tally
    at: Whereabouts


def standing(given: int | None, answer: Answer, *, stored: bool) -> Stands:
    """Return the outcome of an answer, given the earlier label of the person's slot."""
    if stored or given == answer.label:
        return Stands.STORED
    return Stands.NOT_HELD if given is None else Stands.DIFFERS
