"""People: annotators, managers and researchers sign in with one kind of account."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
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

    class Meta(AbstractUser.Meta):
        pass
