"""Tables 3, 4 and 5 of the PAWS paper, and of agreement, for project reports and dataset cards.

A table is a list of rows, each a label and its cells, for `as_text` and `as_markdown`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from annotation.stats.agreement import (
    Agreement,
    Estimate,
    Filtered,
    VoteTable,
    folded,
    human_agreement,
    kept_votes,
)
from annotation.stats.by_group import Group
from annotation.stats.consensus import PAWS, Protocol, decide_tally
from annotation.stats.labels import Level, Scheme
from annotation.stats.ratings import ratings
from common.marked import gettext_noop as _

Row = tuple[str, ...]
ALL = "All"
HUMAN_AGREEMENT = "Human agreement"
AGREEMENT_HEADER = ("Method", "Pairs", HUMAN_AGREEMENT, "Fleiss' kappa", "Krippendorff's alpha")


@dataclass(frozen=True, slots=True)
class Identification:
    """Judged pairs by the outcome of the majority; ties are in none. `agreement` is a share."""

    total: int
    by_outcome: tuple[int, ...]
    agreement: float | None

    @property
    def paraphrase(self) -> int:
        """Of two sides, the upper one."""
        return self.by_outcome[1]

    @property
    def non_paraphrase(self) -> int:
        return self.by_outcome[0]


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
class Outcome:
    """What became of the pairs of one method from one corpus: a column of Tables 3 and 4."""

    correction: Correction
    votes: VoteTable


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """Sizes of one dataset (a row of Table 5); None for a split that it lacks.

    `counted` are the pairs whose share is shown: paraphrases, or those of each label.
    """

    train: int | None
    dev: int | None
    test: int | None
    counted: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(size or 0 for size in (self.train, self.dev, self.test))

    @property
    def shares(self) -> tuple[float | None, ...]:
        return tuple(pairs / self.total if self.total else None for pairs in self.counted)


def identification(votes: VoteTable, protocol: Protocol = PAWS) -> Identification:
    """Count judged pairs by their majority, and measure the agreement of their labels."""
    majorities = Counter[int | None]()
    for tally, pairs in votes.items():
        majorities[decide_tally(tally, protocol).majority] += pairs
    by_outcome = tuple(majorities[place] for place in range(len(protocol.scheme.outcomes)))
    human = human_agreement(folded(votes, protocol.scheme))
    return Identification(majorities.total(), by_outcome, human)


def table3(
    outcomes: Mapping[str, Outcome],
    protocol: Protocol = PAWS,
    *,
    title: str = "",
    is_corrected: bool = True,
    has_majority: bool = True,
) -> list[Row]:
    """Return Table 3: pairs of the swapping strategy through correction, judgment and filter.

    The rows of correction are left out unless pairs are corrected, and those of agreement and of
    the filter unless pairs have a majority.

    `outcomes` are by corpus: each is a column, and all of several are another. A `title` heads the
    first column; without it, the table of one corpus has no header.
    """
    columns = _with_total(outcomes)
    corrections = [outcome.correction for outcome in columns.values()]
    judged = [identification(outcome.votes, protocol) for outcome in columns.values()]
    kept = [
        identification(kept_votes(outcome.votes, protocol), protocol)
        for outcome in columns.values()
    ]
    correction = [
        _heading("Sentence correction", columns),
        _counts("  # Accepted pairs", (pairs.accepted for pairs in corrections)),
        _counts("  # Fixed pairs", (pairs.fixed for pairs in corrections)),
        _counts("  # Rejected pairs", (pairs.rejected for pairs in corrections)),
    ]
    filtering = [
        ("  Human agreement", *(percent(pairs.agreement) for pairs in judged)),
        _heading("After post-filtering", columns),
        _counts("  Total # pairs", (pairs.total for pairs in kept)),
        ("  Human agreement", *(percent(pairs.agreement) for pairs in kept)),
    ]
    return [
        *_header(title, columns),
        _counts("# Raw pairs", (pairs.raw for pairs in corrections)),
        *_repeats(corrections),
        *(correction if is_corrected else ()),
        *_excluded(corrections),
        _heading("Paraphrase identification" if protocol.scheme.is_binary else "Judging", columns),
        _counts("  Total # pairs", (pairs.total for pairs in judged)),
        *_by_outcome(judged, protocol.scheme, indent="    "),
        *_by_label(columns.values(), protocol.scheme, indent="    "),
        *(filtering if has_majority else ()),
    ]


def table4(
    outcomes: Mapping[str, Outcome],
    protocol: Protocol = PAWS,
    *,
    kind: str = "back translation",
    title: str = "",
    has_majority: bool = True,
) -> list[Row]:
    """Return Table 4: judged pairs of a method without correction, such as back translations.

    Columns are those of `table3`. The row of agreement is left out unless pairs have a majority.
    """
    columns = _with_total(outcomes)
    corrections = [outcome.correction for outcome in columns.values()]
    judged = [identification(outcome.votes, protocol) for outcome in columns.values()]
    human = (HUMAN_AGREEMENT, *(percent(pairs.agreement) for pairs in judged))
    return [
        *_header(title, columns),
        *_repeats(corrections),
        *_excluded(corrections),
        _counts(f"Total # {kind} pairs", (pairs.total for pairs in judged)),
        *_by_outcome(judged, protocol.scheme, indent="  "),
        *_by_label(columns.values(), protocol.scheme, indent="  "),
        *([human] if has_majority else ()),
    ]


def total(outcomes: Iterable[Outcome]) -> Outcome:
    """Return what became of the pairs of several corpora together."""
    corrections, votes = [], Counter[tuple[int, ...]]()
    for outcome in outcomes:
        corrections.append(astuple(outcome.correction))
        votes.update(outcome.votes)
    return Outcome(Correction(*map(sum, zip(*corrections, strict=True))), votes)


def _with_total(outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
    columns = dict(outcomes)
    return columns if len(columns) == 1 else columns | {ALL: total(columns.values())}


def _header(title: str, columns: Mapping[str, Outcome]) -> list[Row]:
    if len(columns) > 1:
        return [(title, *columns)]
    return [(title, "")] if title else []


def _heading(label: str, columns: Mapping[str, Outcome]) -> Row:
    return (label, *[""] * len(columns))


def _counts(label: str, numbers: Iterable[int]) -> Row:
    return (label, *map(count, numbers))


def _by_outcome(judged: Sequence[Identification], scheme: Scheme, *, indent: str) -> Iterator[Row]:
    """Yield a row for each outcome that votes can decide for."""
    if not scheme.decides:
        return
    names = dict(enumerate(scheme.outcomes))
    if scheme.is_binary:
        names = {1: "paraphrase", 0: "non-paraphrase"}
    for place, name in names.items():
        yield _counts(f"{indent}{name}", (pairs.by_outcome[place] for pairs in judged))


def _by_label(outcomes: Iterable[Outcome], scheme: Scheme, *, indent: str) -> Iterator[Row]:
    """Yield the answers of a study where votes do not decide, and the means of its pairs."""
    if scheme.decides:
        return
    columns = [ratings(outcome.votes, scheme) for outcome in outcomes]
    for place, label in enumerate(scheme.labels):
        value, name = str(label.value), label.name
        title = f"Answers: {value if name == value else f'{value} {name}'}"
        yield _counts(indent + title, (column.by_label[place] for column in columns))
    if scheme.has_mean:
        yield (f"{indent}Mean", *(_figure(column.mean) for column in columns))
        yield (f"{indent}Spread within a pair", *(_figure(column.spread) for column in columns))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _repeats(corrections: Sequence[Correction]) -> Iterator[Row]:
    return _if_any("Repeats of earlier pairs", [pairs.repeats for pairs in corrections])


def _excluded(corrections: Sequence[Correction]) -> Iterator[Row]:
    return _if_any("Excluded by managers", [pairs.excluded for pairs in corrections])


def _if_any(label: str, numbers: Sequence[int]) -> Iterator[Row]:
    if any(numbers):
        yield _counts(label, numbers)


def table5(
    datasets: Mapping[str, SplitCounts],
    by_corpus: Mapping[str, Mapping[str, SplitCounts]] | None = None,
    *,
    outcomes: Sequence[str] = ("Yes",),
) -> list[Row]:
    """Return split sizes and the share of each of the `outcomes`; the first row is the header.

    `by_corpus` has the parts of each dataset, whose
    rows are below its own if there are several.
    """
    rows: list[Row] = [("", "Train", "Dev", "Test", *(f"{name}%" for name in outcomes))]
    for name, sizes in datasets.items():
        rows.append(_split_row(name, sizes))
        parts = (by_corpus or {}).get(name, {})
        if len(parts) > 1:
            rows += [_split_row(f"  {corpus}", part) for corpus, part in parts.items()]
    return rows


def _split_row(name: str, sizes: SplitCounts) -> Row:
    splits = map(count, (sizes.train, sizes.dev, sizes.test))
    return (name, *splits, *map(percent, sizes.shares))


# The name of the headline alpha, and why it is the headline.
ALPHAS = {
    Level.NOMINAL: "Krippendorff's alpha",
    Level.ORDINAL: "Ordinal alpha",
    Level.INTERVAL: "Interval alpha",
}
HEADLINES = {
    Level.NOMINAL: _(
        "The headline measure is alpha with nominal distances: the labels have no order, so any "
        "two different answers disagree alike."
    ),
    Level.ORDINAL: _(
        "The headline measure is ordinal alpha: the labels are in an order, so answers that are "
        "further apart disagree more."
    ),
    Level.INTERVAL: _(
        "The headline measure is interval alpha: the labels are equal steps apart, so disagreement "
        "grows with the square of the difference between two answers."
    ),
}


def overall(measured: Filtered, *, has_majority: bool = True) -> list[Row]:
    """Tabulate every measure of all decided pairs, and of those that the filter keeps.

    Without a majority, the filter keeps all, and there is no human agreement. Alpha has a row for
    each kind of distance up to the level of the labels.
    """
    columns = (measured.before, measured.after) if has_majority else (measured.before,)
    rows: list[Row] = [
        ("", "All", "Kept")[: 1 + len(columns)],
        ("Decided pairs", *(count(agreement.pairs) for agreement in columns)),
        *([(HUMAN_AGREEMENT, *(share(agreement.human) for agreement in columns))] * has_majority),
        ("Fleiss' kappa", *(coefficient(agreement.fleiss) for agreement in columns)),
        ("Krippendorff's alpha", *(coefficient(agreement.alpha) for agreement in columns)),
    ]
    if measured.before.level is not Level.NOMINAL:
        rows.append(("  ordinal", *(coefficient(agreement.ordinal) for agreement in columns)))
    if measured.before.level is Level.INTERVAL:
        alphas = (coefficient(agreement.interval_alpha) for agreement in columns)
        rows.append(("  interval", *alphas))
    return rows


def parts(
    measured: Iterable[tuple[str, Filtered]], level: Level, *, has_majority: bool = True
) -> list[Row]:
    """Return a row for each named part of the pairs, with the headline alpha."""
    if not has_majority:
        return [
            ("", "Pairs", "Fleiss' kappa", ALPHAS[level]),
            *(
                (
                    name,
                    count(filtered.before.pairs),
                    coefficient(filtered.before.fleiss),
                    coefficient(filtered.before.headline),
                )
                for name, filtered in measured
            ),
        ]
    header = ("", "Pairs", "Human agreement", "Fleiss' kappa", ALPHAS[level])
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


def by_group(groups: Iterable[Group], outcomes: Sequence[str]) -> list[Row]:
    """Return a row for each group of annotators, with the shares of its answers by outcome."""
    header = ("", "People", "Answers", "Alpha within", "Agreement with others")
    return [
        (*header, *(f"{outcome}%" for outcome in outcomes)),
        *(
            (
                f"{group.question}: {group.choice}",
                count(group.people),
                count(group.answers),
                coefficient(group.alpha),
                share(group.with_others),
                *(percent(number / group.answers) for number in group.outcomes),
            )
            for group in groups
        ),
    ]


def agreement_row(name: str, agreement: Agreement) -> Row:
    """Return a row below AGREEMENT_HEADER."""
    measures = (agreement.human, agreement.fleiss, agreement.alpha)
    return (name, count(agreement.pairs), *map(coefficient, measures))


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
    return (share(agreement.human), coefficient(agreement.fleiss), coefficient(agreement.headline))


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
