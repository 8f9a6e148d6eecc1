"""Questions that a study asks its annotators about themselves, and their replies."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

MOST_TITLE, MOST_TEXT, MOST_CHOICE = 60, 300, 100


class AnnotatorQuestion(models.Model):
    """A question with a list of choices. Once a person has replied, it can only be retired."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="questions", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text="From 1, in the order of asking")
    title = models.CharField(max_length=MOST_TITLE, help_text="Its name in releases")
    text = models.CharField(max_length=MOST_TEXT, help_text="As people are asked")
    choices = models.JSONField(help_text="Texts to choose from, in order")
    ready = models.CharField(
        max_length=20, blank=True, help_text="Its key in annotation.questions.ready, if unchanged"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    retired_at = models.DateTimeField(null=True, editable=False, help_text="When it was last asked")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "number"], name="question_number_once_in_project"
            ),
            models.UniqueConstraint(
                fields=["project", "title"],
                condition=Q(retired_at=None),
                name="question_title_once_while_asked",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class AnnotatorReply(models.Model):
    """What a member replied to a question. Only they themselves ever see it."""

    membership = models.ForeignKey(
        "annotation.Membership", models.CASCADE, related_name="replies", db_index=False
    )
    question = models.ForeignKey(AnnotatorQuestion, models.CASCADE, related_name="replies")
    choice = models.PositiveSmallIntegerField(
        null=True, help_text="Place among the choices, from 0; empty: they would rather not say"
    )

    class Meta:
        verbose_name_plural = "annotator replies"
        constraints = [
            models.UniqueConstraint(
                fields=["membership", "question"], name="reply_once_to_question"
            )
        ]

    def __str__(self) -> str:
        return "a reply"
