"""Each table of a study as a file: the rows of its page, with the same filters.

Column names and values are those of the code, in English in every language of the page, because
programs read them. docs/manager/progress.md explains each.
"""

import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django import forms
from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import views as agreement
from annotation.model_judgments import views as model_judgments
from annotation.models import Consensus, Correction, Project, Skip, Slot, Term
from annotation.pairs.selectors import long_tables, pairs
from annotation.pairs.selectors.pairs import Answer
from annotation.people.selectors import names
from annotation.people.selectors.names import Naming
from annotation.people.views import people
from annotation.projects import protocols
from annotation.projects.forms.filters import AnswersForm, PairsForm, PeopleForm, SkipsForm
from annotation.projects.selectors import funnel, over_time
from annotation.projects.selectors.funnel import Funnel
from annotation.projects.views import table_page, timeline
from annotation.runs.views import comparison as generators
from annotation.stats.labels import Scheme
from annotation.stats.paws_tables import Identification
from annotation.translations import tables as translations
from annotation.work import lists
from annotation.work.contract import Kind
from annotation.work.correct import final_text
from annotation.work.kinds import KINDS
from common.spreadsheets import Cell

Rows = Iterable[Sequence[Cell]]
Form = TypeVar("Form", bound=forms.Form)


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


def _valid(form: Form) -> Form:
    if not form.is_valid():
        raise Http404
    return form


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
    filters = _valid(PeopleForm(query)).cleaned_data
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


def _pair_rows(naming: Naming, query: QueryDict) -> Rows:
    filters = _valid(PairsForm(query, project=naming.project)).filters()
    scheme, has_model = naming.project.scheme, pairs.has_model_labels(naming.project)
    return (
        (*_pair_cells(pair, naming), *(_model_cells(pair, scheme) if has_model else ()))
        for pair in pairs.iterate_pages(naming.project, filters)
    )


def _pair_cells(pair: Any, naming: Naming) -> Sequence[Cell]:
    """Return a row for a pair of the selector, which has its `answers`."""
    consensus, scheme = getattr(pair, "consensus", None), naming.project.scheme
    return (
        str(pair.public_id),
        pair.candidate.external_id or None,
        pair.candidate.run.method,
        pair.origin.action if pair.origin else None,
        pair.sentence1.text,
        pair.sentence2.text,
        _value(scheme.outcome_values, consensus and consensus.label),
        *_mean(scheme, consensus),
        consensus.kept if consensus else None,
        " ".join(map(str, consensus.tally)) if consensus else None,
        "; ".join(_answer_in_words(answer, naming, scheme) for answer in pair.answers),
        pair.priority,
        pair.set_aside_at,
        pair.excluded_by.reason if pair.excluded_by else None,
        _value(scheme.values, pair.gold_label),
        consensus.decided_at if consensus else None,
    )


def _model_cells(pair: Any, scheme: Scheme) -> Sequence[Cell]:
    """Return the label of the annotator model, and how likely it finds it."""
    consensus = getattr(pair, "consensus", None)
    if consensus is None:
        return (None, None)
    return _value(scheme.outcome_values, consensus.model_label), consensus.model_share


def _mean(scheme: Scheme, consensus: Consensus | None) -> Sequence[float | None]:
    """Return the mean and the spread of the answers to a pair, if the study takes them."""
    if not scheme.has_mean:
        return ()
    return (
        (scheme.mean(consensus.tally), scheme.spread(consensus.tally)) if consensus else (None,) * 2
    )


def _pair_columns(project: Project) -> str:
    mean = " mean spread" if project.scheme.has_mean else ""
    model = " model_label model_share" if pairs.has_model_labels(project) else ""
    return (
        f"id own_id method correction sentence1 sentence2 label{mean} kept votes judgments priority"
        f" set_aside_at exclusion gold_label decided_at{model}"
    )


def _value(values: Sequence[int], place: int | None) -> int | None:
    return None if place is None else values[place]


def _answer_in_words(answer: Answer, naming: Naming, scheme: Scheme) -> str:
    name = naming.of_id(answer.person, answer.username)
    return f"{name}: {scheme.value(answer.label)}{f' ({answer.out})' if answer.out else ''}"


def _judgment_rows(naming: Naming, _: QueryDict) -> Rows:
    values = naming.project.scheme.values
    return (
        (
            str(judgment.item__public_id),
            judgment.number,
            judgment.round,
            naming.of_id(judgment.annotator, judgment.annotator__username),
            values[judgment.label],
            judgment.seconds,
            judgment.submitted_at,
            judgment.highlighted,
            judgment.reason or None,
            json.dumps(judgment.marked) if judgment.marked else None,
            judgment.out,
            judgment.superseded_by is not None,
            judgment.annotator__is_simulated,
        )
        for judgment in long_tables.judgments_with_names(naming.project)
    )


def _answers(kind: Kind, naming: Naming, query: QueryDict) -> Iterator[Slot]:
    if kind.name not in naming.project.kinds:
        raise Http404
    form = _valid(AnswersForm(query, project=naming.project, kind=kind))
    rows = lists.answers(naming.project, kind, form.filters())
    return rows.order_by("-item_id", "-number").iterator(pairs.CHUNK)


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
    rows = lists.skips(naming.project, **_valid(SkipsForm(query, project=naming.project)).filters())
    return (_skip_cells(skip, naming) for skip in rows.order_by("-pk").iterator(pairs.CHUNK))


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
    "pairs": Table(_pair_columns, _pair_rows),
    "judgments": Table(
        "pair slot round annotator label seconds submitted_at highlighted reason words"
        " excluded superseded simulated",
        _judgment_rows,
    ),
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
