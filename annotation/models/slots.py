"""What corrections and judgments share: a row of work that one annotator holds, then answers."""

from django.conf import settings
from django.db import models

# Before everything in a queue.
FIRST_PLACE = -(2**62)


class Slot(models.Model):
    """Work for one person, made before anybody asks for it.

    While unanswered, a slot belongs to `annotator` until `lease_until`; then it may be claimed by
    somebody else, and `claimed_at` tells that it was passed by. Slots are given out in the order of
    `queue_key`; one without is in no queue. Constraints of the concrete models see to it that
    nobody holds two at once and that nothing is answered twice.
    """

    project = models.ForeignKey("annotation.Project", models.PROTECT, db_index=False)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="%(class)ss",
        db_index=False,  # an index of (annotator, project, submitted_at) stands in each table
    )
    queue_key = models.BigIntegerField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(
        null=True, blank=True, help_text="Time on the item, as its page measured it"
    )

    class Meta:
        abstract = True
