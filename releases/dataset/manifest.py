"""manifest.json: the metadata, counts and checksums of a release."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import Any, Protocol, TypeVar

from releases.dataset.agreement import agreement_measures, counts_for_agreement
from releases.dataset.corpora import CorpusCounts
from releases.dataset.files import TABLES, Table
from releases.dataset.metadata import Metadata
from releases.dataset.rows import (
    AdjudicationRow,
    JudgmentRow,
    ModelJudgmentRow,
    ReleasedPair,
    SentenceRow,
)

MANIFEST = "manifest.json"
# Versions of Croissant, of croissant.json.
CROISSANT_1_0, CROISSANT_1_1 = "1.0", "1.1"
SIMULATED = "Simulated annotators: a trial, not data."
# Kinds of work, by which facts say how many people did it and when.
JUDGE, CORRECT, TRANSLATE, VALIDATE = "judge", "correct", "translate", "validate"

Manifest = dict[str, Any]
Files = dict[str, dict[str, Any]]
T = TypeVar("T")


class AnySettings(Protocol):
    """The settings of a release in any format."""

    @property
    def seed(self) -> int: ...

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """Metadata of a release that its rows do not contain.

    `created` is an ISO 8601 time in UTC, stored with the release so that each build repeats it;
    `models` holds the name and the revision or SHA-256 of each generator model; `rejected` counts
    the rewrites that correctors rejected, `excluded` the pairs that managers took out, `raw` the
    generated pairs of each method; `licence` is of the source text, preferably a Hugging Face
    identifier; `language` is a BCP 47 tag; `citation` is BibTeX or a sentence. `metadata` is what
    people declared of the release; None in releases without. `groups` counts the groups of each
    split, `overlap` is annotation.stats.overlap.Overlap, and `grades` has the tallies of grades and
    the agreement on them (releases.dataset.graded). `corpora` have a language, a licence and a
    number of sentences each, by name; `collected` are the first and the last day of the answers;
    `runs` have their number, corpus, method, preset, seed, settings, the names of their models, and
    how many candidates they brought. `taken_out` has, by corpus and method, how many rewrites
    correctors rejected, how many pairs managers excluded, and how many candidates repeat the texts
    of another. Older releases have none of these, or no repeats.

    `croissant` is the version of Croissant that croissant.json follows. These are for 1.1, so
    releases that follow 1.0 have none of them. The corpora have an address, if known, and the days
    of their import; `days` of a run are the first and the last one, or only the first if it goes
    on. `waiting` counts pairs without enough answers. `scale` has label, name and criterion of each
    answer. `platforms` sent people whose answers count. `work` has, by kind of work other than
    judging, its days and the number of people. `source_address` is that of a translated release,
    and `source_is_synthetic` says whether machines wrote its sentences, if known. `published` says
    of a set by others, whose pairs were translated or judged again, its title, address, citation,
    licence and corpus, and `is_synthetic` as in its settings. `judged_again` is the title of the
    release whose pairs were judged again.

    `excluded_answers` counts the judgments of excluded people: `people`, `answers`, and `pairs` of
    theirs that others decided. Empty if none are excluded, and in older releases.
    `corrected_methods` have candidates that people corrected; None in older releases.
    `simulated_people` has, by kind of work, how many people are simulated; empty in older releases.
    """

    name: str
    version: str
    created: str
    software_version: str
    models: tuple[Mapping[str, str], ...] = ()
    rejected: int = 0
    raw: Mapping[str, int] = field(default_factory=dict)
    excluded: int = 0
    language: str = "en"
    licence: str = ""
    description: str = ""
    guidelines: str = ""
    citation: str = ""
    metadata: Metadata | None = None
    groups: Mapping[str, int] = field(default_factory=dict)
    overlap: Mapping[str, Any] = field(default_factory=dict)
    grades: Mapping[str, Any] = field(default_factory=dict)
    corpora: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    collected: tuple[str, ...] = ()
    runs: tuple[Mapping[str, Any], ...] = ()
    taken_out: Mapping[str, Any] = field(default_factory=dict)
    waiting: int = 0
    scale: tuple[Mapping[str, Any], ...] = ()
    platforms: tuple[str, ...] = ()
    work: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    published: Mapping[str, Any] = field(default_factory=dict)
    judged_again: str = ""
    source_address: str = ""
    source_is_synthetic: bool | None = None
    excluded_answers: Mapping[str, int] = field(default_factory=dict)
    corrected_methods: tuple[str, ...] | None = None
    simulated_people: Mapping[str, int] = field(default_factory=dict)
    croissant: str = CROISSANT_1_1


def models_by_run(runs: Iterable[Mapping[str, Any]]) -> dict[int, str | None]:
    """Return the models of each run, joined by a plus; None if it had none."""
    return {run["number"]: " + ".join(run["models"]) or None for run in runs}


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

    Votes are for one of two sides, paraphrase or not, and so is the agreement.
    """

    judgments_per_pair: int
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
    model_judgments: Counter[tuple[str, str]] = field(default_factory=Counter)
    corpora: CorpusCounts = field(default_factory=CorpusCounts)

    def add_pair(self, pair: ReleasedPair) -> None:
        self.by_origin_and_kept[pair.origin, pair.kept] += 1
        if pair.subset:
            _, split = pair.place
            self.by_subset_split_label[pair.subset, split, pair.label] += 1
        votes_are_final = counts_for_agreement(pair, self.judgments_per_pair)
        if pair.votes and votes_are_final:
            self.votes[pair.method][pair.votes] += 1
        self.corpora.add_pair(pair, votes_are_final=votes_are_final)

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

    def add_adjudication(self, _: AdjudicationRow) -> None:
        self.adjudications += 1

    def add_model_judgment(self, row: ModelJudgmentRow) -> None:
        self.model_judgments[row.model, row.revision] += 1

    def to_dict(
        self,
        *,
        rejected: int,
        raw: Mapping[str, int],
        excluded: int,
        conflicts: int,
        unknown: int,
        unlabeled_left_out: int,
        reopened: int,
        groups: Mapping[Any, int],
        overlap: Mapping[str, Any],
        grades: Mapping[str, Any],
        runs: Iterable[Mapping[str, Any]] = (),
        taken_out: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        models = [
            {"model": model, "revision": revision, "labels": labels}
            for (model, revision), labels in sorted(self.model_judgments.items())
        ]
        optional_counts = {
            "raw": dict(raw),
            "adjudications": self.adjudications,
            "excluded": excluded,
            "model_judgments": models,
            "reopened": reopened,
            "groups": dict(groups),
            "overlap": dict(overlap),
            "corpora": self.corpora.by_method(runs, taken_out or {}),
            "subsets_by_corpus": {
                corpus: table_counts(pairs) for corpus, pairs in self.corpora.places.items()
            },
            **grades,
        }
        return self._row_counts() | {
            "corrections": {
                "accept": self.corrections["accept"],
                "fix": self.corrections["fix"],
                "reject": rejected,
            },
            "conflicts": conflicts,
            "unknown": unknown,
            "unlabeled_left_out": unlabeled_left_out,
            **{name: count for name, count in optional_counts.items() if count},
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
            "subsets": table_counts(self.by_subset_split_label),
        }

    def vote_counts(self) -> dict[str, Any]:
        return {
            "votes": {  # of each method: [votes for 0, votes for 1, pairs]
                method: [[*tally, pairs] for tally, pairs in sorted(votes.items())]
                for method, votes in sorted(self.votes.items())
            },
            "agreement": {
                method: agreement_measures(self.votes[method]) for method in sorted(self.votes)
            },
        }


def table_counts(
    pairs: Mapping[tuple[str, str, int | None], int], tables: Iterable[Table] = TABLES
) -> dict[str, dict[str, dict[str, int]]]:
    """Return {subset: {split: {"pairs", "paraphrases"}}} of counts by subset, split and label."""
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for table in tables:
        labels = [pairs.get((table.subset, table.split, label), 0) for label in (0, 1, None)]
        split = {"pairs": sum(labels), "paraphrases": labels[1]}
        counts.setdefault(table.subset, {})[table.split] = split
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
