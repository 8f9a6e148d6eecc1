"""Data for project settings: runs, people, and recorded changes."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from annotation.models import Intake, Project, SentencePair
from generation import tables
from generation.models import GenerationRun

LATEST = 10


@dataclass(frozen=True, slots=True)
class Change:
    """A recorded change: changed texts, and settings with their old and new value.

    If both are empty, the message of the entry describes it.
    """

    at: datetime
    by: User
    texts: list[str]
    values: dict[str, list[Any]]
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class Sets:
    """Numbers of qualification pairs, gold pairs, and people who may be given work."""

    qualification: int
    gold: int
    people: int


def changes(project: Project) -> list[Change]:
    """Return the latest recorded changes, newest first, from the admin and from pages."""
    kind = ContentType.objects.get_for_model(Project)
    found = LogEntry.objects.filter(content_type=kind, object_id=str(project.pk))
    latest = found.select_related("user").order_by("-action_time", "-pk")[:LATEST]
    return [_change(entry) for entry in latest]


def runs(project: Project) -> list[GenerationRun]:
    """Return the project's runs, with `sentences`, `sentences_done` and `has_entered`."""
    entered = Intake.objects.filter(project=project, batch__run=OuterRef("pk"))
    rows = project.runs.select_related("corpus").annotate(has_entered=Exists(entered))
    return list(tables.of_runs(rows).order_by("-pk"))


def gold_runs() -> QuerySet[SentencePair, int | None]:
    """Return runs that contain gold pairs, which cannot enter a project as study pairs."""
    gold = SentencePair.objects.filter(gold_label__isnull=False)
    return gold.values_list("candidate__run", flat=True)


def sets(project: Project) -> Sets:
    """Count qualification pairs, gold pairs and people."""
    return Sets(
        qualification=project.qualification_pairs.count(),
        gold=project.pairs.filter(gold_label__isnull=False).count(),
        people=project.memberships.filter(duties__allowed=True).distinct().count(),
    )


def _change(entry: LogEntry) -> Change:
    steps = _steps(entry.change_message)
    return Change(
        at=entry.action_time,
        by=entry.user,
        texts=[name for step in steps for name in step.get("texts", [])],
        values={name: pair for step in steps for name, pair in step.get("values", {}).items()},
        entry=entry,
    )


def _steps(message: str) -> list[dict[str, Any]]:
    """Parse the admin's format: a JSON list, or plain text."""
    return json.loads(message) if message.startswith("[") else []
