"""What helps translators while they write: warnings, and a search in what they wrote before."""

import uuid
from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.translations.selectors import earlier as earlier_translations
from annotation.translations.selectors import warnings
from annotation.work import queue
from annotation.work.forms import TextForm, WordsForm

TRANSLATE = "translate"
# The kinds of work in which a translation is written.
WRITING = (TRANSLATE, "validate")
NOT_YOURS = gettext_lazy(
    "This sentence is no longer assigned to you, so the text can’t be saved. Copy it if you need "
    "it."
)
CONFLICT = 409


@gates.signed_in
@never_cache
@require_POST
def checks(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    """Show warnings about a text, as a fragment, to the person who has the item in progress.

    They have it longer, as they are at work. Others, who may have had it, are told that they do not
    have it. Raises Http404 for people who do no such work.
    """
    duty = gates.duty(request, project_id, kind)
    form = TextForm(request.POST)
    if kind not in WRITING or not form.is_valid():
        raise Http404
    slot = queue.in_progress(duty)
    if slot is None or slot.item.public_id != form.cleaned_data["item"]:
        return _warn(request, [NOT_YOURS], status=CONFLICT)
    found = warnings.about(duty.membership.project, slot.item, form.cleaned_data["text"])
    return _warn(request, found)


def _warn(request: Request, found: Sequence[str | Promise], *, status: int = 200) -> HttpResponse:
    part = "annotation/work/parts/warnings.html"
    return render(request, part, {"warnings": found}, status=status)


@gates.signed_in
@never_cache
@require_safe
def earlier(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the person's own translations that contain the words; all of them without words."""
    duty = gates.duty(request, project_id, TRANSLATE)
    form = WordsForm(request.GET)
    words = form.cleaned_data["words"] if form.is_valid() else ""
    project = duty.membership.project
    context = {
        "project": project,
        "plan": project.translation_plan,
        "words": words,
        "found": earlier_translations.containing(duty, words),
        "most": earlier_translations.MOST_FOUND,
    }
    part = "parts/earlier.html" if request.htmx else "earlier.html"
    return render(request, f"annotation/work/{part}", context)
