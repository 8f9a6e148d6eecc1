"""Skipped items and the reasons."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Skip(models.Model):
    """A person skipped an item. `Project.skipping` determines what happens to it."""

    class Reason(models.TextChoices):
        UNCLEAR = "unclear", "I cannot tell"
        BROKEN = "broken", "it is not a sentence of the language"
        OFFENSIVE = "offensive", "I would rather not read this"
        OTHER = "other", "something else"

    project = models.ForeignKey("annotation.Project", models.PROTECT, related_name="skips")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="skips", db_index=False
    )
    correction = models.ForeignKey(
        "annotation.Correction", models.CASCADE, null=True, related_name="skips"
    )
    pair = models.ForeignKey(
        "annotation.SentencePair", models.CASCADE, null=True, related_name="skips"
    )
    reason = models.CharField(max_length=10, choices=Reason)
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(correction=None, pair__isnull=False)
                | Q(correction__isnull=False, pair=None),
                name="skip_of_one_item",
            )
        ]
        indexes = [
            models.Index(fields=["annotator", "project", "created_at"], name="skip_by_annotator")
        ]

    def __str__(self) -> str:
        return f"skipped: {self.get_reason_display()}"
