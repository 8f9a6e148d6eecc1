"""Agreement as text tables for the project report."""

from collections.abc import Iterable, Mapping

from annotation.stats.aggregation import Comparison
from annotation.stats.agreement import Estimate
from annotation.stats.measures import Agreement, Filtered
from annotation.stats.report import Row, count, percent


def overall(measured: Filtered, *, graded: bool) -> list[Row]:
    """Tabulate every measure of all decided pairs, and of those that the filter keeps.

    Ordinal alpha gets a row if labels are `graded`; with two labels it equals the nominal one.
    """
    both = measured.before, measured.after
    rows: list[Row] = [
        ("", "All", "Kept"),
        ("Decided pairs", *(count(each.pairs) for each in both)),
        ("Human agreement", *(share(each.human) for each in both)),
        ("Fleiss' kappa", *(coefficient(each.fleiss) for each in both)),
        ("Krippendorff's alpha", *(coefficient(each.alpha) for each in both)),
    ]
    if graded:
        rows.append(("  ordinal", *(coefficient(each.ordinal) for each in both)))
    return rows


def parts(measured: Iterable[tuple[str, Filtered]]) -> list[Row]:
    """Return a row for each named part of the pairs."""
    header = ("", "Pairs", "Human agreement", "Fleiss' kappa", "Krippendorff's alpha")
    return [
        (*header, "Kept", "Human agreement"),
        *(
            (
                name,
                count(each.before.pairs),
                *_measures(each.before),
                count(each.after.pairs),
                share(each.after.human),
            )
            for name, each in measured
        ),
    ]


def crowd(compared: Mapping[str, Comparison]) -> list[Row]:
    """Compare the labels of aggregation models with the majority."""
    return [
        ("", "Pairs", "Differ from the majority", "Majority tied", "Less than 95% probable"),
        *((name, *map(count, _counts(each))) for name, each in compared.items()),
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
    return (
        share(agreement.human),
        coefficient(agreement.fleiss),
        coefficient(agreement.alpha),
    )


def _counts(compared: Comparison) -> tuple[int, ...]:
    return compared.pairs, compared.differing, compared.ties, compared.unsure
