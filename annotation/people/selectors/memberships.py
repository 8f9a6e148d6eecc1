"""The memberships of a person."""

from accounts.models import User
from annotation.models import Membership


def memberships_of(user: User) -> list[Membership]:
    """Return the user's memberships by project name."""
    found = Membership.objects.filter(user=user).select_related("project", "user")
    return list(found.order_by("project__name"))
