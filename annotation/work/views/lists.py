"""Lists for managers and researchers: answers, items in progress, skipped items."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Item, Project, Role, Slot
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.pairs.rows import Chip, Row, change
from annotation.people.selectors.names import Naming
from annotation.projects import picks
from annotation.projects.forms.filters import (
    REASONS,
    AnswersForm,
    ItemForm,
    PriorityForm,
    SkipsForm,
    chosen_ids,
)
from annotation.projects.views import table_page
from annotation.projects.views.saved_views import Place
from annotation.templatetags import figures
from annotation.work import lists, order
from annotation.work.contract import Kind
from annotation.work.kinds import KINDS
from annotation.work.lists import AnswerFilters
from common import keyset

PAGE = 50
# Views that every list of answers has, by their queries.
VIEWS = {
    "": pgettext_lazy("answers", "All"),
    "state=waiting": gettext_lazy("Waiting"),
    "state=excluded": gettext_lazy("Excluded"),
}
# What managers do with the items that they choose, and whether it is grave (pairs/many.py).
ACTS = (
    ("include", gettext_lazy("Include again"), False),
    ("exclude", gettext_lazy("Exclude…"), True),
)


@gates.signed_in
@require_safe
def answers(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    member, of_kind = gates.reader(request, project_id), KINDS[kind]
    if kind not in member.project.kinds:
        raise Http404
    project, form = member.project, AnswersForm(request.GET, project=member.project, kind=of_kind)
    form.offer_methods()
    count = partial(lists.numbers_of, project, of_kind)
    views = Place(project, kind).views(VIEWS, form, count)
    context: dict[str, Any] = table_page.frame(member) | {
        "form": form,
        "kind": of_kind,
        "title": of_kind.list_title_in(project),
        "views": views,
        "current_view": next((view for view in views if view.is_current), None),
        "chooses": member.role == Role.MANAGER and of_kind.of_candidates,
        "acts": ACTS,
    }
    if not form.is_valid():
        return table_page.refuse(request, "annotation/study/answers.html", context)
    if "facet" in request.GET:
        return _options_with_numbers(request, form, count)
    rows = lists.answers(project, of_kind, form.filters())
    page = keyset.page(rows, columns=["-item_id", "-number"], size=PAGE, **form.page_keys(2))
    context |= {
        "rows": [_row(slot, of_kind, context["naming"]) for slot in page.rows],
        "number": rows.count(),
        "total": views[0].number,
        "links": table_page.links(request.GET, page),
    }
    return render(request, "annotation/study/answers.html", context)


def _options_with_numbers(
    request: Request, form: AnswersForm, count: Callable[[list[AnswerFilters]], list[int]]
) -> HttpResponse:
    """Show the options of one filter with the number of answers that each would leave."""
    facet = request.GET["facet"]
    if facet not in form.fields or facet not in ("state", "method"):
        raise BadRequest
    pick = picks.pick_of(form[facet])
    values = [option.value for option in pick.options]
    numbers = count([replace(form.filters(), **{facet: value}) for value in values])
    context = {"pick": pick.with_numbers(dict(zip(values, numbers, strict=True)))}
    return render(request, "parts/pick_options.html", context)


@gates.signed_in
@require_safe
def leases(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List items in progress, with annotator, start and end of the lease."""
    member = gates.reader(request, project_id)
    lines = lists.items_in_progress(member.project)
    context = table_page.frame(member) | {"now": timezone.now(), "lines": lines}
    return render(request, "annotation/study/leases.html", context)


@gates.signed_in
@require_safe
def skips(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the items that are set aside, then all skips."""
    member = gates.reader(request, project_id)
    form = SkipsForm(request.GET, project=member.project)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, "annotation/study/skips.html", context)
    rows = lists.skips(member.project, **form.filters())
    page = keyset.page(rows, columns=["-id"], size=PAGE, **form.page_keys(1))
    context |= {
        "aside": lists.items_set_aside(member.project),
        "skips": [lists.line_of(skip.item, skip, project=member.project) for skip in page.rows],
        "number": rows.count(),
        "links": table_page.links(request.GET, page),
        "reasons": REASONS,
        "acts": [("", gettext_lazy("Return to the queue"), False)],
    }
    return render(request, "annotation/study/skips.html", context)


@gates.signed_in
@require_POST
def give_priority(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    """Set the priority of a pair: before all others, normal, or after all others."""
    project = gates.manager(request, project_id).project
    form = table_page.valid_or_404(PriorityForm(request.POST))
    pair, level = get_object_or_404(project.pairs, public_id=pair_id), form.cleaned_data["level"]
    order.prioritize(project, [pair_id], level, by=request.user)
    news = {
        1: _("The pair will be judged first."),
        0: _("The pair has normal priority."),
        -1: _("The pair will be judged last."),
    }
    if not pair.slots.unanswered().exists():
        messages.info(request, _("The pair needs no more answers, so its priority has no effect."))
    elif pair.set_aside_at is not None:
        messages.info(
            request, _("The pair is set aside. Its priority applies once it is back in the queue.")
        )
    else:
        messages.success(request, news[level])
    return redirect("pair", project_id, pair_id)


@gates.signed_in
@require_POST
def put_back(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Return items that were set aside to the queue, and show the page with the button again."""
    project = gates.manager(request, project_id).project
    if "item" not in request.POST:
        return _put_back_chosen(request, project)
    form = table_page.valid_or_404(ItemForm(request.POST))
    item = get_object_or_404(project.items, public_id=form.cleaned_data["item"])
    was_aside = order.put_back(project, [item.public_id], by=request.user)
    if not item.slots.unanswered().exists():
        messages.info(
            request, _("The item needs no more answers, so it doesn’t return to the queue.")
        )
    elif was_aside:
        messages.success(request, _("Item returned to the queue."))
    else:
        messages.info(request, _("The item was already in the queue."))
    if "from_pair" in request.POST:
        return redirect("pair", project_id, item.public_id)
    return redirect("skips", project_id)


def _put_back_chosen(request: Request, project: Project) -> HttpResponse:
    number = order.put_back(project, chosen_ids(request.POST), by=request.user)
    text = ngettext(
        "%(items)s item returned to the queue.", "%(items)s items returned to the queue.", number
    )
    if number:
        messages.success(request, text % {"items": number})
    else:
        messages.warning(request, _("Select at least one item."))
    return redirect("skips", project.public_id)


def _original(item: Item) -> Item:
    return item.duplicate_of or item


def _row(slot: Slot, kind: Kind, naming: Naming) -> Row:
    """Return the row of an answer, which leads to the pair that it became."""
    slot.project = naming.project
    item = slot.item
    line = lists.line_of(item, slot, project=naming.project)
    results = (item for item in slot.results.all() if KINDS[item.kind].has_consensus)
    result = next(map(_original, results), item if kind.has_consensus else None)
    background, texts = kind.background(item), _texts(slot, kind, line)
    if background and len(texts) == 1:  # no one wrote anything: shown as a pair of sentences
        texts = [(line.language, part) for part in differences.pieces(background, *line.sentences)]
        background = ""
    pair_page = [naming.project.public_id, result.public_id] if result else []
    return Row(
        item=item,
        sentences=[pieces for _language, pieces in texts],
        languages=[language for language, _pieces in texts],
        address=reverse("pair", args=pair_page) if pair_page else "",
        background=background,
        answer=kind.name_of(slot) if slot.submitted_at else _("waiting"),
        note=lists.shown_text(slot) if kind.is_note(slot) else "",
        facts=[*_circumstances(slot, naming), *([change(item)] if item.candidate else [])],
        chips=[*_chips(slot, result)],
    )


def _circumstances(slot: Slot, naming: Naming) -> Iterator[str]:
    if slot.submitted_at and slot.annotator:
        yield naming.name(slot.annotator)
        if slot.seconds is not None:
            yield _("%(seconds)s seconds") % {"seconds": figures.number(slot.seconds, 1)}


def _chips(slot: Slot, result: Item | None) -> Iterator[Chip]:
    if slot.item.set_aside_at and not slot.submitted_at:
        yield Chip(_("set aside"))
    if slot.item.excluded_by_id or (result and result.excluded_by_id):
        yield Chip(_("excluded"))


def _texts(slot: Slot, kind: Kind, line: lists.Line) -> list[tuple[str, list[Piece]]]:
    """Return the sentences of an item and the one that a person wrote, with their languages."""
    texts = [(language, [Piece(text, differs=False)]) for text, language in line.texts]
    if not slot.text or kind.is_note(slot):
        return texts
    language = kind.written_in(slot.item)
    # A revision replaces the last sentence, with what differs marked in both.
    if not kind.revises:
        return [*texts, (language, [Piece(slot.text, differs=False)])]
    before, after = differences.pieces(line.sentences[-1], slot.text)
    return [*texts[:-1], (language, before), (language, after)]
