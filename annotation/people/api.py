"""REST endpoints for managers only: figures of annotators with user names, and invitations."""

from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError as Refusal
from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access.api import OfManaged, PseudonymField
from annotation.models import Invitation, Judgment, Membership, Project, Role
from annotation.models.people import GIVEN_ROLES
from annotation.people.forms import MOST_PEOPLE
from annotation.people.selectors import annotators
from annotation.people.selectors import invitations as selectors
from annotation.people.selectors.annotators import AnnotatorFigures
from annotation.people.selectors.invitations import State
from annotation.people.services import invitations, members
from annotation.work.kinds import KINDS
from common.api.endpoints import CheckedJSONParser, ListEndpoint, Sent, sent_values
from common.api.errors import CLOSED, invalid

EXAMPLE = {
    "name": "ada",
    "annotator": "annotator-3f2a9c07d1e4",
    "role": "annotator",
    "simulated": False,
    "corrections": 120,
    "judgments": 960,
    "translations": 0,
    "validations": 0,
    "skips": 3,
    "median_seconds": 6.1,
    "label_shares": [0.56, 0.44],
    "compared": 940,
    "agreement": 0.91,
    "agreement_interval": [0.89, 0.926],
    "kappa": 0.81,
    "decided": 930,
    "kappa_consensus": 0.87,
    "gold_given": 40,
    "gold_right": 38,
    "flags": [{"reason": "Five answers in less than two seconds", "at": "2026-11-04T09:00:00Z"}],
    "excluded": False,
    "paused_at": None,
    "last_seen": "2026-11-09T16:20:05Z",
}


class AnnotatorFlag(serializers.Serializer[Any]):
    """An active quality flag."""

    reason = serializers.CharField()
    at = serializers.DateTimeField(source="created_at")


@extend_schema_serializer(examples=[OpenApiExample("An annotator", EXAMPLE)])
class AnnotatorRow(serializers.Serializer[AnnotatorFigures]):
    """Figures of one project member; undefined values are null."""

    name = serializers.CharField(source="user.username")
    annotator = PseudonymField(
        source="user.pk", help_text="The name in judgments and corrections of the project"
    )
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    simulated = serializers.BooleanField(source="user.is_simulated")
    skips = serializers.IntegerField(help_text="Items that the person skipped")
    median_seconds = serializers.FloatField(allow_null=True, help_text="Of judgments")
    label_shares = serializers.ListField(
        child=serializers.FloatField(), help_text="Of each label from 0 on; empty without judgments"
    )
    compared = serializers.IntegerField(help_text="Pairs on which the others' majority is clear")
    agreement = serializers.FloatField(
        allow_null=True, help_text="Of these, the share on which the person agrees"
    )
    agreement_interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="Wilson's at 95 %"
    )
    kappa = serializers.FloatField(
        source="kappa_with_others", allow_null=True, help_text="Cohen's with the others' majority"
    )
    decided = serializers.IntegerField(help_text="Decided pairs with a counting answer of theirs")
    kappa_consensus = serializers.FloatField(
        source="kappa",
        allow_null=True,
        help_text="Cohen's with the consensus of these, which includes the person's answer",
    )
    gold_given = serializers.IntegerField(help_text="Gold pairs answered")
    gold_right = serializers.IntegerField(help_text="Gold pairs answered correctly")
    flags = AnnotatorFlag(many=True, help_text="Open flags")
    excluded = serializers.BooleanField(help_text="The person's answers are excluded")
    paused_at = serializers.DateTimeField(allow_null=True)
    last_seen = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the number of answers of each kind of work."""
        numbers = {
            kind.answers: serializers.IntegerField(source=f"answers.{name}")
            for name, kind in KINDS.items()
        }
        return super().get_fields() | numbers


@extend_schema_serializer(
    examples=[OpenApiExample("Everybody", {"next": None, "results": [EXAMPLE]})]
)
class AnnotatorPage(serializers.Serializer[Any]):
    """All members on one page, in the usual list format."""

    next = serializers.URLField(allow_null=True, help_text="Always null")
    results = AnnotatorRow(many=True)


class AnnotatorList(OfManaged):
    """Figures of all members of a project."""

    tag = "Projects"
    scope = Scope.READ

    @extend_schema(
        operation_id="projects_annotators_list",
        responses={200: AnnotatorPage, 403: CLOSED[403]},
    )
    def get(self, request: Request, public_id: str) -> Response:
        """List each member's work and quality figures, by user name; managers only."""
        people: Any = annotators.figures(self.project)
        rows = AnnotatorRow(people, many=True, context=self.get_serializer_context())
        return Response({"next": None, "results": rows.data})


MOST_DAYS = 365
STATES = [(state.value, state.value) for state in State if state is not State.REMOVED]
ROW = {
    "id": "f1c7e2d4-0a8b-4b59-9d42-7c2a1f0e6b35",
    "role": "annotator",
    "kinds": [Judgment.KIND],
    "note": "Course of Prof. May",
    "most_people": 30,
    "joined": 12,
    "state": "open",
    "created_at": "2026-11-02T08:00:00Z",
    "expires_at": "2026-11-09T08:00:00Z",
}
REQUEST = {"kinds": [Judgment.KIND], "most_people": 30, "days": 7, "note": "Course of Prof. May"}
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
class InvitationRequest(Sent):
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
        """Refuse work for people who can see votes."""
        kinds = attrs["kinds"]
        if kinds and kinds != members.allowed_kinds(attrs["role"], kinds, despite_votes=False):
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
        return _invitations_with_counts(self.project)

    @extend_schema(
        operation_id="projects_invitations_create",
        request=InvitationRequest,
        responses={201: InvitationMade, **CLOSED},
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Create an invitation and return its link, which cannot be read again."""
        offer = sent_values(InvitationRequest, request)
        offer["expires_at"] = timezone.now() + timedelta(days=offer.pop("days"))
        try:
            invitation, secret = invitations.create(self.project, by=requester(request), **offer)
        except Refusal as refusal:
            raise invalid(refusal) from refusal
        row: Any = _invitations_with_counts(self.project).get(pk=invitation.pk)
        row.link = request.build_absolute_uri(reverse("join", args=[secret]))
        reply = Response(InvitationMade(row).data, status.HTTP_201_CREATED)
        reply["Cache-Control"] = "no-store"
        return reply


def _invitations_with_counts(project: Project) -> QuerySet[Any]:
    return project.invitations.annotate(joined=Count("memberships"))
