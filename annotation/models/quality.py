"""Control of annotators: the qualification test, and steps taken because of their work."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Intervention(models.Model):
    """A step that a manager or a rule took; the latest of its kind determines what applies now."""

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
        help_text="Empty if a rule of the project did it",
    )
    reason = models.CharField(max_length=500, help_text="In words for the annotator")
    evidence = models.JSONField(default=dict, help_text="The figures behind an automatic flag")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["membership", "id"], name="intervention_by_member")]

    def __str__(self) -> str:
        return f"{self.membership}: {self.get_kind_display()}"


class QualificationPair(models.Model):
    """A pair with a known answer that newcomers answer before any work (PARADE 4.2)."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="qualification_pairs", db_index=False
    )
    position = models.PositiveSmallIntegerField()
    sentence1 = models.TextField()
    sentence2 = models.TextField()
    label = models.PositiveSmallIntegerField()
    explanation = models.TextField(blank=True, help_text="Shown after the attempt")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "position"], name="qualification_position_once_in_project"
            )
        ]

    def __str__(self) -> str:
        return f"qualification pair {self.position}"


class QualificationAttempt(models.Model):
    """One person's attempt: in progress until `finished_at`, then passed or not."""

    membership = models.ForeignKey(
        "annotation.Membership", models.CASCADE, related_name="attempts", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text="From 1")
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    share = models.FloatField(null=True, blank=True, help_text="Share of correct answers")
    passed = models.BooleanField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["membership", "number"], name="attempt_number_once_for_member"
            ),
            models.UniqueConstraint(
                fields=["membership"],
                condition=Q(finished_at=None),
                name="attempt_under_way_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.membership}"


class QualificationAnswer(models.Model):
    """One answer of an attempt; it cannot be changed."""

    attempt = models.ForeignKey(
        QualificationAttempt, models.CASCADE, related_name="answers", db_index=False
    )
    pair = models.ForeignKey(QualificationPair, models.CASCADE, related_name="answers")
    label = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attempt", "pair"], name="answer_once_in_attempt")
        ]

    def __str__(self) -> str:
        return f"{self.label} on {self.pair}"
