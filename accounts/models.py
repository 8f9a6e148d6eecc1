"""User accounts, API tokens, attempt counts and the audit log."""

import uuid
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from accounts import names


class User(AbstractUser):  # type: ignore[django-manager-missing]  # knox has no types
    """A person, or a simulated one.

    Permissions in a project come from `annotation.Membership`, not from the account.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    is_simulated = models.BooleanField(
        default=False, help_text="Answers are made by a program; releases that contain them say so."
    )
    may_create_projects = models.BooleanField(
        null=True,
        blank=True,
        choices=[(None, "as usual: managers of a project may"), (True, "yes"), (False, "no")],
        help_text="Whether the person may create projects. Administrators always may.",
    )
    main_account = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="other_accounts",
        help_text="The main account of a person who has several; empty for the main account itself",
    )

    @property
    def person_key(self) -> int:
        """The key of the person's main account."""
        return self.main_account_id or self.pk

    def has_usable_password(self) -> bool:
        """Return whether the person may sign in with a password: never where all are off."""
        return settings.PASSWORDS and super().has_usable_password()

    class Theme(models.TextChoices):
        SYSTEM = "", _("System")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    theme = models.CharField(
        max_length=5, choices=Theme, default=Theme.SYSTEM, blank=True, help_text="Of the pages"
    )
    shortcuts = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text="Keys that the person has changed, by action (annotation/work/shortcuts.py)",
    )
    story_hidden_at = models.DateTimeField(
        null=True, editable=False, help_text="When the person hid what home tells newcomers"
    )
    mails = models.JSONField(
        default=list,
        editable=False,
        help_text="The events that the person gets mail about, in projects that they manage",
    )
    mail_address = models.EmailField(
        blank=True, editable=False, help_text="For these mails, unverified: it opens no account"
    )
    mail_language = models.CharField(
        max_length=10, blank=True, editable=False, help_text="Of the page where they chose these"
    )
    erased_at = models.DateTimeField(
        null=True, editable=False, help_text="When the person’s identity was removed"
    )

    class Meta(AbstractUser.Meta):
        pass

    def clean(self) -> None:
        """Refuse a new name that looks like another; names that people have stay."""
        super().clean()
        if self.username not in User.objects.filter(pk=self.pk).values_list("username", flat=True):
            names.check(self.username)


class Session(AbstractBaseSession):
    """A session of Django, with the account of the person who is signed in.

    The account may be gone by the time a session is stored, so it is not required to exist.
    """

    user = models.ForeignKey(
        User, models.CASCADE, null=True, editable=False, related_name="+", db_constraint=False
    )

    @classmethod
    def get_session_store_class(cls) -> type[Any]:
        return import_module(settings.SESSION_ENGINE).SessionStore  # type: ignore[no-any-return]


class AccessToken(AbstractAuthToken):
    """A REST token: it has the permissions of its user, limited by its scope."""

    class Scope(models.TextChoices):
        RELEASES = "releases", "read releases"
        READ = "read", "read all that the person may read"
        MANAGE = "manage", "read, and do all that the person may do"

    scope = models.CharField(max_length=10, choices=Scope, default=Scope.READ)
    name = models.CharField(max_length=100, blank=True, help_text="Token name")

    class Meta(AbstractAuthToken.Meta):
        abstract = False
        ordering = ["-created"]

    @property
    def handle(self) -> str:
        """The beginning of the digest, which identifies it among the tokens of its user."""
        return str(self.digest[:16])

    @property
    def is_over(self) -> bool:
        return self.expiry is not None and self.expiry <= timezone.now()


class SignInTries(models.Model):
    """Attempts to enter a secret; neither the person nor the address can be read from it."""

    digest = models.CharField(
        primary_key=True,
        max_length=64,
        editable=False,
        help_text="HMAC of the kind of attempt, the account and the address, or of some of these",
    )
    tries = models.PositiveIntegerField()
    until = models.DateTimeField(db_index=True, help_text="When the attempts are forgotten")


class AuditEntry(models.Model):
    """An administrative action, recorded in its transaction; never changed or removed."""

    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(
        User,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        help_text="Empty for the command line, and for rules of a project",
    )
    act = models.CharField(
        max_length=40, editable=False, help_text="Named in accounts/audited_acts.py"
    )
    kind = models.CharField(
        max_length=40, blank=True, editable=False, help_text="Of the object of the act"
    )
    public_id = models.UUIDField(
        null=True, editable=False, help_text="Which one is the object of the act"
    )
    project = models.UUIDField(
        null=True, editable=False, help_text="Public id of the project that it belongs to"
    )
    details = models.JSONField(default=dict, editable=False, help_text="Small plain values")

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["project", "-id"], name="audit_of_project"),
            models.Index(fields=["by", "-id"], name="audit_of_person"),
        ]


class Event(models.Model):
    """A change of a study that is reported to other programs and by mail (events.py).

    It is written in the transaction of the change; a worker turns it into deliveries.
    """

    class Kind(models.TextChoices):
        RUN_DONE = "run.done", _("Run finished")
        APPROVAL_NEEDED = "approval.needed", _("Preview waits for approval")
        WORK_FINISHED = "work.finished", _("No work left")
        PERSON_FLAGGED = "person.flagged", _("Person flagged")
        IMPORT_DONE = "import.done", _("Import finished")
        RELEASE_FROZEN = "release.frozen", _("Release frozen")

    kind = models.CharField(max_length=20, choices=Kind, editable=False)
    row = models.BigIntegerField(
        editable=False, help_text="Primary key of the run, project, member, import or release"
    )
    phase = models.CharField(
        max_length=10, blank=True, editable=False, help_text="Kind of work that has none left"
    )
    at = models.DateTimeField(default=timezone.now, editable=False)
    is_spread = models.BooleanField(
        default=False, editable=False, help_text="Whether its deliveries have been written"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["row"],
                condition=models.Q(kind="approval.needed"),
                name="event_approval_once",
            )
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(is_spread=False), name="event_to_spread")
        ]
