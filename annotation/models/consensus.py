"""The decided label of a pair."""

from django.db import models


class Consensus(models.Model):
    """What the full slots of a pair say: annotation.stats.consensus.decide, stored once."""

    pair = models.OneToOneField(
        "annotation.SentencePair", models.PROTECT, primary_key=True, related_name="consensus"
    )
    tally = models.JSONField(help_text="Number of judgments for each label, from 0 on")
    label = models.PositiveSmallIntegerField(
        null=True, help_text="1 paraphrase, 0 not; null when no side has a majority"
    )
    kept = models.BooleanField(help_text="Enough judgments agree")
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "consensus"

    def __str__(self) -> str:
        return f"{self.label} by {self.tally}"
