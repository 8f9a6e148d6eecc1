"""Finds the phases of projects that have no work left.

A look probes the queue of each open project by its indexes, whatever the number of its items.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import events
from accounts.models import Event
from annotation.models import Project, Slot
from annotation.work.kinds import KINDS
from generation.models import GenerationRun
from operations.models import OpenPhase

# Answers may be undone, and corrections become pairs.
LEAST_WITHOUT_WORK = timedelta(minutes=1)


def watch() -> None:
    """Record the phases that have had no work for a minute, and note those that have some.

    A phase is not over while one before it has work, or a run is under way.
    """
    now = timezone.now()
    noted = {(phase.project_id, phase.kind): phase for phase in OpenPhase.objects.all()}
    for project, kind, has_work, is_over in _phases():
        if phase := noted.get((project.pk, kind)):
            _follow(phase, project, is_over=is_over, now=now)
        elif has_work:
            new_phase = OpenPhase(project=project, kind=kind)
            OpenPhase.objects.bulk_create([new_phase], ignore_conflicts=True)


def _follow(phase: OpenPhase, project: Project, *, is_over: bool, now: datetime) -> None:
    as_read = OpenPhase.objects.filter(pk=phase.pk, empty_since=phase.empty_since)
    if not is_over and phase.empty_since:
        as_read.update(empty_since=None)
    elif is_over and not phase.empty_since:
        as_read.update(empty_since=now)
    elif is_over and phase.empty_since and now - phase.empty_since >= LEAST_WITHOUT_WORK:
        with transaction.atomic():
            if as_read.delete()[0]:
                events.record(Event.Kind.WORK_FINISHED, project, phase=phase.kind)


def _phases() -> Iterator[tuple[Project, str, bool, bool]]:
    """Yield the phases of each open project in order: whether they have work, and are over."""
    under_way = GenerationRun.objects.filter(
        projects=OuterRef("pk"), state=GenerationRun.State.RUNNING, preview=False
    )
    work = {
        f"has_{kind}": Exists(_waiting_slots(kind, reserved=False))
        | Exists(_waiting_slots(kind, reserved=True))
        for kind in KINDS
    }
    open_projects = Project.objects.filter(is_open=True).only("kinds")
    for project in open_projects.annotate(has_runs=Exists(under_way), **work):
        is_over = not project.has_runs
        for kind in project.kinds:
            has_work = getattr(project, f"has_{kind}")
            is_over = is_over and not has_work
            yield project, kind, has_work, is_over


def _waiting_slots(kind: str, *, reserved: bool) -> QuerySet[Slot]:
    """Return the slots in the queue of an outer project: those of items set aside have no key."""
    in_queue = Q(reserved=True) if reserved else Q(reserved=False, queue_key__isnull=False)
    return Slot.objects.filter(in_queue, project=OuterRef("pk"), kind=kind, submitted_at=None)
