"""The home page: projects and their work."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Intervention, Membership, Project
from annotation.people.selectors import admission, memberships
from annotation.projects.selectors import progress
from annotation.projects.selectors.progress import Tally
from annotation.work.selectors import notices, queue


@dataclass(frozen=True, slots=True)
class Task:
    """One type of work in a project: items waiting, and answers given."""

    waiting: int
    done: Tally
    at_limit: bool

    @property
    def is_long(self) -> bool:
        return self.waiting > queue.LIMIT


@dataclass(frozen=True, slots=True)
class Card:
    """A project as its member sees it; a task that the member may not do is None."""

    project: Project
    step: str
    is_new: bool
    is_paused: bool
    pause: Intervention | None
    correcting: Task | None
    judging: Task | None
    reads_results: bool

    @property
    def tasks(self) -> list[Task]:
        return [task for task in (self.correcting, self.judging) if task is not None]

    @property
    def at_limit(self) -> bool:
        """Whether the person has reached the maximum number of answers."""
        return bool(self.tasks) and all(task.at_limit for task in self.tasks)

    @property
    def all_done(self) -> bool:
        return not any(task.waiting for task in self.tasks)

    @property
    def has_answers(self) -> bool:
        return any(task.done.total for task in self.tasks)


@gates.signed_in
@require_safe
def home(request: Request) -> HttpResponse:
    """Show the person's projects, each with its work."""
    cards = [_card(member) for member in memberships.memberships_of(request.user)]
    makes_projects = request.user.is_staff or request.user.is_superuser
    context = {
        "cards": cards,
        "limit": queue.LIMIT,
        "makes_projects": makes_projects,
        "uses_tokens": makes_projects or any(card.reads_results for card in cards),
    }
    return render(request, "annotation/entrance/home.html", context)


def _card(member: Membership) -> Card:
    return Card(
        project=member.project,
        step=admission.step_of(member).value,
        is_new=member.welcomed_at is None,
        is_paused=member.paused_at is not None,
        pause=notices.pause_of(member),
        correcting=_correcting(member) if member.may_correct else None,
        judging=_judging(member) if member.may_judge else None,
        reads_results=member.role != Membership.Role.ANNOTATOR,
    )


def _correcting(member: Membership) -> Task:
    return Task(
        waiting=queue.corrections_for(member),
        done=progress.corrections_of(member),
        at_limit=queue.corrections_left(member) == 0,
    )


def _judging(member: Membership) -> Task:
    return Task(
        waiting=queue.pairs_for(member),
        done=progress.judgments_of(member),
        at_limit=queue.judgments_left(member) == 0,
    )
