"""The members of a project, their next step into it, and the memberships of a person."""

from enum import Enum

from django.db.models import Count, Q

from accounts.models import User
from annotation.models import Membership, Project
from annotation.quality.selectors import qualification

# The order of the list of members.
ROLES = (
    Membership.Role.MANAGER,
    Membership.Role.RESEARCHER,
    Membership.Role.ANNOTATOR,
    Membership.Role.REMOVED,
)


class Step(Enum):
    """A member's next step in a project."""

    CONSENT = "consent"
    QUESTIONS = "questions"
    QUALIFICATION = "qualification"
    FAILED = "failed"
    READY = "ready"


def step_of(membership: Membership) -> Step:
    """Return the next step. `Membership.is_admitted` is the cheap test for READY."""
    if not membership.has_consented:
        return Step.CONSENT
    if not membership.has_replied:
        return Step.QUESTIONS
    if membership.is_admitted:
        return Step.READY
    return Step.QUALIFICATION if qualification.attempts_left(membership) else Step.FAILED


def of_user(user: User) -> list[Membership]:
    """Return the user's memberships by role and project name, without those that have ended.

    Of archived projects, only managers have one.
    """
    related = ("project__translation_plan", "user")
    memberships = Membership.objects.filter(user=user).select_related(*related)
    memberships = memberships.exclude(role=Membership.Role.REMOVED).prefetch_related("duties")
    listed = Q(project__archived_at=None) | Q(role=Membership.Role.MANAGER)
    rows = memberships.filter(listed).order_by("project__name")
    return sorted(rows, key=lambda member: ROLES.index(Membership.Role(member.role)))


def of_project(project: Project) -> list[Membership]:
    """Return all members by role and user name, with `tries` and `failures` to qualify.

    People who were removed are the last.
    """
    people = project.memberships.select_related("user", "invitation", "project", "participant")
    members = people.annotate(
        tries=Count("attempts"), failures=Count("attempts", filter=Q(attempts__passed=False))
    )

    def order(member: Membership) -> tuple[int, str]:
        return ROLES.index(Membership.Role(member.role)), member.user.get_username().casefold()

    return sorted(members.prefetch_related("duties"), key=order)
