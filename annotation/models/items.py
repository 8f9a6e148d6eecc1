"""Everything that people answer (such as candidates to correct), and what they skipped."""

import uuid
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q

ModelT = TypeVar("ModelT", bound=models.Model)
# Related rows with which any item can be shown.
WITH_TEXTS = (
    "candidate__run__corpus",
    "sentence1__corpus",
    "sentence2",
    "origin",
)


class OfKind(models.Manager[ModelT], Generic[ModelT]):
    """The rows of one kind of work, as a proxy model shows them."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def get_queryset(self) -> models.QuerySet[ModelT]:
        return super().get_queryset().filter(kind=self.kind)

    def create(self, **values: Any) -> ModelT:
        return super().create(kind=self.kind, **values)


class Originals(OfKind[ModelT]):
    """The items of one kind of work without duplicates."""

    def get_queryset(self) -> models.QuerySet[ModelT]:
        return super().get_queryset().filter(duplicate_of=None)


class Item(models.Model):
    """Something that people of a project answer; `kind` names a kind of work.

    A candidate to correct has its `candidate` alone. A pair has two sentences, the source and its
    rewrite, and the correction that the rewrite came from as its `origin`. A sentence to translate
    is `sentence1`; `sentence2` is its final translation once that is delivered. A translation to
    validate has the source as `sentence1` and its slot as `origin`; if no person of the project
    wrote it, it is `sentence2`.

    People answer the same two texts once in a project. Whatever brings them again is stored as a
    duplicate: an item without slots that records its candidate and origin.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.PROTECT, related_name="items", db_index=False
    )
    kind = models.CharField(max_length=10, editable=False)
    candidate = models.ForeignKey(
        "generation.Candidate", models.PROTECT, null=True, related_name="items"
    )
    origin = models.ForeignKey(
        "annotation.Slot",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="results",
        db_index=False,
        help_text="The answer that the item was made from, such as the correction of a pair",
    )
    sentence1 = models.ForeignKey(
        "generation.Sentence", models.PROTECT, null=True, related_name="+"
    )
    sentence2 = models.ForeignKey(
        "generation.Sentence", models.PROTECT, null=True, related_name="+"
    )
    texts_key = models.UUIDField(
        null=True,
        editable=False,
        help_text="Digest of the source and its rewrite, in order only in directed studies",
    )
    duplicate_of = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="duplicates",
        db_index=False,
        help_text="The item of this project that has the same two texts",
    )
    flipped = models.BooleanField(default=False, help_text="People see the second sentence first")
    slot_count = models.PositiveSmallIntegerField(
        default=1, help_text="Answers that the item receives"
    )
    most_votes = models.PositiveSmallIntegerField(
        null=True,
        editable=False,
        help_text="Votes with which a pair is decided because nobody was left to ask",
    )
    gold_label = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text="The known answer of a gold item, which has no consensus and is never released",
    )
    priority = models.SmallIntegerField(default=0, help_text="1: before all others; -1: after them")
    set_aside_at = models.DateTimeField(
        null=True, editable=False, help_text="Out of the queue since a person skipped it"
    )
    excluded_by = models.ForeignKey(
        "annotation.PairExclusion",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        db_index=False,
        help_text="Why the pair is excluded",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "candidate"], name="item_once_for_candidate"
            ),
            models.UniqueConstraint(
                fields=["origin", "kind"],
                condition=Q(origin__isnull=False),
                name="item_once_for_origin",
            ),
            models.UniqueConstraint(
                fields=["project", "texts_key", "kind"],
                condition=Q(duplicate_of=None),
                name="item_once_for_texts",
            ),
            models.CheckConstraint(condition=Q(slot_count__gte=1), name="item_has_slots"),
            models.CheckConstraint(
                condition=~Q(kind="correct") | Q(candidate__isnull=False, texts_key__isnull=False),
                name="item_to_correct_is_candidate",
            ),
            models.CheckConstraint(
                condition=~Q(kind="judge")
                | Q(
                    candidate__isnull=False,
                    sentence1__isnull=False,
                    sentence2__isnull=False,
                    texts_key__isnull=False,
                ),
                name="item_to_judge_is_pair",
            ),
            models.CheckConstraint(
                condition=~Q(kind="translate")
                | Q(sentence1__isnull=False, texts_key__isnull=False),
                name="item_to_translate_is_sentence",
            ),
            models.CheckConstraint(
                condition=~Q(kind="validate")
                | Q(sentence1__isnull=False, origin__isnull=False)
                | Q(sentence1__isnull=False, sentence2__isnull=False, texts_key__isnull=False),
                name="item_to_validate_is_translation",
            ),
        ]
        indexes = [
            # With all that decides whether an item counts, so that counts need not read the items.
            models.Index(
                fields=[
                    "project",
                    "kind",
                    "id",
                    "duplicate_of",
                    "gold_label",
                    "excluded_by",
                    "set_aside_at",
                ],
                name="item_in_project",
            ),
            models.Index(
                fields=["duplicate_of"],
                condition=Q(duplicate_of__isnull=False),
                name="item_is_duplicate",
            ),
            models.Index(
                fields=["project", "kind", "id"],
                condition=Q(gold_label__isnull=False),
                name="item_is_gold",
            ),
            models.Index(
                fields=["project", "id"],
                condition=Q(excluded_by__isnull=False),
                name="item_is_excluded",
            ),
            models.Index(
                fields=["project", "id"],
                condition=Q(set_aside_at__isnull=False),
                name="item_is_set_aside",
            ),
        ]

    def __str__(self) -> str:
        return f"item {self.public_id}"

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the sentences, the source first."""
        sentences = (self.sentence1, self.sentence2)
        return tuple(sentence.text for sentence in sentences if sentence is not None)


class SentencePair(Item):
    """A source sentence (`sentence1`) and its final rewrite (`sentence2`), to be judged."""

    if TYPE_CHECKING:
        consensus: Any
        # Not None: a constraint requires them of a pair.
        candidate: Any
        sentence1: Any
        sentence2: Any

    objects = Originals["SentencePair"]("judge")  # type: ignore[misc]

    class Meta:
        proxy = True

    def __str__(self) -> str:
        return f"pair {self.public_id}"


class Skip(models.Model):
    """A person skipped an item. `Project.skipping` determines what happens to it."""

    class Reason(models.TextChoices):
        UNCLEAR = "unclear", "I cannot tell"
        BROKEN = "broken", "not a valid sentence"
        OFFENSIVE = "offensive", "I’d rather not read this"
        OTHER = "other", "something else"

    project = models.ForeignKey("annotation.Project", models.PROTECT, related_name="skips")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="skips", db_index=False
    )
    item = models.ForeignKey("annotation.Item", models.CASCADE, related_name="skips")
    reason = models.CharField(max_length=10, choices=Reason)
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["annotator", "project", "created_at"], name="skip_by_annotator")
        ]

    def __str__(self) -> str:
        return f"skipped: {self.get_reason_display()}"


class Recusal(models.Model):
    """A person who never gets an item, such as the corrector of a pair's rewrite."""

    class Reason(models.TextChoices):
        CORRECTED = "corrected", "corrected a sentence of the pair"
        SKIPPED = "skipped", "skipped the item"
        REPEATED = "repeated", "judged the same texts before"
        TRANSLATED = "translated", "translated the sentence"
        VALIDATED = "validated", "validated a translation of the sentence"
        SAME_PERSON = "same_person", "answered it with two accounts before these were linked"

    item = models.ForeignKey(
        "annotation.Item", models.CASCADE, related_name="recusals", db_index=False
    )
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="recusals")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        editable=False,
        help_text="The main account of the person, who never gets the item with any account",
    )
    reason = models.CharField(max_length=20, choices=Reason)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="recusal_once_for_item")
        ]

    def __str__(self) -> str:
        return f"{self.annotator} never gets {self.item}"
