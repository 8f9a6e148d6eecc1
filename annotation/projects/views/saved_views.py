"""Views of a list: names for its filters. Some are built in, others are saved by managers."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import BadRequest
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Project, SavedView
from annotation.models.saved_views import MOST_QUERY
from annotation.projects.forms.filters import AnswersForm, PageForm, PairsForm
from annotation.projects.services import saved_views
from annotation.projects.views import table_page
from annotation.work.kinds import KINDS


@dataclass(frozen=True, slots=True)
class View:
    """A view as displayed: `number` is how many rows it has, None if its query has become bad."""

    name: str | Promise
    address: str
    number: int | None
    is_current: bool
    saved: SavedView | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A list that has views: that of pairs, or with a kind of work that of its answers."""

    project: Project
    kind: str = ""

    @property
    def page(self) -> str:
        return SavedView.Page.ANSWERS if self.kind else SavedView.Page.PAIRS

    @property
    def beginning(self) -> str:
        """With what the queries of its saved views begin."""
        return f"kind={self.kind}&" if self.kind else ""

    @property
    def address(self) -> str:
        if self.kind:
            return reverse("answers", args=[self.project.public_id, self.kind])
        return reverse("pairs", args=[self.project.public_id])

    def at(self, query: str) -> str:
        """Return the address of the list with these filters."""
        return f"{self.address}?{query}" if query else self.address

    def form(self, query: QueryDict) -> PairsForm | AnswersForm:
        if self.kind:
            return AnswersForm(query, project=self.project, kind=KINDS[self.kind])
        return PairsForm(query, project=self.project)

    def views(
        self,
        built_in: Mapping[str, str | Promise],
        shown: PageForm,
        count: Callable[[Sequence[Any]], list[int]],
    ) -> list[View]:
        """Return the views that are built in, by query, and the saved ones, with their numbers."""
        saved_ones = SavedView.objects.filter(
            project=self.project, page=self.page, query__startswith=self.beginning
        )
        named: list[tuple[str, str | Promise, SavedView | None]] = [
            *((query, name, None) for query, name in built_in.items()),
            *((view.query.removeprefix(self.beginning), view.name, view) for view in saved_ones),
        ]
        forms_by_query = {query: self.form(QueryDict(query)) for query, _text, _saved in named}
        filters = {
            query: form.filters() for query, form in forms_by_query.items() if form.is_valid()
        }
        numbers = dict(zip(filters, count([*filters.values()]), strict=True))
        current = shown.query()
        return [
            View(name, self.at(query), numbers.get(query), query == current, saved)
            for query, name, saved in named
        ]


class NameForm(forms.Form):
    """The name of a view."""

    name = forms.CharField(
        max_length=SavedView._meta.get_field("name").max_length,
        error_messages={"required": gettext_lazy("Give the view a name.")},
    )


@gates.signed_in
@require_POST
def save_view(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Save the filters that were shown, which the form of the list checks again."""
    project = gates.manager(request, project_id).project
    kind = request.POST.get("kind", "")
    if kind and kind not in project.kinds:
        raise BadRequest
    place = Place(project, kind)
    form = place.form(QueryDict(request.POST.get("query", "")))
    query = place.beginning + form.query()
    if not form.is_valid() or len(query) > MOST_QUERY:
        raise BadRequest
    with table_page.refusal_shown(request):
        name = _name(request)
        saved_views.save(project, page=place.page, name=name, query=query, by=request.user)
    return redirect(place.at(form.query()))


@gates.signed_in
@require_POST
def change_view(request: Request, project_id: uuid.UUID, view_id: int) -> HttpResponse:
    """Rename a saved view, or delete it."""
    project = gates.manager(request, project_id).project
    view = get_object_or_404(SavedView, project=project, pk=view_id)
    kind = QueryDict(view.query).get("kind", "") if view.page == SavedView.Page.ANSWERS else ""
    place = Place(project, kind)
    address = place.at(view.query.removeprefix(place.beginning))
    if request.POST.get("act") == "delete":
        view.delete()
        return redirect(place.address)
    with table_page.refusal_shown(request):
        saved_views.rename(view, _name(request))
    return redirect(address)


def _name(request: Request) -> str:
    """Return the name that was sent. Raises Refused if it is empty or too long."""
    form = NameForm(request.POST)
    if not form.is_valid():
        raise Refused(" ".join(map(str, form.errors["name"])))
    name: str = form.cleaned_data["name"]
    return name
