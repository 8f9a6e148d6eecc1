"""Pairs and candidates that a manager took out of the study, and why."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class PairExclusion(models.Model):
    """A manager's exclusion of a pair, or of a candidate that is no pair, until it is ended.

    An excluded pair is not given to anyone, counts in no figure, and is in no new release. Its
    answers and its consensus stay as they are.
    """

    class Reason(models.TextChoices):
        OFFENSIVE = "offensive", "offensive"
        PRIVATE = "private", "private data of a person"
        BROKEN = "broken", "not a valid sentence"
        OTHER = "other", "something else"

    pair = models.ForeignKey(
        "annotation.Item", models.PROTECT, related_name="exclusions", db_index=False
    )
    reason = models.CharField(max_length=10, choices=Reason)
    note = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["pair", "id"], name="pair_exclusion_by_pair")]
        constraints = [
            models.UniqueConstraint(
                fields=["pair"], condition=Q(ended_at=None), name="pair_excluded_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_by=None)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="pair_exclusion_ended_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"excluded: {self.get_reason_display()}"
