"""Slots: one person's answer to one item, created before anyone asks for it."""

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Lower, Replace
from django.db.models.lookups import In

from annotation.models.items import Item
from annotation.models.quality import Intervention
from annotation.translations.stats.placeholders import PLACEHOLDERS

IN_QUEUE = Q(submitted_at=None, reserved=False)
# Answers of these kinds have an action and a text, those of others a label.
WRITTEN = Q(kind__in=["correct", "translate", "validate"])
# A written text by its first characters: the whole may be longer than an entry of an index.
# Written out, as an index is not used for a parameter.
START_LENGTH = 100
START = Func(
    F("text"),
    template=f"SUBSTR(%(expressions)s, 1, {START_LENGTH})",
    output_field=models.TextField(),
)
# The answers of the written kinds.
DECIDED = Q(action__in=["accept", "reject"], text="")
FIXED = Q(action="fix") & ~Q(text="")
TRANSLATED = Q(action__in=["translate", "other"]) & ~Q(text="")
NOT_TRANSLATABLE = Q(action__in=["incomplete", "ambiguous", "nonsense"])
NOTHING = Value("", output_field=models.TextField())
WITHOUT_SPACES = Replace("text", Value(" ", output_field=models.TextField()), NOTHING)
# Whether the answers of its annotator are excluded. A surplus answer is marked by a step of another
# person, or by one that returned answers.
EXCLUDED = Q(
    excluded_by__kind=Intervention.Kind.EXCLUDE, excluded_by__membership__user=F("annotator")
)
# SQL of the condition of `SlotQuerySet.counting` on a table called `slot`, but for its items.
COUNTS = "slot.label IS NOT NULL AND slot.excluded_by_id IS NULL AND slot.superseded_by_id IS NULL"


class SlotQuerySet(models.QuerySet["Slot"]):
    """Slots by the state of their answer."""

    def answered(self) -> Self:
        return self.filter(submitted_at__isnull=False)

    def unanswered(self) -> Self:
        return self.filter(submitted_at=None)

    def in_progress(self) -> Self:
        return self.unanswered().filter(annotator__isnull=False)

    def counting(self) -> Self:
        """Return the answers that count: not excluded, of the latest round, of study pairs."""
        return self.answered().filter(excluded_by=None, superseded_by=None).of_study_pairs()

    def of_study_pairs(self) -> Self:
        excluded = Item.objects.filter(excluded_by__isnull=False)
        return self.without_gold().exclude(item__in=excluded.values("pk"))

    def without_gold(self) -> Self:
        """Leave out slots of gold pairs: few, so looked up once and not joined to each slot."""
        return self.exclude(item__in=Item.objects.filter(gold_label__isnull=False).values("pk"))

    def with_text(self, text: str) -> Self:
        """Return written answers with exactly this text, by an index."""
        # With `text=text`, SQLite would compute the start from it and leave the index.
        rows = self.annotate(start=START).filter(start=text[:START_LENGTH])
        return rows.filter(text__gte=text, text__lte=text, label=None, submitted_at__isnull=False)

    def of_member(self, membership: Any) -> Self:
        return self.filter(annotator=membership.user_id, project=membership.project_id)


class Slot(models.Model):
    """One of an item's slots, and its answer.

    While unanswered, a slot belongs to `annotator` until `lease_until`; then others may claim it,
    and `claimed_at` marks it as returned. Slots are given out in the order of `queue_key`; without
    one, a slot is not in the queue. A `reserved` slot is given only to people whose duty takes
    reserved slots.

    The answer is a `label` (judgments; where the study asks for reasons, with a `text` and `words`)
    or an `action` and a `text` (all others). It counts unless
    it is excluded, belongs to an earlier round of its pair, or answers a gold or an excluded pair
    (`counting`).
    Triggers refuse a slot above the item's `slot_count` and a label outside the project's scale
    (annotation/models/triggers.py), and a project that is not the item's: they take the place of
    a foreign key, which would look the same project up again for each row of an import.
    """

    project = models.ForeignKey(
        "annotation.Project",
        models.PROTECT,
        related_name="slots",
        db_index=False,
        db_constraint=False,
    )
    kind = models.CharField(max_length=10, editable=False)
    item = models.ForeignKey(
        "annotation.Item", models.PROTECT, related_name="slots", db_index=False
    )
    number = models.PositiveSmallIntegerField(default=1, help_text="1 to the item's slot count")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="slots",
        db_index=False,
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        db_index=False,
        help_text="The annotator's main account, which never has an item twice",
    )
    queue_key = models.BigIntegerField(null=True, blank=True)
    reserved = models.BooleanField(
        default=False, help_text="Only for people whose duty takes reserved slots"
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(
        null=True, blank=True, help_text="Time on the item, as its page measured it"
    )
    serial = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="Which of the person's answers of this kind in the project it is, from 1",
    )
    label = models.PositiveSmallIntegerField(null=True, blank=True)
    action = models.CharField(max_length=10, blank=True)
    text = models.TextField(
        blank=True,
        help_text="The fixed or translated sentence, a note, or why the label was chosen",
    )
    words = models.JSONField(
        null=True,
        blank=True,
        help_text="Of a judgment: the words that decide it, as annotation.stats.spans has them",
    )
    words_kept = models.FloatField(
        null=True, blank=True, help_text="Share of the candidate's words that a fix kept, 0 to 1"
    )
    highlighted = models.BooleanField(
        null=True, blank=True, help_text="Whether differences were highlighted"
    )
    excluded_by = models.ForeignKey(
        "annotation.Intervention",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="excluded",
        db_index=False,
        help_text="Why the answer does not count",
    )
    superseded_by = models.ForeignKey(
        "annotation.Reopening",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="superseded",
        db_index=False,
        help_text="The pair was reopened; the answer counted until then",
    )

    objects = SlotQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="slot_once_in_item"),
            models.UniqueConstraint(
                fields=["item", "annotator"],
                condition=Q(annotator__isnull=False),
                name="slot_once_by_annotator",
            ),
            models.UniqueConstraint(
                fields=["item", "person"],
                condition=Q(person__isnull=False),
                name="slot_once_by_person",
            ),
            models.UniqueConstraint(
                fields=["project", "kind", "annotator"],
                condition=Q(submitted_at=None, annotator__isnull=False),
                name="slot_in_progress_one_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["annotator", "project", "kind", "serial"],
                condition=Q(serial__isnull=False),
                name="slot_serial_once",
            ),
            models.CheckConstraint(
                condition=Q(submitted_at=None) | Q(annotator__isnull=False),
                name="slot_answered_by_annotator",
            ),
            models.CheckConstraint(
                condition=Q(annotator=None, person=None)
                | Q(annotator__isnull=False, person__isnull=False),
                name="slot_has_person",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="slot_from_one"),
            # One constraint for all kinds: Postgres reads the text of each in every UPDATE.
            models.CheckConstraint(
                condition=Q(submitted_at=None, label=None, action="", text="", words__isnull=True)
                | Q(submitted_at__isnull=False)
                & (
                    ~WRITTEN & Q(label__isnull=False)
                    | Q(kind__in=["correct", "validate"], words__isnull=True) & (DECIDED | FIXED)
                    | Q(kind="translate", words__isnull=True) & (TRANSLATED | NOT_TRANSLATABLE)
                ),
                name="slot_answer_is_complete",
            ),
            # A placeholder would be released as a translation (the published PAWS-X has such rows).
            models.CheckConstraint(
                condition=~Q(kind__in=["translate", "validate"], action__in=["translate", "fix"])
                | ~Q(In(Lower(WITHOUT_SPACES), PLACEHOLDERS)),
                name="translation_is_no_placeholder",
            ),
        ]
        indexes = [
            # For lists and counts: a kind may have few slots among a million others.
            models.Index(fields=["project", "kind", "item"], name="slot_in_project"),
            models.Index(
                fields=["project", "kind", "queue_key"], condition=IN_QUEUE, name="slot_queue"
            ),
            models.Index(
                fields=["project", "kind", "queue_key"],
                condition=IN_QUEUE & Q(claimed_at__isnull=False),
                name="slot_returned",
            ),
            models.Index(
                fields=["project", "kind", "queue_key"],
                condition=Q(submitted_at=None, reserved=True),
                name="slot_reserved",
            ),
            models.Index(
                fields=["annotator", "project", "kind", "submitted_at"],
                condition=Q(annotator__isnull=False),
                name="slot_by_annotator",
            ),
            models.Index(
                fields=["excluded_by"],
                condition=Q(excluded_by__isnull=False),
                name="slot_excluded",
            ),
            # For lists of answers by action; judgments take no part in it.
            models.Index(
                fields=["project", "action", "item"],
                condition=WRITTEN,
                name="slot_by_action",
            ),
            # For translations with the same text; judgments have a label.
            models.Index(
                F("project"),
                F("kind"),
                START,
                condition=Q(label=None, submitted_at__isnull=False),
                name="slot_by_text",
            ),
        ]

    def __str__(self) -> str:
        return f"slot {self.number} of item {self.item_id} ({self.kind})"

    @property
    def is_excluded(self) -> bool:
        """Whether the answers of its annotator are excluded: EXCLUDED, of one row."""
        step = self.excluded_by
        return (
            step is not None
            and step.kind == Intervention.Kind.EXCLUDE
            and step.membership.user_id == self.annotator_id
        )

    @property
    def is_surplus(self) -> bool:
        """Whether it does not count because enough others came before it."""
        return self.excluded_by is not None and not self.is_excluded
