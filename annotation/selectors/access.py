"""Who may come in: one gate for each kind of object."""

import uuid

from accounts.models import User
from annotation.models import Membership


def membership_for(user: User, project_public_id: uuid.UUID) -> Membership:
    """The person's place in a project, with the project. Raises Membership.DoesNotExist."""
    return Membership.objects.select_related("project", "user").get(
        user=user, project__public_id=project_public_id
    )
