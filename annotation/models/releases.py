"""Frozen output: what a published version of the dataset consists of."""

import uuid

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models

# A version is a folder's name as well.
VERSION = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,49}$"


class Release(models.Model):
    """A version of a project's dataset. Its rows and its files never change."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.PROTECT, related_name="releases")
    version = models.CharField(max_length=50, validators=[RegexValidator(VERSION)])
    seed = models.BigIntegerField()
    settings = models.JSONField(help_text="annotation.dataset.settings.ReleaseSettings, all of it")
    facts = models.JSONField(help_text="annotation.dataset.manifest.ReleaseFacts, all of it")
    left_out = models.JSONField(default=dict, help_text="What the plan could not use, by reason")
    created_at = models.DateTimeField(auto_now_add=True)
    manifest = models.JSONField(
        null=True,
        blank=True,
        help_text="manifest.json as first written; later builds must equal it",
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="version_once_in_project")
        ]

    def __str__(self) -> str:
        return f"{self.project} {self.version}"


class Example(models.Model):
    """One pair of a release, as published: the texts are part of it, and so are the votes."""

    class Origin(models.TextChoices):
        JUDGED = "judged"
        RECOMBINED = "recombined"
        SILVER = "silver", "labelled by its method alone"

    release = models.ForeignKey(Release, models.CASCADE, related_name="examples", db_index=False)
    position = models.PositiveIntegerField(help_text="Place in the files")
    public_id = models.UUIDField()
    origin = models.CharField(max_length=10, choices=Origin)
    pair = models.ForeignKey(
        "annotation.SentencePair", models.PROTECT, null=True, related_name="examples"
    )
    via = models.JSONField(default=list, help_text="Public ids of the pairs it was composed from")
    sentence1_ref = models.UUIDField(help_text="Public id of the sentence, or of the candidate")
    sentence2_ref = models.UUIDField()
    sentence1 = models.TextField()
    sentence2 = models.TextField()
    method = models.CharField(max_length=30)
    votes = models.JSONField(null=True, help_text="Votes for 0 and for 1")
    label = models.PositiveSmallIntegerField(null=True)
    kept = models.BooleanField()
    subset = models.CharField(max_length=20, blank=True)
    split = models.CharField(max_length=10, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "position"], name="example_position_once_in_release"
            ),
            models.UniqueConstraint(
                fields=["release", "public_id"], name="example_id_once_in_release"
            ),
        ]

    def __str__(self) -> str:
        return f"example {self.public_id}"


class Pseudonym(models.Model):
    """What a person is called in one release; without these rows nobody can tell who it was."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="pseudonyms", db_index=False)
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "annotator"], name="one_pseudonym_each"),
            models.UniqueConstraint(fields=["release", "name"], name="pseudonym_once_in_release"),
        ]
