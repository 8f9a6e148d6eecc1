"""The pairs of a release over REST, and where each comes from."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from annotation.stats.labels import LEAST_VALUE, MOST_VALUE
from common.api.endpoints import DetailEndpoint, Endpoint, ListEndpoint
from common.api.filters import Choice, Filters, Whole
from common.api.paging import Pages
from generation.models import Candidate, Method, Sentence
from releases.api.releases import still_published
from releases.dataset.formats import FORMATS
from releases.dataset.rows import SPLITS
from releases.models import Example, Release
from releases.selectors.lineage import lineages
from releases.selectors.releases import readable_releases

TABLES = [table for release_format in FORMATS.values() for table in release_format.tables]
SUBSETS = [(name, name) for name in dict.fromkeys(table.subset for table in TABLES)]
ROW = {
    "id": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31",
    "origin": "judged",
    "pair": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31",
    "via": [],
    "subset": "labeled_final",
    "split": "train",
    "sentence1": "The boats sail from Bristol to Cork.",
    "sentence2": "The boats sail from Cork to Bristol.",
    "method": "word_swap",
    "votes": [4, 1],
    "label": 0,
    "kept": True,
    "domain": "rivers",
    "kind": "name",
    "generator": "trigram",
    "run": 7,
    "tally": None,
    "grade": None,
    "entity": "",
    "own_id": "",
    "mean": None,
    "model_label": None,
    "model_share": None,
    "score": None,
    "published_id": "",
    "published_label": "",
}
SOURCE = {
    "id": "8d3a9f5c-77a1-4c5e-8a07-0f3a4f3c9d21",
    "id_in_file": "rivers-17",
    "line": 18,
    "corpus": "rivers",
    "text": "The boats sail from Bristol to Cork.",
}
STEP = {
    "candidate": "2c1f0d0e-6a3b-4f0e-9b52-1f8f3f6a7b10",
    "text": "The boats sails from Cork to Bristol.",
    "run": "6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11",
    "method": "word_swap",
    "models": {"language_model": {"name": "trigram", "sha256": "60303ae2…"}},
}
LINEAGE = [
    {"id": SOURCE["id"], "text": SOURCE["text"], "steps": [], "source": SOURCE},
    {
        "id": "c8d9d7a0-2a4e-4a0e-8d0b-8a3d1a5f6b77",
        "text": "The boats sail from Cork to Bristol.",
        "steps": [STEP],
        "source": SOURCE,
    },
]


@extend_schema_serializer(examples=[OpenApiExample("A released pair", ROW)])
class ExampleRow(serializers.ModelSerializer[Example]):
    """A pair of a release, as published."""

    id = serializers.UUIDField(source="public_id")
    origin = serializers.ChoiceField(choices=Example.Origin.choices)
    pair = serializers.UUIDField(
        source="pair.public_id",
        default=None,
        allow_null=True,
        help_text="The judged pair, with its candidate, correction and judgments; else null",
    )
    via = serializers.ListField(
        child=serializers.UUIDField(), help_text="The judged pairs that it was recombined from"
    )
    subset = serializers.CharField(help_text="Empty if it is in no table")
    split = serializers.CharField(help_text="train, dev, test, or empty")
    method = serializers.CharField(help_text="How one sentence became the other")
    votes = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="For 0 and for 1, or for each label",
    )
    label = serializers.IntegerField(  # type: ignore[assignment]
        allow_null=True, help_text="1 paraphrase, 0 not, or its value; null: not settled"
    )

    tally = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Answers by label, if votes are for two sides of several labels",
    )

    class Meta:
        model = Example
        fields = list(ROW)


class LineageSource(serializers.ModelSerializer[Sentence]):
    """The imported sentence."""

    id = serializers.UUIDField(source="public_id")
    id_in_file = serializers.CharField(
        source="external_id", help_text="Of the line that it was imported from, or empty"
    )
    corpus = serializers.CharField(source="corpus.name")

    class Meta:
        model = Sentence
        fields = list(SOURCE)


class LineageStep(serializers.ModelSerializer[Candidate]):
    """A rewrite, as it was generated."""

    candidate = serializers.UUIDField(source="public_id")
    run = serializers.UUIDField(source="run.public_id")
    method = serializers.ChoiceField(choices=Method.choices, source="run.method")
    models = serializers.DictField(
        source="run.model_identities", help_text="Name and revision or SHA-256 of each model"
    )

    class Meta:
        model = Candidate
        fields = list(STEP)


class SentenceLineage(serializers.Serializer[Any]):
    """A sentence of the pair, and where it comes from."""

    id = serializers.UUIDField(
        help_text="Of the sentence, of its translation, or of the candidate of an unjudged pair"
    )
    text = serializers.CharField()
    steps = LineageStep(many=True, help_text="Rewrites, the latest first; empty for a source")
    source = LineageSource()  # type: ignore[assignment]


@extend_schema_serializer(examples=[OpenApiExample("A released pair", ROW | {"lineage": LINEAGE})])
class ExampleWhole(ExampleRow):
    """A pair of a release with the lineage of both sentences."""

    lineage = serializers.SerializerMethodField(
        help_text="Of sentence1 and of sentence2; null where the pair was published elsewhere"
    )

    class Meta(ExampleRow.Meta):
        fields = [*ROW, "lineage"]

    @extend_schema_field(SentenceLineage(many=True, allow_null=True))
    def get_lineage(self, example: Example) -> list[Any] | None:
        if example.origin == Example.Origin.PUBLISHED:
            return None
        return list(SentenceLineage(instance=lineages(example), many=True).data)


class OfRelease(Endpoint):
    """The pairs of a release that the person may read."""

    tag = "Releases"
    scope = Scope.READ
    queryset = Example.objects.none()

    @cached_property
    def release(self) -> Release:
        return still_published(readable_releases(self.request.user), self.kwargs["release_id"])

    def get_queryset(self) -> QuerySet[Example]:
        return self.release.examples.select_related("pair")


class ByPosition(Pages):
    """Pages in the order of the files."""

    order: ClassVar[tuple[str, ...]] = ("position",)


class ExampleFilter(Filters):
    """Filters for the pairs of a release."""

    subset = Choice("subset", choices=SUBSETS)
    split = Choice("split", choices=[(name, name) for name in SPLITS])
    origin = Choice("origin", choices=Example.Origin.choices)
    label = Whole("label", least=LEAST_VALUE, most=MOST_VALUE)


class ExampleList(OfRelease, ListEndpoint):
    """The pairs of a release, in the order of its files."""

    serializer_class = ExampleRow
    filterset_class = ExampleFilter
    pagination_class = ByPosition


class ExampleDetail(OfRelease, DetailEndpoint):
    """A pair of a release with its split, and where its sentences come from."""

    serializer_class = ExampleWhole
