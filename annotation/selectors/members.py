"""The people of a project, and what each has done."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from accounts.models import User
from annotation.models import Correction, Judgment, Membership, Project
from annotation.selectors.dashboard import rows


@dataclass(frozen=True, slots=True)
class MemberWork:
    """A person of a project with the number of their answers."""

    user: User
    role: str
    corrections: int
    judgments: int


def memberships_of(user: User) -> list[Membership]:
    """The person's places, by name of the project."""
    found = Membership.objects.filter(user=user).select_related("project", "user")
    return list(found.order_by("project__name"))


def work_of(project: Project) -> list[MemberWork]:
    """Everybody in a project, by name, with the number of their answers that count."""
    corrected = Correction.objects.filter(project=project).exclude(action=None)
    corrections = dict(_answers_by_person(corrected))
    judgments = dict(_answers_by_person(rows.counted(project)))
    return [
        MemberWork(
            user=member.user,
            role=member.get_role_display(),
            corrections=corrections.get(member.user_id, 0),
            judgments=judgments.get(member.user_id, 0),
        )
        for member in project.memberships.select_related("user").order_by("user__username")
    ]


def _answers_by_person(
    answers: QuerySet[Correction] | QuerySet[Judgment],
) -> Iterable[tuple[int | None, int]]:
    counted = answers.values("annotator").annotate(answers=Count("pk"))
    return counted.values_list("annotator", "answers")
