"""Which judgments of a pair count, and the label they give (PAWS 4; PARADE 4.3 for grades).

Labels are places in the scheme of the study (annotation.stats.labels).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median_low

from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme
from common.marked import gettext_noop as _

MOST_JUDGMENTS = 15


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules that decide a pair. The defaults are those of PAWS.

    A pair is complete with `judgments_per_pair` judgments. Where votes decide, it is kept if at
    least `consensus_min_votes` of them are for one outcome of the scheme; with `decides_early` it
    is decided once `enough_votes` are. Where they do not decide, every complete pair is kept.

    If there may be more, `judgments_at_most` in all, a pair that the first do not keep gets one
    more at a time until one outcome has the `lead` with which the first would have kept it.

    Raises ValueError.
    """

    judgments_per_pair: int = 5
    consensus_min_votes: int = 4
    scheme: Scheme = SAME_OR_DIFFERENT
    decides_early: bool = False
    judgments_at_most: int | None = None

    def __post_init__(self) -> None:
        votes, people = self.consensus_min_votes, self.judgments_per_pair
        if not 1 <= votes <= people:
            raise ValueError(f"{votes} of {people} votes cannot agree")
        if not self.scheme.decides and (votes > 1 or self.decides_early):
            raise ValueError("a study that keeps every pair neither counts votes nor stops early")
        if problem := problem_of_more(
            people, votes, self.judgments_at_most, self.scheme, decides_early=self.decides_early
        ):
            raise ValueError(problem)

    @property
    def enough_votes(self) -> int:
        """The number of votes for one outcome that decides a pair early."""
        return enough_votes(self.judgments_per_pair, self.consensus_min_votes)

    @property
    def most_judgments(self) -> int:
        """The number of judgments that complete a pair, whatever they say."""
        return self.judgments_at_most or self.judgments_per_pair

    @property
    def asks_more(self) -> bool:
        """Whether a pair may get more judgments than the first."""
        return self.most_judgments > self.judgments_per_pair

    @property
    def lead(self) -> int:
        """How many more votes one outcome has than all others if the first just keep a pair."""
        return 2 * self.consensus_min_votes - self.judgments_per_pair

    def keeps(self, votes: Sequence[int]) -> bool:
        """Return whether a pair with these votes, by outcome, is kept."""
        total, most = sum(votes), max(votes)
        if not self.scheme.decides:
            return total >= self.judgments_per_pair
        if votes.count(most) > 1:
            return False
        if self.asks_more and total > self.judgments_per_pair:
            return 2 * most - total >= self.lead
        return most >= self.consensus_min_votes

    def are_enough(self, votes: Sequence[int]) -> bool:
        """Return whether a pair with these votes, by outcome, is decided."""
        total = sum(votes)
        if self.asks_more and total >= self.judgments_per_pair and self.keeps(votes):
            return True
        is_early = self.decides_early and max(votes) >= self.enough_votes
        return is_early or total >= self.most_judgments

    def closed_at(self, most_votes: int | None) -> "Protocol":
        """Return the protocol of a pair that gets at most `most_votes`, if that is set."""
        return self if most_votes is None else replace(self, judgments_at_most=most_votes)


def problem_of_more(
    judgments_per_pair: int,
    consensus_min_votes: int,
    judgments_at_most: int | None,
    scheme: Scheme,
    *,
    decides_early: bool,
) -> str:
    """Return why no more people can be asked so, marked for translation; empty if they can be."""
    if judgments_at_most is None or judgments_at_most == judgments_per_pair:
        return ""
    if judgments_at_most < judgments_per_pair:
        return _("This is fewer than the people who judge each pair first.")
    if judgments_at_most > MOST_JUDGMENTS:
        return _("A pair gets at most 15 judgments.")
    if not scheme.decides:
        return _("More people can be asked only where votes decide the label of a pair.")
    if decides_early:
        return _("A study stops early or asks more. Ask fewer people first instead.")
    if 2 * consensus_min_votes <= judgments_per_pair:
        return _("More people can be asked only where more than half of the first must agree.")
    return ""


def enough_votes(judgments_per_pair: int, consensus_min_votes: int) -> int:
    """Return the votes for one outcome that settle both the label and whether the pair is kept.

    That is `consensus_min_votes`, but always more than half of all.

    >>> enough_votes(5, 4)
    4
    """
    return max(consensus_min_votes, judgments_per_pair // 2 + 1)


PAWS = Protocol()


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of the judgments of one pair.

    `tally` counts judgments for each label of the scheme; `votes` those for each outcome.
    `majority` is the outcome with most votes, None in a tie or where votes do not decide; `label`
    is the majority of a kept pair, otherwise None. A pair is `decided` when it is complete or, if
    the protocol decides early, when enough votes are for one outcome.
    """

    tally: tuple[int, ...]
    votes: tuple[int, ...]
    majority: int | None
    decided: bool
    kept: bool

    @property
    def label(self) -> int | None:
        """The place of an outcome, or None for a pair without a label."""
        return self.majority if self.kept else None

    @property
    def grade(self) -> int | None:
        """The grade that most people gave; the median grade if several were given as often.

        Of an even number of grades, the lower of the two in the middle. None without judgments.
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

    Raises ValueError for a label outside the scheme.
    """
    counts = Counter(labels)
    tally = tuple(counts.pop(label, 0) for label in range(protocol.scheme.size))
    if counts:
        raise ValueError(f"labels outside the {protocol.scheme.size}: {sorted(counts)}")
    return decide_tally(tally, protocol)


def decide_tally(tally: Sequence[int], protocol: Protocol = PAWS) -> Decision:
    """Decide a pair from its number of judgments for each label.

    Raises ValueError unless the tally has one count for each label, none of them negative.
    """
    scheme = protocol.scheme
    if len(tally) != scheme.size or min(tally) < 0:
        raise ValueError(f"not a tally of {scheme.size} labels: {tuple(tally)}")
    votes = scheme.votes(tally)
    return Decision(
        tally=tuple(tally),
        votes=votes,
        majority=most_frequent(votes) if scheme.decides else None,
        decided=protocol.are_enough(votes),
        kept=protocol.keeps(votes),
    )


def first_tally(labels: Sequence[int], protocol: Protocol) -> tuple[int, ...] | None:
    """Return the tally of the first people's labels, which are in order of time.

    None if no one else was asked: then it is the tally of all.
    """
    if len(labels) <= protocol.judgments_per_pair:
        return None
    return decide(labels[: protocol.judgments_per_pair], protocol).tally


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
    `first_tally` is that of the first people, None if only they count.
    """

    decision: Decision
    counting: list[int] = field(default_factory=list)
    surplus: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    lacking: int = 0
    first_tally: tuple[int, ...] | None = None


def settle(slots: Iterable[Slot], protocol: Protocol) -> Settlement:
    """Let the first answers by time count, and then one more at a time until the pair is decided.

    A decided pair needs no open slots. An undecided one has as many as first answers are missing,
    or one for the next person; slots in progress are kept before free ones.

    >>> slots = [Slot(1, label=1, at=9.0, is_excluded=True), Slot(2, label=0, at=5.0), Slot(3)]
    >>> settled = settle(slots, Protocol(3, 2))
    >>> settled.counting, settled.kept, settled.lacking
    ([2], [3], 1)
    """
    all_slots = list(slots)
    answered = [slot for slot in all_slots if slot.label is not None and not slot.is_excluded]
    answered.sort(key=lambda slot: (slot.at, slot.id))
    labels = [slot.label for slot in answered if slot.label is not None]
    number = min(protocol.judgments_per_pair, len(labels))
    while not (decision := decide(labels[:number], protocol)).decided and number < len(labels):
        number += 1
    missing = 0 if decision.decided else max(1, protocol.judgments_per_pair - number)
    unanswered = [slot for slot in all_slots if slot.label is None]
    unanswered.sort(key=lambda slot: (not slot.is_claimed, slot.id))
    return Settlement(
        decision=decision,
        counting=[slot.id for slot in answered[:number]],
        surplus=[slot.id for slot in answered[number:]],
        kept=[slot.id for slot in unanswered[:missing]],
        gone=[slot.id for slot in unanswered[missing:]],
        lacking=max(0, missing - len(unanswered)),
        first_tally=first_tally(labels[:number], protocol),
    )
