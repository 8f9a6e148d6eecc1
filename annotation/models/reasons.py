"""Reasons that are no longer shown."""

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, When

from annotation.models.slots import NOTHING


class HiddenReason(models.Model):
    """The reason of a judgment that no page, no list and no new release shows any more.

    The answer keeps its text and words, which its seal covers.
    """

    slot = models.OneToOneField(
        "annotation.Slot", models.CASCADE, primary_key=True, related_name="hidden_reason"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Empty if its author's account was erased",
    )
    at = models.DateTimeField(auto_now_add=True)
    why = models.CharField(max_length=500, blank=True)

    def __str__(self) -> str:
        return f"hidden reason of slot {self.slot_id}"


def shown_columns() -> dict[str, Case]:
    """Return `reason` and `marked` of slots: text and words, or nothing where they are hidden.

    Few are hidden, so they are looked up once and not joined to each slot.
    """
    is_shown = ~Q(pk__in=HiddenReason.objects.values("pk"))
    return {
        "reason": Case(When(is_shown, then=F("text")), default=NOTHING),
        "marked": Case(When(is_shown, then=F("words"))),
    }
