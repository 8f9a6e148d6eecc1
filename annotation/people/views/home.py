"""A person's own pages: their projects with the work that waits, and their work in one project."""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from annotation.access import gates
from annotation.access import readers as readers_of
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.crowd import selectors as crowd
from annotation.models import Duty, Intervention, Membership, Project, Role
from annotation.pairs import differences
from annotation.people.selectors import annotator, members
from annotation.people.views import places
from annotation.projects import charts
from annotation.quality.selectors import qualification
from annotation.studies.judging import SWAPPED
from annotation.translations.selectors.figures import words_of
from annotation.work import kinds, waiting
from annotation.work import shortcuts as keys
from annotation.work.contract import Tally
from common import demonstration

HEIGHT = 120
# Own tasks on home: counting what waits takes some statements for each.
MOST_TASKS = 6
# Of the pair in the story for newcomers: four people say different, one says same.
STORY_VOTES = (4, 1)
NOTES = {
    Intervention.Kind.WARN: _("Message about your work"),
    Intervention.Kind.PAUSE: _("You have been paused"),
    Intervention.Kind.RESUME: _("Your work has been resumed"),
}


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of work in a project: items waiting, and answers given."""

    project: Project
    kind: str
    title: str | Promise
    waiting: int
    done: Tally
    at_limit: bool
    is_new: bool

    @property
    def is_long(self) -> bool:
        return self.waiting > waiting.SHOWN


@dataclass(frozen=True, slots=True)
class Card:
    """A project as an annotator sees it, with the kinds of work that they may do."""

    project: Project
    step: str
    is_new: bool
    is_paused: bool
    pause_notice: Intervention | None
    tasks: list[Task]

    @property
    def at_limit(self) -> bool:
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
    """Show the projects that the person reads as rows, and those that they annotate as cards."""
    memberships = members.of_user(request.user)
    current = [member for member in memberships if member.project.archived_at is None]
    readers = [member for member in current if member.role != Role.ANNOTATOR]
    places_in_order = places.last_active_first(readers)
    page = Paginator(places_in_order, places.PAGE).get_page(request.GET.get("page"))
    makes_projects = readers_of.may_create(request.user)
    context = {
        "story": makes_projects and _story(request.user, readers),
        "rows": places.rows(list(page.object_list)),
        "page": page,
        "works": list(_own_work(places_in_order)),
        "cards": [_card(member) for member in current if member.role == Role.ANNOTATOR],
        "archived": [
            member.project for member in memberships if member.project.archived_at is not None
        ],
        "limit": waiting.SHOWN,
        "makes_projects": makes_projects,
        "demonstration_comes": makes_projects and demonstration.is_being_created(),
    }
    return render(request, "annotation/entrance/home.html", context)


@gates.signed_in
@never_cache
@require_safe
def me(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the person's own figures, and nothing about other people or single pairs."""
    member = gates.member(request, project_id)
    notes = annotator.notes_to(member)
    context = {
        "project": member.project,
        "member": member,
        "step": members.step_of(member).value,
        "works": _works(member),
        "chart": _chart(annotator.by_day(member)),
        "agreement": annotator.agreement_of(member),
        "least": annotator.LEAST_PAIRS,
        "result": qualification.last_finished_attempt(member),
        "return_code": crowd.return_code(request.user) if member.is_recruited else "",
        "notes": [(NOTES[Intervention.Kind(note.kind)], note) for note in notes],
    }
    return render(request, "annotation/entrance/me.html", context)


def _story(user: User, readers: Sequence[Membership]) -> dict[str, Any] | None:
    """Return where the story for newcomers leads: to what exists of the demonstration.

    None for those who have hidden it or manage a project of their own.
    """
    studies = {member.project.name: member for member in readers}
    if user.story_hidden_at is not None or not studies.keys() <= {*demonstration.STUDIES}:
        return None
    source, rewrite = SWAPPED
    _same, pieces = differences.pieces(source, rewrite)
    story: dict[str, Any] = {"source": source, "rewrite": pieces, "votes": STORY_VOTES}
    if trial := studies.get(demonstration.OPEN_STUDY):
        story["trial"] = _trial(trial)
    if finished := studies.get(demonstration.FINISHED_STUDY):
        story["finished"] = reverse("overview", args=[finished.project.public_id])
    return story


def _trial(member: Membership) -> str:
    """Return the address of the pairs to judge; empty once a newcomer has judged enough."""
    for kind in kinds.named(member.kinds):
        if kind.has_consensus and member.duty(kind.name).total < demonstration.TRIAL:
            return reverse("work", args=[member.project.public_id, kind.name])
    return ""


def _own_work(places_in_order: Iterable[Membership]) -> Iterator[Task]:
    """Yield the work of people who also read results, of the first projects that have any."""
    duties = (
        (member, duty)
        for member in places_in_order
        for duty in member.duties.all()
        if duty.allowed and duty.kind in member.project.kinds
    )
    for member, duty in islice(duties, MOST_TASKS):
        duty.membership = member
        task = _task(duty)
        if task.waiting or task.is_new or task.done.total:
            yield task


def _card(member: Membership) -> Card:
    allowed_kinds = member.kinds
    return Card(
        project=member.project,
        step=members.step_of(member).value,
        is_new=member.welcomed_at is None,
        is_paused=member.paused_at is not None,
        pause_notice=member.pause,
        tasks=[_task(member.duty(kind)) for kind in member.project.kinds if kind in allowed_kinds],
    )


def _task(duty: Duty) -> Task:
    return Task(
        project=duty.membership.project,
        kind=duty.kind,
        title=kinds.KINDS[duty.kind].title_in(duty.membership.project),
        waiting=waiting.items_for(duty),
        done=Tally.of_duty(duty),
        at_limit=duty.left == 0,
        is_new=duty.membership.project.is_open and not duty.membership.is_admitted,
    )


def _works(member: Membership) -> list[dict[str, Any]]:
    """Return the kinds of work that the person is assigned or has done before."""
    works, allowed = [], member.kinds
    for kind in kinds.of_project(member.project):
        counts = annotator.counts_of(member, kind.name)
        if kind.name in allowed or counts.total:
            pace = annotator.pace_of(member, kind.name)
            recent = reverse("recent", args=[member.project.public_id, kind.name])
            works.append(
                {
                    "name": kind.title_in(member.project),
                    "counts": counts,
                    "pace": pace,
                    "words": words_of(member, kind.name),
                    "recent": recent if kind.name in allowed and counts.total else "",
                }
            )
    return works


def _chart(days: Mapping[date, int]) -> dict[str, Any]:
    numbers = list(days.values())
    words = [date_format(day, "MONTH_DAY_FORMAT") for day in days]
    return {
        "panel": charts.bars(numbers, height=HEIGHT),
        "ticks": charts.ticks(words, most=3),
        "rows": [(day, number) for day, number in reversed(list(days.items())) if number],
        "total": sum(numbers),
    }


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def shortcuts(request: Request) -> HttpResponse:
    """Show the keys; a POST changes them, or resets them all."""
    if request.method != "POST":
        return _keys_page(request, keys.ShortcutsForm(keys=keys.keys_of(request.user)))
    form = keys.ShortcutsForm(request.POST, keys=keys.keys_of(request.user))
    if "reset" not in request.POST and not form.is_valid():
        return _keys_page(request, form, status=UNPROCESSABLE)
    chosen = keys.USUAL if "reset" in request.POST else form.cleaned_data
    request.user.shortcuts = keys.changed_keys(chosen)
    request.user.save(update_fields=["shortcuts"])
    messages.success(request, _("Keys saved. They apply on every device."))
    return redirect("shortcuts")


def _keys_page(request: Request, form: keys.ShortcutsForm, *, status: int = 200) -> HttpResponse:
    return render(request, "annotation/work/shortcuts.html", {"form": form}, status=status)
