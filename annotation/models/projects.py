"""A study: its protocol and settings, and the batches that were added to it."""

import uuid
from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models.items import SentencePair
from annotation.models.scheme_field import SchemeField
from annotation.stats.consensus import MOST_JUDGMENTS, problem_of_more
from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme


def corrected_by_default() -> list[str]:
    """Return word swaps, and rewrites by chat models, as one answer is cheaper than five.

    Back translations are fluent already (PAWS 4, footnote 5).
    """
    return ["word_swap", "prompted"]


def correct_and_judge() -> list[str]:
    """Return the kinds of work of PAWS (section 4)."""
    return ["correct", "judge"]


def same_or_different() -> Scheme:
    """Return the labels of PAWS."""
    return SAME_OR_DIFFERENT


class Project(models.Model):
    """One study. The defaults of its protocol are those of PAWS.

    Each setting is declared here alone, with its label, help, bounds and choices; forms, the admin
    and REST derive from it. annotation/projects/settings.py groups them.
    """

    class Order(models.TextChoices):
        DEPTH = "depth", _("Pair by pair: each pair is finished before the next one starts")
        BREADTH = (
            "breadth",
            _("Round by round: every pair is judged once before any is judged twice"),
        )

    class Skipping(models.TextChoices):
        LATER = "later", _("Return it to the same person at the end")
        OTHERS = "others", _("Give it to other people only")
        NEVER = "never", _("Set it aside until a manager returns it to the queue")
        FORBIDDEN = "forbidden", _("Don’t allow skipping")

    class Highlighting(models.TextChoices):
        CHOICE = "choice", _("Each annotator decides")
        ALWAYS = "always", _("On for everyone")
        FORBIDDEN = "forbidden", _("Off for everyone")

    class Reasons(models.TextChoices):
        OFF = "off", _("Don’t ask")
        OPTIONAL = "optional", _("People may say why")
        REQUIRED = "required", _("People must say why")

    class OnFlag(models.TextChoices):
        SHOW = "show", _("Show it to managers")
        WARN = "warn", _("Show it to managers and warn the annotator")
        PAUSE = "pause", _("Show it to managers and pause the annotator")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    runs = models.ManyToManyField(
        "generation.GenerationRun",
        blank=True,
        related_name="projects",
        help_text="Runs whose candidates are added to this study",
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
        null=True, editable=False, help_text="When the project was archived"
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
            "An email address, a phone number or a web page. Shown to annotators who can’t "
            "continue: paused, stopped, or with a link that no longer works."
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
        _("Votes needed to keep a pair"),
        default=4,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("A pair is kept when at least this number of people agree."),
    )
    judgments_at_most = models.PositiveSmallIntegerField(
        _("Most people per pair"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_JUDGMENTS)],
        help_text=_(
            "Where too few agree, one more person at a time is asked, up to this number in all. "
            "You keep more pairs, or need fewer votes; but among hard pairs, slightly more labels "
            "are wrong. Leave empty to ask no more people."
        ),
    )
    decides_early = models.BooleanField(
        _("Stop early once enough people agree"),
        default=False,
        help_text=_(
            "Saves judgments without changing any label. Agreement will look higher because later "
            "dissent is never collected."
        ),
    )
    scheme = SchemeField(
        _("Labels"),
        default=same_or_different,
        help_text=_("What people choose from, and what their answers become."),
    )
    corrected_methods = models.JSONField(
        _("Correct before judging"),
        default=corrected_by_default,
        blank=True,
        help_text=_(
            "One person checks each of these candidates first, and accepts, fixes or rejects it."
        ),
    )
    order = models.CharField(_("Work order"), max_length=10, choices=Order, default=Order.DEPTH)
    seed = models.BigIntegerField(
        _("Seed"),
        default=0,
        validators=[MinValueValidator(0)],
        help_text=_(
            "Controls which sentence is shown first. Use the same seed to reproduce the order."
        ),
    )

    skipping = models.CharField(
        _("When someone skips an item"),
        max_length=10,
        choices=Skipping,
        default=Skipping.OTHERS,
    )
    highlighting = models.CharField(
        _("Highlighting of differences"),
        max_length=10,
        choices=Highlighting,
        default=Highlighting.CHOICE,
    )
    limits = models.JSONField(
        _("Maximum answers per person"), default=dict, blank=True, help_text=_("Empty: no limit.")
    )
    label_looks = models.JSONField(
        _("Labels on the work page"),
        default=dict,
        blank=True,
        help_text=_(
            "By value of a label: its criterion, shown next to its button; an example pair, which "
            "annotators can open beside the pair: both sentences and the reason, each on its own "
            "line; its key, and the colour of its button."
        ),
    )
    question = models.CharField(
        _("Question"),
        max_length=200,
        blank=True,
        help_text=_("Shown above each pair. Leave empty for the usual question."),
    )
    reasons = models.CharField(
        _("Reasons"),
        max_length=10,
        choices=Reasons,
        default=Reasons.OFF,
        help_text=_(
            "With a label, people write a short reason or mark the words that decide it. Managers "
            "and researchers read them; other annotators never do."
        ),
    )
    reason_share = models.PositiveSmallIntegerField(
        _("Pairs with reasons, in percent"),
        default=100,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("The pairs are drawn. All judges of a pair are asked, before they choose."),
    )
    reason_labels = models.JSONField(
        _("Labels that need a reason"),
        default=list,
        blank=True,
        help_text=_(
            "Where reasons are required. None chosen: all labels. People may avoid labels that "
            "cost a reason."
        ),
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
        help_text=_("Longer periods without keyboard, touch or mouse input don’t count as work."),
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
        help_text="People who agreed before this must agree again; empty without a consent text",
    )
    questions_changed_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="People who replied before this have new questions; empty without questions",
    )
    least_in_group = models.PositiveSmallIntegerField(
        _("Smallest group shown"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
        help_text=_(
            "Answers that fewer people gave are neither shown nor published. Once people have "
            "answered, it can only be raised; the first release locks it. With 1, a row may "
            "describe one person."
        ),
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
        help_text=_("One in this number of judgments is of a gold pair. Leave empty for none."),
    )
    floor_seconds = models.FloatField(
        _("Too fast below, in seconds"),
        default=2.0,
        validators=[MinValueValidator(0), MaxValueValidator(60 * 60)],
        help_text=_("People with many answers faster than this are flagged."),
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
                condition=Q(judgments_at_most=None)
                | Q(judgments_at_most__gte=F("judgments_per_pair")),
                name="project_at_most",
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
        """Raises ValidationError for votes that are impossible, or that decide nothing."""
        people, votes = self.judgments_per_pair, self.consensus_min_votes
        if self.judgments_at_most == people:
            self.judgments_at_most = None
        if not self.scheme.decides and (votes != 1 or self.decides_early):
            reason = gettext(
                "Votes decide nothing here: every pair with all its answers is kept. Set the votes "
                "to 1, and do not stop early."
            )
            raise ValidationError({"consensus_min_votes": reason})
        if None not in (people, votes) and votes > people:
            text = gettext(
                "Only %(people)s people judge each pair, so %(votes)s votes are impossible."
            )
            reason = text % {"people": people, "votes": votes}
            raise ValidationError({"consensus_min_votes": reason})
        if None not in (people, votes) and (
            problem := problem_of_more(
                people,
                votes,
                self.judgments_at_most,
                self.scheme,
                decides_early=self.decides_early,
            )
        ):
            raise ValidationError({"judgments_at_most": gettext(problem)})

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Ask the database nothing: `clean` and the services refuse the same, with a reason."""

    @property
    def judges(self) -> bool:
        return "judge" in self.kinds

    @property
    def translates(self) -> bool:
        """Whether people translate the sentences of a release in it."""
        return "translate" in self.kinds

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
