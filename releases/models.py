"""Releases: frozen versions of a dataset, their previews, rows and pseudonyms."""

import uuid

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from common.leased import Leased

USER = settings.AUTH_USER_MODEL
# A version is also a folder name.
VERSION = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,49}$"


class Release(Leased):
    """A version of a project's dataset. Once frozen, its rows and files never change."""

    class State(models.TextChoices):
        DRAFT = "draft", "draft: nothing is decided yet"
        QUEUED = "queued", "waiting to be built"
        BUILDING = "building", "being built"
        FAILED = "failed", "build failed"
        FROZEN = "frozen", "frozen: it never changes"
        WITHDRAWN = "withdrawn", "withdrawn: its files are gone"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.PROTECT, related_name="releases")
    version = models.CharField(max_length=50, validators=[RegexValidator(VERSION)])
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    format = models.CharField(
        max_length=30, editable=False, help_text="Its name in releases.dataset.formats.FORMATS"
    )
    seed = models.BigIntegerField()
    settings = models.JSONField(help_text="releases.dataset.settings.ReleaseSettings, all of it")
    metadata = models.JSONField(
        default=dict, blank=True, help_text="releases.dataset.metadata.Metadata, as entered"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(USER, models.PROTECT, null=True, blank=True, related_name="+")

    frozen_at = models.DateTimeField(null=True, editable=False)
    facts = models.JSONField(
        default=dict, help_text="releases.dataset.manifest.ReleaseFacts, all of it"
    )
    left_out = models.JSONField(default=dict, help_text="Pairs left out, by reason")
    manifest = models.JSONField(
        null=True,
        blank=True,
        help_text="manifest.json as first written; later builds must equal it",
    )
    names_forgotten_at = models.DateTimeField(
        null=True, editable=False, help_text="When the identity mapping was removed"
    )

    withdrawn_at = models.DateTimeField(null=True, editable=False)
    withdrawn_by = models.ForeignKey(
        USER, models.PROTECT, null=True, editable=False, related_name="+"
    )
    withdrawal_reason = models.CharField(max_length=500, blank=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="version_once_in_project"),
            models.CheckConstraint(
                condition=Q(state__in=["frozen", "withdrawn"], frozen_at__isnull=False)
                | ~Q(state__in=["frozen", "withdrawn"]),
                name="release_frozen_has_date",
            ),
            models.CheckConstraint(
                condition=Q(state="withdrawn", withdrawn_at__isnull=False)
                | ~Q(state="withdrawn") & Q(withdrawn_at=None),
                name="release_withdrawn_has_date",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project} {self.version}"


class PlannedMetadata(models.Model):
    """What managers say of a project's dataset before it has a release."""

    project = models.OneToOneField(
        "annotation.Project", models.CASCADE, primary_key=True, related_name="planned_metadata"
    )
    metadata = models.JSONField(
        default=dict,
        blank=True,
        help_text="Licence, languages and authors of releases.dataset.metadata.Metadata; without "
        "those that the corpora suggest",
    )

    def __str__(self) -> str:
        return f"the dataset of {self.project}"


class ReleasePreview(Leased):
    """The expected content of a draft, as computed by a worker at one moment.

    It lasts as long as the draft. Requesting a new preview discards the old content.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for a worker"
        UNDER_WAY = "under_way", "being made"
        MADE = "made"
        IMPOSSIBLE = "impossible", "the pairs cannot fulfil the settings"
        FAILED = "failed", "could not be made"

    release = models.OneToOneField(
        Release, models.CASCADE, primary_key=True, related_name="preview"
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField()

    read_at = models.DateTimeField(null=True, help_text="It shows the rows of this moment")
    content = models.JSONField(
        null=True, blank=True, help_text="releases.dataset.preview.Preview, all of it"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state="made", content__isnull=False) | ~Q(state="made"),
                name="preview_made_has_content",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["made", "impossible"], read_at__isnull=False)
                | ~Q(state__in=["made", "impossible"]),
                name="preview_shows_a_moment",
            ),
        ]


class HubUpload(Leased):
    """The copy of a release on the Hugging Face Hub: as requested last, and where it is.

    The person's token is stored encrypted, and only until the upload is over.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for a worker"
        UNDER_WAY = "under_way", "being uploaded"
        DONE = "done"
        FAILED = "failed", "could not be uploaded"
        CANCELLED = "cancelled"

    release = models.OneToOneField(Release, models.CASCADE, primary_key=True, related_name="upload")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    repository = models.CharField(max_length=200)
    is_private = models.BooleanField()
    token = models.TextField(blank=True, editable=False)
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(USER, models.PROTECT, related_name="+")
    url = models.URLField(max_length=500, blank=True, help_text="Repository of the latest copy")
    revision = models.CharField(max_length=64, blank=True, help_text="Its commit")
    uploaded_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "under_way"]) | Q(token=""),
                name="hub_upload_token_while_needed",
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(uploaded_at__isnull=False) & ~Q(url=""),
                name="hub_upload_done_has_address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.release} as {self.repository}"


class Example(models.Model):
    """A pair of a release as published, with its texts and votes."""

    class Origin(models.TextChoices):
        JUDGED = "judged"
        RECOMBINED = "recombined"
        SILVER = "silver", "labelled by its method alone"
        PUBLISHED = "published", "labelled by others"

    release = models.ForeignKey(Release, models.CASCADE, related_name="examples", db_index=False)
    position = models.PositiveIntegerField(help_text="Position in the files")
    public_id = models.UUIDField()
    origin = models.CharField(max_length=10, choices=Origin)
    pair = models.ForeignKey(
        "annotation.SentencePair", models.PROTECT, null=True, related_name="examples"
    )
    via = models.JSONField(default=list, help_text="Public ids of the pairs it was recombined from")
    sentence1_ref = models.UUIDField(help_text="Public id of the sentence, or of the candidate")
    sentence2_ref = models.UUIDField()
    sentence1 = models.TextField()
    sentence2 = models.TextField()
    method = models.TextField(help_text="Empty if those who published the pair do not say it")
    votes = models.JSONField(null=True, help_text="Votes for each outcome, such as 0 and 1")
    label = models.SmallIntegerField(null=True, help_text="0 or 1 for sides, else its value")
    kept = models.BooleanField()
    subset = models.CharField(max_length=20, blank=True)
    split = models.CharField(max_length=10, blank=True)
    domain = models.TextField(
        blank=True, default="", help_text="Corpus of its sentences; two are joined by a slash"
    )
    kind = models.CharField(
        max_length=40, blank=True, default="", help_text="What the method changed"
    )
    generator = models.TextField(blank=True, default="", help_text="The models of its run")
    run = models.PositiveBigIntegerField(null=True, help_text="Number of the run that made it")
    tally = models.JSONField(
        null=True, help_text="Answers by label, if an outcome has several labels"
    )
    first = models.JSONField(
        null=True, help_text="Answers of the first people by label, if more were asked"
    )
    closed = models.BooleanField(
        null=True, help_text="True if it was decided because nobody was left to ask"
    )
    grade = models.SmallIntegerField(
        null=True, help_text="The grade that most people gave, else the median; only if graded"
    )
    entity = models.TextField(
        blank=True, default="", help_text="What both sentences define, in studies of definitions"
    )
    own_id = models.TextField(
        blank=True, default="", help_text="Its id in the file that it was imported from"
    )
    published_id = models.TextField(
        blank=True, default="", help_text="Its id where it was published; only if elsewhere"
    )
    published_label = models.TextField(
        blank=True, default="", help_text="Its label there, unchanged"
    )
    score = models.FloatField(null=True, help_text="Its score there")
    mean = models.FloatField(null=True, help_text="Mean of the answers, there or here")
    model_label = models.SmallIntegerField(
        null=True, help_text="The likeliest label by the annotator model, if it is released"
    )
    model_share = models.FloatField(null=True, help_text="Its probability")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "position"], name="example_position_once_in_release"
            ),
            models.UniqueConstraint(
                fields=["release", "public_id"], name="example_id_once_in_release"
            ),
        ]

    def __str__(self) -> str:
        return f"example {self.public_id}"


class FrozenLine(models.Model):
    """A line of a JSONL file of a release, frozen with it; people have their pseudonyms."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="lines", db_index=False)
    file = models.CharField(max_length=30, help_text="Path in the release")
    position = models.PositiveIntegerField(help_text="Position in the file, from 1")
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "file", "position"], name="line_position_once_in_file"
            )
        ]

    def __str__(self) -> str:
        return f"{self.file}, line {self.position}"


def only_test() -> list[str]:
    return ["test"]


class Comparison(models.Model):
    """A project in which people who do not know the labels of a release judge its pairs.

    Either to measure people (PARADE 5.3), or its labels. The pairs have the texts of the examples
    that they were drawn from.
    """

    class Purpose(models.TextChoices):
        PEOPLE = "people", "people: how well they do by the labels"
        LABELS = "labels", "labels: its pairs are judged again"

    project = models.OneToOneField(
        "annotation.Project", models.CASCADE, primary_key=True, related_name="comparison"
    )
    release = models.ForeignKey(Release, models.PROTECT, related_name="comparisons")
    purpose = models.CharField(max_length=10, choices=Purpose, default=Purpose.PEOPLE)
    splits = models.JSONField(default=only_test, help_text="Splits that the pairs were drawn from")
    sample = models.PositiveIntegerField(null=True, help_text="Pairs drawn from them; empty: all")
    taught = models.PositiveIntegerField(help_text="Pairs of the train set shown with their labels")
    seed = models.BigIntegerField(help_text="Of the draw")
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.project} compared with {self.release}"

    @property
    def measures_labels(self) -> bool:
        return self.purpose == self.Purpose.LABELS


class PublishedSet(models.Model):
    """A project that holds a set which was published elsewhere; its releases are versions of it."""

    project = models.OneToOneField(
        "annotation.Project", models.CASCADE, primary_key=True, related_name="published_set"
    )
    corpus = models.OneToOneField(
        "generation.Corpus",
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Sentences that another study needs; none before",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.project}, published elsewhere"


class TranslationSource(models.Model):
    """The release whose dev and test pairs a project translates (PAWS-X 2)."""

    project = models.OneToOneField(
        "annotation.Project", models.CASCADE, primary_key=True, related_name="translation_source"
    )
    release = models.ForeignKey(Release, models.PROTECT, related_name="translations")
    train = models.ForeignKey(
        "generation.Corpus",
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="Sentences of train, for machine translation; shared by all languages",
    )
    dev = models.PositiveIntegerField(null=True, help_text="Wanted pairs of dev; empty: all")
    test = models.PositiveIntegerField(null=True, help_text="Wanted pairs of test; empty: all")
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.project} translates {self.release}"


class Pseudonym(models.Model):
    """The name of a person in one release, and the only record of who it belongs to."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="pseudonyms", db_index=False)
    annotator = models.ForeignKey(USER, models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "annotator"], name="one_pseudonym_each"),
            models.UniqueConstraint(fields=["release", "name"], name="pseudonym_once_in_release"),
        ]


class PseudonymKey(models.Model):
    """The secret key from which the pseudonyms of a project's releases are derived.

    It is replaced when the identity mapping of a release is removed.
    """

    project = models.OneToOneField(
        "annotation.Project", models.CASCADE, primary_key=True, related_name="pseudonym_key"
    )
    key = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(auto_now_add=True)
