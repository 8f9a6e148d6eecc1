"""How much a person can still do: counted up to a limit, so that a big queue costs no more."""

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotation.models import Correction, Judgment, Membership, Recusal

# A page that says "more than a thousand" says enough.
LIMIT = 1000


def corrections_for(membership: Membership) -> int:
    """Candidates that the person can be given, at most LIMIT + 1."""
    if not (membership.may_correct and membership.project.is_open):
        return 0
    return Correction.objects.filter(_free_for(membership), action=None)[: LIMIT + 1].count()


def pairs_for(membership: Membership) -> int:
    """Pairs that the person can be given to judge, at most LIMIT + 1."""
    if not (membership.may_judge and membership.project.is_open):
        return 0
    answered = Judgment.objects.filter(
        pair=OuterRef("pair"), annotator=membership.user_id, label__isnull=False
    )
    recused = Recusal.objects.filter(pair=OuterRef("pair"), annotator=membership.user_id)
    slots = Judgment.objects.filter(
        _free_for(membership), ~Exists(answered), ~Exists(recused), label=None
    )
    return slots.values("pair").distinct()[: LIMIT + 1].count()


def _free_for(membership: Membership) -> Q:
    """Slots of the project that are held by nobody, by this person, or beyond their lease."""
    free = Q(annotator=None) | Q(annotator=membership.user_id) | Q(lease_until__lt=timezone.now())
    return free & Q(project=membership.project_id)
