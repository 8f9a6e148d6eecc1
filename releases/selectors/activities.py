"""Selects when the work of a release was done, by how many people, and from which corpora."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet

from annotation.models import Adjudication, Intervention, Judgment, Participant, Project, Slot
from annotation.models.crowd import Platform
from annotation.models.slots import EXCLUDED
from annotation.projects.selectors import study_rows
from generation.models import Corpus, Sentence

# The first one in the description of a corpus, without what ends the sentence.
WEB_ADDRESS = re.compile(r"https?://[^\s<>\"]*[^\s<>\".,;:!?)\]}'’”]")


def describe_corpora(corpora: Iterable[Corpus]) -> dict[str, dict[str, Any]]:
    """Return, by name, what a release says of each corpus (`ReleaseFacts.corpora`)."""
    return {corpus.name: _describe(corpus) for corpus in corpora}


def _describe(corpus: Corpus) -> dict[str, Any]:
    sentences = Sentence.objects.filter(corpus=corpus, candidate=None)
    address = WEB_ADDRESS.search(corpus.description)
    return {
        "language": corpus.language,
        "licence": corpus.licence,
        "sentences": sentences.count(),
        "address": address[0] if address else "",
        "imported": first_and_last(sentences, "created_at"),
    }


def first_and_last_day(project: Project) -> list[str]:
    """Return the first and the last day of the judgments that count on decided pairs."""
    judged = study_rows.counted_judgments(project).filter(item__consensus__isnull=False)
    return first_and_last(judged, "submitted_at")


def first_and_last(rows: QuerySet[Any], started: str, ended: str = "") -> list[str]:
    """Return the first and the last day of rows, in UTC, by the columns with their times."""
    times = rows.aggregate(first=Min(started), last=Max(ended or started))
    return [day_of(time) for time in times.values() if time]


def day_of(time: datetime) -> str:
    """Return the day of a time, in UTC."""
    return time.astimezone(UTC).date().isoformat()


def work(project: Project, *kinds: str) -> dict[str, dict[str, Any]]:
    """Return the days of each kind of work that people did, and the number of people."""
    rows_by_kind = {kind: study_rows.answers(project, kind) for kind in kinds}
    return {kind: _work(rows, "submitted_at", "annotator") for kind, rows in rows_by_kind.items()}


def reviews(project: Project) -> dict[str, Any]:
    """Return the days of expert decisions, and the number of experts."""
    return _work(Adjudication.objects.filter(pair__project=project), "created_at", "by")


def _work(rows: QuerySet[Any], time: str, person: str) -> dict[str, Any]:
    people = rows.aggregate(people=Count(person, distinct=True))
    return {"days": first_and_last(rows, time), **people}


def excluded_answers(project: Project) -> dict[str, int]:
    """Return what a release says of excluded judgments (`ReleaseFacts.excluded_answers`)."""
    steps = Intervention.objects.filter(
        kind=Intervention.Kind.EXCLUDE, membership__project=project
    ).values_list("pk", flat=True)
    # Named by their keys: joined to all slots of the project, Postgres may read every answer.
    answers = study_rows.slots(project).answered().filter(EXCLUDED, excluded_by__in=list(steps))
    counts = answers.aggregate(
        people=Count("annotator", distinct=True),
        answers=Count("pk"),
        pairs=Count("item", filter=Q(item__consensus__isnull=False), distinct=True),
    )
    return counts if counts["answers"] else {}


def simulated_people(project: Project) -> dict[str, int]:
    """Return, by kind of work, how many simulated people gave answers that count."""
    answers = Slot.objects.filter(project=project).counting()
    answers = answers.exclude(kind=Judgment.KIND, item__consensus=None)
    people = project.memberships.filter(user__is_simulated=True).values_list("user", flat=True)
    # Person by person, because one answer of each is enough: all answers of a study are many.
    numbers = {
        kind: sum(answers.filter(annotator=person, kind=kind).exists() for person in people)
        for kind in project.kinds
    }
    return {kind: number for kind, number in numbers.items() if number}


def platforms(project: Project) -> list[str]:
    """Return the names of the platforms that sent people whose answers count."""
    people = Slot.objects.filter(project=project).counting().values("annotator")
    sent = Participant.objects.filter(project=project, membership__user__in=people)
    values = sent.exclude(platform=Platform.OTHER).values_list("platform", flat=True)
    return sorted({str(Platform(value).label) for value in values})
