"""What the page tells of a model that is tested against people, and of its scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.model_judgments.alternative import StandIn
from annotation.projects import charts
from annotation.stats.agreement import Estimate
from annotation.stats.alternative import FEWEST_PAIRS, FEWEST_PEOPLE, WARNING, Verdict
from annotation.stats.calibration import BINS, Bin
from annotation.templatetags.figures import between, number

CHART_HEIGHT = 220
LEAST_P, DIGITS = 0.0001, 4
# Whom a model may replace, by EPSILONS.
ROLES = (
    gettext_lazy("crowd workers"),
    gettext_lazy("trained annotators"),
    gettext_lazy("experts"),
)


@dataclass(frozen=True, slots=True)
class ReliabilityLine:
    """A bin of scores, with its ends."""

    low: float
    high: float
    bin: Bin


def context_of(stand_in: StandIn) -> dict[str, Any]:
    test, figures = stand_in.test, stand_in.calibration
    context: dict[str, Any] = {
        "test": test,
        "fewest_pairs": FEWEST_PAIRS,
        "fewest_people": FEWEST_PEOPLE,
        "pairs": _span([person.pairs for person in test.people]),
        "verdict": _verdict(test.verdicts),
        "warning": _(WARNING) % {"kappa": number(stand_in.kappa, 2)}
        if stand_in.needs_warning
        else "",
        "judged_again": stand_in.judged_again,
        "verdicts": list(zip(ROLES, test.verdicts, strict=False)),
        "too_few": ", ".join(f"{name} ({number(few)})" for name, few in test.too_few_pairs.items()),
        "calibration": figures,
    }
    context["people"] = [
        (person, list(zip(map(_p_value, person.p_values), person.beaten, strict=True)))
        for person in test.people
    ]
    if figures:
        context |= {"brier": _with_interval(figures.brier), "error": _with_interval(figures.error)}
        points = [(part.score, part.share) for part in figures.bins]
        context["chart"] = charts.reliability(points, height=CHART_HEIGHT)
        context["lines"] = [
            ReliabilityLine(part.number / BINS, (part.number + 1) / BINS, part)
            for part in figures.bins
        ]
    return context


def _span(numbers: Sequence[int]) -> str:
    """Return the least and the most of some numbers; empty without any."""
    ends = (min(numbers), max(numbers)) if numbers else ()
    return "–".join(dict.fromkeys(map(number, ends)))


def _p_value(p: float) -> str:
    return f"< {number(LEAST_P, DIGITS)}" if p < LEAST_P else number(p, DIGITS)


def _with_interval(estimate: Estimate) -> str:
    value = number(estimate.value, DIGITS - 1)
    return f"{value} ({between(estimate.interval, DIGITS - 1)})" if estimate.interval else value


def _verdict(verdicts: Sequence[Verdict]) -> str:
    """Return the verdict in words; empty if too few people can be tested.

    A model that passes for one role passes for those after it, which allow more.
    """
    words = (
        _("No. The test doesn’t show that it agrees with others nearly as well as a person does."),
        _(
            "Only in place of experts: they cost more than others, so a larger loss is accepted. "
            "Not in place of trained annotators or crowd workers."
        ),
        _(
            "In place of trained annotators and experts: they cost more than crowd workers, so a "
            "larger loss is accepted. Not in place of crowd workers."
        ),
        _("Yes, in place of crowd workers, trained annotators and experts."),
    )
    return words[sum(verdict.passed for verdict in verdicts)] if verdicts else ""
