"""What a person may be given, and how much of it waits for them."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.models import Correction, Judgment, Membership, Recusal

# A page that says "more than a thousand" says enough, and counting further would cost more.
LIMIT = 1000


def open_to(membership: Membership, slots: QuerySet[Judgment]) -> QuerySet[Judgment]:
    """Slots of pairs that the person has no slot of yet and is not recused from."""
    own = Judgment.objects.filter(pair=OuterRef("pair"), annotator=membership.user_id)
    recused = Recusal.objects.filter(pair=OuterRef("pair"), annotator=membership.user_id)
    return slots.filter(~Exists(own), ~Exists(recused))


def corrections_for(membership: Membership) -> int:
    """Candidates that the person can be given, at most LIMIT + 1."""
    if not (membership.may_correct and membership.project.is_open):
        return 0
    unanswered = Correction.objects.filter(project=membership.project_id, action=None)
    waiting = unanswered.filter(_free() | Q(annotator=membership.user_id))
    return waiting[: LIMIT + 1].count()


def pairs_for(membership: Membership) -> int:
    """Pairs that the person can be given to judge, at most LIMIT + 1."""
    if not (membership.may_judge and membership.project.is_open):
        return 0
    unanswered = Judgment.objects.filter(project=membership.project_id, label=None)
    held = unanswered.filter(annotator=membership.user_id).count()
    others = open_to(membership, unanswered.filter(_free())).values("pair").distinct()
    return held + others[: LIMIT + 1 - held].count()


def _free() -> Q:
    """Slots that nobody holds, or held beyond their lease."""
    return Q(annotator=None) | Q(lease_until__lt=timezone.now())
