"""Tables of agreement, for project reports and dataset cards."""

from collections.abc import Iterable, Sequence

from annotation.stats.agreement import Agreement, Estimate, Filtered
from annotation.stats.by_group import Group
from annotation.stats.labels import Level
from common.marked import gettext_noop as _
from common.tables import Row, count, percent

HUMAN_AGREEMENT = "Human agreement"
AGREEMENT_HEADER = ("Method", "Pairs", HUMAN_AGREEMENT, "Fleiss' kappa", "Krippendorff's alpha")
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
