"""Hides reasons of judgments from pages, lists and new releases, on record."""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import HiddenReason, Item, Judgment, Project
from annotation.models.slots import SlotQuerySet
from annotation.projects.services import projects


@transaction.atomic
def hide(pair: Item, *, by: User, number: int, why: str = "") -> None:
    """Hide the reason of one answer to a pair. A second call has no effect.

    Raises Refused if the answer has no reason.
    """
    projects.lock(pair.project)
    slot = _with_reason().filter(item=pair.pk, number=number).first()
    if slot is None:
        raise Refused(_("This answer has no reason."))
    details = {"by": by, "why": why.strip()}
    _row, is_new = HiddenReason.objects.get_or_create(slot_id=slot.pk, defaults=details)
    if is_new:
        audit.record(Act.REASON_HIDDEN, by=by, on=pair, slot=number)


def hide_all_of(user: User) -> None:
    """Hide all reasons that a person gave."""
    own_slots = _with_reason().filter(annotator=user, hidden_reason=None)
    for project in Project.objects.filter(pk__in=own_slots.values("project")).order_by("pk"):
        projects.lock(project)
    HiddenReason.objects.bulk_create(
        HiddenReason(slot_id=key) for key in own_slots.values_list("pk", flat=True)
    )


def _with_reason() -> SlotQuerySet:
    return Judgment.objects.exclude(Q(text="") & Q(words__isnull=True))
