"""Projects over REST: created, their settings read and changed, opened, closed and archived."""

import copy
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError as Refusal
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_serializer,
)
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from accounts.scopes import Scope, requester
from annotation.access import readers
from annotation.access.api import MAY_NOT_CREATE, OfManaged
from annotation.models import Project
from annotation.models.scheme_field import parse_scheme
from annotation.projects import settings
from annotation.projects.api import (
    ProjectList,
    ProjectProtocol,
    ProjectRow,
    ProjectWhole,
    SchemeRow,
)
from annotation.projects.forms.projects import LOOKS, NO_VOTES, SettingsForm
from annotation.projects.labels import have_same_labels
from annotation.projects.protocols import PRESETS, Preset
from annotation.projects.services import lifecycle, projects
from annotation.stats.labels import Scheme
from common.api.endpoints import Sent, TakesRows, sent_values
from common.api.errors import CLOSED, invalid
from generation.models import OF_PAIRS

OWN_LABELS = "Send the labels of this preset, as `scheme`."
NEW = {
    "name": "Rivers",
    "preset": "paws",
    "judgments_per_pair": 3,
    "consensus_min_votes": 2,
    "contact": "ada@example.org",
}
STEPS: dict[str, Callable[[Project, User], object]] = {
    "open": lambda project, by: projects.change(project, {"is_open": True}, by=by),
    "close": lambda project, by: projects.change(project, {"is_open": False}, by=by),
    "archive": lambda project, by: lifecycle.archive(project, by=by),
    "restore": lambda project, by: lifecycle.restore(project, by=by),
}
OF_ARCHIVED = ("archive", "restore")
STEP = OpenApiParameter("step", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[*STEPS])


class SchemeSent(Sent, SchemeRow):
    """Labels that are sent; what is left out is not set."""

    border = serializers.IntegerField(allow_null=True, required=False)
    directed = serializers.BooleanField(required=False)
    captions = serializers.ListField(child=serializers.CharField(), required=False)

    def to_internal_value(self, data: Any) -> Scheme:
        """Raises ValidationError if the labels, level and rule do not fit together."""
        values = super().to_internal_value(data)
        try:
            return parse_scheme(values)
        except Refusal as refusal:
            raise ValidationError({"labels": refusal.messages}, code="invalid") from refusal


class LabelLook(Sent):
    """The criterion, example, key and colour of a label on the work page."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: serializers.CharField(required=False) for name in LOOKS}


class ProjectSettings(Sent, ProjectProtocol):
    """All settings of a project; the protocol is locked once it has candidates or pairs."""

    scheme = SchemeSent(required=False)
    corrected_methods = serializers.ListField(
        child=serializers.ChoiceField(choices=OF_PAIRS), required=False
    )
    limits = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="By kind of work"
    )
    label_looks = serializers.DictField(
        child=LabelLook(), required=False, help_text="By value of a label"
    )
    reason_labels = serializers.ListField(child=serializers.IntegerField(), required=False)

    class Meta:
        model = Project
        fields = list(settings.SETTINGS)
        # The form says it, and which project has the name.
        extra_kwargs: ClassVar[Any] = {"name": {"validators": []}}


@extend_schema_serializer(examples=[OpenApiExample("A new project", NEW)])
class NewProject(ProjectSettings):
    """A name, and settings that differ from those of the preset."""

    preset = serializers.ChoiceField(
        choices=[(preset.name, preset.title) for preset in PRESETS.values()],
        default="paws",
        help_text="What people do, as on the cards of the page",
    )

    class Meta(ProjectSettings.Meta):
        fields = ["preset", *settings.SETTINGS]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        preset = PRESETS[attrs["preset"]]
        if not preset.has_labels and "scheme" not in attrs:
            raise ValidationError({"scheme": OWN_LABELS}, code="required")
        return attrs


class Projects(TakesRows, ProjectList):
    """The projects that you manage or research, oldest first, without archived ones."""

    @extend_schema(
        operation_id="projects_create",
        request=NewProject,
        responses={201: ProjectWhole, 200: ProjectWhole, 403: CLOSED[403]},
    )
    def post(self, request: Request) -> Response:
        """Create a project that you manage. Returns 200 if you have the same one already."""
        user = requester(request)
        if not readers.may_create(user):
            raise PermissionDenied(MAY_NOT_CREATE)
        values = sent_values(NewProject, request)
        preset_settings = _settings_of(PRESETS[values.pop("preset")], values)
        name = values.pop("name")
        try:
            values = preset_settings | _checked_settings(
                Project(name=name, **preset_settings), values
            )
            project = readers.managed_projects(user).filter(name=name, archived_at=None).first()
            is_new = project is None or any(
                getattr(project, name) != value for name, value in values.items()
            )
            if is_new:
                project = projects.create(name, managers=[user], by=user, **values)
        except Refusal as refusal:
            raise invalid(refusal) from refusal
        body = ProjectWhole(project, context=self.get_serializer_context()).data
        return Response(body, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)


def _settings_of(preset: Preset, sent: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset, without what it says of labels that are not sent."""
    if "scheme" not in sent or have_same_labels(sent["scheme"], preset.protocol.scheme):
        return preset.settings
    return {name: value for name, value in preset.settings.items() if name not in preset.of_labels}


class SettingsDetail(TakesRows, OfManaged):
    """The settings of a project that you manage."""

    tag = "Projects"
    scope = Scope.READ
    serializer_class = ProjectSettings

    @extend_schema(operation_id="projects_settings", responses={200: ProjectSettings, **CLOSED})
    def get(self, request: Request, public_id: str) -> Response:
        """Return all settings of a project, as they can be sent."""
        return Response(ProjectSettings(self.project).data)

    @extend_schema(
        operation_id="projects_settings_change",
        request=ProjectSettings(partial=True),
        responses={200: ProjectSettings, **CLOSED},
    )
    def patch(self, request: Request, public_id: str) -> Response:
        """Change settings; others stay. Asks nothing, even if people's work stops."""
        sent = sent_values(ProjectSettings, request, instance=self.project, partial=True)
        try:
            values = _checked_settings(copy.copy(self.project), sent)
            projects.change(self.project, values, by=requester(request))
        except Refusal as refusal:
            raise invalid(refusal) from refusal
        self.project.refresh_from_db()
        return Response(ProjectSettings(self.project).data)


class ProjectSteering(OfManaged):
    """Opens, closes, archives and restores a project that you manage."""

    tag = "Projects"
    scope = Scope.MANAGE

    def changes_archived(self) -> bool:
        return self.kwargs["step"] in OF_ARCHIVED

    @extend_schema(
        operation_id="projects_steer",
        parameters=[STEP],
        request=None,
        responses={200: ProjectRow, **CLOSED},
    )
    def post(self, request: Request, public_id: str, step: str) -> Response:
        """Open a project for work, close, archive or restore it. Repeating changes nothing.

        Archiving closes it and returns what people have in progress; restoring leaves it closed.
        """
        STEPS[step](self.project, requester(request))
        self.project.refresh_from_db()
        return Response(ProjectRow(self.project).data)


def _checked_settings(project: Project, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in `sent` as the pages would store them.

    `project` may be unsaved; it takes the values. Settings that it lets no one change are returned
    as they are: `projects.change` refuses them. Raises Refusal with the reasons by setting, or by
    its part, such as `limits.judge`.
    """
    values = dict(sent)
    problems: dict[str, list[Refusal]] = {}
    # The protocol first: other pages ask for its labels.
    for page in sorted(settings.PAGES, key=lambda page: page != "protocol"):
        names = sent.keys() & {*settings.in_effect(project, page)}
        unsent = SettingsForm(instance=project, page=page)
        if not names or unsent.is_fixed:
            continue
        data = {
            name: unsent.get_initial_for_field(field, name)
            for name, field in unsent.fields.items()
            if _sent_name(name).partition(".")[0] not in names
        } | _form_values({name: sent[name] for name in names})
        form = SettingsForm(data, instance=project, page=page)
        problems |= {_sent_name(name): errors for name, errors in form.errors.as_data().items()}
        for name in data.keys() - form.fields.keys():
            problems[_sent_name(name)] = [Refusal("There is no such field.", "unknown")]
        if form.is_valid():
            values |= {n: v for n, v in form.settings().items() if n in names or n in NO_VOTES}
    if problems:
        raise Refusal(problems)
    return values


def _form_values(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the form for these settings; some have one for each of their parts."""
    fields = {name: value for name, value in sent.items() if name not in ("limits", "label_looks")}
    fields |= {f"limit_{kind}": most for kind, most in sent.get("limits", {}).items()}
    for value, look in sent.get("label_looks", {}).items():
        fields |= {f"{part}_{value}": text for part, text in look.items()}
    return fields


def _sent_name(field: str) -> str:
    """Return what a program calls the field of a form."""
    prefix, _, rest = field.partition("_")
    if prefix == "limit":
        return f"limits.{rest}"
    return f"label_looks.{rest}.{prefix}" if prefix in LOOKS else field
