"""Changes of roles and permissions in a project, made by its managers."""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Membership, Project, Role
from annotation.projects.services import projects


@transaction.atomic
def change(
    membership: Membership,
    *,
    role: str,
    kinds: Collection[str],
    by: User | None = None,
) -> None:
    """Change a member's role and the kinds of work that they may do. Their answers stay.

    `by` is recorded; None means the command line, here and in all services. Raises Refused if the
    project would be left without a manager who can sign in.
    """
    # Lock the project, so that of two managers who step down concurrently one stays.
    Project.objects.select_for_update(no_key=True).get(pk=membership.project_id)
    membership.refresh_from_db(fields=["role"])
    require_manager(membership, role)
    steps = {"role": [membership.role, role], "kinds": [membership.kinds, sorted(kinds)]}
    membership.role = role
    membership.save(update_fields=["role"])
    projects.allow(membership, kinds)
    audit.record(
        Act.MEMBER_CHANGED, by=by, on=membership.user, project=membership.project, values=steps
    )


def require_manager(membership: Membership, role: str) -> None:
    """Raises Refused if the project would have no manager once the member has this role."""
    managers = Membership.objects.filter(
        project=membership.project_id, role=Role.MANAGER, user__is_active=True
    )
    others = managers.exclude(pk=membership.pk)
    if membership.role == Role.MANAGER != role and not others.exists():
        raise Refused(_("A project needs at least one manager. Make someone else a manager first."))
