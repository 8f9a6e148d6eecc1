"""A project for those who run it, and its guidelines for everybody in it."""

import uuid
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.selectors import members, progress, votes
from annotation.stats import agreement
from annotation.views import gates
from annotation.views.gates import Request


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way from candidates to kept pairs, as a part of the step before."""

    name: str
    count: int
    whole: int

    @property
    def percent(self) -> float | None:
        return 100 * self.count / self.whole if self.whole else None


@gates.signed_in
@require_safe
def overview(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """How far the project has come, who has done what, and its releases."""
    project = gates.reader(request, project_id).project
    done = progress.of_project(project)
    context = {
        "project": project,
        "progress": done,
        "steps": _steps(done),
        "agreement": _agreement(project),
        "members": members.work_of(project),
        "releases": project.releases.all(),
    }
    return render(request, "annotation/overview.html", context)


@gates.signed_in
@require_safe
def guidelines(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """The guidelines as a page of their own, for browsers that do not open them beside the work."""
    context = {"project": gates.member(request, project_id).project}
    return render(request, "annotation/guidelines.html", context)


def _steps(done: progress.ProjectProgress) -> list[Step]:
    corrections = done.accepted + done.fixed + done.rejected + done.to_correct
    judgments = done.judgments + done.to_judge
    return [
        Step(_("Accepted"), done.accepted, corrections),
        Step(_("Fixed"), done.fixed, corrections),
        Step(_("Rejected"), done.rejected, corrections),
        Step(_("Waiting for correction"), done.to_correct, corrections),
        Step(_("Judgments given"), done.judgments, judgments),
        Step(_("Pairs decided"), done.decided, done.pairs),
        Step(_("Pairs kept"), done.kept, done.decided),
    ]


def _agreement(project: Project) -> dict[str, float | None]:
    """Of all decided pairs: the measure of PAWS in percent, and one corrected for chance."""
    table = votes.table_of(project)
    share = agreement.human_agreement(table)
    return {
        "percent": None if share is None else 100 * share,
        "alpha": agreement.krippendorff_alpha(table),
    }
