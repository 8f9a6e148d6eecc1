"""Which answers of a pair count after some are excluded or put back."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from annotation.stats.consensus import Decision, Protocol, decide


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
    every = list(slots)
    given = [slot for slot in every if slot.label is not None and not slot.is_excluded]
    given.sort(key=lambda slot: (slot.at, slot.id))
    counting = given[: protocol.annotators_per_pair]
    decision = decide([slot.label for slot in counting if slot.label is not None], protocol)
    missing = 0 if decision.decided else protocol.annotators_per_pair - len(counting)
    unanswered = [slot for slot in every if slot.label is None]
    unanswered.sort(key=lambda slot: (not slot.is_claimed, slot.id))
    return Settlement(
        decision=decision,
        counting=[slot.id for slot in counting],
        surplus=[slot.id for slot in given[protocol.annotators_per_pair :]],
        kept=[slot.id for slot in unanswered[:missing]],
        gone=[slot.id for slot in unanswered[missing:]],
        lacking=max(0, missing - len(unanswered)),
    )
