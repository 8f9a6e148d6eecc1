"""Imports: uploaded files whose lines a worker brings into a project."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from common.leased import Leased

USER = settings.AUTH_USER_MODEL


class Import(Leased):
    """An uploaded file, how to read it, and the result for its lines.

    A worker works on it twice. At first it has no preview: the worker reads its beginning and makes
    it a draft. Once a person has started the draft, the worker imports it in chunks. The counts
    change in the transaction of each chunk, so that after a crash another worker continues with the
    next line.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("not started")
        QUEUED = "queued", _("waiting for a worker")
        RUNNING = "running", _("in progress")
        DONE = "done", _("imported")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    class Kind(models.TextChoices):
        SENTENCES = "sentences", _("Sentences")
        FLASHCARDS = "flashcards", _("Flashcards")
        PAIRS = "pairs", _("Pairs")
        GOLD_PAIRS = "gold_pairs", _("Gold pairs")
        QUALIFICATION = "qualification", _("Qualification pairs")
        MODEL_JUDGMENTS = "model_judgments", _("Model judgments")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="imports")
    kind = models.CharField(max_length=20, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    name = models.CharField(max_length=200, help_text="Of the file, as it was uploaded")
    size = models.BigIntegerField(help_text="Of the file, in bytes")
    layout = models.JSONField(
        default=dict, help_text="annotation.imports.tables.Layout; empty: to be found out"
    )
    preview = models.JSONField(
        null=True, default=None, help_text="annotation.imports.previews.Preview; null: not read yet"
    )
    columns = models.JSONField(default=dict, help_text="Column numbers, from 0, by field")
    options = models.JSONField(default=dict, help_text="Options of the kind of import")
    corpus = models.ForeignKey(
        "generation.Corpus", models.SET_NULL, null=True, blank=True, related_name="imports"
    )
    created_by = models.ForeignKey(USER, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    read = models.PositiveIntegerField(default=0, help_text="Lines processed")
    added = models.PositiveIntegerField(default=0)
    duplicates = models.PositiveIntegerField(default=0, help_text="Lines that already existed")
    refused = models.JSONField(default=dict, help_text="Refused lines by reason")
    refused_bytes = models.BigIntegerField(
        default=0, help_text="Size of the file of refused lines; anything beyond was not committed"
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.name} into {self.project}"

    @property
    def refused_lines(self) -> int:
        return sum(self.refused.values())
