"""Pairs to judge, and people who may not judge them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class SentencePair(models.Model):
    """A source sentence (`sentence1`) and its final rewrite (`sentence2`)."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.PROTECT, related_name="pairs", db_index=False
    )
    candidate = models.ForeignKey("generation.Candidate", models.PROTECT, related_name="pairs")
    correction = models.OneToOneField(
        "annotation.Correction", models.PROTECT, null=True, blank=True, related_name="pair"
    )
    sentence1 = models.ForeignKey(
        "generation.Sentence", models.PROTECT, related_name="pairs_as_first"
    )
    sentence2 = models.ForeignKey(
        "generation.Sentence", models.PROTECT, related_name="pairs_as_second"
    )
    flipped = models.BooleanField(help_text="Judges see the rewrite first")
    slots = models.PositiveSmallIntegerField(help_text="Judgments that the pair receives")
    known_label = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="A hidden pair whose answer is known: it is nobody's consensus and in no release",
    )
    priority = models.SmallIntegerField(default=0, help_text="1 before all others, -1 after them")
    set_aside_at = models.DateTimeField(
        null=True, editable=False, help_text="Out of the queue since somebody skipped it"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "candidate"], name="pair_once_in_project"),
            models.CheckConstraint(condition=Q(slots__gte=1), name="pair_has_slots"),
        ]
        indexes = [
            models.Index(fields=["project", "id"], name="pair_in_project"),
            models.Index(
                fields=["project", "id"],
                condition=Q(known_label__isnull=False),
                name="pair_with_known_label",
            ),
        ]

    def __str__(self) -> str:
        return f"pair {self.public_id}"


class Recusal(models.Model):
    """A person who never judges a pair, such as the corrector of its candidate."""

    class Reason(models.TextChoices):
        CORRECTED = "corrected", "corrected a sentence of the pair"
        SKIPPED = "skipped", "passed the pair over"
        SAME_PERSON = "same_person", "has another account that saw the pair"

    pair = models.ForeignKey(SentencePair, models.CASCADE, related_name="recusals", db_index=False)
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="recusals")
    reason = models.CharField(max_length=20, choices=Reason)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pair", "annotator"], name="recusal_once_for_pair")
        ]

    def __str__(self) -> str:
        return f"{self.annotator} does not judge {self.pair}"
