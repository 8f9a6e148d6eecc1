"""A study: its protocol and settings, and the batches that were added to it."""

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from annotation.models.items import SentencePair


def corrected_by_default() -> list[str]:
    """Return word swaps only: back translations are fluent already (PAWS 4, footnote 5)."""
    return ["word_swap"]


def correct_and_judge() -> list[str]:
    """Return the kinds of work of PAWS (section 4)."""
    return ["correct", "judge"]


class Project(models.Model):
    """One study. Its protocol starts at `judgments_per_pair`; the defaults are those of PAWS."""

    class Order(models.TextChoices):
        DEPTH = "depth", "pair by pair: each is finished before the next is begun"
        BREADTH = "breadth", "round by round: each pair is judged once before any is judged twice"

    class Skipping(models.TextChoices):
        LATER = "later", "comes back to the same person at the end"
        OTHERS = "others", "goes to others, and never back to the same person"
        NEVER = "never", "is set aside for everybody until a manager puts it back"
        FORBIDDEN = "forbidden", "is not possible"

    class Highlighting(models.TextChoices):
        ALWAYS = "always", "words that differ are marked"
        CHOICE = "choice", "each annotator chooses whether they are marked"
        FORBIDDEN = "forbidden", "nothing is marked"

    class OnFlag(models.TextChoices):
        SHOW = "show", "managers see it"
        WARN = "warn", "the annotator is told as well"
        PAUSE = "pause", "the annotator is paused as well"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=100, unique=True)
    description = models.TextField(blank=True)
    guidelines = models.TextField(blank=True, help_text="Markdown; shown beside the work")
    runs = models.ManyToManyField(
        "generation.GenerationRun",
        blank=True,
        related_name="projects",
        help_text="Runs whose candidates enter this study",
    )
    kinds = models.JSONField(
        default=correct_and_judge, editable=False, help_text="Kinds of work, in order"
    )
    seed = models.BigIntegerField(default=0, help_text="Draws which sentence stands left")
    is_open = models.BooleanField(default=True, help_text="Annotators are given work")
    created_at = models.DateTimeField(auto_now_add=True)

    judgments_per_pair = models.PositiveSmallIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    consensus_min_votes = models.PositiveSmallIntegerField(
        default=4, help_text="A pair is kept when at least so many agree"
    )
    decides_early = models.BooleanField(
        default=False,
        help_text="A pair is decided as soon as so many agree; what it still lacks is not asked",
    )
    max_label = models.PositiveSmallIntegerField(
        default=1, help_text="1: different or same meaning; 3: the graded scale 0 to 3"
    )
    paraphrase_from = models.PositiveSmallIntegerField(
        default=1, help_text="Labels from this one on count as paraphrase"
    )
    corrected_methods = models.JSONField(
        default=corrected_by_default, help_text="Methods whose candidates are corrected first"
    )
    lease_minutes = models.PositiveSmallIntegerField(
        default=30,
        validators=[MinValueValidator(1)],
        help_text="An item that was opened and not answered goes back to the queue after this",
    )
    order = models.CharField(max_length=10, choices=Order, default=Order.DEPTH)
    skipping = models.CharField(
        max_length=10,
        choices=Skipping,
        default=Skipping.OTHERS,
        help_text="What happens to an item that is skipped",
    )
    highlighting = models.CharField(
        max_length=10, choices=Highlighting, default=Highlighting.CHOICE
    )
    idle_seconds = models.PositiveSmallIntegerField(
        default=60,
        validators=[MinValueValidator(5)],
        help_text="Time without a key, a touch or a movement beyond this is not time on an item",
    )
    limits = models.JSONField(
        default=dict,
        blank=True,
        help_text="The most answers that one person may give, by kind of work",
    )
    criteria = models.JSONField(
        default=dict,
        blank=True,
        help_text="For each label of the scale, the criterion that is shown beside its button",
    )

    consent = models.TextField(
        blank=True, help_text="Markdown; who has not agreed to it is given no work"
    )
    consent_changed_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="Whoever agreed before this is asked again; empty without a consent text",
    )
    asks_qualification = models.BooleanField(
        default=False, help_text="Only who passes the qualification set is given work"
    )
    pass_mark = models.PositiveSmallIntegerField(
        default=80,
        validators=[MaxValueValidator(100)],
        help_text="Percent of the qualification set that must be answered as known",
    )
    attempts = models.PositiveSmallIntegerField(
        default=2, validators=[MinValueValidator(1)], help_text="At the qualification set"
    )

    gold_every = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(2)],
        help_text="One judgment in this many is of a gold pair",
    )
    floor_seconds = models.FloatField(
        default=2.0,
        validators=[MinValueValidator(0)],
        help_text="Nobody reads a pair in less: such answers are flagged",
    )
    on_flag = models.CharField(
        max_length=10,
        choices=OnFlag,
        default=OnFlag.SHOW,
        help_text="What happens when an annotator is flagged",
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(consensus_min_votes__lte=F("judgments_per_pair"))
                & Q(consensus_min_votes__gte=1),
                name="project_votes_within_judgments",
            ),
            models.CheckConstraint(
                condition=Q(paraphrase_from__gte=1) & Q(paraphrase_from__lte=F("max_label")),
                name="project_paraphrase_within_scale",
            ),
            models.CheckConstraint(
                condition=Q(consent="", consent_changed_at=None)
                | ~Q(consent="") & Q(consent_changed_at__isnull=False),
                name="project_consent_has_date",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def pairs(self) -> "models.QuerySet[SentencePair]":
        """The pairs of the project, gold pairs too."""
        return SentencePair.objects.filter(project=self)


class Intake(models.Model):
    """A finished batch whose candidates were added to a project, at most once."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="intakes", db_index=False)
    batch = models.ForeignKey("generation.Batch", models.PROTECT, related_name="intakes")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "batch"], name="batch_once_in_project")
        ]

    def __str__(self) -> str:
        return f"{self.batch} in {self.project}"
