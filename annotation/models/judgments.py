"""One person's answer on one pair (PAWS 4, "Paraphrase identification")."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.slots import Slot


class Judgment(Slot):
    """One of a pair's slots, created with the pair, and its answer.

    The database refuses a slot above the pair's number of slots, a second slot of a pair for the
    same person, and a label outside the project's scale (annotation/models/triggers.py).
    """

    pair = models.ForeignKey(
        "annotation.SentencePair", models.PROTECT, related_name="judgments", db_index=False
    )
    slot = models.PositiveSmallIntegerField(help_text="1 to the number of slots of the pair")
    label = models.PositiveSmallIntegerField(null=True, blank=True)
    number = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="Which of the person's answers in the project it is, from 1 on",
    )
    highlighted = models.BooleanField(
        null=True, blank=True, help_text="Whether the words that differ were marked"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        db_index=False,
        help_text="The main account of an annotator who has several",
    )
    held_out = models.ForeignKey(
        "annotation.Intervention",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="held_out",
        help_text="Why the answer counts nowhere, while that is so",
    )
    superseded_by = models.ForeignKey(
        "annotation.Reopening",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="superseded",
        db_index=False,
        help_text="The pair was asked anew of others; the answer counted until then",
    )
    replaces = models.OneToOneField(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="replacement",
        help_text="The answer that was held out and for which this slot was issued",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pair", "slot"], name="judgment_slot_once_in_pair"),
            models.UniqueConstraint(
                fields=["pair", "annotator"], name="judgment_once_by_annotator"
            ),
            models.UniqueConstraint(
                fields=["pair", "person"],
                condition=Q(person__isnull=False),
                name="judgment_once_by_person",
            ),
            models.UniqueConstraint(
                fields=["project", "annotator"],
                condition=Q(label=None) & ~Q(annotator=None),
                name="judgment_held_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(label=None) | ~Q(annotator=None), name="judgment_has_annotator"
            ),
            models.CheckConstraint(condition=Q(slot__gte=1), name="judgment_slot_from_one"),
        ]
        indexes = [
            models.Index(
                fields=["project", "queue_key"], condition=Q(label=None), name="judgment_queue"
            ),
            models.Index(
                fields=["project", "queue_key"],
                condition=Q(label=None, claimed_at__isnull=False),
                name="judgment_returned",
            ),
            models.Index(
                fields=["annotator", "project", "submitted_at"], name="judgment_by_annotator"
            ),
        ]

    def __str__(self) -> str:
        answer = "open" if self.label is None else self.label
        return f"slot {self.slot} of pair {self.pair_id}: {answer}"
