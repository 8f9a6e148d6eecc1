"""The statistics of a study: PAWS Tables 3 to 5, agreement, and figures per annotator."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Avg, Count, F

from annotation.agreement import by_person, groups, shapes
from annotation.agreement import selectors as agreement
from annotation.agreement.selectors import Breakdown
from annotation.model_judgments import alternative
from annotation.model_judgments import selectors as model_judgments
from annotation.model_judgments.alternative import StandIn
from annotation.models import Project, Reopening
from annotation.people.selectors.names import Naming
from annotation.projects import protocols
from annotation.projects.selectors import progress, study_rows
from annotation.runs.selectors import comparison
from annotation.runs.selectors.comparison import Comparison
from annotation.stats import relabelled
from annotation.stats.agreement import Estimate
from annotation.stats.agreement_tables import HEADLINES
from annotation.stats.by_group import Group
from annotation.stats.paws_tables import table3, table4
from annotation.stats.relabelled import Relabelling
from annotation.stats.shape import Figures
from annotation.work import kinds
from common.tables import Row, count
from generation.models import Method
from releases.dataset import paper_tables
from releases.models import Comparison as ReleaseComparison
from releases.selectors import comparisons, outcomes
from releases.selectors.relabelled import published_labels
from releases.selectors.releases import settings_of


@dataclass(frozen=True, slots=True)
class AnnotatorFigures:
    """One annotator's number of judgments, mean seconds per judgment, and agreement.

    `agreement` is the share of their answers on decided pairs that equal the majority, and `kappa`
    is Cohen's kappa against the majority, which includes their own answer. `accuracy` and
    `kappa_with_others` compare with the other annotators only, on the `compared` pairs where those
    do not tie; `distance` is the mean distance from the mean of the others', where labels have
    equal steps. Each is None where it is undefined.
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
    distance: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything about a study; `published_labels` only if it judges pairs of a release again.

    `headline` says which measure of agreement is the headline, and why. `has_majority` says whether
    votes decide the labels of pairs, and `shape` what rules that see only the shape of pairs tell.
    `judged_again` has, by the
    name and revision of a model, the pairs that were judged again because it disagreed.
    """

    project: str
    tables: dict[str, list[Row]]
    published_labels: Relabelling | None
    agreement: Breakdown
    headline: str
    has_majority: bool
    shape: Figures | None
    generators: Comparison
    annotators: list[AnnotatorFigures]
    groups: list[Group]
    outcomes: tuple[str, ...]
    models: list[StandIn]
    judged_again: dict[str, int]


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """The answers of a project that neither translates nor judges pairs, by kind of work."""

    project: str
    tables: dict[str, list[Row]]


def report_of_answers(project: Project) -> AnswerReport:
    tables: dict[str, list[Row]] = {}
    for kind in kinds.of_project(project):
        numbers = [(str(name), count(n)) for _, name, n in progress.by_answer(project, kind)]
        tables[str(kind.title_in(project))] = [("", "Items"), *numbers]
    return AnswerReport(project.name, tables)


def report_of_project(project: Project, *, with_people: bool = True) -> Report:
    """Return everything that `manage.py report` prints, in about twenty queries.

    Without `with_people`, people have pseudonyms.
    """
    votes = agreement.votes(project)
    study = comparisons.comparison_of_project(project)
    labels = published_labels(study) if study and study.measures_labels else None
    breakdown = agreement.breakdown_of(votes, protocols.of_project(project))
    return Report(
        project=project.name,
        tables=dict(_tables(project, study, labels, with_people=with_people)),
        published_labels=labels,
        agreement=breakdown,
        headline=HEADLINES[breakdown.overall.before.level],
        has_majority=project.scheme.decides,
        shape=shapes.of_project(project),
        generators=comparison.of_project(project),
        annotators=list(annotator_figures(project)) if with_people else [],
        groups=groups.of_project(project),
        outcomes=project.scheme.outcomes,
        models=alternative.of_project(project, Naming(project, by_name=with_people)),
        judged_again=_judged_again(project),
    )


def _judged_again(project: Project) -> dict[str, int]:
    numbers = model_judgments.judged_again(Reopening.objects.filter(pair__project=project))
    return {
        f"{name} {revision}".strip(): pairs for (name, revision), pairs in sorted(numbers.items())
    }


def annotator_figures(project: Project) -> Iterator[AnnotatorFigures]:
    comparisons = by_person.compare_people(project)
    people = study_rows.counted_judgments(project).values(
        "annotator", name=F("annotator__username"), simulated=F("annotator__is_simulated")
    )
    for person in people.annotate(judgments=Count("pk"), seconds=Avg("seconds")).order_by("name"):
        compared = comparisons.get(person["annotator"], by_person.Comparison())
        yield AnnotatorFigures(
            name=person["name"],
            simulated=person["simulated"],
            judgments=person["judgments"],
            seconds=person["seconds"],
            agreement=compared.with_consensus.accuracy.value,
            kappa=compared.with_consensus.kappa_value,
            compared=compared.with_others.pairs,
            accuracy=compared.with_others.accuracy,
            kappa_with_others=compared.with_others.kappa,
            distance=compared.distance,
        )


def _tables(
    project: Project,
    study: ReleaseComparison | None,
    labels: Relabelling | None,
    *,
    with_people: bool,
) -> Iterator[tuple[str, list[Row]]]:
    yield from _method_tables(project)
    release = project.releases.filter(manifest__isnull=False).first()
    if release and release.manifest:
        outcome_names = paper_tables.outcome_names(settings_of(release).scheme)
        rows = paper_tables.sizes(release.manifest["counts"], outcome_names)
        yield f"Table 5: release {release.version}", rows
    if study and labels:
        yield f"Published labels: {study.release}", relabelled.summary(labels)
        yield "Published labels in rows, labels here in columns", relabelled.cross_table(labels)
    elif study:
        results = comparisons.comparison_results(study)
        rows = comparisons.table10(results, title="", with_people=with_people)
        yield f"Table 10: compared with {study.release}", rows


def _method_tables(project: Project) -> Iterator[tuple[str, list[Row]]]:
    """Yield Table 3 for methods with correction, and Table 4 for the others.

    Where the study has several corpora, each is a column, or in the title if it is the only one.
    """
    protocol, by_method = protocols.of_project(project), outcomes.outcomes(project)
    has_majority = project.scheme.decides
    corpora = {corpus for columns in by_method.values() for corpus in columns}
    for method in sorted(by_method, key=lambda name: name not in project.corrected_methods):
        columns, title = by_method[method], str(Method(method).label)
        name = title
        if len(corpora) > len(columns) == 1:
            name = f"{title}, {next(iter(columns))}"
        if method in project.corrected_methods:
            yield f"Table 3: {name}", table3(columns, protocol, has_majority=has_majority)
        else:
            kind = "imported" if method == Method.IMPORTED else title
            rows = table4(columns, protocol, kind=kind, has_majority=has_majority)
            yield f"Table 4: {name}", rows
