"""What correcting and judging share: an answer comes in, and the reply brings the next item."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotation.errors import AnnotationError, Refused
from annotation.forms.work import UndoForm
from annotation.views.gates import Request
from annotation.views.items import Item

OK, CONFLICT, UNPROCESSABLE = 200, 409, 422


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an answer, in words for the person who gave it."""

    status: int = OK
    notice: str = ""
    saved: str = ""


def attempt(store: Callable[[], str]) -> Outcome:
    """Store an answer; `store` returns its name. A refusal keeps its reason and loses nothing."""
    try:
        return Outcome(saved=store())
    except AnnotationError as error:
        return refused(error)


def refused(error: AnnotationError) -> Outcome:
    """The answer was not stored: it cannot be as it is, or the item is no longer the person's."""
    return Outcome(UNPROCESSABLE if isinstance(error, Refused) else CONFLICT, str(error))


def unreadable() -> Outcome:
    """The answer had a shape that no page of ours sends."""
    return Outcome(UNPROCESSABLE, _("That answer could not be read. Please give it once more."))


def take_back(request: Request, shown: Item | None, undo: Callable[[], object]) -> Outcome:
    """Undo the last answer, once: a request that is sent again after its reply was lost says which
    item it left, and that is no longer the one that the person holds."""
    form = UndoForm(request.POST)
    if not form.is_valid():
        return unreadable()
    if form.cleaned_data["item"] != (shown.id if shown else None):
        return Outcome(CONFLICT, _("This is the item that you are at now."))
    if undo() is None:
        return Outcome(CONFLICT, _("There is no answer that can still be undone."))
    return Outcome(notice=_("Your last answer is open again."))


def reply(
    request: Request, outcome: Outcome, *, page: str, name: str, context: Mapping[str, object]
) -> HttpResponse:
    """The part for htmx; a whole page otherwise, by way of a redirect after an answer was stored.

    `name` stands for the templates annotation/<name>.html and annotation/parts/<name>.html.
    """
    if request.method == "POST" and not request.htmx and outcome.status == OK:
        return HttpResponseRedirect(page)
    folder = "annotation/parts" if request.htmx else "annotation"
    context = {**context, "outcome": outcome, "page": page}
    return render(request, f"{folder}/{name}.html", context, status=outcome.status)
