"""The statistics of a study: PAWS Tables 3 to 5, agreement, and figures per annotator."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Avg, Count, F

from annotation.agreement import selectors as agreement
from annotation.agreement.selectors import Breakdown, Votes
from annotation.models import Correction, Project
from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.stats.agreement import Confusion, Estimate, VoteTable, with_majority
from annotation.stats.report import Correction as CorrectionCounts
from annotation.stats.report import Row, table3, table4, table5
from generation.models import Method
from releases.dataset.card import split_counts
from releases.selectors import study


@dataclass(frozen=True, slots=True)
class AnnotatorFigures:
    """One annotator's number of judgments, mean seconds per judgment, and agreement.

    `agreement` is the share of their answers on decided pairs that equal the majority, and `kappa`
    is Cohen's kappa against the majority, which includes their own answer. `accuracy` and
    `kappa_with_others` compare with the other annotators only, on the `compared` pairs where those
    do not tie. Each is None where it is undefined.
    """

    name: str
    simulated: bool
    judgments: int
    seconds: float | None
    agreement: float | None
    kappa: float | None
    compared: int
    accuracy: Estimate
    kappa_with_others: Estimate


@dataclass(frozen=True, slots=True)
class Report:
    """Titled tables as rows of text, in the order of the paper; agreement and annotators."""

    project: str
    tables: dict[str, list[Row]]
    agreement: Breakdown
    annotators: list[AnnotatorFigures]


def of_project(project: Project) -> Report:
    """Return everything that `manage.py report` prints, in about ten queries."""
    found = agreement.votes(project)
    return Report(
        project=project.name,
        tables=dict(_tables(project, found)),
        agreement=agreement.of_votes(found, protocols.of(project)),
        annotators=list(annotators(project)),
    )


def annotators(project: Project) -> Iterator[AnnotatorFigures]:
    """Yield the figures of each annotator with judgments that count, ordered by name."""
    answers = agreement.answers(project)
    majority, without = with_majority(answers), agreement.with_others(project)
    people = study_rows.counted(project).values(
        "annotator", name=F("annotator__username"), simulated=F("annotator__is_simulated")
    )
    for person in people.annotate(judgments=Count("pk"), seconds=Avg("seconds")).order_by("name"):
        key = person["annotator"]
        confusion, alone = majority.get(key, Confusion({})), without.get(key, Confusion({}))
        yield AnnotatorFigures(
            name=person["name"],
            simulated=person["simulated"],
            judgments=person["judgments"],
            seconds=person["seconds"],
            agreement=confusion.accuracy.value,
            kappa=confusion.kappa.value,
            compared=alone.pairs,
            accuracy=alone.accuracy,
            kappa_with_others=alone.kappa,
        )


def _tables(project: Project, found: Votes) -> Iterator[tuple[str, list[Row]]]:
    yield from _method_tables(project, found.methods)
    release = project.releases.filter(manifest__isnull=False).first()
    if release and release.manifest:
        sizes = split_counts(release.manifest["counts"])
        yield f"Table 5: release {release.version}", table5(sizes)


def _method_tables(
    project: Project, tables: Mapping[str, VoteTable]
) -> Iterator[tuple[str, list[Row]]]:
    """Yield Table 3 for methods with correction, and Table 4 for the others."""
    protocol = protocols.of(project)
    raw = study.raw_pairs(project)
    for method in sorted({*tables, *raw}, key=lambda name: name not in project.corrected_methods):
        title, table = Method(method).label, tables.get(method, {})
        if method in project.corrected_methods:
            counts = _correction_counts(project, method, raw.get(method, 0))
            yield f"Table 3: {title}", table3(counts, table, protocol)
        else:
            yield f"Table 4: {title}", table4(table, protocol)


def _correction_counts(project: Project, method: str, raw: int) -> CorrectionCounts:
    made = Correction.objects.filter(project=project, item__candidate__run__method=method)
    actions = dict(made.exclude(action="").values_list("action").annotate(Count("pk")))
    accepted, fixed, rejected = (actions.get(action, 0) for action in Correction.Action.values)
    excluded = study_rows.excluded(project).filter(candidate__run__method=method).count()
    return CorrectionCounts(raw, accepted, fixed, rejected, excluded)
