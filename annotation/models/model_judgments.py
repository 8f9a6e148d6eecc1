"""Labels that models give to pairs; they affect neither consensus nor agreement."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common.leased import Leased
from generation.models.replies import Spender


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
    interview = models.JSONField(
        default=dict,
        blank=True,
        help_text="Identity and interview, if Pawsmith asked it; empty: labels were imported",
    )
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


class ModelTask(Spender, Leased):
    """A model behind an endpoint judges pairs of a project: leased work, in slices of pairs."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for a worker")
        RUNNING = "running", _("in progress")
        PAUSED = "paused", _("paused")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    class Scope(models.TextChoices):
        ALL = "all", _("All pairs")
        UNDECIDED = "undecided", _("Pairs that people have not decided")
        DECIDED = "decided", _("Pairs that people have decided")

    OPEN = (State.WAITING, State.RUNNING, State.PAUSED)

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="model_tasks", db_index=False
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    model = models.CharField(max_length=100, help_text="As settings name it: endpoint and model")
    identity = models.JSONField(help_text="Of the model, when it was asked first")
    interview = models.JSONField(
        help_text="annotation.model_judgments.asking.Interview.parameters: prompt, samples, seed"
    )
    revision = models.CharField(
        max_length=12, help_text="Digest of model and interview; the revision of its labels"
    )
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.ALL)
    draw = models.PositiveIntegerField(
        null=True, blank=True, help_text="Number of pairs drawn by the seed; empty: all"
    )
    unusable = models.JSONField(default=dict, help_text="Replies without a label, by reason")
    unlabelled = models.PositiveIntegerField(
        default=0, help_text="Pairs without a label, as too few replies gave one"
    )
    ties = models.PositiveIntegerField(
        default=0, help_text="Pairs with several leading labels, of which the lowest counts"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "revision"],
                condition=Q(state__in=["waiting", "running", "paused"]),
                name="one_open_task_of_model",
            )
        ]

    def __str__(self) -> str:
        return f"{self.model} judges {self.project}"
