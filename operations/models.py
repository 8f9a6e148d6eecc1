"""Deliveries of events, and the phases of projects that have work, whose end is an event."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from common.leased import Leased


class Delivery(Leased):
    """An event on its way to one target, or by mail to one person.

    It is sent at least once, with the same id and the same data each time, until it is delivered
    or a day has passed since `asked_at`.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENDING = "sending"
        DELIVERED = "delivered"
        FAILED = "failed", "given up"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    kind = models.CharField(max_length=20, help_text="Of the event, or “test”")
    target = models.CharField(
        max_length=30, blank=True, help_text="Its name in the file of webhooks; empty: a mail"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        related_name="+",
        help_text="To whom it is mailed",
    )
    payload = models.JSONField(help_text="What is sent")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    asked_at = models.DateTimeField(help_text="Since when it is tried")
    next_try_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0, help_text="Since `asked_at`")
    status = models.PositiveSmallIntegerField(
        null=True, help_text="Of the last answer; null: there was none"
    )

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"
        constraints = [
            models.CheckConstraint(
                condition=Q(target="", person__isnull=False) | ~Q(target="") & Q(person=None),
                name="delivery_has_one_receiver",
            )
        ]
        indexes = [
            models.Index(
                fields=["next_try_at"],
                condition=Q(state__in=["waiting", "sending"]),
                name="delivery_to_send",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.receiver}"

    @property
    def receiver(self) -> str:
        return self.target or str(self.person)


class OpenPhase(models.Model):
    """A kind of work of a project that has work, until it has had none for a while (phases.py)."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10)
    empty_since = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "kind"], name="open_phase_once")]

    def __str__(self) -> str:
        return f"{self.kind} in {self.project}"
