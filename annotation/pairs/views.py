"""The table of pairs, and the page of one pair with what managers do there."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import services
from annotation.comments import selectors as comments
from annotation.models import Project, SentencePair
from annotation.pairs import differences
from annotation.pairs.forms import (
    EXCLUSIONS,
    AdjudicationForm,
    ExclusionForm,
    HideReasonForm,
    verdict_name,
)
from annotation.pairs.rows import Text, model_facts, pair_row, result_in_words
from annotation.pairs.selectors import pair as one_pair
from annotation.pairs.selectors import pairs as table
from annotation.pairs.selectors.model_says import ModelSays
from annotation.pairs.selectors.pair import Event, Whole
from annotation.pairs.selectors.pairs import Answer, PairFilters
from annotation.pairs.services import hidden_reasons, pair_exclusions
from annotation.projects import picks
from annotation.projects.forms.filters import REASONS, PairsForm
from annotation.projects.labels import shown
from annotation.projects.views import table_page
from annotation.projects.views.saved_views import Place
from annotation.work import judge, reasons
from annotation.work.contract import ACTIONS

TEMPLATE = "annotation/study/pairs.html"
NOT_KEPT = "state=not_kept"
# Views that every list of pairs has, by their queries; that of pairs not kept if votes decide.
VIEWS = {
    "": pgettext_lazy("pairs", "All"),
    NOT_KEPT: _("Too few agree"),
    "state=in_progress": _("In progress"),
    "state=first": _("Judge first"),
    "state=excluded": _("Excluded"),
}
# What managers do with the pairs that they choose, and whether it is grave (many.py).
ACTS = (
    ("first", _("Judge first"), False),
    ("normal", _("Normal"), False),
    ("last", _("Judge last"), False),
    ("again", _("Judge again…"), False),
    ("exclude", _("Exclude…"), True),
)
# Filters whose options show numbers: what a value means in PairFilters.
FACETS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(["label", "method", "change", "state", "correction", "model"], str),
    "says": ModelSays.from_text,
    "hidden": bool,
}


@gates.signed_in
@require_safe
def pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.reader(request, project_id)
    project, form = member.project, PairsForm(request.GET, project=member.project)
    form.offer_filters()
    built_in = {
        query: name for query, name in VIEWS.items() if project.scheme.decides or query != NOT_KEPT
    }
    views = Place(project).views(built_in, form, partial(table.numbers_of, project))
    context: dict[str, Any] = table_page.frame(member) | {
        "form": form,
        "views": views,
        "current_view": next((view for view in views if view.is_current), None),
        "acts": ACTS,
    }
    if not form.is_valid():
        return table_page.refuse(request, TEMPLATE, context)
    filters = form.filters()
    if "facet" in request.GET:
        return _options_with_numbers(request, form, filters)
    place = form.page_keys(form.columns())
    page = table.page(project, filters, after=place["after"], before=place["before"])
    context |= {
        "rows": [
            pair_row(pair, project, facts=model_facts(pair, project) if filters.says else ())
            for pair in page.rows
        ],
        "number": table.matching_pairs(project, filters).count(),
        "total": views[0].number,
        "links": table_page.links(request.GET, page),
    }
    return render(request, TEMPLATE, context)


def _options_with_numbers(request: Request, form: PairsForm, filters: PairFilters) -> HttpResponse:
    """Show the options of one filter with the number of pairs that each would leave."""
    facet = request.GET["facet"]
    if facet not in FACETS or facet not in form.fields:
        raise BadRequest
    pick = picks.pick_of(form[facet])
    if facet == "change":
        numbers = table.numbers_by_change(form.project, filters)
        numbers[""] = sum(numbers.values())
        pick = pick.with_further({kind: differences.kind_name(kind) for kind in numbers})
    else:
        values = [option.value for option in pick.options]
        with_each = [replace(filters, **{facet: FACETS[facet](value)}) for value in values]
        numbers = dict(zip(values, table.numbers_of(form.project, with_each), strict=True))
    context = {"pick": pick.with_numbers(numbers)}
    return render(request, "parts/pick_options.html", context)


@gates.signed_in
@require_safe
def pair(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    """Show the pair; managers also see the actions that they can take."""
    member = gates.reader(request, project_id)
    try:
        record = one_pair.find(member.project, pair_id)
    except SentencePair.DoesNotExist as error:
        raise Http404 from error
    context = table_page.frame(member) | _pair_context(record, member.project)
    context |= _verdicts(record, member.project)
    threads = list(comments.of_item(record.pair))
    by_managers = any(thread.annotator_id is None for thread in threads)
    context |= {"threads": threads, "managers_commented": by_managers}
    return render(request, "annotation/study/pair.html", context)


@gates.signed_in
@require_POST
def adjudicate(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    news = gettext("Your decision is recorded alongside the votes.")
    scheme = gates.manager(request, project_id).project.scheme
    form = AdjudicationForm(request.POST, scheme=scheme)
    return _act_on_pair(request, project_id, pair_id, services.adjudicate, news, form)


@gates.signed_in
@require_POST
def exclude_pair(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    news = gettext(
        "Pair excluded. It is no longer assigned to annotators or included in new releases."
    )
    form = ExclusionForm(request.POST)
    return _act_on_pair(request, project_id, pair_id, pair_exclusions.exclude, news, form)


@gates.signed_in
@require_POST
def include_pair(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    news = gettext("Pair included again.")
    return _act_on_pair(request, project_id, pair_id, pair_exclusions.include, news)


@gates.signed_in
@require_POST
def hide_reason(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    news = gettext("Reason hidden. Pages, lists and new releases no longer show it.")
    form = HideReasonForm(request.POST)
    return _act_on_pair(request, project_id, pair_id, hidden_reasons.hide, news, form)


def _act_on_pair(
    request: Request,
    project_id: uuid.UUID,
    pair_id: uuid.UUID,
    act: Callable[..., object],
    news: str,
    form: Form | None = None,
) -> HttpResponse:
    """Carry out what a manager asked for on the page of a pair; tell them there how it went."""
    project = gates.manager(request, project_id).project
    pair = get_object_or_404(SentencePair, project=project, public_id=pair_id)
    if form is not None and not form.is_valid():
        for errors in form.errors.values():
            messages.error(request, " ".join(map(str, errors)))
        return redirect("pair", project_id, pair_id)
    with table_page.refusal_shown(request):
        act(pair, by=request.user, **(form.cleaned_data if form else {}))
        messages.success(request, news)
    return redirect("pair", project_id, pair_id)


def _pair_context(record: Whole, project: Project) -> dict[str, Any]:
    names = {choice.place: choice.name for choice in judge.choices(project)}
    pair: Any = record.pair
    candidate = pair.candidate
    pair.answers = [
        Answer.from_columns(
            slot.annotator_id, "", slot.label, slot.excluded_by_id, slot.superseded_by_id
        )
        for slot in record.answers
    ]
    return {
        "whole": record,
        "words": {slot.pk: reasons.marked_words(slot) for slot in record.answers},
        "pair": pair,
        "row": replace(pair_row(pair, project, facts=[*_facts(pair, project, names)]), address=""),
        "fix": differences.pieces(candidate.text, pair.sentence2.text),
        "kind": differences.kind_name(candidate.kind) if candidate.kind else "",
        "names": names,
        "history": [(event, _describe_detail(event, project)) for event in record.history],
    }


def _facts(pair: Any, project: Project, names: Mapping[int, Text]) -> Iterator[Text]:
    """Yield what the page of a pair says of it besides the facts of its row."""
    scheme = project.scheme
    if hasattr(pair, "consensus") and scheme.decides:
        yield result_in_words(scheme, pair.consensus.tally, pair.consensus.label)
    if pair.excluded_by:
        yield gettext("Excluded: %(reason)s") % {"reason": EXCLUSIONS[pair.excluded_by.reason]}
    if pair.gold_label is not None:
        yield gettext("Known answer: %(label)s") % {"label": names[pair.gold_label]}
    if pair.flipped:
        yield _("Judges see the second sentence first.")
    elif not scheme.directed:
        yield _("Judges see them in this order.")
    if scheme.captions:
        first, second = map(shown, scheme.captions)
        text = gettext("Judges see them as “%(first)s” and “%(second)s”.")
        yield text % {"first": first, "second": second}


def _verdicts(record: Whole, project: Project) -> dict[str, Any]:
    consensus, scheme = getattr(record.pair, "consensus", None), project.scheme
    return {
        "rounds": [
            (round_, round_.tally and result_in_words(scheme, round_.tally, round_.label))
            for round_ in record.rounds
        ],
        "adjudications": [
            (decision, verdict_name(scheme, decision.label)) for decision in record.adjudications
        ],
        "is_disputed": consensus is not None and not consensus.kept,
        "adjudication": AdjudicationForm(label_suffix="", scheme=scheme),
        "exclusion": ExclusionForm(label_suffix="", auto_id="exclusion_%s"),
    }


def _describe_detail(event: Event, project: Project) -> str:
    """Describe an event in words: an answer, a decision, a reason, or a corrector's action."""
    scheme = project.scheme
    if event.what in ("decided", "reopened"):
        return result_in_words(scheme, event.tally, event.label)
    if event.what == "adjudicated":
        return str(verdict_name(scheme, event.label))
    if event.label is not None:
        return judge.name_of(event.label, project)
    names = {"corrected": ACTIONS, "pair_excluded": EXCLUSIONS}.get(event.what, REASONS)
    return str(names.get(event.detail, event.detail))
