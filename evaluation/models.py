"""Evaluations of releases that people asked for on a page, and their results."""

import uuid
from datetime import timedelta

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from common import clock
from common.leased import Leased

MOST_SEEDS = 10


class Evaluation(Leased):
    """Models fitted to a release by a worker, as asked for last; one row for each experiment."""

    class Experiment(models.TextChoices):
        PLAIN = "plain", _("How hard is the test set?")
        CURVE = "curve", _("Would more annotation help?")
        RANKING = "ranking", _("Do models tell degrees of paraphrase?")

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for a worker"
        UNDER_WAY = "under_way", "being fitted"
        DONE = "done"
        FAILED = "failed", "could not be made"
        CANCELLED = "cancelled"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    release = models.ForeignKey(
        "releases.Release", models.CASCADE, related_name="evaluations", db_index=False
    )
    experiment = models.CharField(max_length=20, choices=Experiment)
    names = models.JSONField(help_text="Names of evaluation.models_by_name")
    seeds = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(MOST_SEEDS)]
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    results = models.JSONField(
        null=True, help_text="The entry of the experiment in evaluation.json, once it is done"
    )
    started_at = models.DateTimeField(
        null=True, editable=False, help_text="When the latest attempt began"
    )
    finished_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-asked_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "experiment"], name="evaluation_once_in_release"
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(results__isnull=False, finished_at__isnull=False),
                name="evaluation_done_has_results",
            ),
        ]

    @property
    def hours_left(self) -> float | None:
        """Return about how long the worker still needs, judging by what it has done so far."""
        if self.started_at is None or not self.done:
            return None
        so_far = (clock.now() - self.started_at) / timedelta(hours=1)
        return max(0.0, so_far * (self.total - self.done) / self.done)

    def __str__(self) -> str:
        return f"{self.release}: {self.experiment}"
