"""What manifest.json and the card count, from the rows of a release."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.dataset.plan import ReleasePlan
from annotation.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow, SilverPair
from annotation.dataset.tables import TABLES
from annotation.stats.agreement import (
    VoteTable,
    fleiss_kappa,
    human_agreement,
    krippendorff_alpha,
)


@dataclass(slots=True)
class Passing:
    """Counts of rows that go by once and are not kept."""

    sentences: int = 0
    corrections: Counter[str] = field(default_factory=Counter)
    judgments: int = 0
    simulated: int = 0
    seconds: float = 0.0
    annotators: set[str] = field(default_factory=set)

    def count_sentences(self, rows: Iterable[SentenceRow]) -> Iterator[SentenceRow]:
        """The same rows, counted on their way."""
        for row in rows:
            self.sentences += 1
            if row.correction is not None:
                self.corrections[row.correction] += 1
            yield row

    def count_judgments(self, rows: Iterable[JudgmentRow]) -> Iterator[JudgmentRow]:
        """The same rows, counted on their way."""
        for row in rows:
            self.judgments += 1
            self.annotators.add(row.annotator)
            self.simulated += row.simulated
            self.seconds += row.seconds or 0
            yield row

    def counts(self) -> dict[str, Any]:
        """Their part of the counts of a manifest."""
        return {
            "sentences": self.sentences,
            "corrections": {key: self.corrections[key] for key in ("accept", "fix")},
            "judgments": self.judgments,
            "annotators": len(self.annotators),
            "simulated_judgments": self.simulated,
            "seconds": round(self.seconds, 3),
        }


def release_counts(
    planned: ReleasePlan, passing: Passing, *, rejected: int, annotators_per_pair: int
) -> dict[str, Any]:
    """The counts of manifest.json, once all sentences and judgments have passed."""
    passed = passing.counts()
    return {
        **passed,
        **pair_counts(planned.pairs, annotators_per_pair=annotators_per_pair),
        "corrections": passed["corrections"] | {"reject": rejected},
        "conflicts": planned.conflicts,
        "unknown": planned.unknown,
        "unlabeled_left_out": planned.silver_left_out,
        "subsets": table_counts(planned.pairs, planned.silver),
    }


def pair_counts(pairs: Sequence[ReleasedPair], *, annotators_per_pair: int) -> dict[str, Any]:
    """How many pairs there are of each kind, and how far their judges agree, by method."""
    votes = votes_by_method(pairs, annotators_per_pair)
    return {
        "judged": sum(pair.origin == "judged" for pair in pairs),
        "recombined": sum(pair.origin == "recombined" for pair in pairs),
        "kept": sum(pair.origin == "judged" and pair.kept for pair in pairs),
        "votes": {
            method: [[*tally, number] for tally, number in sorted(table.items())]
            for method, table in votes.items()
        },
        "agreement": {method: agreement(table) for method, table in votes.items()},
    }


def votes_by_method(
    pairs: Iterable[ReleasedPair], annotators_per_pair: int
) -> dict[str, VoteTable]:
    """How many pairs with all their judgments received which votes, for each method."""
    votes: defaultdict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for pair in pairs:
        if pair.votes is not None and sum(pair.votes) >= annotators_per_pair:
            votes[pair.method][pair.votes] += 1
    return dict(sorted(votes.items()))


def agreement(votes: VoteTable) -> dict[str, float | None]:
    """Measures of agreement between the judges, rounded so that every machine writes the same."""
    same_number = len({sum(tally) for tally in votes}) == 1
    measures = {
        "human_agreement": human_agreement(votes),
        "fleiss_kappa": fleiss_kappa(votes) if same_number else None,
        "krippendorff_alpha": krippendorff_alpha(votes),
    }
    return {name: None if value is None else round(value, 6) for name, value in measures.items()}


def table_counts(
    pairs: Iterable[ReleasedPair], silver: Iterable[SilverPair]
) -> dict[str, dict[str, dict[str, int]]]:
    """Pairs and paraphrases of each table: {subset: {split: {"pairs", "paraphrases"}}}."""
    labels: Counter[tuple[str, str, int | None]] = Counter(
        (pair.subset, pair.split or "train", pair.label) for pair in pairs if pair.subset
    )
    labels.update(("unlabeled_final", pair.split, pair.noisy_label) for pair in silver)
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for table in TABLES:
        against, for_, unlabelled = (labels[table.subset, table.split, x] for x in (0, 1, None))
        counts.setdefault(table.subset, {})[table.split] = {
            "pairs": against + for_ + unlabelled,
            "paraphrases": for_,
        }
    return counts
