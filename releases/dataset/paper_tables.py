"""PAWS Tables 3 to 5 and agreement, from the counts of a release."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotation.stats.agreement import VoteTable, filtered
from annotation.stats.consensus import Protocol
from annotation.stats.labels import SAME_OR_DIFFERENT
from annotation.stats.report import (
    AGREEMENT_HEADER,
    Correction,
    Outcome,
    Row,
    SplitCounts,
    agreement_row,
    table3,
    table4,
    table5,
)
from releases.dataset.settings import ReleaseSettings

Splits = Mapping[str, Mapping[str, int]]


def method_tables(
    settings: ReleaseSettings,
    counts: Mapping[str, Any],
    *,
    heading: str = "",
    corrected_methods: Collection[str] | None = None,
) -> Iterator[tuple[str, list[Row]]]:
    """Yield each method, and Table 3 of word swaps or Table 4 of others.

    Their first column is headed by the `heading`, in which braces stand for the method. Table 3
    has rows of correction unless the methods that were corrected are known and this is none.
    """
    by_method, two_sided = outcomes(counts), binary(settings)
    for method, columns in by_method.items():
        title = heading.format(method)
        if method in settings.swap_methods:
            is_corrected = corrected_methods is None or method in corrected_methods
            yield method, table3(columns, two_sided, title=title, is_corrected=is_corrected)
        else:
            kind = method.replace("_", " ")
            yield method, table4(columns, two_sided, kind=kind, title=title)


def outcomes(counts: Mapping[str, Any]) -> dict[str, dict[str, Outcome]]:
    """Return the outcomes of each judged method by corpus; all as one if they are not counted."""
    if corpora := counts.get("corpora"):
        by_method: defaultdict[str, dict[str, Outcome]] = defaultdict(dict)
        for corpus in sorted(corpora):
            for method, numbers in corpora[corpus].items():
                by_method[method][corpus] = _outcome(numbers)
        return dict(sorted(by_method.items()))
    corrections, raw = counts["corrections"], counts.get("raw", {})
    in_one = {
        method: corrections | {"raw": raw.get(method, sum(corrections.values())), "votes": votes}
        for method, votes in counts["votes"].items()
    }
    return {method: {"": _outcome(numbers)} for method, numbers in in_one.items()}


def _outcome(numbers: Mapping[str, Any]) -> Outcome:
    accepted, fixed, rejected = (numbers[action] for action in ("accept", "fix", "reject"))
    left_out = (numbers.get("repeats", 0), numbers.get("excluded", 0))
    corrections = Correction(numbers["raw"], accepted, fixed, rejected, *left_out)
    return Outcome(corrections, _votes(numbers["votes"]))


def vote_tables(counts: Mapping[str, Any]) -> dict[str, VoteTable]:
    return {method: _votes(rows) for method, rows in counts["votes"].items()}


def _votes(rows: list[list[int]]) -> VoteTable:
    return {(against, for_): pairs for against, for_, pairs in rows}


def binary(settings: ReleaseSettings) -> Protocol:
    """Return the protocol for votes, which are binary on any scale."""
    return replace(settings.protocol, scheme=SAME_OR_DIFFERENT)


def sizes(counts: Mapping[str, Any]) -> list[Row]:
    """Return Table 5: subsets whose pairs have labels, and the parts of each corpus."""
    by_subset: defaultdict[str, dict[str, SplitCounts]] = defaultdict(dict)
    for corpus, subsets in sorted(counts.get("subsets_by_corpus", {}).items()):
        for subset, splits in subsets.items():
            by_subset[subset][corpus] = _split_counts(splits)
    return table5(split_counts(counts), by_subset)


def split_counts(counts: Mapping[str, Any]) -> dict[str, SplitCounts]:
    return {
        subset: _split_counts(splits)
        for subset, splits in counts["subsets"].items()
        if subset != "low_agreement"
    }


def _split_counts(splits: Splits) -> SplitCounts:
    return SplitCounts(
        train=splits.get("train", {}).get("pairs"),
        dev=splits.get("dev", {}).get("pairs"),
        test=splits.get("test", {}).get("pairs"),
        paraphrases=sum(split["paraphrases"] for split in splits.values()),
    )


def agreement_on_sides(
    settings: ReleaseSettings, counts: Mapping[str, Any], *, heading: str = "{}"
) -> list[Row]:
    """Return agreement on paraphrase or not by method, before and after filtering."""
    rows: list[Row] = [AGREEMENT_HEADER]
    for method, votes in vote_tables(counts).items():
        figures, title = filtered(votes, binary(settings)), heading.format(method)
        rows += [
            agreement_row(title, figures.before),
            agreement_row(f"{title}, kept pairs", figures.after),
        ]
    return rows
