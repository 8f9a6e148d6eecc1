"""Common parts of managers' pages: context, refusals, filters in the address, and pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import urlencode

from accounts import audit
from accounts.audited_acts import Act
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership, Project
from annotation.people.selectors import names
from common import spreadsheets
from common.keyset import Key, Page
from common.spreadsheets import Cell

Form = TypeVar("Form", bound=forms.BaseForm)
BAD_REQUEST = 400
POSITIONS = ("after", "before")


@dataclass(frozen=True, slots=True)
class Links:
    """Query strings for the first, previous and next page (empty if none), and of the filters."""

    first: str
    before: str
    after: str
    filters: str


def links(query: QueryDict, page: Page[Any], *, part: str = "") -> Links:
    """Return links that keep the filters and change the position.

    `part` is the id of the element of the page to which they lead.
    """
    filters = {name: value for name, value in query.items() if value and name not in POSITIONS}
    fragment = f"#{part}" if part else ""
    return Links(
        first=_query(filters) + fragment if any(query.get(name) for name in POSITIONS) else "",
        before=_page_address(filters, "before", page.before, fragment),
        after=_page_address(filters, "after", page.after, fragment),
        filters=_query(filters) if filters else "",
    )


def frame(member: Membership) -> dict[str, Any]:
    """Return the context that all manager pages need, with the names to show for people."""
    manages = member.role == Membership.Role.MANAGER
    return {"project": member.project, "manages": manages, "naming": names.for_reader(member)}


def refuse(request: Request, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """Show the page without rows: a filter is invalid."""
    return render(request, template, context, status=BAD_REQUEST)


def download(
    request: Request,
    project: Project,
    table: str,
    header: Sequence[str],
    rows: Iterable[Sequence[Cell]],
) -> HttpResponse:
    """Stream a table of a project as a file. That is on record: it takes data out of here."""
    audit.record_alone(Act.TABLE_EXPORTED, by=request.user, on=project, table=table)
    reply = spreadsheets.download(f"{project.name} {table}", header, rows)
    return cast(HttpResponse, reply)  # the gates accept streamed responses as well


def valid_or_404(form: Form) -> Form:
    """Return the form. Raises Http404 if it is invalid, as no page of ours sends it."""
    if not form.is_valid():
        raise Http404
    return form


@contextmanager
def refusal_shown(request: Request, *, level: int = messages.ERROR) -> Iterator[None]:
    """Show why the step in this block was refused, as a message on the next page."""
    try:
        yield
    except Refused as refused:
        messages.add_message(request, level, str(refused))


@contextmanager
def refusal_in(form: forms.BaseForm, field: str | None = None) -> Iterator[None]:
    """Show why the step in this block was refused, as an error of the form or one of its fields."""
    try:
        yield
    except Refused as refused:
        form.add_error(field, str(refused))


def _page_address(filters: Mapping[str, Any], name: str, key: Key | None, to: str) -> str:
    return "" if key is None else _query({**filters, name: "_".join(map(str, key))}) + to


def _query(values: Mapping[str, Any]) -> str:
    return f"?{urlencode(values)}"
