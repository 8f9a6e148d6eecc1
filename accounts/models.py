"""People: annotators, managers and researchers sign in with one kind of account."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from knox.models import AbstractAuthToken


class User(AbstractUser):  # type: ignore[django-manager-missing]  # knox has no types
    """A person, or a simulated one.

    What a person may do in a study is a matter of `annotation.Membership`, not of the account.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    is_simulated = models.BooleanField(
        default=False, help_text="Answers are made by a program; releases that hold them say so."
    )
    main_account = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="other_accounts",
        help_text="The account that stands for a person who has several; empty for that one itself",
    )

    erased_at = models.DateTimeField(
        null=True, editable=False, help_text="Since when nothing here tells who the person was"
    )

    class Meta(AbstractUser.Meta):
        pass


class AccessToken(AbstractAuthToken):
    """What a program shows over REST: it may do what its person may, as far as its scope goes."""

    class Scope(models.TextChoices):
        RELEASES = "releases", "read releases"
        READ = "read", "read all that the person may read"
        MANAGE = "manage", "read, and do all that the person may do"

    scope = models.CharField(max_length=10, choices=Scope, default=Scope.READ)
    name = models.CharField(max_length=100, blank=True, help_text="What it is for")

    class Meta(AbstractAuthToken.Meta):
        abstract = False
        ordering = ["-created"]
