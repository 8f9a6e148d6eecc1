"""One person's answer on one pair (PAWS 4, "Paraphrase identification")."""

from django.db import models
from django.db.models import Q

from annotation.models.slots import Slot


class Judgment(Slot):
    """One of a pair's slots, made with the pair, and its answer.

    The database itself refuses a slot beyond those of the pair, a second slot of a pair for the
    same person, and a label outside the scale of the project (triggers: annotation/promises.py).
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

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pair", "slot"], name="judgment_slot_once_in_pair"),
            models.UniqueConstraint(
                fields=["pair", "annotator"], name="judgment_once_by_annotator"
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
                fields=["annotator", "project", "submitted_at"], name="judgment_by_annotator"
            ),
        ]

    def __str__(self) -> str:
        answer = "open" if self.label is None else self.label
        return f"slot {self.slot} of pair {self.pair_id}: {answer}"
