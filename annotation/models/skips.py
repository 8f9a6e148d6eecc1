"""Items that people skipped, and items that they never get."""

from django.conf import settings
from django.db import models


class Skip(models.Model):
    """A person skipped an item. `Project.skipping` determines what happens to it."""

    class Reason(models.TextChoices):
        UNCLEAR = "unclear", "I cannot tell"
        BROKEN = "broken", "not a valid sentence"
        OFFENSIVE = "offensive", "I would rather not read this"
        OTHER = "other", "something else"

    project = models.ForeignKey("annotation.Project", models.PROTECT, related_name="skips")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="skips", db_index=False
    )
    item = models.ForeignKey("annotation.Item", models.CASCADE, related_name="skips")
    reason = models.CharField(max_length=10, choices=Reason)
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["annotator", "project", "created_at"], name="skip_by_annotator")
        ]

    def __str__(self) -> str:
        return f"skipped: {self.get_reason_display()}"


class Recusal(models.Model):
    """A person who never gets an item, such as the corrector of a pair's rewrite."""

    class Reason(models.TextChoices):
        CORRECTED = "corrected", "corrected a sentence of the pair"
        SKIPPED = "skipped", "skipped the item"
        SAME_PERSON = "same_person", "has another account that saw the item"

    item = models.ForeignKey(
        "annotation.Item", models.CASCADE, related_name="recusals", db_index=False
    )
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="recusals")
    reason = models.CharField(max_length=20, choices=Reason)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="recusal_once_for_item")
        ]

    def __str__(self) -> str:
        return f"{self.annotator} never gets {self.item}"
