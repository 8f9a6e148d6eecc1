"""Data for project settings: runs, people, and recorded changes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import AuditEntry, User
from annotation.models import Intake, Project, SentencePair
from generation import selectors
from generation.models import GenerationRun

LATEST = 10
ACTS = [Act.PROJECT_MADE, Act.PROJECT_CHANGED, Act.RUN_ADDED, Act.RUN_REMOVED]


@dataclass(frozen=True, slots=True)
class Change:
    """A recorded act: changed texts, and settings with their old and new value.

    `by` is None for the command line. If both are empty, `name` describes the act.
    """

    at: datetime
    by: User | None
    texts: list[str]
    values: dict[str, list[Any]]
    name: str


@dataclass(frozen=True, slots=True)
class Sets:
    """Numbers of qualification pairs, gold pairs, and people who may be given work."""

    qualification: int
    gold: int
    people: int


def changes(project: Project) -> list[Change]:
    """Return the latest acts on the settings of a project, newest first."""
    found = AuditEntry.objects.filter(project=project.public_id, act__in=ACTS)
    latest = found.select_related("by").order_by("-pk")[:LATEST]
    return [
        Change(
            at=entry.at,
            by=entry.by,
            texts=entry.details.get("texts", []),
            values=entry.details.get("values", {}),
            name=audit.name_of(entry),
        )
        for entry in latest
    ]


def runs(project: Project) -> list[GenerationRun]:
    """Return the project's runs, with `sentences`, `sentences_done` and `has_entered`."""
    entered = Intake.objects.filter(project=project, batch__run=OuterRef("pk"))
    rows = project.runs.select_related("corpus").annotate(has_entered=Exists(entered))
    return list(selectors.of_runs(rows).order_by("-pk"))


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
