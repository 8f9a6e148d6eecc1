"""The pairs of a project over REST, with their outcomes."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import Exists, OuterRef, QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from accounts.scopes import Scope
from annotation.access.api import OfProject
from annotation.models import JudgingModel, SentencePair
from annotation.pairs.selectors import long_tables, model_says
from annotation.pairs.selectors.model_says import AGREES, DISAGREES, UNSURE, ModelSays
from annotation.projects.label_fields import (
    ByLabel,
    MeanField,
    OutcomeField,
    OutcomeNameField,
    SpreadField,
)
from annotation.work.api import MOST, ByMethod
from common.api.endpoints import ListEndpoint
from common.api.filters import Choice, Filters, Known, Moment, Whole, YesNo
from common.api.flat import FlatRows, Present, columns
from generation.api.filters import ByModel, ByRun
from generation.models import Method, Sentence
from generation.readers import MAX_LABEL_CHARACTERS

ROW = {
    "id": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31",
    "own_id": "rivers-7",
    "sentence1": {
        "id": "8d3a9f5c-77a1-4c5e-8a07-0f3a4f3c9d21",
        "text": "The boats sail from Bristol to Cork.",
    },
    "sentence2": {
        "id": "c8d9d7a0-2a4e-4a0e-8d0b-8a3d1a5f6b77",
        "text": "The boats sail from Cork to Bristol.",
    },
    "method": "word_swap",
    "run": "6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11",
    "slots": 5,
    "answers": 5,
    "rounds": 1,
    "adjudicated": False,
    "excluded": False,
    "decided": True,
    "decided_at": "2026-11-03T11:02:10Z",
    "label": 0,
    "label_name": "Different meaning",
    "mean": None,
    "spread": None,
    "kept": True,
    "votes": [4, 1],
    "model_label": 0,
    "model_share": 0.998213,
}


class PairText(serializers.ModelSerializer[Sentence]):
    """A sentence of a pair."""

    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = Sentence
        fields = ["id", "text"]


@extend_schema_serializer(examples=[OpenApiExample("A pair", ROW)])
class PairRow(serializers.ModelSerializer[SentencePair]):
    """A pair in a list."""

    id = serializers.UUIDField(source="public_id")
    own_id = serializers.CharField(
        source="candidate.external_id",
        help_text="Id of the pair in the file that it was imported from, or empty",
    )
    sentence1 = PairText(help_text="The sentence that was rewritten")
    sentence2 = PairText(help_text="Its rewrite, as it was judged")
    method = serializers.ChoiceField(choices=Method.choices, source="candidate.run.method")
    run = serializers.UUIDField(source="candidate.run.public_id")
    slots = serializers.IntegerField(source="asked", help_text="Judgments that the pair receives")
    answers = serializers.IntegerField(help_text="Judgments so far")
    rounds = serializers.IntegerField(help_text="Number of rounds; the last one counts")
    adjudicated = serializers.BooleanField(help_text="An expert has also adjudicated the pair")
    excluded = Present(source="excluded_by_id", help_text="A manager excluded the pair")
    decided = Present(source="consensus.decided_at", help_text="The pair has all its judgments")
    decided_at = serializers.DateTimeField(source="consensus.decided_at", allow_null=True)
    label = OutcomeField(  # type: ignore[assignment]
        source="consensus.label",
        allow_null=True,
        help_text=(
            "With two sides, 1 for the upper one and 0; else the value of a label. Null while "
            "undecided, in a tie, and where votes decide no label"
        ),
    )
    label_name = OutcomeNameField(source="consensus.label", allow_null=True)
    kept = serializers.BooleanField(
        source="consensus.kept",
        allow_null=True,
        help_text="Enough annotators agree; null while undecided",
    )
    mean = MeanField(
        source="consensus.tally",
        allow_null=True,
        help_text="The mean of the values of the answers, if the project takes it; else null",
    )
    spread = SpreadField(
        source="consensus.tally", allow_null=True, help_text="Their standard deviation, likewise"
    )
    votes = serializers.ListField(
        source="consensus.tally",
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Number of judgments for each label, the lowest first; null while undecided",
    )
    model_label = OutcomeField(
        source="consensus.model_label",
        allow_null=True,
        help_text="The most likely label by the annotator model; null where it was not fitted",
    )
    model_share = serializers.FloatField(
        source="consensus.model_share", allow_null=True, help_text="How likely the model finds it"
    )

    class Meta:
        model = SentencePair
        fields = list(ROW)
        list_serializer_class = FlatRows


class ByJudgingModel(django_filters.UUIDFilter):
    """Pairs that one of the project's judging models has labelled."""

    def filter(self, rows: QuerySet[Any], value: UUID | None) -> QuerySet[Any]:
        """Raises ValidationError if the project has no such model."""
        if value is None:
            return rows
        project = self.parent.request.parser_context["view"].project
        if not JudgingModel.objects.filter(project=project, public_id=value).exists():
            message = "The project has no such model. See GET /api/projects/ID/models/."
            raise ValidationError({"judging_model": message}, code="unknown")
        labels = model_says.labels_of(value).filter(pair=OuterRef("pk"))
        matching: QuerySet[Any] = rows.filter(Exists(labels))
        return matching


class ByModelSays(Choice):
    """Pairs by what `judging_model` says of them."""

    def filter(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Raises ValidationError without a model, or if that has no scores to be unsure with."""
        if not value:
            return rows
        if (model := self.parent.form.cleaned_data["judging_model"]) is None:
            message = "Name the model, as judging_model=ID."
            raise ValidationError({"model_says": message}, code="required")
        project = self.parent.request.parser_context["view"].project
        if value == UNSURE and not model_says.has_scores(project, model):
            message = "The model gave no scores of two sides, so it is never unsure."
            raise ValidationError({"model_says": message}, code="invalid")
        condition = model_says.condition(project, ModelSays(model, value))
        matching: QuerySet[Any] = rows.filter(condition)
        return matching


class PairFilter(Filters):
    """Filters for lists of pairs."""

    own_id = Known(
        "candidate__external_id", most=MAX_LABEL_CHARACTERS, help_text="Id in the imported file"
    )
    method = ByMethod()
    run = ByRun("candidate__run__public_id")
    model = ByModel("candidate__run")
    judging_model = ByJudgingModel(help_text="Id of a model: pairs that it has labelled")
    model_says = ByModelSays(
        choices=[
            (AGREES, "as people do so far"),
            (DISAGREES, "otherwise than people so far"),
            (UNSURE, "with a score from 0.4 to 0.6"),
        ],
        help_text=(
            "What `judging_model` says: `agrees` or `disagrees` with the majority so far (another "
            "side, or another label without sides); more than one step from the mean, if labels "
            "have equal steps and votes decide none; else a label that nobody gave. `unsure`: its "
            "score is from 0.4 to 0.6"
        ),
    )
    decided = YesNo(
        "consensus", "isnull", exclude=True, help_text="Whether the pair has all its judgments"
    )
    kept = YesNo("consensus__kept", help_text="Decided pairs only")
    label = ByLabel("consensus__label", is_outcome=True, help_text="Decided pairs only")
    rounds = Whole("rounds", least=1, most=MOST, help_text="Exactly this number")
    adjudicated = YesNo("adjudicated")
    excluded = YesNo("excluded_by", "isnull", exclude=True)
    decided_from = Moment("consensus__decided_at", "gte", help_text="At this moment or later")
    decided_before = Moment("consensus__decided_at", "lt")


class PairList(OfProject, ListEndpoint):
    """The pairs of a project, oldest first: texts, method and decision."""

    tag = "Pairs and answers"
    scope = Scope.READ
    serializer_class = PairRow
    filterset_class = PairFilter
    queryset = SentencePair.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        rows = long_tables.pairs(self.project)
        return rows.values_list(*columns(PairRow()), named=True)
