"""Base of corrections and judgments: an item of work that one annotator claims and answers."""

from django.conf import settings
from django.db import models

# Below every queue key.
FIRST_PLACE = -(2**62)


class Slot(models.Model):
    """Work for one person, created before anyone asks for it.

    While unanswered, a slot belongs to `annotator` until `lease_until`; then others may claim it,
    and `claimed_at` marks it as returned. Slots are given out in the order of `queue_key`; without
    one, a slot is not in the queue. Constraints of the concrete models ensure that a person has at
    most one in progress and answers no item twice.
    """

    project = models.ForeignKey("annotation.Project", models.PROTECT, db_index=False)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="%(class)ss",
        db_index=False,  # each table has an index of (annotator, project, submitted_at)
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
