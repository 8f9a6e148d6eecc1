"""Models of what is rewritten: corpora, their sentences, and groups of entities."""

import re
import uuid

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from common.languages import TAG

# REST addresses a corpus by its name: parts that are empty or dots are resolved on the way, and
# these last ones are other addresses.
NO_ADDRESS = re.compile(r"(?:.*/)?\.{0,2}(?:/.*)?|.*/(?:sentences|flashcards)", re.DOTALL)


class Corpus(models.Model):
    """Sentences from one source, under one licence.

    Its owner may read and use it, as may the managers of projects that have it.
    """

    name = models.CharField(max_length=100, unique=True)
    language = models.CharField(max_length=35, default="en", help_text="BCP 47 tag")
    licence = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="corpora",
        help_text="Who may read it and use it in any project; empty: administrators only",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "corpora"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        # Earlier names stay.
        is_new = self._state.adding or not Corpus.objects.filter(pk=self.pk, name=self.name)
        if is_new and self.name and NO_ADDRESS.fullmatch(self.name):
            text = _("A web address cannot contain this name. Choose another one.")
            raise ValidationError({"name": text})
        if not TAG.fullmatch(self.language):
            text = _("Enter a language tag, such as en, de or pt-BR.")
            raise ValidationError({"language": text})


class Sentence(models.Model):
    """A text that can be part of a pair.

    A source sentence was imported with its corpus and has no `candidate`. Any other sentence is the
    final text of a candidate, as generated or as corrected, and can be rewritten again.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    corpus = models.ForeignKey(Corpus, models.PROTECT, db_index=False)
    external_id = models.CharField(
        max_length=200, blank=True, help_text="The id that the sentence had in its file"
    )
    line = models.PositiveIntegerField(
        null=True, blank=True, help_text="The line of its file, from 1 on; empty of a rewrite"
    )
    group = models.CharField(
        max_length=200, blank=True, help_text="Sentences of one group stay in one split"
    )
    entity = models.CharField(
        max_length=200,
        blank=True,
        default="",
        db_default="",
        help_text="What the sentence defines, if it is from a flashcard",
    )
    text = models.TextField()
    digest = models.UUIDField(editable=False, help_text="First 128 bits of SHA-256 of the text")
    candidate = models.ForeignKey(
        "Candidate",
        models.PROTECT,
        null=True,
        blank=True,
        db_index=False,
        related_name="final_sentences",
    )
    near_duplicate_of = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        db_index=False,
        related_name="near_duplicates",
        help_text="The first source of its corpus that is nearly identical to it, if looked for",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            # The identifying column comes first: services.corpora filters on it alone.
            models.UniqueConstraint(
                fields=["digest", "corpus"],
                condition=Q(candidate=None),
                name="sentence_once_in_corpus",
            ),
            models.UniqueConstraint(
                fields=["external_id", "corpus"],
                condition=Q(candidate=None) & ~Q(external_id=""),
                name="sentence_external_id_once_in_corpus",
            ),
        ]
        indexes = [
            models.Index(
                fields=["corpus", "id"], condition=Q(candidate=None), name="sentence_sources"
            ),
            models.Index(
                fields=["candidate"], condition=Q(candidate__isnull=False), name="sentence_finals"
            ),
            # As with the constraints, the identifying column first.
            models.Index(
                fields=["entity", "corpus"],
                condition=Q(candidate=None) & ~Q(entity=""),
                name="sentence_entities",
            ),
            models.Index(
                fields=["near_duplicate_of"],
                condition=Q(near_duplicate_of__isnull=False),
                name="sentence_near_duplicates",
            ),
        ]

    def __str__(self) -> str:
        return self.text


class MergedGroup(models.Model):
    """A group of entities that joined another one, because they share a definition.

    Later definitions of its entities come into `group` too.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, db_index=False)
    name = models.CharField(max_length=200, help_text="The group that its entities had alone")
    group = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="merged_group_once_in_corpus")
        ]

    def __str__(self) -> str:
        return f"{self.name} is in {self.group}"
