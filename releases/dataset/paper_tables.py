"""PAWS Tables 3 to 5 and agreement, from the counts of a release."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotation.stats.agreement import Agreement, VoteTable, filtered
from annotation.stats.agreement_tables import (
    AGREEMENT_HEADER,
    ALPHAS,
    HUMAN_AGREEMENT,
    agreement_row,
    coefficient,
)
from annotation.stats.consensus import Protocol
from annotation.stats.labels import Scheme
from annotation.stats.paws_tables import Correction, Outcome, SplitCounts, table3, table4, table5
from common.tables import Row
from releases.dataset.agreement import LONGER, read_votes
from releases.dataset.settings import ReleaseSettings

Splits = Mapping[str, Mapping[str, Any]]


def method_tables(
    settings: ReleaseSettings,
    counts: Mapping[str, Any],
    *,
    heading: str = "",
    corrected_methods: Collection[str] | None = None,
) -> Iterator[tuple[str, list[Row]]]:
    """Yield each method, and Table 3 of word swaps or Table 4 of others.

    Their first column is headed by the `heading`, with braces in place of the method. Table 3
    has rows of correction unless the methods that were corrected are known and this is none.
    """
    by_method, protocol = outcomes(counts), protocol_of_votes(settings)
    has_majority = settings.tells_majority
    for method, columns in by_method.items():
        title = heading.format(method)
        if method in settings.swap_methods:
            is_corrected = corrected_methods is None or method in corrected_methods
            rows = table3(
                columns,
                protocol,
                title=title,
                is_corrected=is_corrected,
                has_majority=has_majority,
            )
        else:
            kind = method.replace("_", " ")
            rows = table4(columns, protocol, kind=kind, title=title, has_majority=has_majority)
        yield method, rows


def outcomes(counts: Mapping[str, Any]) -> dict[str, dict[str, Outcome]]:
    """Return the outcomes of each judged method by corpus; all as one if they are not counted."""
    if corpora := counts.get("corpora"):
        by_method: defaultdict[str, dict[str, Outcome]] = defaultdict(dict)
        for corpus in sorted(corpora):
            for method, numbers in corpora[corpus].items():
                by_method[method][corpus] = _outcome(numbers)
        return dict(sorted(by_method.items()))
    corrections, raw = counts["corrections"], counts.get("raw", {})
    longer = counts.get(LONGER, {})
    in_one = {
        method: corrections
        | {"raw": raw.get(method, sum(corrections.values())), "votes": votes}
        | ({LONGER: longer[method]} if method in longer else {})
        for method, votes in counts["votes"].items()
    }
    return {method: {"": _outcome(numbers)} for method, numbers in in_one.items()}


def _outcome(numbers: Mapping[str, Any]) -> Outcome:
    accepted, fixed, rejected = (numbers[action] for action in ("accept", "fix", "reject"))
    left_out = (numbers.get("repeats", 0), numbers.get("excluded", 0))
    corrections = Correction(numbers["raw"], accepted, fixed, rejected, *left_out)
    return Outcome(corrections, read_votes(numbers["votes"], numbers.get(LONGER, ())))


def vote_tables(counts: Mapping[str, Any]) -> dict[str, VoteTable]:
    longer = counts.get(LONGER, {})
    return {
        method: read_votes(rows, longer.get(method, ())) for method, rows in counts["votes"].items()
    }


def protocol_of_votes(settings: ReleaseSettings) -> Protocol:
    """Return the protocol for votes as they are counted."""
    return replace(settings.protocol, scheme=settings.votes_scheme)


def sizes(counts: Mapping[str, Any], outcomes: Sequence[str] = ("Yes",)) -> list[Row]:
    """Return Table 5: subsets whose pairs have labels, and the parts of each corpus.

    `outcomes` are the names of labels, unless these are two sides.
    """
    by_subset: defaultdict[str, dict[str, SplitCounts]] = defaultdict(dict)
    for corpus, subsets in sorted(counts.get("subsets_by_corpus", {}).items()):
        for subset, splits in subsets.items():
            by_subset[subset][corpus] = _split_counts(splits)
    return table5(split_counts(counts), by_subset, outcomes=outcomes)


def outcome_names(scheme: Scheme) -> tuple[str, ...]:
    """Return the columns of Table 5: the share of paraphrases, of each label, or none."""
    if scheme.is_binary:
        return ("Yes",)
    return scheme.outcomes if scheme.decides else ()


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
        counted=outcome_counts(splits),
    )


def outcome_counts(splits: Splits) -> tuple[int, ...]:
    """Return the paraphrases of all splits, or the pairs of each label; empty without labels."""
    numbers = (
        [split["paraphrases"]] if "paraphrases" in split else split.get("outcomes", ())
        for split in splits.values()
    )
    return tuple(map(sum, zip(*numbers, strict=True)))


def agreement_by_method(
    settings: ReleaseSettings, counts: Mapping[str, Any], *, heading: str = "{}"
) -> list[Row]:
    """Return agreement by method, before and after filtering: on two sides, or on labels."""
    rows: list[Row] = [(*AGREEMENT_HEADER[:-1], ALPHAS[settings.votes_scheme.level])]
    for method, votes in vote_tables(counts).items():
        figures, title = filtered(votes, protocol_of_votes(settings)), heading.format(method)
        rows.append(_with_headline(agreement_row(title, figures.before), figures.before))
        if settings.scheme.decides:
            row = agreement_row(f"{title}, kept pairs", figures.after)
            rows.append(_with_headline(row, figures.after))
    if not settings.tells_majority:
        place = AGREEMENT_HEADER.index(HUMAN_AGREEMENT)
        return [(*row[:place], *row[place + 1 :]) for row in rows]
    return rows


def _with_headline(row: Row, measured: Agreement) -> Row:
    return (*row[:-1], coefficient(measured.headline))
