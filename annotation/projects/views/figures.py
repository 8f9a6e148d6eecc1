"""The figures of a study's overview, which the page refreshes regularly."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from annotation.models import Membership, Project
from annotation.projects import protocols
from annotation.projects.charts import panels
from annotation.projects.charts.axis import axis
from annotation.projects.charts.panels import Dot, Estimate
from annotation.projects.selectors import balance, funnel, over_time, pace
from annotation.projects.views import table3, timeline
from annotation.quality.views import alerts
from annotation.work import kinds

WHOLE = axis(0, 1)


@dataclass(frozen=True, slots=True)
class Balance:
    """The share of paraphrases of one method, drawn on a scale from 0 to 1."""

    of: balance.Balance
    address: str
    dot: Dot


def of_member(member: Membership) -> dict[str, Any]:
    """Return the context of the figures, in some 15 queries for a study of any size."""
    project = member.project
    span = over_time.span(project)
    course = over_time.of_project(project, span) if span else None
    methods = funnel.by_method(project, course.by_method if course else {})
    every = funnel.total(methods, protocols.of(project))
    columns = [*methods, every] if len(methods) > 1 else methods
    return {
        "project": project,
        "listed": [kind for kind in kinds.of(project) if kind.name != "judge"],
        "manages": member.role == Membership.Role.MANAGER,
        "alerts": alerts.of_member(member, every),
        "every": every,
        "columns": columns,
        "table3": table3.rows(project, columns),
        "agreement": timeline.agreement(every.votes),
        "alpha": timeline.alpha(every.votes),
        "timeline": timeline.of_course(course) if course else None,
        "pace": pace.of_project(project, span) if span else None,
        "width": 1 + 2 * len(columns),
        "balance": [_balance(project, each) for each in balance.of_kept(columns)],
    }


def _balance(project: Project, of: balance.Balance) -> Balance:
    filters = {"state": "kept", "label": "paraphrase"} | (
        {"method": of.method} if of.method else {}
    )
    return Balance(
        of=of,
        address=f"{reverse('pairs', args=[project.public_id])}?{urlencode(filters)}",
        dot=panels.across(Estimate(of.share, of.interval), WHOLE),
    )
