"""The statistics of a study: PAWS Tables 3 to 5, agreement, and figures per annotator."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Avg, Count, F, Q

from annotation.agreement import selectors as agreement
from annotation.agreement.selectors import Breakdown, Votes
from annotation.models import Correction, Item, Project
from annotation.projects import protocols
from annotation.projects.selectors import progress, study_rows
from annotation.runs.selectors import comparison
from annotation.runs.selectors.comparison import Comparison
from annotation.stats.agreement import Estimate, VoteTable
from annotation.stats.report import Correction as CorrectionCounts
from annotation.stats.report import Row, count, table3, table4, table5
from annotation.work import kinds
from generation.models import Method
from releases.dataset.card import split_counts
from releases.selectors import comparisons, study


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
    project: str
    tables: dict[str, list[Row]]
    agreement: Breakdown
    generators: Comparison
    annotators: list[AnnotatorFigures]


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


def report_of_project(project: Project) -> Report:
    """Return everything that `manage.py report` prints, in about twenty queries."""
    votes = agreement.votes(project)
    return Report(
        project=project.name,
        tables=dict(_tables(project, votes)),
        agreement=agreement.breakdown_of(votes, protocols.of_project(project)),
        generators=comparison.of_project(project),
        annotators=list(annotator_figures(project)),
    )


def annotator_figures(project: Project) -> Iterator[AnnotatorFigures]:
    comparisons = agreement.compare_people(project)
    people = study_rows.counted_judgments(project).values(
        "annotator", name=F("annotator__username"), simulated=F("annotator__is_simulated")
    )
    for person in people.annotate(judgments=Count("pk"), seconds=Avg("seconds")).order_by("name"):
        compared = comparisons.get(person["annotator"], agreement.Comparison())
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
        )


def _tables(project: Project, votes: Votes) -> Iterator[tuple[str, list[Row]]]:
    yield from _method_tables(project, votes.methods)
    release = project.releases.filter(manifest__isnull=False).first()
    if release and release.manifest:
        sizes = split_counts(release.manifest["counts"])
        yield f"Table 5: release {release.version}", table5(sizes)
    if comparison := comparisons.comparison_of_project(project):
        rows = comparisons.table10(comparisons.comparison_results(comparison), title="")
        yield f"Table 10: compared with {comparison.release}", rows


def _method_tables(
    project: Project, tables: Mapping[str, VoteTable]
) -> Iterator[tuple[str, list[Row]]]:
    """Yield the tables of each method; where there are several corpora, then those of each."""
    yield from _tables_of_methods(project, tables)
    corpora = project.intakes.order_by("batch__run__corpus__name").values_list(
        "batch__run__corpus__name", flat=True
    )
    names = list(corpora.distinct())
    if len(names) < 2:
        return
    votes = _votes_by_corpus(project)
    for name in names:
        yield from _tables_of_methods(project, votes[name], corpus=name)


def _votes_by_corpus(project: Project) -> defaultdict[str, dict[str, VoteTable]]:
    columns = ("pair__candidate__run__corpus__name", "pair__candidate__run__method", "tally")
    tables = defaultdict[str, dict[str, VoteTable]](dict)
    grouped = study_rows.consensus_rows(project).values_list(*columns).annotate(Count("pk"))
    for corpus, method, tally, pairs in grouped:
        table = tables[corpus].setdefault(method, Counter())
        table[tuple(tally)] += pairs  # type: ignore[index]
    return tables


def _tables_of_methods(
    project: Project, tables: Mapping[str, VoteTable], *, corpus: str = ""
) -> Iterator[tuple[str, list[Row]]]:
    """Yield Table 3 for methods with correction, and Table 4 for the others, maybe of a corpus."""
    protocol = protocols.of_project(project)
    raw = study.raw_pairs(project, corpus=corpus)
    for method in sorted({*tables, *raw}, key=lambda name: name not in project.corrected_methods):
        title, table = str(Method(method).label), tables.get(method, {})
        name = f"{title}, {corpus}" if corpus else title
        counts = _correction_counts(project, method, raw.get(method, 0), corpus)
        if method in project.corrected_methods:
            yield f"Table 3: {name}", table3(counts, table, protocol)
        else:
            kind = "imported" if method == Method.IMPORTED else title
            left_out = {"repeats": counts.repeats, "excluded": counts.excluded}
            graded = project.max_label > 1
            rows = table4(table, protocol, kind=kind, graded=graded, **left_out)
            yield f"Table 4: {name}", rows


def _correction_counts(project: Project, method: str, raw: int, corpus: str) -> CorrectionCounts:
    corrections = Correction.objects.filter(
        _in_corpus(corpus, "item__candidate__run"),
        project=project,
        item__candidate__run__method=method,
    )
    actions = dict(corrections.exclude(action="").values_list("action").annotate(Count("pk")))
    accepted, fixed, rejected = (actions.get(action, 0) for action in Correction.Action.values)
    excluded_pairs = study_rows.excluded_pairs(project).filter(_in_corpus(corpus, "candidate__run"))
    excluded = excluded_pairs.filter(candidate__run__method=method).count()
    new_items = Item.objects.filter(
        _in_corpus(corpus, "candidate__run"),
        project=project,
        candidate__run__method=method,
        origin=None,
    )
    repeats = new_items.filter(duplicate_of__isnull=False).count()
    return CorrectionCounts(raw, accepted, fixed, rejected, repeats, excluded)


def _in_corpus(corpus: str, run: str) -> Q:
    """Match rows whose run, at this path, rewrote a corpus; all rows if no corpus is named."""
    return Q(**{f"{run}__corpus__name": corpus}) if corpus else Q()
