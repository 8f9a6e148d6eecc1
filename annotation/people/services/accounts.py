"""What accounts ask about the studies of a person; `annotation/apps.py` registers it."""

import uuid

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.studies import CannotLeave
from annotation.access import readers
from annotation.comments import services as comments
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
from annotation.work import queue

ERASED = "Erased with the account."


def are_read_by(user: User) -> bool:
    return readers.projects(user).exists()


def let_go(user: User) -> None:
    """Remove a person from all work and clear the notes by and about them; their answers stay.

    Items in progress return to their queues, and the person is paused in every project. Raises
    CannotLeave if they are the only manager of a project.
    """
    _leave_managed(user)
    queue.give_back_all(Slot.objects.filter(annotator=user))
    Membership.objects.filter(user=user, paused_at=None).update(paused_at=timezone.now())
    Skip.objects.filter(annotator=user).update(note="")
    Adjudication.objects.filter(by=user).update(note="")
    Intervention.objects.filter(membership__user=user).update(reason=ERASED)
    comments.erase(user)
    _invitations_of(user).update(note="")
    for sent in Participant.objects.filter(membership__user=user):
        sent.participant_id, sent.study_id, sent.session_id = f"erased-{uuid.uuid4()}", "", ""
        sent.save(update_fields=["participant_id", "study_id", "session_id"])


def _leave_managed(user: User) -> None:
    """Lock the projects, so that of two managers who leave at the same time one stays."""
    managed = Project.objects.filter(memberships__user=user, memberships__role=Role.MANAGER)
    locked = list(managed.order_by("pk").select_for_update(of=("self",), no_key=True))
    others = Membership.objects.filter(role=Role.MANAGER, user__is_active=True).exclude(user=user)
    kept = set(others.filter(project__in=locked).values_list("project", flat=True))
    if alone := [project.name for project in locked if project.pk not in kept]:
        raise CannotLeave(
            _("%(name)s is the only manager of %(projects)s. Make someone else a manager first.")
            % {"name": user.get_username(), "projects": ", ".join(f"“{name}”" for name in alone)}
        )


def _invitations_of(user: User) -> QuerySet[Invitation]:
    """Return invitations that only this person has used."""
    theirs = Count("memberships", filter=Q(memberships__user=user))
    counted = Invitation.objects.annotate(theirs=theirs, all=Count("memberships"))
    return Invitation.objects.filter(pk__in=counted.filter(theirs=1, all=F("theirs")).values("pk"))
