"""What became of the candidates of a generator: is it worth the work of its annotators?"""

from collections import Counter
from dataclasses import dataclass, field
from math import floor, log10

from annotation.stats.agreement import Estimate, Tally, human_by, kept_votes
from annotation.stats.consensus import Protocol
from annotation.stats.intervals import wilson
from annotation.stats.paws_tables import identification


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


MILLION = 1_000_000


@dataclass(slots=True)
class Spent:
    """What runs used of models on other servers: tokens, and millionths of each currency."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: "Spent") -> "Spent":
        """Add what other runs used."""
        self.tokens_in += other.tokens_in
        self.tokens_out += other.tokens_out
        self.cost.update(other.cost)
        return self


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and cost of a generator, in all and for each kept pair (None without one).

    `cost` is in `currency`; without prices, or with prices in several currencies, it is None and
    `currency` is empty.
    """

    tokens_in: int
    tokens_out: int
    tokens_per_kept: float | None
    cost: float | None
    currency: str
    cost_per_kept: float | None

    @property
    def cost_digits(self) -> int:
        """How many decimals of `cost_per_kept` show two digits that are not leading zeros."""
        return max(2, 1 - floor(log10(self.cost_per_kept))) if self.cost_per_kept else 2


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
        usage: of models on other servers; None if it asks none, or if its part is unknown.
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
    usage: Usage | None


def yield_of(counts: Made, protocol: Protocol, spent: Spent | None = None) -> Yield:
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
        agreement=human_by(counts.votes, protocol.scheme),
        kept=_share(kept, judged.total),
        kept_pairs=kept,
        answers_per_kept=(corrected + judgments) / kept if kept else None,
        usage=_usage(spent, kept) if spent else None,
    )


def _usage(spent: Spent, kept: int) -> Usage:
    tokens = spent.tokens_in + spent.tokens_out
    currency, cost = "", None
    if len(spent.cost) == 1:
        [(currency, millionths)] = spent.cost.items()
        cost = millionths / MILLION
    return Usage(
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        tokens_per_kept=tokens / kept if kept else None,
        cost=cost,
        currency=currency,
        cost_per_kept=cost / kept if kept and cost is not None else None,
    )


def _share(part: int, whole: int) -> Estimate:
    return Estimate(part / whole if whole else None, wilson(part, whole))
