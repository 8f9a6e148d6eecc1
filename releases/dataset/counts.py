"""Counts rows for manifest.json and the card while they are streamed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from annotation.stats.agreement import (
    VoteTable,
    fleiss_kappa,
    human_agreement,
    krippendorff_alpha,
)
from releases.dataset.batches import batches
from releases.dataset.content import AdjudicationRow, Entry, GuestRow
from releases.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow, SilverPair
from releases.dataset.tables import TABLES


@dataclass(slots=True)
class Passing:
    """Counts of the rows that have been streamed.

    Functions that take rows yield them unchanged. Votes are counted for pairs with all of their
    judgments, and for kept pairs with fewer.
    """

    annotators_per_pair: int
    kinds: Counter[tuple[str, bool]] = field(default_factory=Counter)
    votes: defaultdict[str, Counter[tuple[int, ...]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    places: Counter[tuple[str, str, int | None]] = field(default_factory=Counter)
    sentences: int = 0
    corrections: Counter[str] = field(default_factory=Counter)
    judgments: int = 0
    simulated: int = 0
    seconds: float = 0.0
    annotators: set[str] = field(default_factory=set)
    adjudications: int = 0
    guests: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count_entries(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Count pairs by kind, votes and place."""
        for some in batches(entries):
            for entry in some:
                self.count(entry.pair)
            yield from some

    def count(self, pair: ReleasedPair | SilverPair) -> None:
        """Count one pair."""
        if isinstance(pair, SilverPair):
            self.places["unlabeled_final", pair.split, pair.noisy_label] += 1
            return
        self.kinds[pair.origin, pair.kept] += 1
        if pair.subset:
            self.places[pair.subset, pair.split or "train", pair.label] += 1
        if pair.votes and (pair.kept or sum(pair.votes) >= self.annotators_per_pair):
            self.votes[pair.method][pair.votes] += 1

    def count_sentences(self, rows: Iterable[SentenceRow]) -> Iterator[SentenceRow]:
        """Count sentences and their corrections."""
        for some in batches(rows):
            self.sentences += len(some)
            self.corrections.update([row.correction for row in some if row.correction is not None])
            yield from some

    def count_judgments(self, rows: Iterable[JudgmentRow]) -> Iterator[JudgmentRow]:
        """Count answers, their annotators and their seconds."""
        for some in batches(rows):
            _pairs, annotators, _labels, seconds, simulated = zip(*some, strict=True)
            self.judgments += len(some)
            self.annotators.update(annotators)
            self.simulated += sum(simulated)
            # A loop, because sum() rounds differently across versions of Python.
            for took in filter(None, seconds):
                self.seconds += took
            yield from some

    def count_adjudications(self, rows: Iterable[AdjudicationRow]) -> Iterator[AdjudicationRow]:
        """Count expert decisions."""
        for row in rows:
            self.adjudications += 1
            yield row

    def count_guests(self, rows: Iterable[GuestRow]) -> Iterator[GuestRow]:
        """Count model judgments by name and revision."""
        for row in rows:
            self.guests[row.guest, row.revision] += 1
            yield row

    def counts(self) -> dict[str, Any]:
        """Return the counts of a manifest that follow from its rows."""
        return {
            "judged": self.kinds["judged", True] + self.kinds["judged", False],
            "recombined": self.kinds["recombined", True] + self.kinds["recombined", False],
            "kept": self.kinds["judged", True],
            "sentences": self.sentences,
            "corrections": {key: self.corrections[key] for key in ("accept", "fix")},
            "judgments": self.judgments,
            "annotators": len(self.annotators),
            "simulated_judgments": self.simulated,
            "seconds": round(self.seconds, 3),
            "votes": {method: vote_rows(self.votes[method]) for method in sorted(self.votes)},
            "agreement": {method: agreement(self.votes[method]) for method in sorted(self.votes)},
            "subsets": table_counts(self.places),
            **self.extra_counts(),
        }

    def extra_counts(self) -> dict[str, Any]:
        """Return the counts that only some releases have."""
        guests = [
            {"guest": guest, "revision": revision, "labels": labels}
            for (guest, revision), labels in sorted(self.guests.items())
        ]
        extra = {"adjudications": self.adjudications, "guests": guests}
        return {name: number for name, number in extra.items() if number}


def vote_rows(votes: VoteTable) -> list[list[int]]:
    """Return the number of pairs by votes: [votes for 0, votes for 1, pairs]."""
    return [[*tally, pairs] for tally, pairs in sorted(votes.items())]


def agreement(votes: VoteTable) -> dict[str, float | None]:
    """Return measures of inter-annotator agreement, rounded to be the same on every machine."""
    measures = {
        "human_agreement": human_agreement(votes),
        "fleiss_kappa": fleiss_kappa(votes).value,
        "krippendorff_alpha": krippendorff_alpha(votes).value,
    }
    return {name: None if value is None else round(value, 6) for name, value in measures.items()}


def table_counts(
    places: Counter[tuple[str, str, int | None]],
) -> dict[str, dict[str, dict[str, int]]]:
    """Return pairs and paraphrases of each table: {subset: {split: {"pairs", "paraphrases"}}}.

    `places` counts pairs by subset, split and label.
    """
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for table in TABLES:
        labels = [places[table.subset, table.split, label] for label in (0, 1, None)]
        split = {"pairs": sum(labels), "paraphrases": labels[1]}
        counts.setdefault(table.subset, {})[table.split] = split
    return counts
