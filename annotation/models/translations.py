"""Studies in which people translate the sentences of a release (PAWS-X 2)."""

import uuid

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

SHARE = [MinValueValidator(0.0), MaxValueValidator(1.0)]


class TranslationPlan(models.Model):
    """What a project of kinds translate and validate translates into, and how it is checked.

    Each setting is declared here alone, with its label, help and bounds.
    """

    project = models.OneToOneField(
        "annotation.Project", models.CASCADE, primary_key=True, related_name="translation_plan"
    )
    source_language = models.CharField(max_length=35, help_text="BCP 47 tag of the sentences")
    language = models.CharField(max_length=35, help_text="BCP 47 tag of the translations")
    validated_share = models.FloatField(
        _("Share of translations to validate"),
        default=0.1,
        validators=SHARE,
        help_text=_("0.1 is one in ten. Translators are not told which ones."),
    )
    least_validated = models.PositiveSmallIntegerField(
        _("Validated translations of each translator, at least"),
        default=30,
        validators=[MaxValueValidator(1000)],
        help_text=_("All of them, if a translator has fewer."),
    )
    most_error = models.FloatField(
        _("Word error rate to stay below"),
        default=0.05,
        validators=SHARE,
        help_text=_("0.05 is 5 %. It holds for the whole project and for each translator."),
    )
    keeps_partners_apart = models.BooleanField(
        _("Give the two sentences of a pair to different translators"),
        default=True,
        help_text=_("With fewer than three translators, some sentences may find no one."),
    )
    widened = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        blank=True,
        related_name="+",
        help_text="Translators all of whose translations are validated",
    )
    corpus = models.ForeignKey(
        "generation.Corpus",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        help_text="Holds the final translations since they were delivered",
    )
    delivered_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(validated_share__gte=0, validated_share__lte=1),
                name="plan_share_is_a_share",
            ),
            models.CheckConstraint(
                condition=Q(corpus=None, delivered_at=None)
                | Q(corpus__isnull=False, delivered_at__isnull=False),
                name="plan_delivered_has_corpus",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project}: {self.source_language} to {self.language}"


class TranslatedPair(models.Model):
    """A pair of the source release whose two sentences are translated, by the same public id.

    Its label, split and order of sides are those of the release. One person never translates both
    sentences, as they would remember the first (annotation/models/triggers.py).
    """

    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="translated_pairs", db_index=False
    )
    public_id = models.UUIDField(editable=False)
    item1 = models.ForeignKey("annotation.Item", models.CASCADE, related_name="pairs_as_first")
    item2 = models.ForeignKey("annotation.Item", models.CASCADE, related_name="pairs_as_second")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "public_id"], name="translated_pair_once_in_project"
            )
        ]

    def __str__(self) -> str:
        return f"pair {self.public_id}"


class Term(models.Model):
    """An entry of a project's glossary. Translators see it once a manager has approved it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="terms", db_index=False
    )
    source = models.CharField(_("Term"), max_length=200)
    target = models.CharField(_("Translation"), max_length=200)
    note = models.CharField(_("Note"), max_length=200, blank=True)
    approved_at = models.DateTimeField(null=True, editable=False)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = [Lower("source"), "pk"]
        constraints = [
            models.UniqueConstraint("project", Lower("source"), name="term_once_in_project")
        ]

    def __str__(self) -> str:
        return f"{self.source}: {self.target}"
