"""What annotators and managers write to each other about an item."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

MOST_COMMENT = 2000


class CommentThread(models.Model):
    """Comments on an item: of one annotator and the managers, or of managers among themselves.

    Annotators see their own threads only. No release contains comments.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.PROTECT, related_name="threads")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="threads")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="threads",
        help_text="Who sees it besides managers and researchers; empty: no one else",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="thread_once_for_annotator"),
            models.UniqueConstraint(
                fields=["item"], condition=Q(annotator=None), name="thread_once_among_managers"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None, closed_by=None)
                | Q(closed_at__isnull=False, closed_by__isnull=False),
                name="thread_closed_by_someone",
            ),
        ]

    def __str__(self) -> str:
        return f"comments on {self.item}"


class Comment(models.Model):
    """One comment. Its text is removed when an account is erased that wrote it or it was for."""

    thread = models.ForeignKey(CommentThread, models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    text = models.CharField(max_length=MOST_COMMENT, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(
        null=True, blank=True, help_text="When the annotator of the thread confirmed a reply"
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"comment {self.pk} in {self.thread}"
