"""What correcting and judging share: handle an answer and reply with the next item."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from annotation.access.gates import Request
from annotation.errors import AnnotationError, Refused
from annotation.models import Membership, Project
from annotation.work.forms import SkipForm, UndoForm
from annotation.work.selectors import notices as selector
from annotation.work.selectors import queue
from annotation.work.views import notices
from annotation.work.views.items import Item

OK, CONFLICT, UNPROCESSABLE = 200, 409, 422


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of work: `name` selects its templates, the other fields are route names."""

    name: str
    undo: str
    skip: str
    recent: str

    def addresses(self, project: Project) -> dict[str, str]:
        """Return the URLs of the forms and links on its page."""
        names = {"page": self.name, "undo": self.undo, "skip": self.skip, "recent": self.recent}
        return {key: reverse(name, args=[project.public_id]) for key, name in names.items()}


JUDGING = Task("judge", "undo_judgment", "skip_judgment", "recent_judgments")
CORRECTING = Task("correct", "undo_correction", "skip_correction", "recent_corrections")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an answer, as HTTP status and texts for the annotator."""

    status: int = OK
    notice: str = ""
    saved: str = ""


def attempt(store: Callable[[], str]) -> Outcome:
    """Store an answer; `store` returns its name. An AnnotationError becomes the notice."""
    try:
        return Outcome(saved=store())
    except AnnotationError as error:
        return refused(error)


def refused(error: AnnotationError) -> Outcome:
    """Return the outcome of an answer that is invalid (422) or no longer possible (409)."""
    return Outcome(UNPROCESSABLE if isinstance(error, Refused) else CONFLICT, str(error))


def unreadable() -> Outcome:
    """Return the outcome of a malformed request, which no page of ours sends."""
    return Outcome(UNPROCESSABLE, _("That answer could not be read. Please give it once more."))


def take_back(request: Request, shown: Item | None, undo: Callable[[], object]) -> Outcome:
    """Undo the last answer; refuse a repeated request, which names an item already left."""
    form = UndoForm(request.POST)
    if not form.is_valid():
        return unreadable()
    if form.cleaned_data["item"] != (shown.id if shown else None):
        return Outcome(CONFLICT, _("This is the item that you are at now."))
    if undo() is None:
        return Outcome(CONFLICT, _("There is no answer that can still be undone."))
    return Outcome(notice=_("Your last answer is open again."))


def pass_over(request: Request, skip: Callable[..., object]) -> Outcome:
    """Skip an item for the given reason; `skip` takes item, reason and note."""
    form = SkipForm(request.POST)
    if not form.is_valid():
        return unreadable()

    def store() -> str:
        skip(**form.cleaned_data)
        return _("skipped")

    return attempt(store)


def ask_why(request: Request, member: Membership, item: Item | None, task: Task) -> HttpResponse:
    """Show the reasons for skipping. Raises Http404 if the project forbids skipping."""
    project = member.project
    if project.skipping == Project.Skipping.FORBIDDEN:
        raise Http404
    if item is None:
        return redirect(task.name, project.public_id)
    context = {"item": item, "project": project, **task.addresses(project)}
    return render(request, "annotation/work/skip.html", context)


def reply(
    request: Request,
    outcome: Outcome,
    *,
    member: Membership,
    task: Task,
    context: Mapping[str, object],
) -> HttpResponse:
    """Render the fragment for htmx, else the page, or a redirect after a stored answer.

    A person who must take a step before work is redirected to it, after their answer was stored.
    """
    project = member.project
    if not member.is_admitted:
        return _lead(request, reverse("welcome", args=[project.public_id]))
    addresses = task.addresses(project)
    if request.method == "POST" and not request.htmx and outcome.status == OK:
        return HttpResponseRedirect(addresses["page"])
    part = {**context, **addresses, "project": project, "outcome": outcome}
    if context["item"] is None:
        why = queue.why_none(member, correcting=task is CORRECTING)
        part |= {"why": why, "pause": selector.pause_of(member)}
    if request.htmx:
        template = f"annotation/work/parts/{task.name}.html"
        return render(request, template, part, status=outcome.status)
    page = part | notices.context(request, member, task.name)
    response = render(request, f"annotation/work/{task.name}.html", page, status=outcome.status)
    return _compressed(request, response)


def _lead(request: Request, address: str) -> HttpResponse:
    return HttpResponseClientRedirect(address) if request.htmx else HttpResponseRedirect(address)


def _compressed(request: Request, response: HttpResponse) -> HttpResponse:
    """Compress a page, because the guidelines in it may be long.

    Safe against BREACH: the page reflects no input of a third party, its CSRF token is masked
    differently in each response, and Django pads compressed responses.
    """
    return GZipMiddleware(lambda _: response)(request)  # type: ignore[return-value]
