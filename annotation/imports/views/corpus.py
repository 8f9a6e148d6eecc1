"""The sentences of a corpus of the project."""

import uuid
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.imports import selectors
from annotation.projects.forms.filters import MOST_CHARACTERS, PageForm
from annotation.projects.views import table_page
from common import keyset
from generation.selectors import sources

PAGE = 50
COLUMNS = ("id",)


class SentencesForm(PageForm):
    """Words that the sentences hold."""

    q = forms.CharField(label=_("Words"), max_length=MOST_CHARACTERS, required=False)


@gates.signed_in
@require_safe
def corpus(request: Request, project_id: uuid.UUID, corpus_id: int) -> HttpResponse:
    """List the sentences of a corpus that the project has, in the order of their files."""
    member = gates.reader(request, project_id)
    found: Any = get_object_or_404(selectors.corpora_of(member.project), pk=corpus_id)
    form = SentencesForm(request.GET)
    context = table_page.frame(member) | {"corpus": found, "form": form}
    if not form.is_valid():
        return table_page.refuse(request, "annotation/imports/corpus.html", context)
    rows = sources(found.pk)
    if words := form.cleaned_data["q"]:
        rows = rows.filter(text__icontains=words)
    place = form.place(len(COLUMNS))
    page = keyset.page(
        rows, columns=COLUMNS, size=PAGE, after=place["after"], before=place["before"]
    )
    context |= {
        "sentences": page.rows,
        "number": rows.count() if words else found.sentences,
        "links": table_page.links(request.GET, page),
    }
    return render(request, "annotation/imports/corpus.html", context)
