"""Tables of the agreement page as rows of files; docs/researcher/agreement.md explains the columns.

They always use pseudonyms, because files travel further than pages.
"""

from collections.abc import Iterator, Sequence

from django.http import QueryDict

from annotation.agreement.selectors import agreement
from annotation.models import Project
from annotation.stats.agreement import Estimate
from annotation.stats.measures import Agreement, Filtered
from common.spreadsheets import Cell

Row = Sequence[Cell]

NAMES = ("agreement", "fleiss_kappa", "alpha", "ordinal_alpha")
ONE = " ".join(f"{name} {name}_low {name}_high" for name in NAMES)
BOTH = f"pairs {ONE} kept " + " ".join(f"kept_{column}" for column in ONE.split())
OVERALL = f"pairs_are pairs {ONE}"
BY_METHOD, BY_KIND, BY_WEEK = f"method {BOTH}", f"method kind {BOTH}", f"monday {BOTH}"
ANNOTATORS = (
    "annotator simulated compared accuracy accuracy_low accuracy_high kappa kappa_low kappa_high"
)


def overall(project: Project, _: QueryDict) -> list[Row]:
    """Return a row for all decided pairs and a row for those that are kept."""
    found = agreement.of_project(project).overall
    return [("decided", *_one(found.before)), ("kept", *_one(found.after))]


def by_method(project: Project, _: QueryDict) -> list[Row]:
    found = agreement.of_project(project).methods
    return [(part.key, *_both(part.measured)) for part in found]


def by_kind(project: Project, _: QueryDict) -> list[Row]:
    """Return a row for each kind of change of each method."""
    found = agreement.of_project(project).kinds
    return [(*part.key, *_both(part.measured)) for part in found]


def by_week(project: Project, _: QueryDict) -> list[Row]:
    """Return a row for each week with decided pairs."""
    found = agreement.of_project(project).weeks
    return [(part.key, *_both(part.measured)) for part in found]


def annotators(project: Project, _: QueryDict) -> list[Row]:
    """Return a row for each annotator."""
    return [
        (
            each.pseudonym,
            each.user.is_simulated,
            each.confusion.pairs,
            *_ends(each.confusion.accuracy),
            *_ends(each.confusion.kappa),
        )
        for each in agreement.annotators(project)
    ]


def _both(measured: Filtered) -> Iterator[Cell]:
    yield from _one(measured.before)
    yield from _one(measured.after)


def _one(measured: Agreement) -> Iterator[Cell]:
    yield measured.pairs
    for each in (measured.human, measured.fleiss, measured.alpha, measured.ordinal):
        yield from _ends(each)


def _ends(estimate: Estimate) -> Row:
    return estimate.value, *(estimate.interval or (None, None))
