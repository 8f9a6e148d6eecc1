"""REST endpoints for the recruiting links of a project, for managers only."""

import uuid
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access.api import OfManaged
from annotation.crowd import selectors, services
from annotation.crowd.arrival import link_with_parameters
from annotation.crowd.forms import MOST_PEOPLE
from annotation.models import Judgment, Project, Recruitment
from annotation.people.selectors.invitations import State, state_of
from annotation.work.kinds import KINDS
from common.api.endpoints import CheckedJSONParser, Endpoint, ListEndpoint, Sent, sent_values
from common.api.errors import CLOSED

MOST_DAYS = 365
STATES = [(state.value, state.value) for state in State if state is not State.REMOVED]
NOT_PAID = "Send a completion code or address, so that you can pay participants who finish."
GIVEN = {
    "platform": "prolific",
    "kinds": [Judgment.KIND],
    "note": "First wave",
    "most_people": 50,
    "completion_code": "C1A2B3C4",
    "completion_url": "",
    "screen_out_code": "S1A2B3C4",
    "screen_out_url": "",
    "least_answers": 40,
    "nothing_left_code": "N1A2B3C4",
    "nothing_left_url": "",
    "same_browser": "refuse",
    "reward": "4.50",
    "currency": "GBP",
}
ROW = {
    "id": "7a0c4b6e-3f7d-4a51-8f8e-5b0e6a2d9c11",
    **GIVEN,
    "joined": 12,
    "completed": 9,
    "nothing_left": 1,
    "same_browser_people": 0,
    "state": "open",
    "created_at": "2026-11-02T08:00:00Z",
    "expires_at": "2026-11-09T08:00:00Z",
}
LINK = "https://pawsmith.example/recruit/Zx0…/?PROLIFIC_PID={{%PROLIFIC_PID%}}"
MADE = ROW | {"joined": 0, "completed": 0, "nothing_left": 0, "link": LINK}


@extend_schema_serializer(examples=[OpenApiExample("A recruiting link", ROW)])
class RecruitmentRow(serializers.ModelSerializer[Recruitment]):
    """A recruiting link without its address, which is shown only when it is created."""

    id = serializers.UUIDField(source="public_id")
    kinds = serializers.ListField(
        child=serializers.CharField(), help_text="Kinds of work that participants may do"
    )
    joined = serializers.IntegerField(help_text="Number of participants who have started")
    completed = serializers.IntegerField(help_text="Number of participants who have finished")
    nothing_left = serializers.IntegerField(
        help_text="Number of participants whose work ended before the minimum of answers"
    )
    same_browser_people = serializers.IntegerField(
        help_text="Number of participants in whose browser another one had taken part"
    )
    state = serializers.SerializerMethodField()

    class Meta:
        model = Recruitment
        fields = list(ROW)

    def get_state(self, link: Any) -> serializers.ChoiceField(choices=STATES):  # type: ignore[valid-type]
        return state_of(link, joined=link.joined).value


@extend_schema_serializer(examples=[OpenApiExample("A new recruiting link", MADE)])
class RecruitmentMade(RecruitmentRow):
    """A new recruiting link with its address, which cannot be read again."""

    link = serializers.CharField(help_text="With the parameters that the platform fills in")

    class Meta(RecruitmentRow.Meta):
        fields = list(MADE)


@extend_schema_serializer(examples=[OpenApiExample("For Prolific", GIVEN | {"days": 7})])
class RecruitmentRequest(Sent, serializers.ModelSerializer[Recruitment]):
    """A new recruiting link."""

    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=list(KINDS)), allow_empty=False, help_text="Of work"
    )
    most_people = serializers.IntegerField(min_value=1, max_value=MOST_PEOPLE)
    days = serializers.IntegerField(
        min_value=1, max_value=MOST_DAYS, default=7, help_text="Until it expires"
    )

    class Meta:
        model = Recruitment
        fields = [*GIVEN, "days"]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse links that would leave participants unpaid."""
        if not (attrs.get("completion_code") or attrs.get("completion_url")):
            raise ValidationError({"completion_code": NOT_PAID}, code="required")
        return attrs


class RecruitmentList(OfManaged, ListEndpoint):
    """The recruiting links of a project that you manage, oldest first, without their addresses."""

    tag = "Projects"
    scope = Scope.READ
    serializer_class = RecruitmentRow
    queryset = Recruitment.objects.none()
    parser_classes = [CheckedJSONParser]

    def get_queryset(self) -> QuerySet[Any]:
        return selectors.with_counts(self.project).order_by("pk")

    @extend_schema(
        operation_id="projects_recruiting_create",
        request=RecruitmentRequest,
        responses={201: RecruitmentMade, **CLOSED},
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Create a recruiting link and return its address, which cannot be read again."""
        offer = sent_values(RecruitmentRequest, request)
        _check_kinds(self.project, offer["kinds"])
        _check_least(self.project, offer["kinds"], offer.get("least_answers"))
        offer["currency"] = offer.get("currency", "").upper()
        offer["expires_at"] = timezone.now() + timedelta(days=offer.pop("days"))
        link, secret = services.create(self.project, by=requester(request), **offer)
        row: Any = selectors.with_counts(self.project).get(pk=link.pk)
        address = request.build_absolute_uri(reverse("recruit", args=[secret]))
        row.link = link_with_parameters(address, link.platform)
        reply = Response(RecruitmentMade(row).data, status.HTTP_201_CREATED)
        reply["Cache-Control"] = "no-store"
        return reply


class RecruitmentRevoking(OfManaged, Endpoint):
    """Revokes a recruiting link of a project that you manage."""

    tag = "Projects"
    scope = Scope.MANAGE

    @extend_schema(
        operation_id="projects_recruiting_revoke",
        request=None,
        responses={200: RecruitmentRow, **CLOSED},
    )
    def post(self, request: Request, public_id: str, recruitment_id: uuid.UUID) -> Response:
        """Revoke a link: no one else can join with it; participants who joined can continue."""
        link = get_object_or_404(self.project.recruitments, public_id=recruitment_id)
        services.revoke(link, by=requester(request))
        return Response(RecruitmentRow(selectors.with_counts(self.project).get(pk=link.pk)).data)


def _check_least(project: Project, kinds: list[str], least: int | None) -> None:
    """Raises ValidationError for a minimum of answers above the limits of the project."""
    if reason := selectors.why_unreachable(project, kinds, least):
        raise ValidationError({"least_answers": reason}, code="max_value")


def _check_kinds(project: Project, kinds: list[str]) -> None:
    """Raises ValidationError for kinds of work that the project does not have."""
    if missing := set(kinds) - set(project.kinds):
        reason = f"The project has no work of the kind {min(missing)}."
        raise ValidationError({"kinds": reason}, code="invalid_choice")
