"""Blind correction: accept, fix or reject a candidate without seeing its source (PAWS 4)."""

import uuid

from django.db import models
from django.db.models import Q

from annotation.models.slots import Slot


class Correction(Slot):
    """The slot of one candidate in one project, and its answer."""

    class Action(models.TextChoices):
        ACCEPT = "accept"
        FIX = "fix"
        REJECT = "reject"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    candidate = models.ForeignKey(
        "generation.Candidate", models.PROTECT, related_name="corrections"
    )
    action = models.CharField(max_length=10, choices=Action, null=True, blank=True)  # noqa: DJ001 null means open
    text = models.TextField(blank=True, help_text="The sentence as fixed; empty unless fixed")
    number = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="Which of the person's corrections in the project it is, from 1 on",
    )
    priority = models.SmallIntegerField(default=0, help_text="1 before all others, -1 after them")
    set_aside_at = models.DateTimeField(
        null=True, editable=False, help_text="Out of the queue since somebody skipped it"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "candidate"], name="correction_once_in_project"
            ),
            models.UniqueConstraint(
                fields=["project", "annotator"],
                condition=Q(action=None) & ~Q(annotator=None),
                name="correction_held_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(action=None) | ~Q(annotator=None), name="correction_has_annotator"
            ),
            models.CheckConstraint(
                # A comparison with NULL is neither true nor false, and a check accepts that.
                condition=Q(action__isnull=False, action="fix") & ~Q(text="")
                | (Q(action=None) | ~Q(action="fix")) & Q(text=""),
                name="correction_text_when_fixed",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "queue_key"],
                condition=Q(action=None),
                name="correction_queue",
            ),
            models.Index(
                fields=["annotator", "project", "submitted_at"], name="correction_by_annotator"
            ),
        ]

    def __str__(self) -> str:
        return f"correction of candidate {self.candidate_id}: {self.action or 'open'}"
