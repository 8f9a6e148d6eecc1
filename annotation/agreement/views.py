"""The page on inter-annotator agreement, and its tables as rows of files.

docs/researcher/agreement.md explains the columns of the files. These always use pseudonyms, because
files travel further than pages.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import by_person, groups, model, selectors, shapes
from annotation.agreement.by_person import Annotator
from annotation.models import Project
from annotation.pairs import differences
from annotation.projects import charts
from annotation.projects.charts import Axis, Dot
from annotation.projects.labels import headline_name, outcome_names, shown
from annotation.projects.views import table3, table_page
from annotation.questions import ready
from annotation.questions import selectors as questions
from annotation.stats.agreement import Agreement, Estimate, Filtered
from annotation.stats.agreement_tables import HEADLINES
from annotation.stats.by_group import Group
from annotation.stats.confusion import Counts, shares_of_rows
from annotation.stats.labels import Level
from annotation.stats.shape import DECIDED_REMARKS, remark_values, shown_figures
from common.spreadsheets import Cell

Row = Sequence[Cell]

TEMPLATE = "annotation/study/agreement.html"
SCALE = Axis((0.0, 0.5, 1.0))
# Of the cells of confused labels, in manage.css.
SHADES = 10

NAMES = ("agreement", "fleiss_kappa", "alpha", "ordinal_alpha", "interval_alpha")
COLUMNS = {
    Level.NOMINAL: "alpha",
    Level.ORDINAL: "ordinal_alpha",
    Level.INTERVAL: "interval_alpha",
}
ONE = " ".join(f"{name} {name}_low {name}_high" for name in NAMES)
BOTH = f"pairs {ONE} kept " + " ".join(f"kept_{column}" for column in ONE.split())
OVERALL = f"pairs_are headline pairs {ONE}"
BY_METHOD, BY_KIND = f"method {BOTH}", f"method kind {BOTH}"
ANNOTATORS = (
    "annotator simulated compared accuracy accuracy_low accuracy_high kappa kappa_low kappa_high"
    " decided kappa_consensus kappa_consensus_low kappa_consensus_high distance"
)
GROUPS = (
    "question choice people answers alpha alpha_low alpha_high with_others with_others_low"
    " with_others_high"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure over all pairs, with an explanation, before and after the filter."""

    name: str
    meaning: str
    before: Estimate
    after: Estimate
    is_share: bool = False
    is_headline: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """Pairs of one method or, if `kind` is set, one kind of change; headline alpha as a dot."""

    method: str
    kind: str
    measured: Filtered
    dot: Dot | None


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator, and their accuracy as a dot on SCALE."""

    annotator: Annotator
    dot: Dot | None


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A group of annotators, its question and choice in the page's language, and its outcomes."""

    group: Group
    question: str
    choice: str
    shares: list[float]


@dataclass(frozen=True, slots=True)
class Confused:
    """How often two people gave two labels to one pair, and its share of a row.

    `shade` is from 0 to SHADES, and 0 where both are the same.
    """

    number: int
    share: float | None
    shade: int


@gates.signed_in
@require_safe
def agreement(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the page. Most of its queries group all decided pairs and their answers."""
    member = gates.reader(request, project_id)
    context = _context(table_page.frame(member)) | table3.context(member.project)
    return render(request, TEMPLATE, context)


def _context(frame: dict[str, Any]) -> dict[str, Any]:
    project, naming = frame["project"], frame["naming"]
    breakdown = selectors.of_project(project)
    # By the names that the reader sees.
    people = sorted(by_person.annotators(project), key=lambda person: naming.order(person.user))
    return frame | {
        "model": model.figures(project) if project.scheme.decides else None,
        "overall": breakdown.overall,
        "measures": list(_measures(breakdown.overall, project)),
        "headline": gettext(HEADLINES[breakdown.overall.before.level]),
        "alpha_name": headline_name(project.scheme),
        "methods": [_line(part.key, "", part.measured) for part in breakdown.methods],
        "kinds": [
            _line(part.key[0], differences.kind_name(part.key[1]), part.measured)
            for part in breakdown.kinds
        ],
        "confusions": list(_confusions(breakdown.confusions, project)),
        "people": [
            Person(person, charts.horizontal_dot(person.comparison.with_others.accuracy, SCALE))
            for person in people
        ],
        "shape": _shape(project),
        "groups": list(_groups(project)),
        "outcomes": outcome_names(project.scheme),
    }


def _confusions(counts: Counts, project: Project) -> Iterator[tuple[str, list[Confused]]]:
    """Yield the name of each label with its row."""
    for row, shares in enumerate(shares_of_rows(counts)):
        cells = enumerate(zip(counts[row], shares, strict=True))
        yield (
            shown(project.scheme.name_of(row)),
            [
                Confused(number, share, 0 if column == row else round(SHADES * (share or 0)))
                for column, (number, share) in cells
            ],
        )


def _shape(project: Project) -> dict[str, Any] | None:
    """Return what rules of shape give away, in words, and their rows; None if not measured."""
    if (figures := shapes.of_project(project)) is None:
        return None
    remark = gettext(DECIDED_REMARKS[figures["verdict"]]) % remark_values(figures, gettext)
    return shown_figures(figures, gettext) | {"remark": remark, "pairs": figures["pairs"]}


def _groups(project: Project) -> Iterator[GroupLine]:
    if not (by_reply := groups.of_project(project)):
        return
    asked = {question.title: question for question in questions.active(project)}
    for group in by_reply:
        question = asked[group.question]
        texts = ready.shown(question)
        choice = texts.choices[question.choices.index(group.choice)]
        shares = [number / group.answers for number in group.outcomes]
        yield GroupLine(group, texts.title, choice, shares)


def _measures(overall: Filtered, project: Project) -> Iterator[Measure]:
    before, after = overall.before, overall.after
    if project.scheme.decides:
        yield Measure(
            _("Human agreement"),
            _("How often an answer is on the same side as the majority of its pair.")
            if project.scheme.is_binary and project.scheme.folds
            else _("How often an individual answer matches the majority label of its pair."),
            before.human,
            after.human,
            is_share=True,
        )
    yield Measure(
        _("Fleiss’ kappa"),
        _(
            "Agreement beyond chance: 0 is chance level, 1 is perfect. Needs the same number "
            "of answers on every pair."
        ),
        before.fleiss,
        after.fleiss,
    )
    yield Measure(
        _("Krippendorff’s alpha"),
        _("Agreement beyond chance, for any number of answers per pair."),
        before.alpha,
        after.alpha,
        is_headline=before.level is Level.NOMINAL,
    )
    if before.level is not Level.NOMINAL:
        yield Measure(
            _("Ordinal alpha"),
            _(
                "Krippendorff’s alpha for labels in an order: the further apart two answers are, "
                "the more they disagree."
            ),
            before.ordinal,
            after.ordinal,
            is_headline=before.level is Level.ORDINAL,
        )
    if before.level is Level.INTERVAL:
        yield Measure(
            _("Interval alpha"),
            _("Krippendorff’s alpha for equal steps: the squared differences of answers count."),
            before.interval_alpha,
            after.interval_alpha,
            is_headline=True,
        )


def _line(method: str, kind: str, measured: Filtered) -> Line:
    return Line(method, kind, measured, charts.horizontal_dot(measured.before.headline, SCALE))


def overall(project: Project, _: QueryDict) -> list[Row]:
    total = selectors.of_project(project).overall
    headline = COLUMNS[total.before.level]
    return [
        ("decided", headline, *_agreement_cells(total.before)),
        ("kept", headline, *_agreement_cells(total.after)),
    ]


def by_method(project: Project, _: QueryDict) -> list[Row]:
    parts = selectors.of_project(project).methods
    return [(part.key, *_filtered_cells(part.measured)) for part in parts]


def by_kind(project: Project, _: QueryDict) -> list[Row]:
    parts = selectors.of_project(project).kinds
    return [(*part.key, *_filtered_cells(part.measured)) for part in parts]


def annotators(project: Project, _: QueryDict) -> list[Row]:
    return [
        (
            person.pseudonym,
            person.user.is_simulated,
            person.comparison.with_others.pairs,
            *person.comparison.with_others.accuracy.cells,
            *person.comparison.with_others.kappa.cells,
            person.comparison.with_consensus.pairs,
            *person.comparison.with_consensus.kappa.cells,
            person.comparison.distance,
        )
        for person in by_person.annotators(project)
    ]


def confusion_columns(project: Project) -> str:
    return f"value label {' '.join(f'label_{value}' for value in project.scheme.values)}"


def confusions(project: Project, _: QueryDict) -> list[Row]:
    """Return the labels, each with how often one answer has it and another answer has which."""
    counts = selectors.of_project(project).confusions
    scheme = project.scheme
    return [
        (scheme.value(place), scheme.name_of(place), *numbers)
        for place, numbers in enumerate(counts)
    ]


def group_columns(project: Project) -> str:
    labels = " ".join(f"label_{value}" for value in project.scheme.outcome_values)
    return f"{GROUPS} {labels}"


def by_group(project: Project, _: QueryDict) -> list[Row]:
    """Return the groups, each with the number of its answers by outcome."""
    return [
        (
            group.question,
            group.choice,
            group.people,
            group.answers,
            *group.alpha.cells,
            *group.with_others.cells,
            *group.outcomes,
        )
        for group in groups.of_project(project)
    ]


def _filtered_cells(measured: Filtered) -> Iterator[Cell]:
    yield from _agreement_cells(measured.before)
    yield from _agreement_cells(measured.after)


def _agreement_cells(measured: Agreement) -> Iterator[Cell]:
    yield measured.pairs
    alphas = (measured.alpha, measured.ordinal, measured.interval_alpha)
    for estimate in (measured.human, measured.fleiss, *alphas):
        yield from estimate.cells
