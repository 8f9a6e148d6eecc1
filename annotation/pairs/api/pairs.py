"""Pairs over REST, with their outcomes. Annotators appear under pseudonyms."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from annotation.access.api import OfProject
from annotation.models import SentencePair
from annotation.pairs.selectors import long_tables
from annotation.work.api import MOST
from common.api.endpoints import ListEndpoint
from common.api.filters import Choice, Filters, Moment, Whole, YesNo
from generation.models import Method, Sentence

ROW = {
    "id": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31",
    "sentence1": {
        "id": "8d3a9f5c-77a1-4c5e-8a07-0f3a4f3c9d21",
        "text": "The boats sail from Bristol to Cork.",
    },
    "sentence2": {
        "id": "c8d9d7a0-2a4e-4a0e-8d0b-8a3d1a5f6b77",
        "text": "The boats sail from Cork to Bristol.",
    },
    "method": "word_swap",
    "slots": 5,
    "answers": 5,
    "rounds": 1,
    "adjudicated": False,
    "decided": True,
    "decided_at": "2026-11-03T11:02:10Z",
    "label": 0,
    "kept": True,
    "votes": [4, 1],
}
MOMENT = serializers.DateTimeField()


class PairText(serializers.ModelSerializer[Sentence]):
    """A sentence of a pair."""

    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = Sentence
        fields = ["id", "text"]


class PairRows(serializers.ListSerializer[Any]):
    """Rows of `long_tables.pairs`, serialized by hand, which is several times faster."""

    def to_representation(self, pairs: Any) -> list[dict[str, Any]]:
        return [as_json(pair) for pair in pairs]


def as_json(pair: Any) -> dict[str, Any]:
    """Return the fields of PairRow for a row of `long_tables.pairs`."""
    decided_at = pair.consensus__decided_at
    return {
        "id": str(pair.public_id),
        "sentence1": {"id": str(pair.sentence1__public_id), "text": pair.sentence1__text},
        "sentence2": {"id": str(pair.sentence2__public_id), "text": pair.sentence2__text},
        "method": pair.candidate__run__method,
        "slots": pair.asked,
        "answers": pair.answers,
        "rounds": pair.rounds,
        "adjudicated": pair.adjudicated,
        "decided": decided_at is not None,
        "decided_at": decided_at and MOMENT.to_representation(decided_at),
        "label": pair.consensus__label,
        "kept": pair.consensus__kept,
        "votes": pair.consensus__tally,
    }


@extend_schema_serializer(examples=[OpenApiExample("A pair", ROW)])
class PairRow(serializers.ModelSerializer[SentencePair]):
    """A pair in a list."""

    id = serializers.UUIDField(source="public_id")
    sentence1 = PairText(help_text="The sentence that was rewritten")
    sentence2 = PairText(help_text="Its rewrite, as it was judged")
    method = serializers.ChoiceField(choices=Method.choices, source="candidate.run.method")
    slots = serializers.IntegerField(source="asked", help_text="Judgments that the pair receives")
    answers = serializers.IntegerField(help_text="Those of them that it has so far")
    rounds = serializers.IntegerField(help_text="How often people were asked; the last counts")
    adjudicated = serializers.BooleanField(help_text="An expert has looked at the pair as well")
    decided = serializers.SerializerMethodField(help_text="The pair has all its judgments")
    decided_at = serializers.DateTimeField(source="consensus.decided_at", allow_null=True)
    label = serializers.IntegerField(  # type: ignore[assignment]
        source="consensus.label",
        allow_null=True,
        help_text="1 paraphrase, 0 not; null while undecided and where no side has a majority",
    )
    kept = serializers.BooleanField(
        source="consensus.kept",
        allow_null=True,
        help_text="Enough annotators agree; null while undecided",
    )
    votes = serializers.ListField(
        source="consensus.tally",
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Number of judgments for each label, from 0 on; null while undecided",
    )

    class Meta:
        model = SentencePair
        fields = list(ROW)
        list_serializer_class = PairRows

    def get_decided(self, pair: SentencePair) -> bool:
        return hasattr(pair, "consensus")


class PairFilter(Filters):
    """Filters for lists of pairs."""

    method = Choice("candidate__run__method", choices=Method.choices)
    decided = YesNo(
        "consensus", "isnull", exclude=True, help_text="Whether the pair has all its judgments"
    )
    kept = YesNo("consensus__kept", help_text="Decided pairs only")
    label = Whole("consensus__label", least=0, most=1, help_text="Decided pairs only")
    rounds = Whole("rounds", least=1, most=MOST, help_text="Exactly this number")
    adjudicated = YesNo("adjudicated")
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
        return long_tables.pairs(self.project)
