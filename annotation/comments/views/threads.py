"""Pages on which managers read comments, reply and close them, and write their own on a pair."""

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.comments import selectors, services
from annotation.comments.forms import CommentForm, ReplyForm, ThreadsForm
from annotation.errors import Refused
from annotation.models import CommentThread, SentencePair
from annotation.projects.views import table_page
from annotation.work import lists
from common import keyset

PAGE = 30
TEMPLATE = "annotation/comments/comments.html"


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
    page = keyset.page(rows, columns=["-id"], size=PAGE, **form.place(1))
    context |= {
        "lines": [(thread, lists.line_of(thread.item)) for thread in page.rows],
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
        return _back(request, thread, project_id)
    act, said = STEPS[form.cleaned_data["step"]]
    try:
        act(thread, by=request.user, text=form.cleaned_data["text"])
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, str(said))
    return _back(request, thread, project_id)


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
    try:
        services.comment(pair, by=request.user, text=form.cleaned_data["text"])
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Comment saved. Annotators don’t see it."))
    return redirect("pair", project_id, pair_id)


# Of each step: the service, and what the page then says.
STEPS: dict[str, tuple[Callable[..., object], str | Promise]] = {
    "reply": (
        lambda thread, by, text: services.reply(thread, by=by, text=text),
        gettext_lazy("Reply sent."),
    ),
    "reply-and-close": (
        lambda thread, by, text: services.reply(thread, by=by, text=text, closes=True),
        gettext_lazy("Reply sent and comments closed."),
    ),
    "close": (
        lambda thread, by, **_text: services.close(thread, by=by),
        gettext_lazy("Comments closed."),
    ),
    "reopen": (
        lambda thread, by, **_text: services.reopen(thread, by=by),
        gettext_lazy("Comments reopened."),
    ),
}


def _complain(request: Request, form: CommentForm) -> None:
    if "step" in form.errors:
        raise Http404
    for errors in form.errors.values():
        messages.error(request, " ".join(map(str, errors)))


def _back(request: Request, thread: CommentThread, project_id: uuid.UUID) -> HttpResponse:
    if "from_pair" in request.POST:
        return redirect("pair", project_id, thread.item.public_id)
    return redirect("comments", project_id)
