"""Members of a project, what each may do, and the invitations by which they join."""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import connection, models
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from annotation.models.quality import Intervention

# Below every queue key.
FIRST_PLACE = -(2**62)


class Role(models.TextChoices):
    """A person's role in a project."""

    ANNOTATOR = "annotator"
    RESEARCHER = "researcher", "researcher (reads)"
    MANAGER = "manager"
    REMOVED = "removed", "removed (was a member)"


class Membership(models.Model):
    """A person's role and permissions in a project, and their place in its queues."""

    Role = Role

    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="memberships", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.ANNOTATOR)
    joined_at = models.DateTimeField(auto_now_add=True)
    invitation = models.ForeignKey(
        "annotation.Invitation",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="memberships",
    )
    welcomed_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When the person left the instructions page of the project",
    )
    consented_at = models.DateTimeField(null=True, editable=False)
    replied_at = models.DateTimeField(
        null=True, editable=False, help_text="When the person last answered new questions"
    )
    publishes = models.BooleanField(
        null=True, editable=False, help_text="Whether releases may have their replies"
    )
    qualified_at = models.DateTimeField(null=True, editable=False)
    paused_at = models.DateTimeField(
        null=True, editable=False, help_text="When the person was paused"
    )
    opened_at = models.DateTimeField(
        null=True, editable=False, help_text="When the person last opened the overview"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="member_once_in_project")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.project}"

    @property
    def has_consented(self) -> bool:
        """Whether the person has accepted the current consent text, if there is one."""
        changed, consented = self.project.consent_changed_at, self.consented_at
        return changed is None or (consented is not None and consented >= changed)

    @property
    def has_replied(self) -> bool:
        """Whether the person has answered all questions that the study asks about them."""
        changed, replied = self.project.questions_changed_at, self.replied_at
        return changed is None or (replied is not None and replied >= changed)

    @property
    def is_admitted(self) -> bool:
        """Whether the person has taken all steps that are required before work."""
        qualified = not self.project.asks_qualification or self.qualified_at is not None
        return qualified and self.has_consented and self.has_replied

    def duty(self, kind: str) -> "Duty":
        """Return what the person may do of a kind of work. Raises Duty.DoesNotExist."""
        duty = self.duties.get(kind=kind)
        duty.membership = self
        return duty

    @property
    def is_recruited(self) -> bool:
        """Whether a crowdsourcing platform has sent the person."""
        return hasattr(self, "participant")

    @property
    def kinds(self) -> list[str]:
        """The kinds of work that the person may do."""
        return sorted(duty.kind for duty in self.duties.all() if duty.allowed)

    @property
    def is_given_work(self) -> bool:
        """Whether the person can be given any item."""
        return self.project.is_open and self.paused_at is None and self.is_admitted

    @property
    def pause(self) -> Intervention | None:
        """The current pause, with its reason; None if the person is not paused."""
        if self.paused_at is None:
            return None
        return self.interventions.filter(kind=Intervention.Kind.PAUSE).order_by("id").last()

    def warning(self, *, read: datetime | None) -> Intervention | None:
        """Return the last warning; None if it was `read` or is older than any session."""
        since = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
        warnings = self.interventions.filter(kind=Intervention.Kind.WARN, created_at__gt=since)
        return warnings.filter(created_at__gt=read or since).order_by("id").last()


# The number of their last answers that people see and may change.
LAST_ANSWERS = 10
# Each reads a few rows of an index. Every turn asks: Django would take longer to write the
# statement than the database to answer it.
LAST_SERIAL = """
SELECT (
    SELECT serial FROM annotation_slot
    WHERE annotator_id = %s AND project_id = %s AND kind = %s AND serial IS NOT NULL
    ORDER BY serial DESC LIMIT 1
)"""
# The last one before a moment may be a change of one of the last answers.
SERIAL_BEFORE = f"""(
    SELECT max(serial) FROM (
        SELECT serial FROM annotation_slot
        WHERE annotator_id = %s AND project_id = %s AND kind = %s AND serial IS NOT NULL
        AND submitted_at < %s
        ORDER BY submitted_at DESC LIMIT {LAST_ANSWERS}
    ) AS last
)"""  # noqa: S608 all parts are constants


class Duty(models.Model):
    """What a member may do: a kind of work, and their place in its queue."""

    membership = models.ForeignKey(
        Membership, models.CASCADE, related_name="duties", db_index=False
    )
    kind = models.CharField(max_length=10)
    allowed = models.BooleanField(default=True)
    takes_reserved = models.BooleanField(
        default=False, help_text="Also gets slots that are reserved for named people"
    )
    place = models.BigIntegerField(default=FIRST_PLACE, editable=False)
    looked_behind_at = models.DateTimeField(
        null=True, editable=False, help_text="When no work was found after this place in the queue"
    )
    gold_after = models.PositiveIntegerField(
        null=True, editable=False, help_text="The next gold item comes after this number of answers"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["membership", "kind"], name="duty_once_for_member")
        ]
        verbose_name_plural = "duties"

    def __str__(self) -> str:
        return f"{self.membership}: {self.kind}"

    @property
    def is_given_work(self) -> bool:
        """Whether the person can be given any item of this kind."""
        return self.allowed and self.membership.is_given_work

    @property
    def answers(self) -> models.QuerySet[Any]:
        """The person's answers, last first."""
        slots = self.membership.project.slots.of_member(self.membership).answered()
        return slots.filter(kind=self.kind, serial__isnull=False).order_by("-serial")

    @property
    def last_answers(self) -> models.QuerySet[Any]:
        """Those that the person sees and may change."""
        return self.answers[:LAST_ANSWERS]

    @property
    def total(self) -> int:
        """The number of the person's answers: the serial number of the last."""
        return self.totals()[0]

    def totals(self, *moments: datetime) -> list[int]:
        """Return the number of the person's answers, and of those before each of the moments."""
        member = self.membership
        of_person = [member.user_id, member.project_id, self.kind]
        values: list[Any] = [*of_person]
        for moment in moments:
            values += [*of_person, connection.ops.adapt_datetimefield_value(moment)]
        with connection.cursor() as cursor:
            cursor.execute(", ".join([LAST_SERIAL, *[SERIAL_BEFORE] * len(moments)]), values)
            return [serial or 0 for serial in cursor.fetchone()]

    @property
    def limit(self) -> int | None:
        """The most answers that one person may give; None without a limit."""
        limit: int | None = self.membership.project.limits.get(self.kind)
        return limit

    @property
    def left(self) -> int | None:
        """How many more answers the person may give; None without a limit."""
        return None if self.limit is None else max(0, self.limit - self.total)


# Roles that a person can be given.
GIVEN_ROLES = [(role.value, role.label) for role in Role if role != Role.REMOVED]


class Invitation(models.Model):
    """A link with which people create an account and join. Only its digest is stored."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="invitations")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256")
    role = models.CharField(max_length=10, choices=GIVEN_ROLES, default=Role.ANNOTATOR)
    kinds = models.JSONField(
        default=list, blank=True, help_text="Kinds of work for people who join"
    )
    note = models.CharField(max_length=200, blank=True, help_text="For managers: who it is for")
    most_people = models.PositiveIntegerField(
        default=1,
        validators=[MinValueValidator(1)],
        help_text="Maximum number of people who may join",
    )
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(most_people__gte=1), name="invitation_for_somebody")
        ]

    def __str__(self) -> str:
        return f"invitation to {self.project}"


class SamePerson(models.Model):
    """A project's mark that two accounts belong to one person, the older account first.

    `User.main_account` follows from the marks of all projects.
    """

    project = models.ForeignKey(
        "annotation.Project",
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="The project that linked the accounts",
    )
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "same people"
        constraints = [
            models.UniqueConstraint(
                fields=["account", "other", "project"], name="same_person_once_in_project"
            ),
            models.CheckConstraint(
                condition=Q(account__lt=F("other")), name="same_person_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account} is {self.other}"

    @classmethod
    def links_of(cls, account: int) -> QuerySet["SamePerson"]:
        """Return the marks of an account, of all projects."""
        return cls.objects.filter(Q(account=account) | Q(other=account))
