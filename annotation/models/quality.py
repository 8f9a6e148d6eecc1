"""Steps that managers or rules take because of the quality of an annotator's work."""

from django.conf import settings
from django.db import models


class Intervention(models.Model):
    """One step on record. The latest of its kind determines what applies now."""

    class Kind(models.TextChoices):
        FLAG = "flag", "flagged"
        WARN = "warn", "warned"
        PAUSE = "pause", "paused"
        RESUME = "resume", "resumed"
        EXCLUDE = "exclude", "answers excluded from consensus"
        REINSTATE = "reinstate", "answers put back into consensus"

    membership = models.ForeignKey(
        "annotation.Membership", models.PROTECT, related_name="interventions", db_index=False
    )
    kind = models.CharField(max_length=10, choices=Kind)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Empty when a rule of the project did it",
    )
    reason = models.CharField(max_length=500, help_text="In words for the annotator")
    evidence = models.JSONField(default=dict, help_text="The figures that a rule went by")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["membership", "id"], name="intervention_by_member")]

    def __str__(self) -> str:
        return f"{self.membership}: {self.get_kind_display()}"
