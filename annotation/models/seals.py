"""Digests that reveal changes to answers that were not made through Pawsmith."""

from django.db import models


class Seal(models.Model):
    """One link of the chain over the answers of decided pairs (annotation/seals/chain.py).

    All projects share one chain. The worker appends rows, and the database refuses changes to them
    (annotation/models/seal_triggers.py).
    """

    number = models.PositiveBigIntegerField(
        primary_key=True, help_text="Place in the chain, from 1"
    )
    judgment = models.OneToOneField("annotation.Judgment", models.PROTECT, related_name="seal")
    digest = models.BinaryField(max_length=32, help_text="SHA-256 of the one before and the answer")

    def __str__(self) -> str:
        return f"seal {self.number}"
