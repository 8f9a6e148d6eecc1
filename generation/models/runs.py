"""Models of generation: runs, batches, workers and candidates."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from generation.models.corpora import Corpus, Sentence
from generation.models.replies import Spender


class Method(models.TextChoices):
    """How a candidate was generated."""

    WORD_SWAP = "word_swap", "word swap"
    BACK_TRANSLATION = "back_translation", "back translation"
    DEFINITIONS = "definitions", "definitions"
    PROMPTED = "prompted", "rewrite by a chat model"
    TRANSLATION = "translation", "translation"
    IMPORTED = "imported", "made elsewhere"

    @property
    def makes_pairs(self) -> bool:
        """Whether people judge its candidates with their sentences: both are in one language."""
        return self is not Method.TRANSLATION


# The methods whose candidates may enter a project, as choices.
OF_PAIRS = [(method.value, method.label) for method in Method if method.makes_pairs]


class Queue(models.TextChoices):
    """The queue of a run: the kind of worker that it needs."""

    CPU = "cpu", "any worker"
    GPU = "gpu", "workers with a GPU"
    ENDPOINT = "endpoint", "workers that ask models behind endpoints"


class GenerationRun(Spender):
    """One run of one method over one corpus, with everything needed to repeat it."""

    class State(models.TextChoices):
        RUNNING = "running"
        PAUSED = "paused"
        CANCELLED = "cancelled"
        DONE = "done"

    corpus = models.ForeignKey(Corpus, models.PROTECT)
    method = models.CharField(max_length=30, choices=Method)
    pairs_of = models.ManyToManyField(
        "self",
        symmetrical=False,
        blank=True,
        help_text="Runs whose pairs are rewritten; empty: sources are rewritten",
    )
    last_sentence = models.BigIntegerField(default=0, help_text="Later sentences are not rewritten")
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    settings = models.JSONField(help_text="The whole configuration of the method")
    model_identities = models.JSONField(help_text="Name and revision or SHA-256 of each model")
    seed = models.BigIntegerField()
    queue = models.CharField(max_length=10, choices=Queue, default=Queue.CPU)
    preview = models.BooleanField(
        default=False, help_text="Only its first sentences are rewritten until it is approved"
    )
    preview_batches = models.PositiveSmallIntegerField(
        default=1, help_text="First batches, of which a preview processes as many as it needs"
    )
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_method_display()} of {self.corpus} #{self.pk}"

    @property
    def is_by_entity(self) -> bool:
        """Whether the batches hold whole entities, whose definitions are paired with each other."""
        return self.method == Method.DEFINITIONS


class Batch(models.Model):
    """A slice of a run: sentences first_sentence..last_sentence of its corpus, by primary key.

    It is claimed with a lease, and its candidates, its outcome and its state are written in one
    transaction, so that a worker may crash at any point.
    """

    class State(models.TextChoices):
        OPEN = "open"
        DONE = "done"
        PARKED = "parked"

    run = models.ForeignKey(GenerationRun, models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    first_sentence = models.BigIntegerField()
    last_sentence = models.BigIntegerField()
    size = models.PositiveIntegerField(help_text="Sentences in the slice")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease = models.UUIDField(null=True, editable=False, help_text="The claim that holds it")
    lease_until = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True, help_text="Why the last attempt failed")
    outcomes = models.JSONField(
        default=dict, blank=True, help_text="Sentences by outcome: accepted, or the reason why not"
    )
    dropped = models.JSONField(
        default=dict, blank=True, help_text="Pairs that the method left out, by the reason"
    )
    reasons = models.JSONField(
        default=dict,
        blank=True,
        help_text="In a preview: why a sentence, by its key, has no candidate",
    )
    refused = models.JSONField(
        default=dict,
        blank=True,
        help_text="In a preview: the best rewrite of such a sentence, if the method tells",
    )
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "batches"
        ordering = ["run", "number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="batch_once_in_run"),
            models.CheckConstraint(
                condition=Q(first_sentence__lte=F("last_sentence")), name="batch_slice_in_order"
            ),
            models.CheckConstraint(
                condition=Q(state="open") | Q(lease=None), name="batch_leased_only_while_open"
            ),
            models.CheckConstraint(
                condition=Q(state="done", finished_at__isnull=False)
                | (~Q(state="done") & Q(finished_at=None)),
                name="batch_finished_when_done",
            ),
        ]
        # Batches that have failed before come last, so that one bad batch does not block others.
        indexes = [
            models.Index(
                fields=["run", "attempts", "number"], condition=Q(state="open"), name="batch_open"
            ),
            models.Index(
                fields=["run", "finished_at"], condition=Q(state="done"), name="batch_done"
            ),
            models.Index(fields=["run"], condition=Q(state="parked"), name="batch_parked"),
        ]

    def __str__(self) -> str:
        return f"batch {self.number} of run {self.run_id}"


class Worker(models.Model):
    """A worker process with a recent heartbeat."""

    class Kind(models.TextChoices):
        EMBEDDED = "embedded"
        CELERY = "celery", "Celery"

    name = models.CharField(max_length=300, unique=True, help_text="Machine and process")
    kind = models.CharField(max_length=10, choices=Kind)
    queues = models.JSONField(default=list, help_text="The queue it takes work from")
    version = models.CharField(max_length=20, help_text="Of Pawsmith")
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="Last heartbeat, by the database's clock")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Candidate(models.Model):
    """A machine-generated rewrite of a sentence, before anyone has reviewed it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    run = models.ForeignKey(GenerationRun, models.PROTECT, db_index=False)
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="candidates")
    sentence = models.ForeignKey(
        Sentence,
        models.PROTECT,
        related_name="candidates",
        help_text="The sentence that was rewritten",
    )
    rank = models.PositiveSmallIntegerField(
        default=0, help_text="0 for the best rewrite of its sentence in this run"
    )
    text = models.TextField()
    external_id = models.TextField(
        blank=True, default="", help_text="Id of the pair in the file that it was imported from"
    )
    kind = models.CharField(
        max_length=40, blank=True, help_text="Kind of change, as in PAWS Table 2"
    )
    score = models.FloatField(
        null=True, help_text="Natural-log likelihood of the text by the language model"
    )
    source_score = models.FloatField(null=True, help_text="The same for the rewritten sentence")
    probability = models.FloatField(
        null=True, help_text="Estimate that people accept it as it is; null: not estimated"
    )
    paraphrase = models.FloatField(
        null=True, help_text="Estimate that it means the same as its sentence; null: not estimated"
    )
    is_rotation = models.BooleanField(
        null=True,
        help_text="Whether a part went from one end to the other; null if paraphrase is",
    )
    similarity = models.FloatField(help_text="Cosine of the word counts of both texts, 0 to 1")
    inversion_rate = models.FloatField(help_text="Crossed share of the word alignments, 0 to 1")
    alternatives = models.JSONField(
        default=list, blank=True, help_text="Next-best rewrites, best first, each with its score"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "sentence", "rank"], name="candidate_rank_once_in_run"
            )
        ]
        indexes = [
            models.Index(
                fields=["run", "probability", "id"],
                condition=Q(probability__isnull=False),
                name="candidate_by_probability",
            ),
            # Has all that paraphrases are counted from, so that no row is read.
            models.Index(
                fields=["run", "kind", "is_rotation", "paraphrase"],
                condition=Q(paraphrase__isnull=False),
                name="candidate_by_shape",
            ),
        ]

    def __str__(self) -> str:
        return self.text
