"""What the tables of a study share: the frame, filters in the address, and pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import urlencode

from annotation.access.gates import Request
from annotation.models import Membership
from annotation.people.selectors import names
from common.keyset import Key, Page

BAD_REQUEST = 400
PLACES = ("after", "before")


@dataclass(frozen=True, slots=True)
class Links:
    """Queries of the pages around this one, empty where there is none. `first` leads back to the
    beginning; `filters` is what all of them share, as the file of the same rows needs it."""

    first: str
    before: str
    after: str
    filters: str


def links(asked: QueryDict, page: Page[Any]) -> Links:
    """As the browser asked, but for where the page begins."""
    kept = {name: value for name, value in asked.items() if value and name not in PLACES}
    return Links(
        first=_query(kept) if any(asked.get(name) for name in PLACES) else "",
        before=_at(kept, "before", page.before),
        after=_at(kept, "after", page.after),
        filters=_query(kept) if kept else "",
    )


def frame(member: Membership) -> dict[str, Any]:
    """What the frame of all managers' pages is given, and what its people are called in it."""
    manages = member.role == Membership.Role.MANAGER
    return {"project": member.project, "manages": manages, "naming": names.for_reader(member)}


def refuse(request: Request, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """The page without rows: something was asked for that cannot be."""
    return render(request, template, context, status=BAD_REQUEST)


def _at(kept: Mapping[str, Any], name: str, key: Key | None) -> str:
    return "" if key is None else _query({**kept, name: ".".join(map(str, key))})


def _query(values: Mapping[str, Any]) -> str:
    return f"?{urlencode(values)}"
