"""Each table of a study as a file: the rows of its page, with the same filters.

Column names and values are those of the code, in English in every language of the page, because
programs read them. docs/manager/progress.md explains each.
"""

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import views as agreement
from annotation.model_judgments import views as model_judgments
from annotation.models import Correction, Project, Skip, Slot, Term
from annotation.pairs import tables as pairs
from annotation.pairs.selectors.pairs import CHUNK
from annotation.people.selectors import names
from annotation.people.selectors.names import Naming
from annotation.people.views import people
from annotation.projects import protocols
from annotation.projects.forms.filters import AnswersForm, PeopleForm, SkipsForm
from annotation.projects.selectors import funnel, over_time
from annotation.projects.selectors.funnel import Funnel
from annotation.projects.views import table_page, timeline
from annotation.runs.views import comparison as generators
from annotation.stats.paws_tables import Identification
from annotation.translations import tables as translations
from annotation.work import lists
from annotation.work.contract import Kind
from annotation.work.correct import final_text
from annotation.work.kinds import KINDS
from common.spreadsheets import Cell

Rows = Iterable[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Table:
    """The column names, and the function that returns the rows for a project and its filters.

    Columns may depend on the labels of the project.
    """

    columns: str | Callable[[Project], str]
    rows: Callable[[Naming, QueryDict], Rows]

    def columns_in(self, project: Project) -> list[str]:
        return (self.columns if isinstance(self.columns, str) else self.columns(project)).split()


@gates.signed_in
@require_safe
def download(request: Request, project_id: uuid.UUID, table: str) -> HttpResponse:
    """Download a table. Raises Http404 for an unknown name."""
    member = gates.reader(request, project_id)
    if table not in TABLES:
        raise Http404
    definition = TABLES[table]
    rows = definition.rows(names.for_reader(member), request.GET)
    columns = definition.columns_in(member.project)
    return table_page.download(request, member.project, table, columns, rows)


def _nameless(rows: Callable[[Project, QueryDict], Rows]) -> Callable[[Naming, QueryDict], Rows]:
    """Adapt a function whose rows do not name people."""
    return lambda naming, query: rows(naming.project, query)


def _funnels(project: Project) -> list[Funnel]:
    funnels = funnel.by_method(project, over_time.of_project(project))
    return [*funnels, funnel.total(funnels, protocols.of_project(project))]


def _funnel_columns(project: Project) -> str:
    labels = " ".join(_outcome_columns(project))
    kept_labels = " ".join(f"kept_{name}" for name in _outcome_columns(project))
    return (
        "method candidates repeats accepted fixed rejected waiting pairs excluded judged"
        f" {labels} agreement kept {kept_labels} kept_agreement"
    )


def _outcome_columns(project: Project) -> list[str]:
    """Return the names of the columns that count pairs by outcome; the upper one of two first."""
    scheme = project.scheme
    if scheme.is_binary:
        return ["paraphrase", "not_paraphrase"]
    return [f"label_{value}" for value in scheme.outcome_values] if scheme.decides else []


def _by_outcome(pairs: Identification, project: Project) -> list[int]:
    counts = list(pairs.by_outcome) if project.scheme.decides else []
    return counts[::-1] if project.scheme.is_binary else counts


def _funnel_rows(project: Project, _: QueryDict) -> Rows:
    return [
        (
            row.method or "all",
            row.candidates,
            row.repeats,
            row.accepted,
            row.fixed,
            row.rejected,
            row.waiting,
            row.pairs,
            row.excluded,
            row.judged.total,
            *_by_outcome(row.judged, project),
            row.judged.agreement if project.scheme.decides else None,
            row.kept.total,
            *_by_outcome(row.kept, project),
            row.kept.agreement if project.scheme.decides else None,
        )
        for row in _funnels(project)
    ]


def _over_time_rows(project: Project, _: QueryDict) -> Rows:
    course = over_time.of_project(project)
    return [
        (span.begins, span.answers, span.decided, *span.agreement.cells, *span.alpha.cells)
        for span in (timeline.stretches(course, project.scheme) if course else [])
    ]


def _balance_rows(project: Project, _: QueryDict) -> Rows:
    return [
        (row.method or "all", row.kept.total, row.kept.by_outcome[1], *row.balance.cells)
        for row in _funnels(project)
        if row.kept.total and project.scheme.is_binary
    ]


def _annotator_rows(naming: Naming, query: QueryDict) -> Rows:
    filters = table_page.valid_or_404(PeopleForm(query)).cleaned_data
    return [
        (
            naming.name(figures.user),
            str(figures.role),
            figures.user.is_simulated,
            *(figures.answers[kind] for kind in KINDS),
            figures.median_seconds,
            figures.compared,
            figures.agreement,
            *(figures.agreement_interval or (None, None)),
            figures.kappa_with_others,
            figures.decided,
            figures.kappa,
            figures.gold_given,
            figures.gold_share,
            figures.skips,
            "; ".join(flag.reason for flag in figures.flags),
            figures.paused_at,
            figures.excluded,
            figures.last_seen,
        )
        for figures in people.annotators_in_order(naming, filters)
    ]


def _answers(kind: Kind, naming: Naming, query: QueryDict) -> Iterator[Slot]:
    if kind.name not in naming.project.kinds:
        raise Http404
    form = table_page.valid_or_404(AnswersForm(query, project=naming.project, kind=kind))
    rows = lists.answers(naming.project, kind, form.filters())
    return rows.order_by("-item_id", "-number").iterator(CHUNK)


def _correction_rows(naming: Naming, query: QueryDict) -> Rows:
    return (
        (
            str(correction.item.public_id),
            correction.item.candidate.run.method,
            correction.item.candidate.sentence.text,
            correction.item.candidate.text,
            correction.action or None,
            final_text(correction.action, correction.text, correction.item.candidate.text),
            correction.words_kept,
            naming.name(correction.annotator) if correction.action else None,
            correction.seconds,
            correction.submitted_at,
            correction.item.set_aside_at,
        )
        for correction in _answers(KINDS[Correction.KIND], naming, query)
        if correction.item.candidate is not None
    )


def answers_of(kind: Kind) -> Table:
    return Table(
        lists.COLUMNS,
        lambda naming, query: (
            lists.cells(kind, slot, naming.name(slot.annotator) if slot.submitted_at else None)
            for slot in _answers(kind, naming, query)
        ),
    )


def _lease_rows(naming: Naming, _: QueryDict) -> Iterator[Sequence[Cell]]:
    for line in lists.items_in_progress(naming.project):
        if isinstance(slot := line.record, Slot):
            name = naming.name(slot.annotator)
            yield line.item.kind, str(line.item.public_id), name, slot.claimed_at, slot.lease_until


def _skip_rows(naming: Naming, query: QueryDict) -> Rows:
    form = table_page.valid_or_404(SkipsForm(query, project=naming.project))
    rows = lists.skips(naming.project, **form.filters())
    return (_skip_cells(skip, naming) for skip in rows.order_by("-pk").iterator(CHUNK))


def _skip_cells(skip: Skip, naming: Naming) -> Sequence[Cell]:
    return (
        skip.item.kind,
        str(skip.item.public_id),
        naming.name(skip.annotator),
        skip.reason,
        skip.note,
        skip.created_at,
        skip.item.set_aside_at,
    )


def _glossary_rows(project: Project, _: QueryDict) -> Rows:
    rows = Term.objects.filter(project=project)
    return rows.values_list("source", "target", "note", "approved_at")


# Kinds with tables of their own replace those of any kind.
TABLES = {
    **{kind.file: answers_of(kind) for kind in KINDS.values()},
    "funnel": Table(_funnel_columns, _nameless(_funnel_rows)),
    "over-time": Table(
        "begins judgments pairs_decided agreement agreement_low agreement_high"
        " alpha alpha_low alpha_high",
        _nameless(_over_time_rows),
    ),
    "generators": Table(generators.COLUMNS, _nameless(generators.rows)),
    "balance": Table("method kept paraphrase share share_low share_high", _nameless(_balance_rows)),
    "agreement": Table(agreement.OVERALL, _nameless(agreement.overall)),
    "agreement-by-method": Table(agreement.BY_METHOD, _nameless(agreement.by_method)),
    "agreement-by-kind": Table(agreement.BY_KIND, _nameless(agreement.by_kind)),
    "agreement-annotators": Table(agreement.ANNOTATORS, _nameless(agreement.annotators)),
    "agreement-confusions": Table(agreement.confusion_columns, _nameless(agreement.confusions)),
    "agreement-groups": Table(agreement.group_columns, _nameless(agreement.by_group)),
    "annotators": Table(
        f"name role simulated {' '.join(kind.answers for kind in KINDS.values())}"
        " median_seconds compared agreement agreement_low agreement_high kappa decided"
        " kappa_consensus gold_given gold_share skips flags paused_at excluded last_seen",
        _annotator_rows,
    ),
    "pairs": Table(pairs.pair_columns, pairs.pairs),
    "judgments": Table(pairs.JUDGMENTS, pairs.judgments),
    "corrections": Table(
        "id method source text action final_text words_kept annotator seconds submitted_at"
        " set_aside_at",
        _correction_rows,
    ),
    "model-parting": Table(model_judgments.PARTING, _nameless(model_judgments.parting)),
    "glossary": Table("source target note approved_at", _nameless(_glossary_rows)),
    "translations": Table(translations.SENTENCES, translations.sentences),
    "translators": Table(translations.TRANSLATORS, translations.translators),
    "validators": Table(translations.VALIDATORS, translations.validators),
    "leases": Table("item id annotator since until", _lease_rows),
    "skips": Table("item id annotator reason note skipped_at set_aside_at", _skip_rows),
}
