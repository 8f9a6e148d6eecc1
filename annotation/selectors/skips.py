"""What people passed over, where that keeps it from them."""

from django.db.models import QuerySet

from annotation.models import Membership, Project, Skip


def passed_by(membership: Membership) -> QuerySet[Skip]:
    """The person's skips of corrections that go to others and never back to them.

    Of pairs, recusals say so.
    """
    if membership.project.skipping != Project.Skipping.OTHERS:
        return Skip.objects.none()
    return Skip.objects.filter(
        annotator=membership.user_id, project=membership.project_id, correction__isnull=False
    )
