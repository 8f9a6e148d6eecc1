"""REST endpoint through which a program plays the simulated people of a project."""

from typing import Any

from django.core.exceptions import ValidationError as Refusal
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access.api import OfManaged
from annotation.errors import Refused
from annotation.projects.label_fields import place_of
from annotation.work import answers, simulation
from annotation.work.contract import MAX_SECONDS
from annotation.work.kinds import KINDS
from common.api.endpoints import CheckedJSONParser, Endpoint, Sent, sent_values
from common.api.errors import CLOSED, Conflict, RefusalResponse, invalid

MOST_PEOPLE = 100
ITEM = {
    "id": "3c9b1f64-5d2e-4a8f-9b7c-0a6d1e2f4b58",
    "sentences": ["It rained in May.", "In May it rained."],
    "language": "en",
}
ANSWER = {"item": ITEM["id"], "seconds": 6.5, "label": 1}
PEOPLE = OpenApiParameter(
    "number", OpenApiTypes.INT, OpenApiParameter.PATH, description=f"From 1 to {MOST_PEOPLE}"
)
KIND = OpenApiParameter("kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[*KINDS])


@extend_schema_serializer(examples=[OpenApiExample("A judgment", ANSWER)])
class SimulatedAnswer(Sent):
    """The answer to the item that the person has; nothing if they have none yet."""

    item = serializers.UUIDField(required=False)
    seconds = serializers.FloatField(required=False, min_value=0, max_value=MAX_SECONDS)
    label = serializers.IntegerField(  # type: ignore[assignment]
        required=False, help_text="The value of a label"
    )
    reason = serializers.CharField(required=False, help_text="Why, where the study asks")
    action = serializers.CharField(
        required=False, help_text="Of other work: such as accept, fix, reject or translate"
    )
    text = serializers.CharField(required=False, help_text="A fix, or a translation")


class ItemShown(serializers.Serializer[Any]):
    """All that a person is shown of an item, in this order."""

    id = serializers.UUIDField()
    sentences = serializers.ListField(child=serializers.CharField())
    language = serializers.CharField()


@extend_schema_serializer(examples=[OpenApiExample("Next", {"item": ITEM, "answers": 12})])
class NextItem(serializers.Serializer[Any]):
    """What the person has in progress now."""

    item = ItemShown(source="shown", allow_null=True, help_text="null: nothing is left for them")
    answers = serializers.IntegerField(source="tally.total", help_text="Of this kind, so far")


class SimulatedWork(OfManaged, Endpoint):
    """The work of simulated people in a project that you manage."""

    tag = "Pairs and answers"
    scope = Scope.MANAGE
    parser_classes = [CheckedJSONParser]

    @extend_schema(
        operation_id="simulated_work",
        parameters=[PEOPLE, KIND],
        request=SimulatedAnswer,
        responses={200: NextItem, **CLOSED, 409: RefusalResponse},
    )
    def post(self, request: Request, public_id: str, number: int, kind: str) -> Response:
        """Answer for a simulated person, and take their next item; an empty object only takes one.

        The person is created with the first request. Their answers, and releases of them, are
        marked as simulated. The same answer is stored once. Returns 409 if the person no longer
        has the item.
        """
        if kind not in self.project.kinds or not 1 <= number <= MOST_PEOPLE:
            raise NotFound
        answer = self._answer(kind, sent_values(SimulatedAnswer, request))
        duty = simulation.member(self.project, number).duty(kind)
        turn = answers.turn(duty, answer)
        if isinstance(turn.refusal, Refused):
            raise ValidationError(str(turn.refusal), code="invalid")
        if turn.refusal:
            raise Conflict(str(turn.refusal))
        return Response(NextItem(turn).data)

    def _answer(self, kind: str, sent: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer as the form of the page has it. Raises ValidationError."""
        if not sent:
            return None
        if "label" in sent:
            sent["label"] = place_of(sent["label"], self.project.scheme.values)
        form = KINDS[kind].form(sent)
        if not form.is_valid():
            raise invalid(Refusal(form.errors.as_data()))
        return form.cleaned_data
