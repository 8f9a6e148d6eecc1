"""The questions about annotators over REST, with totals of the replies."""

from collections.abc import Iterator
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access.api import OfProject
from annotation.questions import selectors
from annotation.questions.selectors import Totals

EXAMPLE = {
    "id": "5d1f0b1e-6a3c-4d0e-9c55-0f8a4d1f2e61",
    "title": "First language",
    "text": "Which language did you learn first?",
    "retired": False,
    "people": 10,
    "choices": [
        {"choice": "German", "people": 7},
        {"choice": "Polish", "people": None},
        {"choice": None, "people": None},
    ],
}


class ChoiceRow(serializers.Serializer[Any]):
    """A choice and how many people made it."""

    choice = serializers.CharField(
        allow_null=True, help_text="As it was asked; null for people who would rather not say"
    )
    people = serializers.IntegerField(
        allow_null=True, help_text="null if they are fewer than the project's smallest group"
    )


@extend_schema_serializer(examples=[OpenApiExample("A question", EXAMPLE)])
class QuestionRow(serializers.Serializer[Totals]):
    """A question about annotators. Single replies are never returned."""

    id = serializers.UUIDField(source="question.public_id")
    title = serializers.CharField(source="question.title")
    text = serializers.CharField(source="question.text")
    retired = serializers.SerializerMethodField(help_text="Whether it is no longer asked")
    people = serializers.IntegerField(
        help_text="Replies that are counted: a multiple of the project's smallest group"
    )
    choices = serializers.SerializerMethodField()

    def get_retired(self, totals: Totals) -> bool:
        return totals.question.retired_at is not None

    def get_choices(self, totals: Totals) -> ChoiceRow(many=True):  # type: ignore[valid-type]
        return list(_rows(totals))


@extend_schema_serializer(
    examples=[OpenApiExample("All questions", {"next": None, "results": [EXAMPLE]})]
)
class QuestionPage(serializers.Serializer[Any]):
    """All questions on one page, in the usual list format."""

    next = serializers.URLField(allow_null=True, help_text="Always null")
    results = QuestionRow(many=True)


class QuestionList(OfProject):
    """The questions that a project asks its annotators, with totals of their replies."""

    tag = "Projects"
    scope = Scope.READ

    @extend_schema(operation_id="projects_questions_list", responses=QuestionPage)
    def get(self, request: Request, public_id: str) -> Response:
        """List the questions with totals; small groups are not counted."""
        totals: Any = selectors.totals(self.project)
        rows = QuestionRow(totals, many=True)
        return Response({"next": None, "results": rows.data})


def _rows(totals: Totals) -> Iterator[dict[str, Any]]:
    for place, choice in [*enumerate(totals.question.choices), (None, None)]:
        yield {"choice": choice, "people": totals.numbers.get(place)}
