"""Each table of a study as a file: the rows of its page, with the same filters.

Column names and values are those of the code, in English in every language of the page, because
programs read them. docs/manager/progress.md explains each.
"""

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from django import forms
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from accounts import audit
from accounts.audited_acts import Act
from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import views as agreement
from annotation.model_judgments import views as model_judgments
from annotation.models import Project, Skip, Slot, Term
from annotation.pairs.selectors import long_tables, pairs
from annotation.pairs.selectors.pairs import Answer
from annotation.people.selectors import names
from annotation.people.selectors.names import Naming
from annotation.people.views import annotators
from annotation.projects import protocols
from annotation.projects.forms.filters import AnnotatorsForm, AnswersForm, PairsForm, SkipsForm
from annotation.projects.selectors import funnel, over_time
from annotation.projects.selectors.funnel import Funnel
from annotation.projects.views import timeline
from annotation.runs.views import comparison as generators
from annotation.stats.agreement import Estimate
from annotation.translations import tables as translations
from annotation.work import lists
from annotation.work.correct import final_text
from annotation.work.kinds import KINDS
from common import spreadsheets
from common.spreadsheets import Cell

Rows = Iterable[Sequence[Cell]]
Form = TypeVar("Form", bound=forms.Form)


@dataclass(frozen=True, slots=True)
class Table:
    """The column names, and the function that returns the rows for a project and its filters."""

    columns: str
    rows: Callable[[Naming, QueryDict], Rows]


@gates.signed_in
@require_safe
def download(request: Request, project_id: uuid.UUID, table: str) -> HttpResponse:
    """Download a table. Raises Http404 for an unknown name."""
    member = gates.reader(request, project_id)
    if table not in TABLES:
        raise Http404
    wanted, project = TABLES[table], member.project
    rows = wanted.rows(names.for_reader(member), request.GET)
    with transaction.atomic():
        audit.record(Act.TABLE_EXPORTED, by=request.user, on=project, table=table)
    reply = spreadsheets.download(f"{project.name} {table}", wanted.columns.split(), rows)
    return cast(HttpResponse, reply)  # the gate accepts streamed responses as well


def _asked(form: Form) -> Form:
    """Return the form if it is valid. Raises Http404."""
    if not form.is_valid():
        raise Http404
    return form


def _nameless(rows: Callable[[Project, QueryDict], Rows]) -> Callable[[Naming, QueryDict], Rows]:
    """Adapt a function whose rows do not name people."""
    return lambda called, asked: rows(called.project, asked)


def _whole(rows: Callable[[Naming], Rows]) -> Callable[[Naming, QueryDict], Rows]:
    """Adapt a function whose rows have no filters; reading them first may raise Http404."""
    return lambda called, _: list(rows(called))


def _funnels(project: Project) -> list[Funnel]:
    found = funnel.by_method(project, over_time.of_project(project))
    return [*found, funnel.total(found, protocols.of(project))]


def _funnel_rows(project: Project, _: QueryDict) -> Rows:
    return [
        (
            each.method or "all",
            each.candidates,
            each.repeats,
            each.accepted,
            each.fixed,
            each.rejected,
            each.waiting,
            each.pairs,
            each.excluded,
            each.judged.total,
            each.judged.paraphrase,
            each.judged.non_paraphrase,
            each.judged.agreement,
            each.kept.total,
            each.kept.paraphrase,
            each.kept.agreement,
        )
        for each in _funnels(project)
    ]


def _over_time_rows(project: Project, _: QueryDict) -> Rows:
    course = over_time.of_project(project)
    return [
        (each.begins, each.answers, each.decided, *_ends(each.agreement), *_ends(each.alpha))
        for each in (timeline.stretches(course) if course else [])
    ]


def _balance_rows(project: Project, _: QueryDict) -> Rows:
    return [
        (each.method or "all", each.kept.total, each.kept.paraphrase, *_ends(each.balance))
        for each in _funnels(project)
        if each.kept.total
    ]


def _annotator_rows(called: Naming, asked: QueryDict) -> Rows:
    wanted = _asked(AnnotatorsForm(asked)).cleaned_data
    return [
        (
            called.name(each.user),
            str(each.role),
            each.user.is_simulated,
            each.corrections,
            each.judgments,
            each.translations,
            each.validations,
            each.median_seconds,
            each.compared,
            each.agreement,
            *(each.agreement_interval or (None, None)),
            each.kappa_with_others,
            each.decided,
            each.kappa,
            each.gold_given,
            each.gold_share,
            each.skips,
            "; ".join(flag.reason for flag in each.flags),
            each.paused_at,
            each.excluded,
            each.last_seen,
        )
        for each in annotators.chosen(called, wanted)
    ]


def _pair_rows(called: Naming, asked: QueryDict) -> Rows:
    wanted = _asked(PairsForm(asked, project=called.project)).wanted()
    return (_pair(pair, called) for pair in pairs.all_of(called.project, wanted))


def _pair(pair: Any, called: Naming) -> Sequence[Cell]:
    """Return a row for a pair of the selector, which has its `answers`."""
    consensus = getattr(pair, "consensus", None)
    return (
        str(pair.public_id),
        pair.candidate.run.method,
        pair.origin.action if pair.origin else None,
        pair.sentence1.text,
        pair.sentence2.text,
        consensus.label if consensus else None,
        consensus.kept if consensus else None,
        " ".join(map(str, consensus.tally)) if consensus else None,
        "; ".join(_answer(each, called) for each in pair.answers),
        pair.priority,
        pair.set_aside_at,
        pair.excluded_by.reason if pair.excluded_by else None,
        pair.gold_label,
        consensus.decided_at if consensus else None,
    )


def _answer(answer: Answer, called: Naming) -> str:
    name = called.of_id(answer.person, answer.username)
    return f"{name}: {answer.label}{f' ({answer.out})' if answer.out else ''}"


def _judgment_rows(called: Naming, _: QueryDict) -> Rows:
    return (
        (
            str(each.item__public_id),
            each.number,
            each.round,
            called.of_id(each.annotator, each.annotator__username),
            each.label,
            each.seconds,
            each.submitted_at,
            each.highlighted,
            each.out,
            each.superseded_by is not None,
            each.annotator__is_simulated,
        )
        for each in long_tables.judgments_with_names(called.project)
    )


def _correction_rows(called: Naming, asked: QueryDict) -> Rows:
    kind = KINDS["correct"]
    form = _asked(AnswersForm(asked, project=called.project, kind=kind))
    rows = lists.answers(called.project, kind, **form.wanted())
    return (
        (
            str(each.item.public_id),
            each.item.candidate.run.method,
            each.item.candidate.sentence.text,
            each.item.candidate.text,
            each.action or None,
            final_text(each.action, each.text, each.item.candidate.text),
            each.words_kept,
            called.name(each.annotator) if each.action else None,
            each.seconds,
            each.submitted_at,
            each.item.set_aside_at,
        )
        for each in rows.order_by("-item_id", "-number").iterator(pairs.CHUNK)
        if each.item.candidate is not None
    )


def _lease_rows(called: Naming, _: QueryDict) -> Iterator[Sequence[Cell]]:
    for line in lists.in_progress(called.project):
        if isinstance(slot := line.record, Slot):
            who = called.name(slot.annotator)
            yield line.item.kind, str(line.item.public_id), who, slot.claimed_at, slot.lease_until


def _skip_rows(called: Naming, asked: QueryDict) -> Rows:
    rows = lists.skips(called.project, **_asked(SkipsForm(asked, project=called.project)).wanted())
    return (_skip(each, called) for each in rows.order_by("-pk").iterator(pairs.CHUNK))


def _skip(skip: Skip, called: Naming) -> Sequence[Cell]:
    return (
        skip.item.kind,
        str(skip.item.public_id),
        called.name(skip.annotator),
        skip.reason,
        skip.note,
        skip.created_at,
        skip.item.set_aside_at,
    )


def _glossary_rows(project: Project, _: QueryDict) -> Rows:
    rows = Term.objects.filter(project=project)
    return rows.values_list("source", "target", "note", "approved_at")


def _ends(estimate: Estimate) -> tuple[float | None, ...]:
    return estimate.value, *(estimate.interval or (None, None))


TABLES = {
    "funnel": Table(
        "method candidates repeats accepted fixed rejected waiting pairs excluded judged paraphrase"
        " not_paraphrase agreement kept kept_paraphrase kept_agreement",
        _nameless(_funnel_rows),
    ),
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
    "annotators": Table(
        "name role simulated corrections judgments translations validations median_seconds compared"
        " agreement agreement_low agreement_high kappa decided kappa_consensus gold_given"
        " gold_share skips flags paused_at excluded last_seen",
        _annotator_rows,
    ),
    "pairs": Table(
        "id method correction sentence1 sentence2 label kept votes judgments priority set_aside_at"
        " exclusion gold_label decided_at",
        _pair_rows,
    ),
    "judgments": Table(
        "pair slot round annotator label seconds submitted_at highlighted excluded superseded"
        " simulated",
        _judgment_rows,
    ),
    "corrections": Table(
        "id method source text action final_text words_kept annotator seconds submitted_at"
        " set_aside_at",
        _correction_rows,
    ),
    "model-parting": Table(model_judgments.PARTING, _nameless(model_judgments.parting)),
    "glossary": Table("source target note approved_at", _nameless(_glossary_rows)),
    "translations": Table(translations.SENTENCES, _whole(translations.sentences)),
    "translators": Table(translations.TRANSLATORS, _whole(translations.translators)),
    "validators": Table(translations.VALIDATORS, _whole(translations.validators)),
    "leases": Table("item id annotator since until", _lease_rows),
    "skips": Table("item id annotator reason note skipped_at set_aside_at", _skip_rows),
}
