"""The answers of each kind of work, as proxy models of slots."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.items import OfKind
from annotation.models.slots import Slot, SlotQuerySet

SlotsOfKind = OfKind.from_queryset(SlotQuerySet)


class Correction(Slot):
    """Blind correction: accept, fix or reject a candidate without its source (PAWS 4)."""

    class Action(models.TextChoices):
        ACCEPT = "accept"
        FIX = "fix"
        REJECT = "reject"

    KIND = "correct"
    objects = SlotsOfKind(KIND)  # type: ignore[assignment,misc]

    class Meta:
        proxy = True

    def __str__(self) -> str:
        return f"correction of item {self.item_id}: {self.action or 'open'}"


class Translation(Slot):
    """A translation of one sentence, or why it cannot be translated (PAWS-X 2)."""

    class Action(models.TextChoices):
        TRANSLATE = "translate", _("translated")
        INCOMPLETE = "incomplete", _("incomplete")
        AMBIGUOUS = "ambiguous", _("ambiguous")
        NONSENSE = "nonsense", _("not a sentence")
        OTHER = "other", _("another reason")

    KIND = "translate"
    objects = SlotsOfKind(KIND)  # type: ignore[assignment,misc]

    class Meta:
        proxy = True

    def __str__(self) -> str:
        return f"translation of item {self.item_id}: {self.action or 'open'}"


class Validation(Slot):
    """A second person's look at a translation: accept, fix or reject it (PAWS-X 2)."""

    Action = Correction.Action

    KIND = "validate"
    objects = SlotsOfKind(KIND)  # type: ignore[assignment,misc]

    class Meta:
        proxy = True

    def __str__(self) -> str:
        return f"validation of item {self.item_id}: {self.action or 'open'}"


class Judgment(Slot):
    """One person's label for one pair (PAWS 4, "Paraphrase identification")."""

    KIND = "judge"
    objects = SlotsOfKind(KIND)  # type: ignore[assignment,misc]

    class Meta:
        proxy = True

    def __str__(self) -> str:
        answer = "open" if self.label is None else self.label
        return f"slot {self.number} of pair {self.item_id}: {answer}"
