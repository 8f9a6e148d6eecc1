"""REST endpoint for the translation studies of a project's releases."""

from django.core.exceptions import ValidationError as Invalid
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access import readers
from annotation.access.api import MAY_NOT_CREATE, NOT_A_MANAGER, OfProject
from annotation.errors import Refused
from annotation.translations.api import EXAMPLE, TranslationStudy, describe
from common.api.endpoints import CheckedJSONParser, Sent, sent_values
from common.api.errors import CLOSED, invalid
from common.bounded_json import MAX_INTEGER
from releases.translations import selectors, services
from releases.translations.selectors import MOST_PAIRS

REQUEST = {
    "release": "6f1c2a9e-0f4b-4d61-8a1e-3d2b7c9a5e40",
    "name": "Rivers in German",
    "language": "de",
    "dev": 500,
    "test": 500,
    "validated_share": 0.1,
    "seed": 7,
}


@extend_schema_serializer(examples=[OpenApiExample("Into German", REQUEST)])
class NewTranslation(Sent):
    """A new translation study."""

    release = serializers.UUIDField(help_text="The id of a frozen release of this project")
    name = serializers.CharField(max_length=100, help_text="Of the new project")
    language = serializers.CharField(max_length=35, help_text="BCP 47 tag")
    dev = serializers.IntegerField(
        min_value=1, max_value=MOST_PAIRS, required=False, help_text="Pairs at most; default: all"
    )
    test = serializers.IntegerField(
        min_value=1, max_value=MOST_PAIRS, required=False, help_text="Pairs at most; default: all"
    )
    validated_share = serializers.FloatField(min_value=0.0, max_value=1.0, default=0.1)
    seed = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER, default=0)


class TranslationList(OfProject):
    """The translation studies of a project's releases."""

    tag = "Releases"
    scope = Scope.READ
    parser_classes = [CheckedJSONParser]

    @extend_schema(
        operation_id="projects_translations",
        responses=TranslationStudy(many=True),
        filters=False,
        examples=[OpenApiExample("One study", [EXAMPLE])],
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return how far the translations of a project's releases are, with word error rates.

        Lists the translation studies that you can read, oldest first. If the project is a
        translation study itself, lists that one.
        """
        studies = selectors.sources_about(self.project, readers.projects(request.user))
        return Response([describe(study.project) for study in studies])

    @extend_schema(
        operation_id="projects_translations_create",
        request=NewTranslation,
        responses={201: TranslationStudy, **CLOSED},
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Create a project in which people translate a release of this project."""
        if not self.manages:
            raise PermissionDenied(NOT_A_MANAGER)
        user, values = requester(request), sent_values(NewTranslation, request)
        if not readers.may_create(user):
            raise PermissionDenied(MAY_NOT_CREATE)
        release = get_object_or_404(self.project.releases, public_id=values.pop("release"))
        try:
            study = services.create(release, **values, managers=[user], by=user)
        except Invalid as error:
            raise invalid(error) from error
        except Refused as refused:
            raise ValidationError({"language": [str(refused)]}, code="invalid") from refused
        return Response(describe(study), status.HTTP_201_CREATED)
