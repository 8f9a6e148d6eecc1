"""The numbers that the rail shows, and the projects that a person opened last."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import connection
from django.db.models import F, QuerySet

from accounts.models import User
from annotation import registry
from annotation.comments import selectors as comments
from annotation.models import Membership, Project, Role
from annotation.projects.selectors import study_rows
from annotation.runs.selectors import runs
from generation import selectors as generation
from generation.models import Sentence

# Larger numbers are shown as "100,000+", so that counting stays cheap.
MOST = 100_000
MOST_PROJECTS = 10


def counts(project: Project, kinds: Collection[str]) -> dict[str, Any]:
    """Return the numbers by name, in one statement; a number above MOST means that there are more.

    `version` is the newest release, None if there is none. `left:KIND` are the items that wait for
    an answer, of each of the `kinds` of work.
    """
    rows: dict[str, QuerySet[Any]] = {
        "sentences": Sentence.objects.filter(corpus__in=project.corpora.all(), candidate=None),
        "runs": project.runs.all(),
        "previews": runs.waiting_previews(project),
        "parked": generation.parked_batches().filter(run__projects=project),
        "pairs": study_rows.pairs(project),
        "source_pairs": project.translated_pairs.all(),
        "people": project.memberships.exclude(role=Role.REMOVED),
        "notes": comments.open_threads(project),
        "terms": project.terms.all(),
        **{f"left:{kind}": study_rows.to_answer(project, kind) for kind in kinds},
    }
    values: dict[str, QuerySet[Any]] = {}
    for newest_version in registry.newest_version:
        values["version"] = newest_version(project)
    return _in_one_statement(rows, values)


def opened_last(user: User) -> list[Membership]:
    """Return where the person manages or reads, the projects that they opened last first."""
    rows = user.memberships.filter(role__in=(Role.MANAGER, Role.RESEARCHER))
    rows = rows.filter(project__archived_at=None).select_related("project")
    return list(rows.order_by(F("opened_at").desc(nulls_last=True), "-pk")[:MOST_PROJECTS])


def _in_one_statement(
    counted: Mapping[str, QuerySet[Any]], values: Mapping[str, QuerySet[Any]]
) -> dict[str, Any]:
    """Return how many rows each of `counted` has, and the only column of the first of `values`."""
    parts: list[str] = []
    parameters: list[Any] = []
    for rows in counted.values():
        sql, inputs = rows.order_by().values("pk")[: MOST + 1].query.sql_with_params()
        parts.append(f"(SELECT count(*) FROM ({sql}) part)")  # noqa: S608 from the ORM
        parameters.extend(inputs)
    for rows in values.values():
        sql, inputs = rows[:1].query.sql_with_params()
        parts.append(f"({sql})")
        parameters.extend(inputs)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", parameters)
        return dict(zip([*counted, *values], cursor.fetchone(), strict=True))
