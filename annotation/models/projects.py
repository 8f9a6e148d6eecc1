"""A study: its protocol and settings, and the batches that were added to it."""

import uuid

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models.items import SentencePair


def corrected_by_default() -> list[str]:
    """Return word swaps only: back translations are fluent already (PAWS 4, footnote 5)."""
    return ["word_swap"]


def correct_and_judge() -> list[str]:
    """Return the kinds of work of PAWS (section 4)."""
    return ["correct", "judge"]


class Project(models.Model):
    """One study. The defaults of its protocol are those of PAWS.

    Each setting is declared here alone, with its label, help, bounds and choices; forms, the admin
    and REST derive from it. annotation/projects/settings.py groups them.
    """

    class Order(models.TextChoices):
        DEPTH = "depth", _("Pair by pair: each is finished before the next is begun")
        BREADTH = "breadth", _("Round by round: every pair once before any is judged twice")

    class Skipping(models.TextChoices):
        LATER = "later", _("It comes back to the same person at the end")
        OTHERS = "others", _("It goes to others, and never back to the same person")
        NEVER = "never", _("It is set aside for everyone until a manager puts it back")
        FORBIDDEN = "forbidden", _("Skipping is not possible")

    class Highlighting(models.TextChoices):
        CHOICE = "choice", _("Each annotator chooses whether they are marked")
        ALWAYS = "always", _("They are marked for everyone")
        FORBIDDEN = "forbidden", _("Nothing is marked")

    class OnFlag(models.TextChoices):
        SHOW = "show", _("Managers see it, and decide")
        WARN = "warn", _("The annotator is warned as well")
        PAUSE = "pause", _("The annotator is paused as well")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    runs = models.ManyToManyField(
        "generation.GenerationRun",
        blank=True,
        related_name="projects",
        help_text="Runs whose candidates enter this study",
    )
    corpora = models.ManyToManyField(
        "generation.Corpus",
        blank=True,
        related_name="projects",
        help_text="Corpora that the managers may use, and the researchers read",
    )
    kinds = models.JSONField(
        default=correct_and_judge, editable=False, help_text="Kinds of work, in order"
    )
    is_open = models.BooleanField(_("Open for work"), default=True)
    archived_at = models.DateTimeField(
        null=True, editable=False, help_text="Since when nothing in the project can be changed"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    name = models.CharField(_("Name"), max_length=100, unique=True)
    description = models.TextField(
        _("Description"),
        blank=True,
        help_text=_(
            "A sentence or two for everyone in the project, shown on the instructions page."
        ),
    )
    contact = models.CharField(
        _("Contact"),
        max_length=200,
        blank=True,
        help_text=_(
            "An email address, a phone number or a web page. Annotators see it where they cannot "
            "go on: paused, stopped, or with a link that no longer works."
        ),
    )
    guidelines = models.TextField(
        _("Guidelines"),
        blank=True,
        help_text=_(
            "Shown next to the work. Markdown: # Heading, *emphasis*, - list, > quotation."
        ),
    )

    judgments_per_pair = models.PositiveSmallIntegerField(
        _("People who judge each pair"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("More judges give more reliable labels but cost more per pair."),
    )
    consensus_min_votes = models.PositiveSmallIntegerField(
        _("Votes that keep a pair"),
        default=4,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("A pair is kept when at least this number of people agree."),
    )
    decides_early = models.BooleanField(
        _("Stop early once enough people agree"),
        default=False,
        help_text=_(
            "Saves judgments without changing any label. Agreement will look higher because later "
            "dissent is never collected."
        ),
    )
    max_label = models.PositiveSmallIntegerField(
        _("Highest grade"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(9)],
        help_text=_("1: different or same meaning. 3: grades from 0 to 3."),
    )
    paraphrase_from = models.PositiveSmallIntegerField(
        _("Paraphrase from grade"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(9)],
        help_text=_("Grades from this one on are votes for a paraphrase."),
    )
    corrected_methods = models.JSONField(
        _("Corrected before they are judged"),
        default=corrected_by_default,
        blank=True,
        help_text=_(
            "One person checks each of these candidates first, and accepts, fixes or rejects it."
        ),
    )
    order = models.CharField(
        _("Order of the work"), max_length=10, choices=Order, default=Order.DEPTH
    )
    seed = models.BigIntegerField(
        _("Seed"),
        default=0,
        validators=[MinValueValidator(0)],
        help_text=_(
            "Controls which sentence is shown first. Use the same seed to reproduce the order."
        ),
    )

    skipping = models.CharField(
        _("What happens to a skipped item"),
        max_length=10,
        choices=Skipping,
        default=Skipping.OTHERS,
    )
    highlighting = models.CharField(
        _("Words that differ"), max_length=10, choices=Highlighting, default=Highlighting.CHOICE
    )
    limits = models.JSONField(
        _("Most answers of one person"), default=dict, blank=True, help_text=_("Empty: no limit.")
    )
    criteria = models.JSONField(
        _("Criterion"),
        default=dict,
        blank=True,
        help_text=_("Shown next to the button of this label."),
    )
    lease_minutes = models.PositiveSmallIntegerField(
        _("Time to answer, in minutes"),
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(24 * 60)],
        help_text=_(
            "An item that someone opened but did not answer returns to the queue after this time."
        ),
    )
    idle_seconds = models.PositiveSmallIntegerField(
        _("Idle after, in seconds"),
        default=60,
        validators=[MinValueValidator(5), MaxValueValidator(60 * 60)],
        help_text=_(
            "Time without a key, a touch or a movement beyond this is not counted as work."
        ),
    )

    consent = models.TextField(
        _("Consent text"),
        blank=True,
        help_text=_(
            "Markdown. Annotators must accept this before working. Leave empty to skip consent."
        ),
    )
    consent_changed_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="People who agreed before this are asked again; empty without a consent text",
    )
    asks_qualification = models.BooleanField(
        _("Require passing the qualification test"), default=False
    )
    pass_mark = models.PositiveSmallIntegerField(
        _("Pass mark, in percent"),
        default=80,
        validators=[MaxValueValidator(100)],
        help_text=_("Minimum share of correct answers."),
    )
    attempts = models.PositiveSmallIntegerField(
        _("Attempts"),
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text=_("Maximum number of attempts."),
    )

    gold_every = models.PositiveSmallIntegerField(
        _("Judgments per gold pair"),
        null=True,
        blank=True,
        validators=[MinValueValidator(2), MaxValueValidator(1000)],
        help_text=_(
            "One in this number of judgments is of a gold pair, whose answer is known. Leave "
            "empty for none."
        ),
    )
    floor_seconds = models.FloatField(
        _("Too fast below, in seconds"),
        default=2.0,
        validators=[MinValueValidator(0), MaxValueValidator(60 * 60)],
        help_text=_("No one reads a pair in less time: people with many such answers are flagged."),
    )
    on_flag = models.CharField(
        _("When someone is flagged"), max_length=10, choices=OnFlag, default=OnFlag.SHOW
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
            models.CheckConstraint(
                condition=Q(archived_at=None) | Q(is_open=False),
                name="project_archived_is_closed",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Raises ValidationError for votes or a threshold that contradict each other."""
        people, votes = self.judgments_per_pair, self.consensus_min_votes
        highest, threshold = self.max_label, self.paraphrase_from
        if None not in (people, votes) and votes > people:
            text = gettext("Of %(people)s people, %(votes)s cannot agree.")
            reason = text % {"people": people, "votes": votes}
            raise ValidationError({"consensus_min_votes": reason})
        if None not in (highest, threshold) and threshold > highest:
            text = gettext("The highest grade is %(highest)s, so nothing would be a paraphrase.")
            raise ValidationError({"paraphrase_from": text % {"highest": highest}})

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
