"""Changes of roles and permissions in a project, made by its managers."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Membership, Project, Role

PLACE = ("role", "may_correct", "may_judge")


@transaction.atomic
def change(
    membership: Membership,
    *,
    role: str,
    may_correct: bool,
    may_judge: bool,
    by: User | None = None,
) -> None:
    """Change a member's role and permissions. Their answers stay.

    `by` is recorded; None means the command line, here and in all services. Raises Refused if the
    project would be left without a manager who can sign in.
    """
    # Lock the project, so that of two managers who step down concurrently one stays.
    Project.objects.select_for_update(no_key=True).get(pk=membership.project_id)
    membership.refresh_from_db(fields=PLACE)
    if membership.role == Role.MANAGER != role and not _other_managers(membership):
        raise Refused(_("A project keeps at least one manager. Make somebody else one first."))
    now = {"role": role, "may_correct": may_correct, "may_judge": may_judge}
    steps = {name: [getattr(membership, name), value] for name, value in now.items()}
    for name, value in now.items():
        setattr(membership, name, value)
    membership.save(update_fields=PLACE)
    audit.record(
        Act.MEMBER_CHANGED, by=by, on=membership.user, project=membership.project, values=steps
    )


def _other_managers(membership: Membership) -> bool:
    managers = Membership.objects.filter(
        project=membership.project_id, role=Role.MANAGER, user__is_active=True
    )
    return managers.exclude(pk=membership.pk).exists()
