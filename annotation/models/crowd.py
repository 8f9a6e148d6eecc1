"""People whom a crowdsourcing platform sends, and the links by which they come."""

import uuid
from collections.abc import Collection, Mapping

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MOST_ANSWERS = 1_000_000
WEB_ADDRESS = URLValidator(schemes=["http", "https"])


class Platform(models.TextChoices):
    """Who sends people; it names them in the parameters of the link."""

    PROLIFIC = "prolific", "Prolific"
    MTURK = "mturk", "Amazon Mechanical Turk"
    OTHER = "other", _("Another platform, or your own list of people")


class SameBrowser(models.TextChoices):
    """What happens when a person arrives in a browser that another participant has used."""

    REFUSE = "refuse", _("Refuse them")
    CHECK = "check", _("Let them in, but give no work until a manager has checked")
    ALLOW = "allow", _("Let them work: several people share a computer")


class Recruitment(models.Model):
    """A recruiting link: many may join by it, up to a number and a date.

    Only the digest of its secret is stored.
    """

    Platform = Platform
    SameBrowser = SameBrowser

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
    least_answers = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ANSWERS)],
        help_text="For completion. Empty: the limits of answers per person, or 1 without a limit",
    )
    nothing_left_code = models.CharField(max_length=100, blank=True)
    nothing_left_url = models.CharField(max_length=500, blank=True, validators=[WEB_ADDRESS])
    same_browser = models.CharField(max_length=10, choices=SameBrowser, default=SameBrowser.REFUSE)
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


def most_answers(limits: Mapping[str, int], kinds: Collection[str]) -> int | None:
    """Return how many answers of these kinds one person may give; None without a limit."""
    numbers = [limits.get(kind) for kind in kinds]
    return None if None in numbers else sum(filter(None, numbers))


class Participant(models.Model):
    """A member whom a platform has sent, by the id that they have there.

    An id is one person within a project, not beyond: the managers of one project can then never
    open an account that a person uses in another.
    """

    class Outcome(models.TextChoices):
        UNFINISHED = "", "at work"
        COMPLETED = "completed"
        SCREENED_OUT = "screened-out"
        NOTHING_LEFT = "nothing-left"

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
    # Also the earlier end of who has come back by another link, and so has no outcome now.
    finished_at = models.DateTimeField(null=True)
    same_browser_as = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="The participant who had used the person's browser before",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "platform", "participant_id"], name="participant_once_in_project"
            )
        ]

    def __str__(self) -> str:
        return f"{self.platform} {self.participant_id}"


class ParticipantBrowser(models.Model):
    """A browser in which a participant has taken part; one participant of a project has it.

    A signed cookie in the browser has its number.
    """

    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="+", db_index=False
    )
    browser = models.UUIDField()
    participant = models.ForeignKey(Participant, models.CASCADE, related_name="browsers")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "browser"], name="browser_of_one_participant"
            )
        ]

    def __str__(self) -> str:
        return f"a browser of {self.participant}"
