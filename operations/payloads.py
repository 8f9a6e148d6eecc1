"""What is sent about an event: ids, addresses and counts; no sentences and no names of people.

A flagged person is named by their random id alone.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias
from uuid import UUID

from django.conf import settings
from django.db.models import Sum
from django.urls import reverse

from accounts.models import Event
from annotation.models import Import, Item, Membership, Project
from generation.models import Batch, Candidate, GenerationRun
from releases.models import Example, Release

Kind = Event.Kind
# A project, the id of what the event is about, the name of its page, and counts.
Subject: TypeAlias = tuple[Project, UUID, str, Mapping[str, int]]


def of_event(event: Event) -> Iterator[tuple[Project, dict[str, Any]]]:
    """Yield the projects that an event is about, with what is sent; none if it was deleted."""
    for project, public_id, page, counts in _SUBJECTS[Kind(event.kind)](event):
        keys = [project.public_id] if page == "overview" else [project.public_id, public_id]
        data = {
            "project": {"id": str(project.public_id), "name": project.name},
            "object": {
                "id": str(public_id),
                "address": f"{settings.ADDRESS.origin}{reverse(page, args=keys)}",
            },
            "counts": dict(counts),
        }
        if event.phase:
            data["phase"] = event.phase
        yield project, {"type": event.kind, "timestamp": event.at.isoformat(), "data": data}


def _run(event: Event) -> Iterator[Subject]:
    for run in GenerationRun.objects.filter(pk=event.row):
        done = Batch.objects.filter(run=run, state=Batch.State.DONE)
        counts = {
            "sentences": done.aggregate(number=Sum("size"))["number"] or 0,
            "candidates": Candidate.objects.filter(run=run).count(),
        }
        for project in run.projects.all():
            yield project, run.public_id, "run", counts


def _phase(event: Event) -> Iterator[Subject]:
    for project in Project.objects.filter(pk=event.row):
        items = Item.objects.filter(project=project, kind=event.phase).count()
        yield project, project.public_id, "overview", {"items": items}


def _member(event: Event) -> Iterator[Subject]:
    for member in Membership.objects.filter(pk=event.row).select_related("project", "user"):
        yield member.project, member.user.public_id, "person", {}


def _import(event: Event) -> Iterator[Subject]:
    for row in Import.objects.filter(pk=event.row).select_related("project"):
        counts = {"added": row.added, "duplicates": row.duplicates, "refused": row.refused_lines}
        yield row.project, row.public_id, "import", counts


def _release(event: Event) -> Iterator[Subject]:
    for release in Release.objects.filter(pk=event.row).select_related("project"):
        examples = Example.objects.filter(release=release).count()
        yield release.project, release.public_id, "release", {"examples": examples}


_SUBJECTS: Mapping[Kind, Callable[[Event], Iterator[Subject]]] = {
    Kind.RUN_DONE: _run,
    Kind.APPROVAL_NEEDED: _run,
    Kind.WORK_FINISHED: _phase,
    Kind.PERSON_FLAGGED: _member,
    Kind.IMPORT_DONE: _import,
    Kind.RELEASE_FROZEN: _release,
}
