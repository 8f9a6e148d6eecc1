"""A study: its protocol, its people, and the generated batches that it has taken in."""

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q


def corrected_by_default() -> list[str]:
    """Back translations need no correction: translators write fluently (PAWS 4, footnote 5)."""
    return ["word_swap"]


class Project(models.Model):
    """One study. Its protocol is the columns from `judgments_per_pair` on; defaults are PAWS's."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=100, unique=True)
    description = models.TextField(blank=True)
    guidelines = models.TextField(blank=True, help_text="Markdown; shown beside the work")
    runs = models.ManyToManyField(
        "generation.GenerationRun",
        blank=True,
        related_name="projects",
        help_text="Runs whose candidates enter this study",
    )
    seed = models.BigIntegerField(default=0, help_text="Draws which sentence stands left")
    is_open = models.BooleanField(default=True, help_text="Annotators are given work")
    created_at = models.DateTimeField(auto_now_add=True)

    judgments_per_pair = models.PositiveSmallIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    consensus_min_votes = models.PositiveSmallIntegerField(
        default=4, help_text="A pair is kept when at least so many agree"
    )
    max_label = models.PositiveSmallIntegerField(
        default=1, help_text="1: different or same meaning; 3: the graded scale 0 to 3"
    )
    paraphrase_from = models.PositiveSmallIntegerField(
        default=1, help_text="Labels from this one on count as paraphrase"
    )
    corrected_methods = models.JSONField(
        default=corrected_by_default, help_text="Methods whose candidates are corrected first"
    )
    lease_minutes = models.PositiveSmallIntegerField(
        default=30,
        validators=[MinValueValidator(1)],
        help_text="An item that was opened and not answered goes back to the queue after this",
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(consensus_min_votes__lte=F("judgments_per_pair"))
                & Q(consensus_min_votes__gte=1),
                name="project_votes_within_judgments",
            ),
            models.CheckConstraint(
                condition=Q(paraphrase_from__gte=1) & Q(paraphrase_from__lte=F("max_label")),
                name="project_paraphrase_within_scale",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """What a person may do in a project, and how far down its queues they have come."""

    class Role(models.TextChoices):
        ANNOTATOR = "annotator"
        RESEARCHER = "researcher", "researcher (reads)"
        MANAGER = "manager"

    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.ANNOTATOR)
    may_correct = models.BooleanField(default=True)
    may_judge = models.BooleanField(default=True)
    correction_place = models.BigIntegerField(default=0, editable=False)
    judgment_place = models.BigIntegerField(default=0, editable=False)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="member_once_in_project")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.project}"


class Intake(models.Model):
    """A finished batch whose candidates have entered a project: once, however often it is tried."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="intakes", db_index=False)
    batch = models.ForeignKey("generation.Batch", models.PROTECT, related_name="intakes")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "batch"], name="batch_once_in_project")
        ]

    def __str__(self) -> str:
        return f"{self.batch} in {self.project}"
