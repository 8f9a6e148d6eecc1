"""People whom a crowdsourcing platform sends, and the links by which they come."""

import uuid

from django.conf import settings
from django.core.validators import MinValueValidator, URLValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

WEB_ADDRESS = URLValidator(schemes=["http", "https"])


class Platform(models.TextChoices):
    """Who sends people; it names them in the parameters of the link."""

    PROLIFIC = "prolific", "Prolific"
    MTURK = "mturk", "Amazon Mechanical Turk"
    OTHER = "other", _("Another platform, or your own list of people")


class Recruitment(models.Model):
    """A recruiting link: many may join by it, up to a number and a date.

    Only the digest of its secret is stored.
    """

    Platform = Platform

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="recruitments")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256")
    platform = models.CharField(max_length=10, choices=Platform)
    kinds = models.JSONField(default=list, help_text="Kinds of work for people who join by it")
    note = models.CharField(max_length=200, blank=True, help_text="For managers")
    most_people = models.PositiveIntegerField(
        validators=[MinValueValidator(1)], help_text="Maximum number of people who may join"
    )
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, editable=False)
    completion_code = models.CharField(max_length=100, blank=True)
    completion_url = models.CharField(max_length=500, blank=True, validators=[WEB_ADDRESS])
    screen_out_code = models.CharField(max_length=100, blank=True)
    screen_out_url = models.CharField(max_length=500, blank=True, validators=[WEB_ADDRESS])
    reward = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="Pay for a person who completes the study",
    )
    currency = models.CharField(max_length=3, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(most_people__gte=1), name="recruitment_for_somebody")
        ]

    def __str__(self) -> str:
        return f"recruiting link to {self.project}"


class Participant(models.Model):
    """A member whom a platform has sent, by the id that they have there.

    An id is one person within a project, not beyond: the managers of one project can then never
    open an account that a person uses in another.
    """

    class Outcome(models.TextChoices):
        UNFINISHED = "", "at work"
        COMPLETED = "completed"
        SCREENED_OUT = "screened-out"

    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="participants", db_index=False
    )
    platform = models.CharField(max_length=10, choices=Platform)
    participant_id = models.CharField(max_length=100)
    membership = models.OneToOneField(
        "annotation.Membership", models.CASCADE, related_name="participant"
    )
    recruitment = models.ForeignKey(
        Recruitment, models.RESTRICT, related_name="participants", help_text="The last one used"
    )
    study_id = models.CharField(max_length=100, blank=True)
    session_id = models.CharField(max_length=100, blank=True)
    outcome = models.CharField(max_length=12, choices=Outcome, blank=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "platform", "participant_id"], name="participant_once_in_project"
            )
        ]

    def __str__(self) -> str:
        return f"{self.platform} {self.participant_id}"
