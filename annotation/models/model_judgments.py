"""Labels that models give to pairs; they affect neither consensus nor agreement."""

import uuid

from django.conf import settings
from django.db import models


class JudgingModel(models.Model):
    """A model that labels a project's pairs."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="judging_models", db_index=False
    )
    name = models.CharField(max_length=200)
    revision = models.CharField(
        max_length=200, blank=True, help_text="Revision of the model, or its digest"
    )
    note = models.CharField(max_length=500, blank=True, help_text="Prompt and settings")
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name", "revision"], name="model_once_in_project"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.revision}".strip()


class ModelJudgment(models.Model):
    """A model's label for a pair."""

    model = models.ForeignKey(
        JudgingModel, models.CASCADE, related_name="judgments", db_index=False
    )
    pair = models.ForeignKey(
        "annotation.SentencePair", models.CASCADE, related_name="model_judgments"
    )
    label = models.PositiveSmallIntegerField(help_text="On the scale of the project")
    score = models.FloatField(
        null=True,
        blank=True,
        help_text="Probability of a paraphrase according to the model, 0 to 1",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["model", "pair"], name="model_judges_once"),
            models.CheckConstraint(
                condition=models.Q(score=None) | models.Q(score__gte=0, score__lte=1),
                name="model_score_is_share",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} by {self.model}"
