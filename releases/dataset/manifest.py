"""manifest.json: the metadata, counts and checksums of a release."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from releases.dataset.agreement import (
    LONGER,
    agreement_measures,
    counts_for_agreement,
    key_of_pair,
    longer_by_method,
    rows_of_all,
)
from releases.dataset.corpora import CorpusCounts
from releases.dataset.facts import ReleaseFacts
from releases.dataset.files import Table
from releases.dataset.replies import RepliesCounts
from releases.dataset.rows import (
    AdjudicationRow,
    JudgmentRow,
    ModelJudgmentRow,
    PromptRow,
    ReleasedPair,
    SentenceRow,
)
from releases.dataset.settings import ReleaseSettings
from releases.dataset.tables import tables

MANIFEST = "manifest.json"
# Counts that are stated even if they are 0.
ALSO_ZERO = frozenset({"conflicts", "unknown", "unlabeled_left_out"})

Manifest = dict[str, Any]
Files = dict[str, dict[str, Any]]
# Pairs by subset, split and label.
LabelCounts: TypeAlias = Mapping[tuple[str, str, int | None], int]
T = TypeVar("T")


class AnySettings(Protocol):
    """The settings of a release in any format."""

    @property
    def seed(self) -> int: ...

    def to_dict(self) -> dict[str, Any]: ...


def manifest(
    facts: ReleaseFacts,
    settings: AnySettings,
    *,
    counts: Mapping[str, Any],
    simulated: bool,
    files: Mapping[str, Mapping[str, Any]],
    format_name: str,
) -> Manifest:
    stated = {
        "metadata": facts.metadata.to_dict() if facts.metadata else {},
        "published": dict(facts.published),
        "judged_again": facts.judged_again,
    }
    return {name: value for name, value in stated.items() if value} | {
        "format": format_name,
        "name": facts.name,
        "version": facts.version,
        "created": facts.created,
        "language": facts.language,
        "licence": facts.licence,
        "seed": settings.seed,
        "settings": settings.to_dict(),
        "models": [dict(model) for model in facts.models],
        "software_version": facts.software_version,
        "counts": dict(counts),
        "simulated": simulated,
        "files": dict(files),
    }


def counted(rows: Iterable[T], count: Callable[[T], None]) -> Iterator[T]:
    """Yield the rows unchanged, counting them on the way."""
    for row in rows:
        count(row)
        yield row


@dataclass(slots=True)
class RowCounts:
    """Counts of the rows of a release, for its manifest and its card.

    Votes are for one of two sides, paraphrase or not, and so is the agreement. Where labels are not
    two sides, both are by label.
    """

    settings: ReleaseSettings
    by_origin_and_kept: Counter[tuple[str, bool]] = field(default_factory=Counter)
    votes: defaultdict[str, Counter[tuple[int, ...]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    by_subset_split_label: Counter[tuple[str, str, int | None]] = field(default_factory=Counter)
    sentences: int = 0
    corrections: Counter[str] = field(default_factory=Counter)
    judgments: int = 0
    simulated: int = 0
    seconds: float = 0.0
    annotators: set[str] = field(default_factory=set)
    adjudications: int = 0
    asked_more: int = 0
    closed: int = 0
    model_judgments: Counter[tuple[str, str]] = field(default_factory=Counter)
    prompts: int = 0
    corpora: CorpusCounts = field(default_factory=CorpusCounts)
    replies: RepliesCounts = field(default_factory=RepliesCounts)

    def add_pair(self, pair: ReleasedPair) -> None:
        self.by_origin_and_kept[pair.origin, pair.kept] += 1
        if pair.subset:
            _, split = pair.place
            self.by_subset_split_label[pair.subset, split, pair.label] += 1
        votes = pair.votes if self.settings.scheme.is_binary else pair.label_votes
        if not counts_for_agreement(pair, self.settings.judgments_per_pair):
            votes = None
        if votes:
            votes = key_of_pair(pair, votes, self.settings.scheme)
            self.votes[pair.method][votes] += 1
        self.asked_more += pair.first is not None
        self.closed += pair.closed is not None
        self.corpora.add_pair(pair, votes)

    def add_sentence(self, row: SentenceRow) -> None:
        self.sentences += 1
        if row.correction is not None:
            self.corrections[row.correction] += 1
        self.corpora.add_sentence(row)

    def add_judgment(self, row: JudgmentRow) -> None:
        self.judgments += 1
        self.annotators.add(row.annotator)
        self.simulated += row.simulated
        self.seconds += row.seconds or 0
        self.replies.add_judgment(row, self.settings.scheme)

    def add_adjudication(self, _: AdjudicationRow) -> None:
        self.adjudications += 1

    def add_model_judgment(self, row: ModelJudgmentRow) -> None:
        self.model_judgments[row.model, row.revision] += 1

    def add_prompt(self, _: PromptRow) -> None:
        self.prompts += 1

    def to_dict(
        self,
        further: Mapping[str, Any],
        *,
        rejected: int,
        runs: Iterable[Mapping[str, Any]],
        model_tests: Mapping[tuple[str, str], Mapping[str, Any]],
        taken_out: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Return the counts of a manifest; `further` are those that its rows do not show."""
        models = [
            {"model": model[0], "revision": model[1], "labels": labels}
            | ({"alternative": dict(model_tests[model])} if model in model_tests else {})
            for model, labels in sorted(self.model_judgments.items())
        ]
        counts = {
            "adjudications": self.adjudications,
            "asked_more": self.asked_more,
            "closed": self.closed,
            "model_judgments": models,
            "prompts": self.prompts,
            "corpora": self.corpora.by_method(runs, taken_out),
            "subsets_by_corpus": {
                corpus: self._table_counts(pairs) for corpus, pairs in self.corpora.places.items()
            },
            "replies": self.replies.to_dict(self.settings),
            **further,
        }
        corrections = {name: self.corrections[name] for name in ("accept", "fix")}
        return self._row_counts() | {
            "corrections": corrections | {"reject": rejected},
            **{name: count for name, count in counts.items() if count or name in ALSO_ZERO},
        }

    def _row_counts(self) -> dict[str, Any]:
        return {
            "judged": self.by_origin_and_kept["judged", True]
            + self.by_origin_and_kept["judged", False],
            "recombined": self.by_origin_and_kept["recombined", True]
            + self.by_origin_and_kept["recombined", False],
            "kept": self.by_origin_and_kept["judged", True],
            "sentences": self.sentences,
            "judgments": self.judgments,
            "annotators": len(self.annotators),
            "simulated_judgments": self.simulated,
            "seconds": round(self.seconds, 3),
            **self.vote_counts(),
            "subsets": self._table_counts(self.by_subset_split_label),
        }

    def _table_counts(self, pairs: LabelCounts) -> dict[str, dict[str, dict[str, Any]]]:
        labels = None if self.settings.scheme.is_binary else self.settings.scheme.pair_labels
        return table_counts(pairs, tables(self.settings), labels)

    def vote_counts(self) -> dict[str, Any]:
        return {
            "votes": {  # of each method: [votes for 0, votes for 1, ..., pairs]
                method: rows_of_all(votes) for method, votes in sorted(self.votes.items())
            },
            **({LONGER: longer} if (longer := longer_by_method(self.votes)) else {}),
            "agreement": {
                method: agreement_measures(self.votes[method], self.settings.votes_scheme)
                for method in sorted(self.votes)
            },
        }


def table_counts(
    pairs: LabelCounts,
    tables: Iterable[Table],
    labels: Sequence[int | None] | None = None,
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return {subset: {split: numbers}} of counts by subset, split and label.

    The numbers are `pairs` and `paraphrases`; of other `labels` than two sides, `outcomes` in their
    order, unless there is one label alone.
    """
    counts: dict[str, dict[str, dict[str, Any]]] = {}
    for table in tables:
        by_label: Counter[int | None] = Counter()
        for (subset, split, label), number in pairs.items():
            if (subset, split) == table.place:
                by_label[label] += number
        numbers: dict[str, Any] = {"pairs": by_label.total()}
        if labels is None:
            numbers["paraphrases"] = by_label[1]
        elif len(labels) > 1:
            numbers["outcomes"] = [by_label[label] for label in labels]
        counts.setdefault(table.subset, {})[table.split_name] = numbers
    return counts


def describe_files(folder: Path, rows: Mapping[str, int | None]) -> Files:
    """Return SHA-256, bytes and rows of each file of a folder; rows are None for documents."""
    return {
        path: {
            "sha256": sha256(folder / path),
            "bytes": (folder / path).stat().st_size,
            "rows": number,
        }
        for path, number in sorted(rows.items())
    }


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def as_json(value: Mapping[str, Any]) -> str:
    """Return a readable JSON document that is always formatted the same way."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def is_as_described(path: Path, description: Mapping[str, Any]) -> bool:
    measured = {"bytes": path.stat().st_size, "sha256": sha256(path)}
    return all(description[name] == value for name, value in measured.items())
