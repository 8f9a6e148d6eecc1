"""The decided label of a pair, its reopenings, adjudications, exclusions and answers' seals."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.stats.labels import MOST


class Consensus(models.Model):
    """The result of annotation.stats.consensus.decide for the judgments of a pair."""

    pair = models.OneToOneField(
        "annotation.SentencePair", models.PROTECT, primary_key=True, related_name="consensus"
    )
    tally = models.JSONField(help_text="Number of judgments for each label, from 0")
    first_tally = models.JSONField(
        null=True,
        editable=False,
        help_text="The tally of the first judgments; null if no more people were asked",
    )
    label = models.PositiveSmallIntegerField(
        null=True, help_text="Place of an outcome of the scheme; null if none has most votes"
    )
    kept = models.BooleanField(help_text="Enough judgments agree")
    model_label = models.PositiveSmallIntegerField(
        null=True,
        editable=False,
        help_text="The likeliest outcome by the model of annotators; null until it is fitted",
    )
    model_share = models.FloatField(
        null=True, editable=False, help_text="Its probability by the model, 0 to 1"
    )
    decided_at = models.DateTimeField(auto_now_add=True)
    sealed_at = models.DateTimeField(
        null=True, editable=False, help_text="When the answers of the pair were sealed"
    )

    class Meta:
        verbose_name_plural = "consensus"
        indexes = [
            models.Index(
                fields=["decided_at"], condition=Q(sealed_at=None), name="consensus_not_sealed"
            )
        ]

    def __str__(self) -> str:
        return f"{self.label} by {self.tally}"


class Reopening(models.Model):
    """A decided pair that is judged again by other people, with its earlier result.

    The answers of the earlier round are kept (`Judgment.superseded_by`) but no longer count.
    """

    pair = models.ForeignKey(
        "annotation.SentencePair", models.PROTECT, related_name="reopenings", db_index=False
    )
    number = models.PositiveSmallIntegerField(
        help_text="Number of the round that started: 2 for the second"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="null: an upgrade merged the pair with another that has the same texts",
    )
    because = models.ForeignKey(
        "annotation.JudgingModel",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="reopenings",
        help_text="The model whose disagreement was the reason, if that was it",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    tally = models.JSONField(help_text="Result of the previous round, as in Consensus")
    label = models.PositiveSmallIntegerField(null=True)
    decided_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["pair", "number"], name="round_once_in_pair"),
            models.CheckConstraint(condition=Q(number__gte=2), name="round_from_two"),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.pair}"


class Adjudication(models.Model):
    """An expert's label for a pair on which too few people agree.

    It never replaces the consensus. The latest one of a pair applies.
    """

    pair = models.ForeignKey(
        "annotation.SentencePair", models.PROTECT, related_name="adjudications"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    label = models.PositiveSmallIntegerField(
        null=True, help_text="Place of an outcome of the scheme; null: the expert can't decide"
    )
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(label=None) | Q(label__lte=MOST - 1), name="adjudication_outcome"
            )
        ]

    def __str__(self) -> str:
        return f"{self.label} by {self.by}"


class Seal(models.Model):
    """One link of the chain of digests over answers of decided pairs (annotation/seals/chain.py).

    All projects share one chain. The worker appends rows, and the database refuses changes to them
    (annotation/models/triggers.py).
    """

    number = models.PositiveBigIntegerField(
        primary_key=True, help_text="Place in the chain, from 1"
    )
    judgment = models.OneToOneField("annotation.Judgment", models.PROTECT, related_name="seal")
    digest = models.BinaryField(max_length=32, help_text="SHA-256 of the one before and the answer")

    def __str__(self) -> str:
        return f"seal {self.number}"


class PairExclusion(models.Model):
    """A manager's exclusion of a pair, or of a candidate that is no pair, until it is ended.

    An excluded pair is not given to anyone, counts in no figure, and is in no new release. Its
    answers and its consensus stay as they are.
    """

    class Reason(models.TextChoices):
        OFFENSIVE = "offensive", "offensive"
        PRIVATE = "private", "private data of a person"
        BROKEN = "broken", "not a valid sentence"
        OTHER = "other", "something else"

    pair = models.ForeignKey(
        "annotation.Item", models.PROTECT, related_name="exclusions", db_index=False
    )
    reason = models.CharField(max_length=10, choices=Reason)
    note = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["pair", "id"], name="pair_exclusion_by_pair")]
        constraints = [
            models.UniqueConstraint(
                fields=["pair"], condition=Q(ended_at=None), name="pair_excluded_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, ended_by=None)
                | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="pair_exclusion_ended_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"excluded: {self.get_reason_display()}"
