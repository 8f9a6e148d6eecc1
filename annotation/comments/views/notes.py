"""Pages on which annotators write notes to the managers and read the replies.

They hold what the work pages show of an item, and nothing that anyone else wrote or answered.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.comments import selectors, services
from annotation.comments.forms import ItemForm, NoteForm
from annotation.errors import Refused
from annotation.models import CommentThread, Duty, Item
from annotation.models.items import WITH_TEXTS
from annotation.work import answers
from annotation.work.contract import Shown
from annotation.work.forms import KindForm
from annotation.work.kinds import KINDS

UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Said:
    """A comment as its annotator sees it: managers have no names."""

    is_own: bool
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread as its annotator sees it."""

    kind: str
    shown: Shown
    said: list[Said]


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def note(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    """Ask for a note on the item in progress, or on one that the person had; a POST stores it."""
    duty = gates.duty(request, project_id, kind)
    if request.method != "POST":
        return _ask(request, duty, _asked_about(request, duty), NoteForm(label_suffix=""))
    form = NoteForm(request.POST, label_suffix="")
    is_valid = form.is_valid()
    if "item" not in form.cleaned_data:
        return _ask(request, duty, None, form)
    item = _item(duty, form.cleaned_data["item"])
    if is_valid:
        try:
            services.note(duty.membership, item, text=form.cleaned_data["text"])
        except Refused as refused:
            form.add_error("text", str(refused))
        else:
            messages.success(request, _("Your note was sent to the project managers."))
            return redirect("work", project_id, kind)
    return _ask(request, duty, item, form)


@gates.signed_in
@never_cache
@require_safe
def notes(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the person's notes with the replies."""
    member = gates.member(request, project_id)
    threads = [_seen(thread) for thread in selectors.of_annotator(member)]
    unread = selectors.unread(member).exists()
    context = {"project": member.project, "threads": threads, "has_unread": unread}
    return render(request, "annotation/comments/notes.html", context)


@gates.signed_in
@never_cache
@require_POST
def confirm_replies(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Record that the person has read the replies, and return to where they were."""
    member = gates.member(request, project_id)
    services.confirm(member)
    form = KindForm(request.POST)
    if not form.is_valid():
        return redirect("notes", project_id)
    if not request.htmx:
        return redirect("work", project_id, form.cleaned_data["kind"])
    return HttpResponse()


def _asked_about(request: Request, duty: Duty) -> Item | None:
    """Return the item that is asked about, by default the one in progress."""
    form = ItemForm(request.GET)
    if not form.is_valid():
        raise Http404
    wanted = form.cleaned_data["item"]
    if wanted is None:
        shown = answers.turn(duty).shown
        wanted = shown.id if shown else None
    return None if wanted is None else _item(duty, wanted)


def _item(duty: Duty, public_id: uuid.UUID) -> Item:
    """Return an item that the person had. Raises Http404 for any other."""
    rows = duty.membership.project.items.filter(kind=duty.kind).select_related(*WITH_TEXTS)
    item = rows.filter(public_id=public_id).first()
    if item is None or not selectors.had(duty.membership, item):
        raise Http404
    return item


def _ask(request: Request, duty: Duty, item: Item | None, form: NoteForm) -> HttpResponse:
    if item is None:
        return redirect("work", duty.membership.project.public_id, duty.kind)
    thread = selectors.own_on(duty.membership, item)
    context = {
        "project": duty.membership.project,
        "kind": duty.kind,
        "form": form,
        "item": KINDS[duty.kind].shown(item),
        "thread": _seen(thread) if thread else None,
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/comments/note.html", context, status=status)


def _seen(thread: CommentThread) -> Thread:
    said = [
        Said(each.author_id == thread.annotator_id, each.text, each.created_at)
        for each in thread.comments.all()
    ]
    return Thread(thread.item.kind, KINDS[thread.item.kind].shown(thread.item), said)
