"""What became of the candidates of a generator: is it worth the work of its annotators?"""

from collections import Counter
from dataclasses import dataclass, field

from annotation.stats.agreement import Estimate, Tally, folded, human, kept_votes
from annotation.stats.consensus import Protocol
from annotation.stats.intervals import wilson
from annotation.stats.report import identification


@dataclass(slots=True)
class Made:
    """Counts for a generator: candidates, their corrections, pairs, and votes of decided pairs."""

    candidates: int = 0
    accepted: int = 0
    fixed: int = 0
    rejected: int = 0
    pairs: int = 0
    votes: Counter[Tally] = field(default_factory=Counter)

    def __iadd__(self, other: "Made") -> "Made":
        """Add the counts of another generator."""
        self.candidates += other.candidates
        self.accepted += other.accepted
        self.fixed += other.fixed
        self.rejected += other.rejected
        self.pairs += other.pairs
        self.votes.update(other.votes)
        return self


@dataclass(frozen=True, slots=True)
class Yield:
    """What a generator gives, with 95 % intervals (of agreement by the bootstrap, else Wilson's).

    Attributes:
        candidates: that entered the project.
        corrected: with a correction; `fixed` and `rejected` are shares of these.
        pairs: that were or are judged, of which `judged` are decided.
        paraphrase: of two sides, the share of decided pairs whose majority is the upper one.
        agreement: share of labels that equal the majority of their pair.
        kept: share of decided pairs on which enough annotators agree, `kept_pairs` of them.
        answers_per_kept: corrections and judgments spent for each kept pair.
    """

    candidates: int
    corrected: int
    fixed: Estimate
    rejected: Estimate
    pairs: int
    judged: int
    paraphrase: Estimate
    agreement: Estimate
    kept: Estimate
    kept_pairs: int
    answers_per_kept: float | None


def yield_of(counts: Made, protocol: Protocol) -> Yield:
    """Measure counts.

    >>> from annotation.stats.consensus import PAWS
    >>> found = yield_of(Made(4, 2, 1, 1, 3, Counter({(0, 5): 1, (4, 1): 1})), PAWS)
    >>> found.fixed.value, found.paraphrase.value, found.answers_per_kept
    (0.25, 0.5, 7.0)
    """
    corrected = counts.accepted + counts.fixed + counts.rejected
    judged = identification(counts.votes, protocol)
    kept = sum(kept_votes(counts.votes, protocol).values())
    judgments = sum(sum(tally) * pairs for tally, pairs in counts.votes.items())
    return Yield(
        candidates=counts.candidates,
        corrected=corrected,
        fixed=_share(counts.fixed, corrected),
        rejected=_share(counts.rejected, corrected),
        pairs=counts.pairs,
        judged=judged.total,
        paraphrase=(
            _share(judged.by_outcome[1], judged.total)
            if protocol.scheme.is_binary
            else Estimate(None, None)
        ),
        agreement=human(folded(counts.votes, protocol.scheme)),
        kept=_share(kept, judged.total),
        kept_pairs=kept,
        answers_per_kept=(corrected + judgments) / kept if kept else None,
    )


def _share(part: int, whole: int) -> Estimate:
    return Estimate(part / whole if whole else None, wilson(part, whole))
