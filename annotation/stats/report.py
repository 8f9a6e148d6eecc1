"""Tables 3, 4 and 5 of the PAWS paper, and of agreement, for project reports and dataset cards.

A table is a list of rows, each a label and its cells, for `as_text` and `as_markdown`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.stats.agreement import (
    Agreement,
    Estimate,
    Filtered,
    VoteTable,
    human_agreement,
    kept_votes,
)
from annotation.stats.consensus import PAWS, Protocol, decide_tally

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Identification:
    """Judged pairs by majority; ties are in neither side. `agreement` is a share."""

    total: int
    paraphrase: int
    non_paraphrase: int
    agreement: float | None


@dataclass(frozen=True, slots=True)
class Correction:
    """Outcomes of the raw pairs of one method; open ones are in none of the first three.

    `repeats` are raw pairs whose texts the project had already: only the first pair of the texts is
    corrected and judged. `excluded` are pairs that managers took out; nothing after the correction
    counts them.
    """

    raw: int
    accepted: int
    fixed: int
    rejected: int
    repeats: int = 0
    excluded: int = 0


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """Sizes of one dataset (a row of Table 5); None for a split that it lacks."""

    train: int | None
    dev: int | None
    test: int | None
    paraphrases: int

    @property
    def total(self) -> int:
        return sum(size or 0 for size in (self.train, self.dev, self.test))


def identification(votes: VoteTable, protocol: Protocol = PAWS) -> Identification:
    """Count judged pairs by their majority, and measure the agreement of their labels."""
    sides = {0: 0, 1: 0, None: 0}
    for tally, pairs in votes.items():
        sides[decide_tally(tally, protocol).majority] += pairs
    return Identification(sum(sides.values()), sides[1], sides[0], human_agreement(votes))


def table3(correction: Correction, votes: VoteTable, protocol: Protocol = PAWS) -> list[Row]:
    """Return Table 3: pairs of the swapping strategy through correction, judgment and filter."""
    judged = identification(votes, protocol)
    kept = identification(kept_votes(votes, protocol), protocol)
    return [
        ("# Raw pairs", count(correction.raw)),
        *_repeats(correction.repeats),
        ("Sentence correction", ""),
        ("  # Accepted pairs", count(correction.accepted)),
        ("  # Fixed pairs", count(correction.fixed)),
        ("  # Rejected pairs", count(correction.rejected)),
        *([("Excluded by managers", count(correction.excluded))] if correction.excluded else []),
        ("Paraphrase identification", ""),
        ("  Total # pairs", count(judged.total)),
        ("    paraphrase", count(judged.paraphrase)),
        ("    non-paraphrase", count(judged.non_paraphrase)),
        ("  Human agreement", percent(judged.agreement)),
        ("After post-filtering", ""),
        ("  Total # pairs", count(kept.total)),
        ("  Human agreement", percent(kept.agreement)),
    ]


def table4(
    votes: VoteTable,
    protocol: Protocol = PAWS,
    *,
    kind: str = "back translation",
    repeats: int = 0,
    excluded: int = 0,
    graded: bool = False,
) -> list[Row]:
    """Return Table 4: judged pairs of a method without correction, such as back translations.

    If `graded`, votes are counted by grade, and so is agreement.
    """
    judged = identification(votes, protocol)
    return [
        *_repeats(repeats),
        *([("Excluded by managers", count(excluded))] if excluded else []),
        (f"Total # {kind} pairs", count(judged.total)),
        ("  paraphrase", count(judged.paraphrase)),
        ("  non-paraphrase", count(judged.non_paraphrase)),
        (f"Human agreement{' on the grade' if graded else ''}", percent(judged.agreement)),
    ]


def _repeats(number: int) -> list[Row]:
    return [("Repeats of earlier pairs", count(number))] if number else []


def table5(datasets: Mapping[str, SplitCounts]) -> list[Row]:
    """Return split sizes and the share of paraphrases; the first row is the header."""
    return [
        ("", "Train", "Dev", "Test", "Yes%"),
        *(
            (
                name,
                *map(count, (sizes.train, sizes.dev, sizes.test)),
                percent(sizes.paraphrases / sizes.total if sizes.total else None),
            )
            for name, sizes in datasets.items()
        ),
    ]


def overall(measured: Filtered, *, graded: bool) -> list[Row]:
    """Tabulate every measure of all decided pairs, and of those that the filter keeps.

    Ordinal alpha gets a row if labels are `graded`; with two labels it equals the nominal one.
    """
    columns = measured.before, measured.after
    rows: list[Row] = [
        ("", "All", "Kept"),
        ("Decided pairs", *(count(agreement.pairs) for agreement in columns)),
        ("Human agreement", *(share(agreement.human) for agreement in columns)),
        ("Fleiss' kappa", *(coefficient(agreement.fleiss) for agreement in columns)),
        ("Krippendorff's alpha", *(coefficient(agreement.alpha) for agreement in columns)),
    ]
    if graded:
        rows.append(("  ordinal", *(coefficient(agreement.ordinal) for agreement in columns)))
    return rows


def parts(measured: Iterable[tuple[str, Filtered]]) -> list[Row]:
    """Return a row for each named part of the pairs."""
    header = ("", "Pairs", "Human agreement", "Fleiss' kappa", "Krippendorff's alpha")
    return [
        (*header, "Kept", "Human agreement"),
        *(
            (
                name,
                count(filtered.before.pairs),
                *_measures(filtered.before),
                count(filtered.after.pairs),
                share(filtered.after.human),
            )
            for name, filtered in measured
        ),
    ]


def share(estimate: Estimate) -> str:
    """Format a share and its interval: 0.947 as "94.7%"."""
    if estimate.interval is None:
        return percent(estimate.value)
    low, high = (100 * end for end in estimate.interval)
    return f"{percent(estimate.value)} ({low:.1f} to {high:.1f})"


def coefficient(estimate: Estimate) -> str:
    """Format a kappa or alpha and its interval; "-" if undefined."""
    if estimate.value is None:
        return "-"
    if estimate.interval is None:
        return f"{estimate.value:.3f}"
    low, high = estimate.interval
    return f"{estimate.value:.3f} ({low:.3f} to {high:.3f})"


def _measures(agreement: Agreement) -> Row:
    return (share(agreement.human), coefficient(agreement.fleiss), coefficient(agreement.alpha))


def count(number: int | None) -> str:
    """Format a number with thousands separators; "" for None."""
    return "" if number is None else f"{number:,}"


def percent(share: float | None) -> str:
    """Format a share as in the paper, 0.947 as "94.7%"; "-" if undefined."""
    return "-" if share is None else f"{share:.1%}"


def as_text(rows: Sequence[Row]) -> str:
    """Format a table for a terminal: labels to the left, cells to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    )
    return "\n".join(lines) + "\n"


def as_markdown(rows: Sequence[Row]) -> str:
    """Format a table in Markdown, with its first row as the header."""
    header, *body = rows
    rule = ("---", *("---:",) * (len(header) - 1))
    lines = ("| " + " | ".join(indented(row)) + " |" for row in (header, rule, *body))
    return "\n".join(lines) + "\n"


def indented(row: Row) -> Row:
    """Replace leading spaces of the label with non-breaking ones: Markdown drops the others."""
    label = row[0]
    depth = len(label) - len(label.lstrip())
    return ("&nbsp;" * depth + label.lstrip(), *row[1:])
