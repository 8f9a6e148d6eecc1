"""A person's own last answers in a project, newest first."""

from django.db.models import QuerySet

from annotation.models import Correction, Judgment, Membership

LAST = 10


def judgments_of(membership: Membership) -> QuerySet[Judgment]:
    """Return the last judgments, with their pairs and sentences."""
    given = Judgment.objects.filter(
        annotator=membership.user_id, project=membership.project_id, label__isnull=False
    )
    related = ("pair__sentence1__corpus", "pair__sentence2")
    return given.select_related(*related).order_by("-submitted_at", "-id")[:LAST]


def corrections_of(membership: Membership) -> QuerySet[Correction]:
    """Return the last corrections, with their candidates."""
    made = Correction.objects.filter(
        annotator=membership.user_id, project=membership.project_id, action__isnull=False
    )
    return made.select_related("candidate__run__corpus").order_by("-submitted_at", "-id")[:LAST]
