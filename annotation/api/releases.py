"""Releases over REST, and their files as they were published."""

from typing import Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.api import downloads
from annotation.models import Release
from annotation.selectors import reading
from annotation.selectors.releases import folder_of
from generation.api.reading import REFUSED, PageQuery, Reading, page, paged


class ReleaseRow(serializers.ModelSerializer[Release]):
    """What a table of releases says of each."""

    id = serializers.UUIDField(source="public_id")
    project = serializers.UUIDField(source="project.public_id")
    is_written = serializers.SerializerMethodField(help_text="Its files are there to be fetched")

    class Meta:
        model = Release
        fields = ["id", "project", "version", "is_written", "created_at"]

    def get_is_written(self, release: Release) -> bool:
        return release.manifest is not None


class ReleaseList(Reading):
    """The releases of one project."""

    scope = Scope.RELEASES
    query_class = PageQuery

    @extend_schema(
        operation_id="releases_list", parameters=[PageQuery], responses=paged(ReleaseRow)
    )
    def get(self, request: Request, public_id: str) -> Response:
        """The releases of a project, oldest first."""
        project = get_object_or_404(reading.projects(request.user), public_id=public_id)
        return page(self, reading.releases(request.user).filter(project=project), ReleaseRow)


class ReleaseDetail(Reading):
    """One release."""

    scope = Scope.RELEASES

    class ReleaseWhole(ReleaseRow):
        class PublishedFile(serializers.Serializer[dict[str, Any]]):
            path = serializers.CharField()
            url = serializers.URLField()
            sha256 = serializers.CharField(help_text="In hexadecimal")
            bytes = serializers.IntegerField()
            rows = serializers.IntegerField(allow_null=True, help_text="null for what has no rows")

        files = serializers.SerializerMethodField()
        manifest = serializers.DictField(allow_null=True, help_text="manifest.json")

        class Meta:
            model = Release
            fields = [*ReleaseRow.Meta.fields, "files", "manifest"]

        @extend_schema_field(PublishedFile(many=True))
        def get_files(self, release: Release) -> list[dict[str, Any]]:
            return [
                {"path": path, "url": self._url(release, path), **entry}
                for path, entry in downloads.listed(release).items()
            ]

        def _url(self, release: Release, path: str) -> str:
            address = reverse("api_release_file", args=[release.public_id, path])
            return str(self.context["request"].build_absolute_uri(address))

    @extend_schema(operation_id="releases_read", responses={200: ReleaseWhole, **REFUSED})
    def get(self, request: Request, public_id: str) -> Response:
        """A release: its manifest, and where each of its files is fetched."""
        release = get_object_or_404(reading.releases(request.user), public_id=public_id)
        return Response(self.ReleaseWhole(release, context={"request": request}).data)


class ReleaseFile(Reading):
    """One file of a release."""

    scope = Scope.RELEASES

    @extend_schema(
        operation_id="releases_file",
        parameters=[
            OpenApiParameter("path", str, OpenApiParameter.PATH, description="As in `files`"),
            OpenApiParameter("Range", str, OpenApiParameter.HEADER, description="bytes=FIRST-LAST"),
            OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="An ETag"),
        ],
        responses={
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
            (206, "application/octet-stream"): OpenApiTypes.BINARY,
            304: None,
            416: None,
            **REFUSED,
        },
    )
    def get(
        self, request: Request, public_id: str, path: str
    ) -> HttpResponse | StreamingHttpResponse:
        """The bytes of a file, or a part of them; its ETag is its SHA-256.

        Only what the manifest lists is there, whatever lies in the folder.
        """
        release = get_object_or_404(reading.releases(request.user), public_id=public_id)
        entry = downloads.listed(release).get(path)
        if entry is None:
            raise Http404
        return downloads.send(request, folder_of(release) / path, entry)
