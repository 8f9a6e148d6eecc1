"""REST endpoint for the invitations of a project, for managers only."""

from datetime import timedelta
from typing import Any

from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from drf_standardized_errors.openapi_serializers import (
    ErrorResponse403Serializer,
    ErrorResponse404Serializer,
)
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access.api import OfManaged
from annotation.models import Invitation, Project, Role
from annotation.models.people import GIVEN_ROLES
from annotation.people.forms import MOST_PEOPLE
from annotation.people.selectors import invitations as selectors
from annotation.people.selectors.invitations import State
from annotation.people.services import invitations, members
from annotation.work.kinds import KINDS
from common.api.endpoints import CheckedJSONParser, ListEndpoint

MOST_DAYS = 365
STATES = [(state.value, state.value) for state in State if state is not State.REMOVED]
ROW = {
    "id": "f1c7e2d4-0a8b-4b59-9d42-7c2a1f0e6b35",
    "role": "annotator",
    "kinds": ["judge"],
    "note": "Course of Prof. May",
    "most_people": 30,
    "joined": 12,
    "state": "open",
    "created_at": "2026-11-02T08:00:00Z",
    "expires_at": "2026-11-09T08:00:00Z",
}
REQUEST = {"kinds": ["judge"], "most_people": 30, "days": 7, "note": "Course of Prof. May"}
MADE = ROW | {"joined": 0, "link": "https://pawsmith.example/join/Zx0…/"}


@extend_schema_serializer(examples=[OpenApiExample("An invitation", ROW)])
class InvitationRow(serializers.ModelSerializer[Invitation]):
    """An invitation without its link, which is shown only when it is created."""

    id = serializers.UUIDField(source="public_id")
    role = serializers.ChoiceField(choices=GIVEN_ROLES)
    kinds = serializers.ListField(
        child=serializers.CharField(), help_text="Kinds of work for people who join"
    )
    note = serializers.CharField(help_text="Visible to managers only")
    most_people = serializers.IntegerField(help_text="Number of people who may join")
    joined = serializers.IntegerField(help_text="Number of people who have joined")
    state = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields = list(ROW)

    def get_state(self, invitation: Any) -> serializers.ChoiceField(choices=STATES):  # type: ignore[valid-type]
        return selectors.state_of(invitation, joined=invitation.joined).value


@extend_schema_serializer(examples=[OpenApiExample("A new invitation", MADE)])
class InvitationMade(InvitationRow):
    """A new invitation with its link, which cannot be read again."""

    link = serializers.CharField(help_text="Anyone with it can join")

    class Meta(InvitationRow.Meta):
        fields = list(MADE)


@extend_schema_serializer(examples=[OpenApiExample("For a course", REQUEST)])
class InvitationRequest(serializers.Serializer[dict[str, Any]]):
    """A new invitation; researchers and managers can see votes and are offered no work."""

    role = serializers.ChoiceField(choices=GIVEN_ROLES, default=Role.ANNOTATOR.value)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=list(KINDS)),
        default=None,
        allow_null=True,
        help_text="Kinds of work. Default: all for annotators, none for others.",
    )
    most_people = serializers.IntegerField(min_value=1, max_value=MOST_PEOPLE, default=1)
    days = serializers.IntegerField(
        min_value=1, max_value=MOST_DAYS, default=7, help_text="Days until it expires"
    )
    note = serializers.CharField(max_length=200, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse unknown fields, and work for people who can see votes."""
        unknown = dict.fromkeys(self.initial_data.keys() - self.fields, "There is no such field.")
        if unknown:
            raise ValidationError(unknown, code="unknown")
        kinds = attrs["kinds"]
        if kinds and kinds != members.allowed(attrs["role"], kinds, despite_votes=False):
            reason = "Only annotators are offered work; a manager can allow more on the pages."
            raise ValidationError({"kinds": reason}, code="invalid")
        return attrs


class InvitationList(OfManaged, ListEndpoint):
    """The invitations of a project that you manage, oldest first, without their links."""

    tag = "Projects"
    scope = Scope.READ
    serializer_class = InvitationRow
    queryset = Invitation.objects.none()
    parser_classes = [CheckedJSONParser]

    def get_queryset(self) -> QuerySet[Any]:
        return _counted(self.project)

    @extend_schema(
        operation_id="projects_invitations_create",
        request=InvitationRequest,
        responses={
            201: InvitationMade,
            403: ErrorResponse403Serializer,
            404: ErrorResponse404Serializer,
        },
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Create an invitation and return its link, which cannot be read again."""
        sent = InvitationRequest(data=request.data)
        sent.is_valid(raise_exception=True)
        offer = dict(sent.validated_data)
        offer["expires_at"] = timezone.now() + timedelta(days=offer.pop("days"))
        made, secret = invitations.create(self.project, by=requester(request), **offer)
        row: Any = _counted(self.project).get(pk=made.pk)
        row.link = request.build_absolute_uri(reverse("join", args=[secret]))
        reply = Response(InvitationMade(row).data, status.HTTP_201_CREATED)
        reply["Cache-Control"] = "no-store"
        return reply


def _counted(project: Project) -> QuerySet[Any]:
    return project.invitations.annotate(joined=Count("memberships"))
