"""REST endpoints that draft a release, change, preview, build and discard it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError as Refusal
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from accounts.scopes import Scope, requester
from annotation.access.api import NOT_A_MANAGER, managed_project
from annotation.errors import AnnotationError
from annotation.models import Project
from common.api.endpoints import Endpoint, Sent, TakesRows, sent_values
from common.api.errors import CLOSED, Conflict, RefusalResponse, invalid
from common.messages import wake_worker
from releases.api.releases import OfReader, ProjectReleaseList, ReleaseDetail, ReleaseWhole
from releases.dataset.documentation import parse_documentation
from releases.dataset.manifest import AnySettings
from releases.dataset.metadata import Metadata, parse_metadata
from releases.metadata_forms import AuthorForm, MetadataForm
from releases.models import Release
from releases.selectors.releases import (
    any_settings_of,
    metadata_of,
    next_metadata,
    readable_releases,
)
from releases.services import drafts
from releases.services.frozen import new_draft

MOST_PAIRS = 999_999_999  # as in the form
TAKEN = "Another release has this version, with other settings or metadata."
DRAFT = {
    "version": "1.0",
    "settings": {"dev": 0.1, "test": 8000, "seed": 7},
    "metadata": {
        "licence": "CC-BY-4.0",
        "authors": [{"name": "Lovelace, Ada", "orcid": "0000-0002-1825-0097"}],
        "documentation": {"uses": ["To test paraphrase models on English."]},
    },
}
STEPS: dict[str, Callable[[Release, User], object]] = {
    "preview": lambda release, _by: drafts.request_preview(release),
    "build": lambda release, by: drafts.queue_draft(release, by=by),
    "take-back": lambda release, by: drafts.return_to_draft(release, by=by),
}
# The states in which a step has been taken already.
REACHED = {
    "build": (Release.State.QUEUED, Release.State.BUILDING, Release.State.FROZEN),
    "take-back": (Release.State.DRAFT,),
}
STEP = OpenApiParameter("step", OpenApiTypes.STR, OpenApiParameter.PATH, enum=[*STEPS])
CHANGED = {**CLOSED, 409: RefusalResponse}


@extend_schema_field(OpenApiTypes.NUMBER)
class Size(serializers.Field[Any, Any, Any, Any]):
    """A number of pairs (int), or a share (float)."""

    default_error_messages = {
        "invalid": "Send a number of pairs, such as 8000, or a share, such as 0.1."
    }

    def to_internal_value(self, data: Any) -> int | float:
        if isinstance(data, bool) or not isinstance(data, int | float) or data > MOST_PAIRS:
            self.fail("invalid")
        return data


def _size() -> Size:
    return Size(required=False, help_text="A number of pairs, such as 8000, or a share, as 0.1")


class DraftSettings(Sent):
    """What people choose of the settings; those left out are as in the last version."""

    seed = serializers.IntegerField(required=False, min_value=0, max_value=2**63 - 1)
    dev = _size()
    test = _size()
    unlabeled_dev = _size()
    paraphrase_share = serializers.FloatField(
        required=False, allow_null=True, help_text="Between 0 and 1; null keeps all pairs"
    )
    recombine = serializers.BooleanField(required=False, help_text="Compose pairs from judged ones")
    recombination_reach = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_PAIRS,
        help_text="Back translations; null: no limit",
    )
    skill = serializers.BooleanField(required=False, help_text="Labels of the annotator model")
    hard_for = serializers.CharField(
        required=False, allow_blank=True, help_text="Only pairs that this model gets wrong"
    )
    reasons = serializers.BooleanField(required=False, help_text="Release people's reasons")
    accepts_errors = serializers.BooleanField(
        required=False, help_text="Of translations: build whatever the word error rate is"
    )


def _texts(form: type[Any], *names: str) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return a field for each text of a form, of the same length."""
    lengths = {name: form.base_fields[name].max_length for name in names}
    return {
        name: serializers.CharField(required=False, allow_blank=True, max_length=length)
        for name, length in lengths.items()
    }


class ReleaseAuthor(Sent):
    """An author: a person as "Family name, given names", or a group."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        texts = _texts(AuthorForm, *AuthorForm.base_fields)
        texts["name"].required = True
        return texts


class DraftMetadata(Sent):
    """What is declared of the dataset; what is left out is as in the last version."""

    authors = ReleaseAuthor(many=True, required=False)
    languages = serializers.ListField(
        child=serializers.CharField(max_length=35), required=False, help_text="Tags, as pt-BR"
    )
    documentation = serializers.DictField(
        required=False, help_text="Texts and lists, by the names of the YAML file"
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        texts = _texts(MetadataForm, "licence", "citation", "bibtex", "homepage")
        return super().get_fields() | texts


@extend_schema_serializer(examples=[OpenApiExample("A draft", DRAFT)])
class Draft(Sent):
    """A version, and what it is made with."""

    version = serializers.CharField(max_length=50)
    settings = DraftSettings(required=False)
    metadata = DraftMetadata(required=False)


@contextmanager
def _refusals_answered() -> Iterator[None]:
    """Answer what a service refuses: 400 for values, 409 for a state that does not allow it."""
    try:
        yield
    except Refusal as refusal:
        raise invalid(refusal) from refusal
    except AnnotationError as error:
        raise Conflict(str(error)) from error
    except ValueError as error:
        raise ValidationError(str(error), code="invalid") from error


def _choices(sent: Mapping[str, Any], begin: AnySettings, declared: Metadata) -> dict[str, Any]:
    """Return version, metadata and settings of a draft that begins with these.

    Raises ValidationError for metadata in no usual form.
    """
    names = [name for name in map(str, DraftSettings().fields) if hasattr(begin, name)]
    settings = {name: getattr(begin, name) for name in names} | sent.get("settings", {})
    values = declared.to_dict() | sent.get("metadata", {})
    try:
        documentation = parse_documentation(values.get("documentation", {}))
        metadata = replace(parse_metadata(values), documentation=documentation)
    except ValueError as error:
        raise ValidationError({"metadata": str(error)}, code="invalid") from error
    return {"version": sent["version"], "metadata": metadata, **settings}


class ProjectReleases(TakesRows, ProjectReleaseList):
    """List the releases of a project, oldest first. Only managers see those not yet frozen."""

    @extend_schema(
        operation_id="releases_draft",
        request=Draft,
        responses={201: ReleaseWhole, 200: ReleaseWhole, **CHANGED},
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Draft a release, which a worker previews. Returns 200 if the same one exists."""
        if not self.manages:
            raise PermissionDenied(NOT_A_MANAGER)
        sent = sent_values(Draft, request)
        with _refusals_answered():
            begin = drafts.proposed_settings(self.project)
            choices = _choices(sent, begin, next_metadata(self.project))
            release, is_new = _draft(self.project, choices, by=requester(request))
        body = ReleaseWhole(release, context=self.get_serializer_context()).data
        return Response(body, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)


def _draft(project: Project, choices: dict[str, Any], *, by: User) -> tuple[Release, bool]:
    """Return the release with these choices, and whether it is new."""
    stored = project.releases.filter(version=choices["version"]).first()
    if stored is None:
        release = drafts.create_draft(project, by=by, **choices)
        wake_worker()
        return release, True
    same = new_draft(project, **choices)
    names = DraftSettings().fields.keys() & same.settings.keys()
    # Building adds to both.
    is_same = all(stored.settings.get(name) == same.settings[name] for name in names) and all(
        stored.metadata.get(name) == value for name, value in same.metadata.items() if value
    )
    if not is_same:
        raise ValidationError({"version": TAKEN}, code="unique")
    return stored, False


class ReleaseChanges(TakesRows, ReleaseDetail):
    """Return a release with its preview, or with its manifest and the URL of each file.

    A withdrawn release keeps its manifest and the reason, but not its files.
    """

    @extend_schema(
        operation_id="releases_change",
        request=Draft(partial=True),
        responses={200: ReleaseWhole, **CHANGED},
    )
    def patch(self, request: Request, public_id: str) -> Response:
        """Change a draft, which a worker previews again. What is not sent stays."""
        release = managed_release(request, public_id)
        sent = {"version": release.version} | sent_values(Draft, request, partial=True)
        with _refusals_answered():
            choices = _choices(sent, any_settings_of(release), metadata_of(release))
            drafts.change_draft(release, by=requester(request), **choices)
        wake_worker()
        return Response(ReleaseWhole(release, context=self.get_serializer_context()).data)

    @extend_schema(operation_id="releases_discard", request=None, responses={204: None, **CHANGED})
    def delete(self, request: Request, public_id: str) -> Response:
        """Discard a draft."""
        release = managed_release(request, public_id)
        with _refusals_answered():
            drafts.discard(release, by=requester(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReleaseSteering(OfReader, Endpoint):
    """Previews and builds a release of a project that you manage."""

    scope = Scope.MANAGE

    @extend_schema(
        operation_id="releases_steer",
        parameters=[STEP],
        request=None,
        responses={200: ReleaseWhole, **CHANGED},
    )
    def post(self, request: Request, public_id: str, step: str) -> Response:
        """Have a worker preview a draft or build it, or return it to draft while it waits.

        Ask for the release until its `preview` is made, or its `state` is frozen or failed. A step
        that was taken already changes nothing. Returns 409 with the reason if it is impossible.
        """
        release = managed_release(request, public_id)
        if release.state not in REACHED.get(step, ()):
            with _refusals_answered():
                STEPS[step](release, requester(request))
            wake_worker()
            release.refresh_from_db()
        return Response(ReleaseWhole(release, context=self.get_serializer_context()).data)


def managed_release(request: Request, public_id: str) -> Release:
    """Return a release that may be changed. Raises Http404, and PermissionDenied with why."""
    release = get_object_or_404(readable_releases(request.user), public_id=public_id)
    managed_project(requester(request), release.project.public_id)
    return release
