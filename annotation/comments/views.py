"""Pages of comments: annotators write notes and read the replies, managers answer and close them.

Those for annotators show what the work pages show of an item, and nothing that anyone else wrote or
answered.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.comments import selectors, services
from annotation.models import CommentThread, Duty, Item, SentencePair
from annotation.models.comments import MOST_COMMENT
from annotation.models.items import WITH_TEXTS
from annotation.projects.forms.filters import PageForm
from annotation.projects.views import table_page
from annotation.work import answers, lists
from annotation.work.contract import Shown
from annotation.work.forms import KindForm
from annotation.work.kinds import KINDS
from common import keyset
from common.forms import ProseField

PAGE = 30
TEMPLATE = "annotation/comments/comments.html"
STATES = {
    "": gettext_lazy("open"),
    "closed": gettext_lazy("closed"),
    "all": gettext_lazy("open and closed"),
}
# Of each step: the service, and what the page then says.
STEPS: dict[str, tuple[Callable[..., object], str | Promise]] = {
    "reply": (
        services.reply,
        gettext_lazy("Reply sent."),
    ),
    "reply-and-close": (
        partial(services.reply, closes=True),
        gettext_lazy("Reply sent and notes closed."),
    ),
    "close": (
        lambda thread, by, **_text: services.close(thread, by=by),
        gettext_lazy("Notes closed."),
    ),
    "reopen": (
        lambda thread, by, **_text: services.reopen(thread, by=by),
        gettext_lazy("Notes reopened."),
    ),
}


class CommentForm(forms.Form):
    """The text of a comment."""

    text = ProseField(label=gettext_lazy("Note"), rows=3, max_length=MOST_COMMENT)


class NoteForm(CommentForm):
    """A note for the managers, and the item that it is about."""

    item = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["text"].label = gettext_lazy("Your note")


class ItemForm(forms.Form):
    """The item that a note is to be about; none for the one in progress."""

    item = forms.UUIDField(required=False)


class ReplyForm(CommentForm):
    """What a manager does with a thread; replies have a text."""

    step = forms.ChoiceField(choices=[(step, step) for step in STEPS])


class ThreadsForm(PageForm):
    """The filter of the list of comments."""

    state = forms.ChoiceField(
        label=gettext_lazy("State"), choices=list(STATES.items()), required=False
    )


@gates.signed_in
@require_safe
def comments(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the comments of a project by item, the newest first; by default the open ones."""
    member = gates.reader(request, project_id)
    form = ThreadsForm(request.GET)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, TEMPLATE, context)
    rows = selectors.of_project(member.project, state=form.cleaned_data["state"] or "open")
    page = keyset.page(rows, columns=["-id"], size=PAGE, **form.page_keys(1))
    context |= {
        "lines": [
            (thread, lists.line_of(thread.item, project=member.project)) for thread in page.rows
        ],
        "number": rows.count(),
        "links": table_page.links(request.GET, page),
        "has_any": CommentThread.objects.filter(project=member.project).exists(),
    }
    return render(request, TEMPLATE, context)


@gates.signed_in
@require_POST
def answer_comment(request: Request, project_id: uuid.UUID, thread_id: uuid.UUID) -> HttpResponse:
    """Reply to a thread, close it or open it again, from the list or the page of its pair."""
    project = gates.manager(request, project_id).project
    thread = get_object_or_404(CommentThread, project=project, public_id=thread_id)
    form = ReplyForm(request.POST)
    if not form.is_valid():
        _complain(request, form)
        return _redirect_back(request, thread, project_id)
    act, news = STEPS[form.cleaned_data["step"]]
    with table_page.refusal_shown(request):
        act(thread, by=request.user, text=form.cleaned_data["text"])
        messages.success(request, str(news))
    return _redirect_back(request, thread, project_id)


@gates.signed_in
@require_POST
def comment_pair(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    """Store a manager's own comment, sent from the page of a pair."""
    project = gates.manager(request, project_id).project
    pair = get_object_or_404(SentencePair, project=project, public_id=pair_id)
    form = CommentForm(request.POST)
    if not form.is_valid():
        _complain(request, form)
        return redirect("pair", project_id, pair_id)
    with table_page.refusal_shown(request):
        services.comment(pair, by=request.user, text=form.cleaned_data["text"])
        messages.success(request, _("Note saved. Annotators don’t see it."))
    return redirect("pair", project_id, pair_id)


def _complain(request: Request, form: CommentForm) -> None:
    if "step" in form.errors:
        raise Http404
    for errors in form.errors.values():
        messages.error(request, " ".join(map(str, errors)))


def _redirect_back(request: Request, thread: CommentThread, project_id: uuid.UUID) -> HttpResponse:
    if "from_pair" in request.POST:
        return redirect("pair", project_id, thread.item.public_id)
    return redirect("comments", project_id)


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
        return _page(request, duty, _item_asked_about(request, duty), NoteForm(label_suffix=""))
    form = NoteForm(request.POST, label_suffix="")
    is_valid = form.is_valid()
    if "item" not in form.cleaned_data:
        return _page(request, duty, None, form)
    item = _item_of_reader(duty, form.cleaned_data["item"])
    if is_valid:
        with table_page.refusal_in(form, "text"):
            services.note(duty.membership, item, text=form.cleaned_data["text"])
            return _note_sent(request, duty)
    return _page(request, duty, item, form)


@gates.signed_in
@never_cache
@require_safe
def notes(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.member(request, project_id)
    threads = [_shown_thread(thread) for thread in selectors.of_annotator(member)]
    unread = selectors.unread_replies(member).exists()
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


def _item_asked_about(request: Request, duty: Duty) -> Item | None:
    form = table_page.valid_or_404(ItemForm(request.GET))
    public_id = form.cleaned_data["item"]
    if public_id is None:
        shown = answers.turn(duty).shown
        public_id = shown.id if shown else None
    return None if public_id is None else _item_of_reader(duty, public_id)


def _item_of_reader(duty: Duty, public_id: uuid.UUID) -> Item:
    """Return an item that the person had. Raises Http404 for any other."""
    rows = duty.membership.project.items.filter(kind=duty.kind).select_related(*WITH_TEXTS)
    item = rows.filter(public_id=public_id).first()
    if item is None or not selectors.has_had(duty.membership, item):
        raise Http404
    return item


def _note_sent(request: Request, duty: Duty) -> HttpResponse:
    """Say so, in the dialog of the work page or on the page itself."""
    said = _("Sent to the managers.")
    if request.htmx:
        return HttpResponse(format_html("<p>{}</p>", said))
    messages.success(request, said)
    return redirect("work", duty.membership.project.public_id, duty.kind)


def _page(request: Request, duty: Duty, item: Item | None, form: NoteForm) -> HttpResponse:
    if item is None:
        address = reverse("work", args=[duty.membership.project.public_id, duty.kind])
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
    thread = selectors.own_thread(duty.membership, item)
    context = {
        "project": duty.membership.project,
        "kind": duty.kind,
        "form": form,
        "item": KINDS[duty.kind].shown_item(item),
        "thread": _shown_thread(thread) if thread else None,
    }
    status = UNPROCESSABLE if form.is_bound else 200
    template = "parts/note_form.html" if request.htmx else "note.html"
    return render(request, f"annotation/comments/{template}", context, status=status)


def _shown_thread(thread: CommentThread) -> Thread:
    remarks = [
        Said(comment.author_id == thread.annotator_id, comment.text, comment.created_at)
        for comment in thread.comments.all()
    ]
    return Thread(thread.item.kind, KINDS[thread.item.kind].shown_item(thread.item), remarks)
