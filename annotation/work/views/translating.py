"""What helps translators while they write: warnings, and a search in what they wrote before."""

import uuid

from django.http import Http404, HttpResponse
from django.shortcuts import render
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


@gates.signed_in
@never_cache
@require_POST
def checks(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    """Show warnings about a text, as a fragment, to the person who has the item in progress.

    They have it longer, as they are at work. Raises Http404 for others.
    """
    duty = gates.duty(request, project_id, kind)
    form = TextForm(request.POST)
    if kind not in WRITING or not form.is_valid():
        raise Http404
    slot = queue.in_progress(duty)
    if slot is None or slot.item.public_id != form.cleaned_data["item"]:
        raise Http404
    found = warnings.about(duty.membership.project, slot.item, form.cleaned_data["text"])
    return render(request, "annotation/work/parts/warnings.html", {"warnings": found})


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
