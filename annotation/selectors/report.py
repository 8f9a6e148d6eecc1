"""The figures of a study: PAWS Tables 3 to 5, agreement, and what each annotator did."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, F, Q

from annotation import protocols
from annotation.dataset.card import split_counts
from annotation.models import Correction, Project
from annotation.selectors import votes
from annotation.selectors.dashboard import rows
from annotation.stats.agreement import (
    VoteTable,
    annotator_kappas,
    fleiss_kappa,
    krippendorff_alpha,
)
from annotation.stats.report import Correction as CorrectionCounts
from annotation.stats.report import Row, count, table3, table4, table5
from generation.models import Candidate, Method


@dataclass(frozen=True, slots=True)
class AnnotatorFigures:
    """One person's judgments: how many, how long each took on average, and how far they agree.

    `agreement` is the share of their answers on decided pairs that the majority shares, `kappa` is
    Cohen's against the majority; both are None where they are not defined.
    """

    name: str
    simulated: bool
    judgments: int
    seconds: float | None
    agreement: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """Titled tables as rows of text, in the order of the paper, and the annotators."""

    project: str
    tables: dict[str, list[Row]]
    annotators: list[AnnotatorFigures]


def of_project(project: Project) -> Report:
    """Everything that `manage.py report` prints."""
    tables = dict(_method_tables(project))
    release = project.releases.filter(manifest__isnull=False).first()
    if release and release.manifest:
        sizes = split_counts(release.manifest["counts"])
        tables[f"Table 5: release {release.version}"] = table5(sizes)
    tables["Agreement"] = list(_agreement(votes.table_of(project)))
    return Report(project=project.name, tables=tables, annotators=list(annotators(project)))


def annotators(project: Project) -> Iterator[AnnotatorFigures]:
    """Everybody of whose judgments any counts, by name."""
    answered = rows.counted(project)
    decided = answered.filter(pair__consensus__label__isnull=False)
    kappas = annotator_kappas(_binary_answers(project))
    side = Q(label__gte=project.paraphrase_from, pair__consensus__label=1) | Q(
        label__lt=project.paraphrase_from, pair__consensus__label=0
    )
    with_majority = dict(_by_person(decided.filter(side)))
    on_decided = dict(_by_person(decided))
    people = answered.values(
        "annotator", name=F("annotator__username"), simulated=F("annotator__is_simulated")
    ).annotate(judgments=Count("pk"), mean=Avg("seconds"))
    for person in people.order_by("name"):
        key = person["annotator"]
        pairs = on_decided.get(key, 0)
        yield AnnotatorFigures(
            name=person["name"],
            simulated=person["simulated"],
            judgments=person["judgments"],
            seconds=person["mean"],
            agreement=with_majority.get(key, 0) / pairs if pairs else None,
            kappa=kappas.get(str(key)),
        )


def _method_tables(project: Project) -> Iterator[tuple[str, list[Row]]]:
    """Table 3 for what is corrected first, Table 4 for what is judged as it was made."""
    protocol = protocols.of(project)
    tables = votes.by_method(project)
    made = Candidate.objects.filter(batch__intakes__project=project)
    raw = dict(made.values_list("run__method").annotate(Count("pk")))
    for method in sorted({*tables, *raw}, key=lambda name: name not in project.corrected_methods):
        title, table = Method(method).label, tables.get(method, {})
        if method in project.corrected_methods:
            counts = _correction_counts(project, method, raw.get(method, 0))
            yield f"Table 3: {title}", table3(counts, table, protocol)
        else:
            yield f"Table 4: {title}", table4(table, protocol)


def _correction_counts(project: Project, method: str, raw: int) -> CorrectionCounts:
    made = Correction.objects.filter(project=project, candidate__run__method=method)
    actions = dict(made.values_list("action").annotate(Count("pk")))
    accepted, fixed, rejected = (actions.get(action, 0) for action in Correction.Action.values)
    return CorrectionCounts(raw, accepted, fixed, rejected)


def _agreement(table: VoteTable) -> Iterator[Row]:
    yield "Decided pairs", count(sum(table.values()))
    same_number = len({sum(tally) for tally in table}) == 1
    for name, measure in (
        ("Fleiss' kappa", fleiss_kappa(table) if same_number else None),
        ("Krippendorff's alpha", krippendorff_alpha(table)),
    ):
        yield name, "-" if measure is None else f"{measure:.3f}"


def _binary_answers(project: Project) -> Iterator[tuple[str, int, int]]:
    """Annotator, the side of their label, and the majority, for each answer on a decided pair."""
    decided = rows.counted(project).filter(pair__consensus__label__isnull=False)
    answers = decided.values_list("annotator", "label", "pair__consensus__label")
    for annotator, label, majority in answers.iterator():
        if label is not None and majority is not None:
            yield str(annotator), int(label >= project.paraphrase_from), majority


def _by_person(answers: Any) -> Iterator[tuple[int, int]]:
    yield from answers.values_list("annotator").annotate(Count("pk")).order_by("annotator")
