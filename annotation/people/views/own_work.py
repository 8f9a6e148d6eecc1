"""An annotator's own page in a project: work done, pace and messages received."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Intervention, Membership
from annotation.people.selectors import admission, own_work
from annotation.people.selectors.own_work import Counts, Pace
from annotation.projects import charts
from annotation.projects.charts import Panel, Tick
from annotation.quality.selectors import qualification
from annotation.work import kinds

HEIGHT = 120
NOTES = {
    Intervention.Kind.WARN: _("A word about your work"),
    Intervention.Kind.PAUSE: _("You were paused"),
    Intervention.Kind.RESUME: _("You could go on"),
}


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work."""

    name: str | Promise
    counts: Counts
    pace: Pace | None


@dataclass(frozen=True, slots=True)
class Chart:
    """Answers per day, as a chart and as table rows."""

    panel: Panel
    ticks: list[Tick]
    rows: list[tuple[date, int]]
    total: int


@gates.signed_in
@never_cache
@require_safe
def me(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the person's own figures, and nothing about other people or single pairs."""
    member = gates.member(request, project_id)
    notes = own_work.notes_to(member)
    context = {
        "project": member.project,
        "member": member,
        "step": admission.step_of(member).value,
        "works": _works(member),
        "chart": _chart(own_work.by_day(member)),
        "agreement": own_work.agreement_of(member),
        "least": own_work.LEAST_PAIRS,
        "result": qualification.last_finished(member),
        "notes": [(NOTES[Intervention.Kind(note.kind)], note) for note in notes],
    }
    return render(request, "annotation/entrance/me.html", context)


def _works(member: Membership) -> list[Work]:
    """Return the kinds of work that the person is assigned or has done before."""
    works, allowed = [], member.kinds
    for kind in kinds.of(member.project):
        counts = own_work.counts_of(member, kind.name)
        if kind.name in allowed or counts.total:
            works.append(Work(kind.title, counts, own_work.pace_of(member, kind.name)))
    return works


def _chart(days: Mapping[date, int]) -> Chart:
    numbers = list(days.values())
    return Chart(
        panel=charts.bars(numbers, height=HEIGHT),
        ticks=charts.ticks([date_format(day, "MONTH_DAY_FORMAT") for day in days], most=3),
        rows=[(day, number) for day, number in reversed(list(days.items())) if number],
        total=sum(numbers),
    )
