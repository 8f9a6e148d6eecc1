"""The members of a project as its managers see them."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Membership, Project


@dataclass(frozen=True, slots=True)
class Place:
    """A member, with the number of all and of failed qualification attempts."""

    member: Membership
    attempts: int
    failed: int

    @property
    def has_failed(self) -> bool:
        """Whether the member has not passed and has no attempts left."""
        project = self.member.project
        open_to_try = self.member.qualified_at is not None or self.failed < project.attempts
        return project.asks_qualification and not open_to_try


def of_project(project: Project) -> list[Place]:
    """Return all members: managers first, then researchers, then by user name."""
    members = project.memberships.select_related("user", "invitation", "project")
    counted = members.annotate(
        tries=Count("attempts"), failures=Count("attempts", filter=Q(attempts__passed=False))
    )
    counted = counted.prefetch_related("duties")
    places = [Place(each, each.tries, each.failures) for each in counted]
    return sorted(places, key=_order)


def _order(place: Place) -> tuple[bool, bool, str]:
    role = place.member.role
    name = place.member.user.get_username().casefold()
    return role != Membership.Role.MANAGER, role != Membership.Role.RESEARCHER, name
