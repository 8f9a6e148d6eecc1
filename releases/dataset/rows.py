"""The rows that a release is made from, and the rows that it is made of.

What stands in its files by the hundred thousand are named tuples, which are made in a third of the
time that a dataclass takes.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

Origin = Literal["judged", "recombined"]
Subset = Literal["labeled_final", "labeled_swap", "low_agreement"]
Split = Literal["train", "dev", "test"]

RECOMBINED = "recombined"


class LeftOut(StrEnum):
    """Why a pair is in no table of a release."""

    WAITING = "waiting"  # it is not kept and lacks answers
    SURPLUS = "surplus"  # balancing dropped it
    EQUAL = "equal"  # its two sentences are equal, and it fell to dev or test
    CONFLICT = "conflict"  # composed: two ways label it differently
    UNKNOWN = "unknown"  # composed: no way labels it
    NOISY_CONFLICT = "noisy_conflict"  # unjudged: two methods label its texts differently
    NOISY_OF_TEST = "noisy_of_test"  # unjudged: it is connected to a pair of test
    NOISY_BETWEEN = "noisy_between"  # unjudged: it connects train and dev
    NOISY_EQUAL = "noisy_equal"  # unjudged: its two sentences are equal, and it fell to dev


class SentenceRow(NamedTuple):
    """A sentence of a pair, or the source of one.

    `source` is the id of its source sentence (of a source: its own), `rewritten_from` that of the
    sentence from which it was rewritten (of a source: None), `method` how (of a source: None),
    `correction` "accept", "fix" or None. Sentences of one `group` stay in one split.
    """

    id: str
    text: str
    source: str
    rewritten_from: str | None = None
    method: str | None = None
    correction: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class PairRow:
    """A judged pair: ids of its sentences in any order, its judgments counted by label from 0."""

    id: str
    sentence1: str
    sentence2: str
    method: str
    tally: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A rewrite as the machine gave it, of a SentenceRow or of another CandidateRow."""

    id: str
    rewritten_from: str
    text: str
    method: str


class JudgmentRow(NamedTuple):
    """One answer of one person, who bears a pseudonym."""

    pair: str
    annotator: str
    label: int
    seconds: float | None
    simulated: bool = False


class ReleasedPair(NamedTuple):
    """A line of pairs.jsonl. `votes` are those for 0 and for 1; `via` the judged pairs composed."""

    id: str
    sentence1: str
    sentence2: str
    origin: Origin
    via: tuple[str, ...]
    method: str
    votes: tuple[int, int] | None
    label: int | None
    kept: bool
    subset: Subset | None
    split: Split | None


class SilverPair(NamedTuple):
    """A line of unlabeled_final: ids of sentences or candidates, the label that methods give."""

    id: str
    sentence1: str
    sentence2: str
    method: str
    noisy_label: int
    split: Split
