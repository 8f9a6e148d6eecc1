"""Which judgments of a pair count, and the label they give (PAWS 4; PARADE 4.3 for grades)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median_low


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules that decide a pair. The defaults are those of PAWS; PARADE is Protocol(3, 2, 3, 2).

    Labels run from 0 to `max_label`; those from `paraphrase_from` on are votes for a paraphrase. A
    pair is complete with `annotators_per_pair` judgments, and kept if at least `min_votes` of them
    are on one side. With `decides_early` it is decided once `enough_votes` are.
    """

    annotators_per_pair: int = 5
    min_votes: int = 4
    max_label: int = 1
    paraphrase_from: int = 1
    decides_early: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.min_votes <= self.annotators_per_pair:
            raise ValueError(f"{self.min_votes} of {self.annotators_per_pair} votes cannot agree")
        if not 1 <= self.paraphrase_from <= self.max_label:
            raise ValueError(f"no label of 0 to {self.max_label} is on each side")

    @property
    def enough_votes(self) -> int:
        """The number of votes on one side that decides a pair early."""
        return enough_votes(self.annotators_per_pair, self.min_votes)


def enough_votes(annotators_per_pair: int, min_votes: int) -> int:
    """Return the votes on one side that settle both the label and whether the pair is kept.

    That is `min_votes`, but always more than half of all.

    >>> enough_votes(5, 4)
    4
    """
    return max(min_votes, annotators_per_pair // 2 + 1)


PAWS = Protocol()


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of the judgments of one pair.

    `tally` counts judgments for each label from 0 on; `votes` those against and for a paraphrase.
    `majority` is the side with more votes, None in a tie; `label` is the majority of a kept pair,
    otherwise None. A pair is `decided` when it is complete or, if the protocol decides early, when
    enough votes are on one side.
    """

    tally: tuple[int, ...]
    votes: tuple[int, int]
    majority: int | None
    decided: bool
    kept: bool

    @property
    def label(self) -> int | None:
        """0, 1, or None for a pair that is not kept."""
        return self.majority if self.kept else None

    @property
    def grade(self) -> int | None:
        """The grade that most people gave; the median grade if several were given as often.

        Of an even number of grades, the lower of the two in the middle. None without judgments.

        >>> decide([1, 3, 3], Protocol(3, 2, 3, 2)).grade
        3
        >>> decide([0, 3, 2], Protocol(3, 2, 3, 2)).grade
        2
        """
        if (most := most_frequent(self.tally)) is not None or not any(self.tally):
            return most
        grades = [label for label, count in enumerate(self.tally) for _ in range(count)]
        return median_low(grades)


def decide(labels: Iterable[int], protocol: Protocol = PAWS) -> Decision:
    """Decide a pair from its labels, in any order.

    >>> decide([1, 1, 0, 1, 1]).label
    1
    >>> decide([1, 1, 0, 0, 1]).label is None
    True

    Raises ValueError for a label outside 0 to `max_label`.
    """
    counts = Counter(labels)
    tally = tuple(counts.pop(label, 0) for label in range(protocol.max_label + 1))
    if counts:
        raise ValueError(f"labels outside 0 to {protocol.max_label}: {sorted(counts)}")
    return decide_tally(tally, protocol)


def decide_tally(tally: Sequence[int], protocol: Protocol = PAWS) -> Decision:
    """Decide a pair from its number of judgments for each label, from 0 to `max_label`.

    Raises ValueError unless the tally has one count for each label, none of them negative.
    """
    if len(tally) != protocol.max_label + 1 or min(tally) < 0:
        raise ValueError(f"not a tally of labels 0 to {protocol.max_label}: {tuple(tally)}")
    votes = (sum(tally[: protocol.paraphrase_from]), sum(tally[protocol.paraphrase_from :]))
    majority = most_frequent(votes)
    complete = sum(tally) >= protocol.annotators_per_pair
    agree = protocol.decides_early and max(votes) >= protocol.enough_votes
    return Decision(
        tally=tuple(tally),
        votes=votes,
        majority=majority,
        decided=complete or agree,
        kept=majority is not None and votes[majority] >= protocol.min_votes,
    )


def most_frequent(tally: Sequence[int]) -> int | None:
    """Return the label with the highest count; None in a tie."""
    highest = max(tally)
    return tally.index(highest) if tally.count(highest) == 1 else None


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of the latest round: the `label` and time (seconds) of its answer, None if open.

    `is_claimed` marks an open slot that is in progress.
    """

    id: int
    label: int | None = None
    at: float = 0.0
    is_excluded: bool = False
    is_claimed: bool = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """The slots of a pair by what is to happen to them, and the decision of those that count.

    `counting` answers count; `surplus` answers would count, but enough were given before them.
    `kept` slots stay open, `gone` open slots are not needed, and `lacking` more are to be opened.
    """

    decision: Decision
    counting: list[int] = field(default_factory=list)
    surplus: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    lacking: int = 0


def settle(slots: Iterable[Slot], protocol: Protocol) -> Settlement:
    """Let the first answers by time count, as many as the protocol asks for.

    A decided pair needs no open slots. An undecided one has as many as answers are missing; slots
    in progress are kept before free ones.

    >>> slots = [Slot(1, label=1, at=9.0, is_excluded=True), Slot(2, label=0, at=5.0), Slot(3)]
    >>> settled = settle(slots, Protocol(annotators_per_pair=3, min_votes=2))
    >>> settled.counting, settled.kept, settled.lacking
    ([2], [3], 1)
    """
    all_slots = list(slots)
    answered = [slot for slot in all_slots if slot.label is not None and not slot.is_excluded]
    answered.sort(key=lambda slot: (slot.at, slot.id))
    counting = answered[: protocol.annotators_per_pair]
    decision = decide([slot.label for slot in counting if slot.label is not None], protocol)
    missing = 0 if decision.decided else protocol.annotators_per_pair - len(counting)
    unanswered = [slot for slot in all_slots if slot.label is None]
    unanswered.sort(key=lambda slot: (not slot.is_claimed, slot.id))
    return Settlement(
        decision=decision,
        counting=[slot.id for slot in counting],
        surplus=[slot.id for slot in answered[protocol.annotators_per_pair :]],
        kept=[slot.id for slot in unanswered[:missing]],
        gone=[slot.id for slot in unanswered[missing:]],
        lacking=max(0, missing - len(unanswered)),
    )
