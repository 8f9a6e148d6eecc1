"""Changes of a member: by managers, role and permissions; by themselves, the steps to the work.

`annotation/apps.py` registers what accounts ask about the studies of a person.
"""

import hashlib
import uuid
from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from accounts.services import password_link
from accounts.studies import CannotLeave
from annotation.access import readers
from annotation.comments import services as comments
from annotation.errors import Refused
from annotation.models import (
    Adjudication,
    Intervention,
    Invitation,
    Membership,
    Participant,
    Project,
    Role,
    Skip,
    Slot,
)
from annotation.pairs.services import hidden_reasons
from annotation.projects.services import projects
from annotation.questions import services as questions
from annotation.work import queue
from common.quotes import quoted

ERASED = "Erased with the account."
# How long a new look at a project goes unnoted, so that few requests write.
BETWEEN_OPENINGS = timedelta(hours=1)


@transaction.atomic
def change(
    membership: Membership,
    *,
    role: str,
    kinds: Collection[str],
    by: User | None = None,
    act: Act = Act.MEMBER_CHANGED,
) -> None:
    """Change a member's role and the kinds of work that they may do. Their answers stay.

    Raises Refused if the project would be left without a manager who can sign in.
    """
    # Lock the project, so that of two managers who step down concurrently one stays.
    Project.objects.select_for_update(no_key=True).get(pk=membership.project_id)
    membership.refresh_from_db(fields=["role"])
    require_manager(membership, role)
    steps = {"role": [membership.role, role], "kinds": [membership.kinds, sorted(kinds)]}
    membership.role = role
    membership.save(update_fields=["role"])
    projects.allow(membership, kinds)
    if role == Role.REMOVED:
        queue.give_back_all(Slot.objects.of_member(membership))
    audit.record(act, by=by, on=membership.user, project=membership.project, values=steps)


@transaction.atomic
def remove(membership: Membership, *, by: User) -> None:
    """End access and work; answers stay. Raises Refused for the last manager who can sign in."""
    change(membership, role=Role.REMOVED, kinds=(), by=by, act=Act.MEMBER_REMOVED)


@transaction.atomic
def transfer(membership: Membership, *, to: Membership, by: User) -> None:
    """Make another member the manager in place of this one, who stays as a researcher.

    Raises Refused if the other person cannot sign in or is the same.
    """
    can_manage = to.user.is_active and to.user.erased_at is None and to.role != Role.REMOVED
    if not can_manage or to.pk == membership.pk:
        raise Refused(_("Choose another member who can sign in."))
    change(to, role=Role.MANAGER, kinds=(), by=by)
    queue.give_back_all(Slot.objects.of_member(to))
    change(membership, role=Role.RESEARCHER, kinds=(), by=by)
    queue.give_back_all(Slot.objects.of_member(membership))
    audit.record(Act.PROJECT_TRANSFERRED, by=by, on=to.user, project=membership.project)


@transaction.atomic
def new_password_link(membership: Membership, *, by: User) -> str:
    """Return the path of a page on which a member chooses a new password, once.

    Raises Refused for an account that the manager could take over to reach more than this project:
    one of an administrator, or of a member of a project that `by` does not manage.
    """
    user = membership.user
    if not user.is_active or user.erased_at is not None or user.is_simulated:
        raise Refused(_("No one can sign in to this account."))
    managed = readers.managed_projects(by).values("pk")
    places = Membership.objects.filter(user=user).exclude(role=Role.REMOVED)
    if user.is_staff or user.is_superuser or user.pk == by.pk:
        raise Refused(_("Only an administrator can create a password link for this account."))
    if places.exclude(project__in=managed).exists():
        raise Refused(
            _(
                "This person also belongs to a project that you do not manage. Ask an "
                "administrator for a password link."
            )
        )
    audit.record(Act.PASSWORD_LINK_MADE, by=by, on=user, project=membership.project)
    return password_link(user=user)


def allowed_kinds(role: str, kinds: Collection[str], *, despite_votes: bool) -> list[str]:
    # Managers and researchers may see votes, so they get no work unless a manager allows it.
    return list(kinds) if role == Role.ANNOTATOR or despite_votes else []


def require_manager(membership: Membership, role: str) -> None:
    """Raises Refused if the project would have no manager once the member has this role."""
    managers = Membership.objects.filter(
        project=membership.project_id, role=Role.MANAGER, user__is_active=True
    )
    other_managers = managers.exclude(pk=membership.pk)
    if membership.role == Role.MANAGER != role and not other_managers.exists():
        raise Refused(_("A project needs at least one manager. Make someone else a manager first."))


def version_of(consent: str) -> str:
    """Return the SHA-256 digest of a consent text, which the form sends back on agreement."""
    return hashlib.sha256(consent.encode()).hexdigest()


@transaction.atomic
def agree(membership: Membership, *, version: str) -> None:
    """Record the person's agreement to the consent text of this version.

    Agreeing twice changes nothing. Raises Refused if the text has changed since it was shown.
    """
    # Lock the text until the agreement is stored.
    project = Project.objects.select_for_update(no_key=True).get(pk=membership.project_id)
    if version != version_of(project.consent):
        raise Refused(_("The text was changed while you were reading it. Please read it again."))
    membership.project = project
    if project.consent and not membership.has_consented:
        _set(membership, "consented_at")


def leave_first_page(membership: Membership) -> None:
    """Record when the person first left the project's first page."""
    if membership.welcomed_at is None:
        _set(membership, "welcomed_at")


def _set(membership: Membership, moment: str) -> None:
    setattr(membership, moment, timezone.now())
    membership.save(update_fields=[moment])


def are_read_by(user: User) -> bool:
    return readers.projects(user).exists()


def are_managed_by(user: User) -> bool:
    return Membership.objects.filter(user=user, role=Role.MANAGER).exists()


def let_go(user: User) -> None:
    """Remove a person from all work, clear the notes by and about them and hide their reasons.

    Their answers stay. Items in progress return to their queues, and the person is paused in every
    project. Raises CannotLeave if they are the only manager of a project.
    """
    _leave_managed(user)
    queue.give_back_all(Slot.objects.filter(annotator=user))
    Membership.objects.filter(user=user, paused_at=None).update(paused_at=timezone.now())
    Skip.objects.filter(annotator=user).update(note="")
    Adjudication.objects.filter(by=user).update(note="")
    Intervention.objects.filter(membership__user=user).update(reason=ERASED)
    comments.erase(user)
    questions.forget(user)
    hidden_reasons.hide_all_of(user)
    _invitations_of(user).update(note="")
    for row in Participant.objects.filter(membership__user=user):
        row.participant_id, row.study_id, row.session_id = (f"erased-{uuid.uuid4()}", "", "")
        row.save(update_fields=["participant_id", "study_id", "session_id"])
        row.browsers.all().delete()


def _leave_managed(user: User) -> None:
    """Lock the projects, so that of two managers who leave at the same time one stays."""
    managed = Project.objects.filter(memberships__user=user, memberships__role=Role.MANAGER)
    locked = list(managed.order_by("pk").select_for_update(of=("self",), no_key=True))
    other_managers = Membership.objects.filter(role=Role.MANAGER, user__is_active=True).exclude(
        user=user
    )
    kept_projects = set(other_managers.filter(project__in=locked).values_list("project", flat=True))
    if names := [project.name for project in locked if project.pk not in kept_projects]:
        raise CannotLeave(
            _("%(name)s is the only manager of %(projects)s. Make someone else a manager first.")
            % {"name": user.get_username(), "projects": ", ".join(map(quoted, names))}
        )


def _invitations_of(user: User) -> QuerySet[Invitation]:
    """Return invitations that only this person has used."""
    by_person = Count("memberships", filter=Q(memberships__user=user))
    counts = Invitation.objects.annotate(theirs=by_person, all=Count("memberships"))
    return Invitation.objects.filter(pk__in=counts.filter(theirs=1, all=F("theirs")).values("pk"))


def note_opening(membership: Membership) -> None:
    """Store that the person has opened the project, at most once in BETWEEN_OPENINGS."""
    now, last = timezone.now(), membership.opened_at
    if last is None or last < now - BETWEEN_OPENINGS:
        membership.opened_at = now
        membership.save(update_fields=["opened_at"])
