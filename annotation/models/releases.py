"""Frozen output: what a published version of the dataset consists of."""

import uuid

from django.conf import settings
from django.db import models


class Release(models.Model):
    """A version of a project's dataset. Once frozen, its rows and files never change."""

    class State(models.TextChoices):
        DRAFT = "draft"
        FROZEN = "frozen"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.PROTECT, related_name="releases")
    version = models.CharField(max_length=50)
    seed = models.BigIntegerField()
    settings = models.JSONField(help_text="Every setting that the files depend on")
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    created_at = models.DateTimeField(auto_now_add=True)
    manifest = models.JSONField(
        null=True, blank=True, help_text="manifest.json as first written; later builds must equal it"
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
        UNJUDGED = "unjudged", "labelled by its method"

    release = models.ForeignKey(Release, models.CASCADE, related_name="examples", db_index=False)
    position = models.PositiveIntegerField(help_text="Place in the files")
    public_id = models.UUIDField()
    origin = models.CharField(max_length=10, choices=Origin)
    pair = models.ForeignKey(
        "annotation.SentencePair", models.PROTECT, null=True, related_name="examples"
    )
    via = models.JSONField(default=list, help_text="Public ids of the pairs it was composed from")
    sentence1_ref = models.UUIDField(help_text="Public id of the sentence; unjudged: or candidate")
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
    """The name that a person bears in one release; without these rows nobody can tell who it was."""

    release = models.ForeignKey(
        Release, models.CASCADE, related_name="pseudonyms", db_index=False
    )
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "annotator"], name="one_pseudonym_each"),
            models.UniqueConstraint(fields=["release", "name"], name="pseudonym_once_in_release"),
        ]
