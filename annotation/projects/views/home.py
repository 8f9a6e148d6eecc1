"""The home page: projects and their work."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Duty, Intervention, Membership, Project
from annotation.people.selectors import admission, memberships
from annotation.work import waiting
from annotation.work.contract import Tally
from annotation.work.kinds import KINDS


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of work in a project: items waiting, and answers given."""

    kind: str
    title: str | Promise
    waiting: int
    done: Tally
    at_limit: bool

    @property
    def is_long(self) -> bool:
        return self.waiting > waiting.LIMIT


@dataclass(frozen=True, slots=True)
class Card:
    """A project as its member sees it, with the kinds of work that they may do."""

    project: Project
    step: str
    is_new: bool
    is_paused: bool
    pause: Intervention | None
    tasks: list[Task]
    reads_results: bool

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
        "limit": waiting.LIMIT,
        "makes_projects": makes_projects,
        "uses_tokens": makes_projects or any(card.reads_results for card in cards),
    }
    return render(request, "annotation/entrance/home.html", context)


def _card(member: Membership) -> Card:
    kinds = member.kinds
    return Card(
        project=member.project,
        step=admission.step_of(member).value,
        is_new=member.welcomed_at is None,
        is_paused=member.paused_at is not None,
        pause=member.pause,
        tasks=[_task(member.duty(name)) for name in member.project.kinds if name in kinds],
        reads_results=member.role != Membership.Role.ANNOTATOR,
    )


def _task(duty: Duty) -> Task:
    return Task(
        kind=duty.kind,
        title=KINDS[duty.kind].title,
        waiting=waiting.items_for(duty),
        done=Tally.of(duty),
        at_limit=duty.left == 0,
    )
