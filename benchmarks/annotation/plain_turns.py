"""Judging by the plain path of the product, the reference of the loop: row by row, by the ORM.

It is the path of every other kind of work, and that of judging on SQLite. Page, rows, middleware
and processes are the same; what differs is what a turn asks of the database. Served beside the
product's own addresses by `plain_settings`.
"""

import uuid
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from annotation.models import Duty
from annotation.work import judge
from annotation.work.contract import Turn
from annotation.work.kinds import KINDS
from annotation.work.views import pages

_is_plain: ContextVar[bool] = ContextVar("is_plain", default=False)


class Judge(judge.Judge):
    """Leaves the turn of a plain request to `answers.turn`."""

    def turn(self, duty: Duty, answer: Mapping[str, Any] | None) -> Turn | None:
        return None if _is_plain.get() else super().turn(duty, answer)


KINDS["judge"] = Judge()


def work(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """The work page of judges, whose turn takes the plain path."""
    token = _is_plain.set(True)
    try:
        return pages.work(request, project_id, "judge")
    finally:
        _is_plain.reset(token)


urlpatterns = [
    path("plain/<uuid:project_id>/", work),
    path("", include("config.urls")),
]
