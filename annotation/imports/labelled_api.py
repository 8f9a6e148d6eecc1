"""Labels over REST: of gold pairs and the qualification set, and those that a model gave."""

from collections.abc import Callable
from functools import partial
from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access.api import NOT_A_MANAGER, OfManaged, refusal_as_conflict
from annotation.imports.rows_api import MOST_ROWS, RowsAdded, Text, optional, store_rows
from annotation.model_judgments import services as model_judgments
from annotation.model_judgments.api import ModelList
from annotation.models import JudgingModel
from annotation.pairs.labelled_lines import gold_pair, model_judgment
from annotation.quality.services import gold_pairs, qualification
from common.api.endpoints import Endpoint, TakesRows, sent_values
from common.api.errors import CLOSED, RefusalResponse
from generation.records import Follower, Report

KNOWN = {
    "sentence1": "It rained in May.",
    "sentence2": "In May it rained.",
    "label": 1,
    "explanation": "Only the order of the words differs.",
}
JUDGED = {
    "name": "large-judge",
    "revision": "2026-09",
    "judgments": [
        {"pair": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31", "label": 1, "score": 0.81},
    ],
}
ADDED = {200: RowsAdded, **CLOSED, 409: RefusalResponse}


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class LabelText(Text):
    """The value or the name of a label, as in a file."""


@extend_schema_field({"type": "number", "nullable": True})
class ScoreText(Text):
    """A number, as in a file; empty if it is null."""


@extend_schema_serializer(examples=[OpenApiExample("Pairs", {"pairs": [KNOWN]})])
class KnownPairs(serializers.Serializer[Any]):
    """Pairs with their known labels."""

    class KnownPair(serializers.Serializer[Any]):
        sentence1 = Text(allow_blank=True)
        sentence2 = Text(allow_blank=True)
        label = LabelText(  # type: ignore[assignment]
            allow_blank=True, help_text="The value or the name of a label"
        )
        explanation = optional("Why; people read it after the qualification test")

    pairs = KnownPair(many=True, min_length=1, max_length=MOST_ROWS)  # type: ignore[call-arg]


class OfKnownPairs(TakesRows, OfManaged, Endpoint):
    """An endpoint that takes pairs with known labels."""

    tag = "Pairs and answers"
    scope = Scope.MANAGE

    def stored(self, request: Request, add: Callable[..., Any]) -> Response:
        """Add the pairs that were sent. Raises Conflict with the reason if none can be added."""
        rows = sent_values(KnownPairs, request)["pairs"]
        store = partial(add, self.project, by=requester(request))
        with refusal_as_conflict():
            return store_rows(rows, partial(gold_pair, scheme=self.project.scheme), store)


class GoldPairs(OfKnownPairs):
    """Gold pairs, which show who reads attentively."""

    @extend_schema(operation_id="gold_pairs_add", request=KnownPairs, responses=ADDED)
    def post(self, request: Request, public_id: str) -> Response:
        """Add gold pairs, each once. No list has them; `gold_every` says how often people get one.

        Returns 409 if no one judges pairs in the project.
        """
        return self.stored(request, gold_pairs.add)


class Qualification(OfKnownPairs):
    """The pairs of the test that newcomers pass, if the project asks for it."""

    @extend_schema(operation_id="qualification_add", request=KnownPairs, responses=ADDED)
    def post(self, request: Request, public_id: str) -> Response:
        """Append pairs to the qualification set, each once. Then set `asks_qualification`.

        Returns 409, and adds none, if the project has one of the pairs already, or the set would be
        too large.
        """
        return self.stored(request, qualification.add_lines)


class Models(TakesRows, ModelList):
    """List the models with labels in a project, oldest first."""

    @extend_schema_serializer(examples=[OpenApiExample("Labels", JUDGED)])
    class NewJudgments(serializers.ModelSerializer[JudgingModel]):
        class NewJudgment(serializers.Serializer[Any]):
            pair = Text(allow_blank=True, help_text="The id that the pair has here")
            label = LabelText(  # type: ignore[assignment]
                allow_blank=True, help_text="The value or the name of a label"
            )
            score = ScoreText(default="", allow_blank=True, help_text="From 0 to 1")

        judgments = NewJudgment(many=True, min_length=1, max_length=MOST_ROWS)  # type: ignore[call-arg]

        class Meta:
            model = JudgingModel
            fields = ["name", "revision", "note", "judgments"]

    @extend_schema(operation_id="model_judgments_add", request=NewJudgments, responses=ADDED)
    def post(self, request: Request, public_id: str) -> Response:
        """Add a model's labels for pairs, each once. They never count as people's answers.

        Returns 409 if a release has labels of this model.
        """
        if not self.manages:
            raise PermissionDenied(NOT_A_MANAGER)
        values = sent_values(self.NewJudgments, request)
        make_line = partial(model_judgment, scheme=self.project.scheme)
        rows, by = values.pop("judgments"), requester(request)

        def store(lines: Any, *, follower: Follower) -> Report:
            about = {"by": by, "follower": follower, **values}
            return model_judgments.add(self.project, lines=lines, **about)

        with refusal_as_conflict():
            return store_rows(rows, make_line, store)
