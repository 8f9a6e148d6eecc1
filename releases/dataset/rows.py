"""The input and output rows of a release.

Rows that occur by the hundred thousand are named tuples, which are created in a third of the time
of a dataclass.
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

    WAITING = "waiting"  # not kept, and answers are missing
    SURPLUS = "surplus"  # dropped by balancing
    EQUAL = "equal"  # equal sentences, drawn for dev or test
    CONFLICT = "conflict"  # composed: walks label it differently
    UNKNOWN = "unknown"  # composed: no walk labels it
    NOISY_CONFLICT = "noisy_conflict"  # unjudged: methods label its texts differently
    NOISY_OF_TEST = "noisy_of_test"  # unjudged: connected to a pair of test
    NOISY_BETWEEN = "noisy_between"  # unjudged: connects train and dev
    NOISY_EQUAL = "noisy_equal"  # unjudged: equal sentences, drawn for dev


class SentenceRow(NamedTuple):
    """A sentence of a pair, or the source of one.

    `source` is the id of its source sentence (its own for a source), `rewritten_from` the id of the
    sentence from which it was rewritten and `method` how (None for a source), `correction`
    "accept", "fix" or None. Sentences of one `group` stay in one split.
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
    """A judged pair: ids of its sentences in any order, and its judgments counted from label 0."""

    id: str
    sentence1: str
    sentence2: str
    method: str
    tally: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A rewrite as generated, of a SentenceRow or of another CandidateRow."""

    id: str
    rewritten_from: str
    text: str
    method: str


class JudgmentRow(NamedTuple):
    """One answer of one person, under a pseudonym."""

    pair: str
    annotator: str
    label: int
    seconds: float | None
    simulated: bool = False


class ReleasedPair(NamedTuple):
    """A line of pairs.jsonl. `votes` are for 0 and for 1; `via` lists the judged pairs composed."""

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
    """A row of unlabeled_final: ids of sentences or candidates, and the noisy label."""

    id: str
    sentence1: str
    sentence2: str
    method: str
    noisy_label: int
    split: Split
