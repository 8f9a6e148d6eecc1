"""REST endpoints for releases and their files."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from accounts.scopes import Scope, requester
from annotation.access.api import OfProject
from common.api.endpoints import DetailEndpoint, Endpoint, FirstFormat, ListEndpoint
from common.api.errors import Gone, RefusalResponse
from common.api.filters import Choice, Filters
from releases.api import downloads
from releases.models import HubUpload, Release, ReleasePreview
from releases.selectors.releases import archive_entry, metadata_of, readable_releases

ROW = {
    "id": "6f1c2a9e-0f4b-4d61-8a1e-3d2b7c9a5e40",
    "project": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "version": "1.0",
    "state": "frozen",
    "format": "pawsmith-release/2",
    "created_at": "2026-11-10T08:00:00Z",
    "frozen_at": "2026-11-10T08:02:31Z",
    "withdrawn_at": None,
    "withdrawal_reason": "",
}
FILE = {
    "path": "pairs.jsonl",
    "url": "https://pawsmith.example.org/api/releases/6f1c2a9e-0f4b-4d61-8a1e-3d2b7c9a5e40/files/pairs.jsonl",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "bytes": 18432000,
    "rows": 47290,
}
ARCHIVE = {
    "url": "https://pawsmith.example.org/api/releases/6f1c2a9e-0f4b-4d61-8a1e-3d2b7c9a5e40/archive/",
    "sha256": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
    "bytes": 9216000,
}
WHOLE = ROW | {
    "step": "",
    "done": 0,
    "total": 0,
    "failure": "",
    "preview": None,
    "settings": {"seed": 0, "dev": 8000, "test": 8000},
    "metadata": {
        "licence": "CC-BY-4.0",
        "authors": [{"name": "Lovelace, Ada", "orcid": "0000-0002-1825-0097"}],
        "languages": ["en"],
        "documentation": {"uses": ["To test paraphrase models on English."]},
    },
    "hub_url": "https://huggingface.co/datasets/my-lab/word-swaps",
    "files": [FILE],
    "archive": ARCHIVE,
    "manifest": {"files": {"pairs.jsonl": {"bytes": 18432000, "rows": 47290}}},
}
BYTES = "application/octet-stream"
TEXT = "text/plain"
DOWNLOADED = {
    (200, BYTES): OpenApiTypes.BINARY,
    (206, BYTES): OpenApiTypes.BINARY,
    304: None,
    410: RefusalResponse,
    416: None,
}
RANGES = [
    OpenApiParameter("Range", str, OpenApiParameter.HEADER, description="bytes=FIRST-LAST"),
    OpenApiParameter("If-Range", str, OpenApiParameter.HEADER, description="An ETag"),
    OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="An ETag"),
]


@extend_schema_serializer(examples=[OpenApiExample("A release", ROW)])
class ReleaseRow(serializers.ModelSerializer[Release]):
    """A release, as listed."""

    id = serializers.UUIDField(source="public_id")
    project = serializers.UUIDField(source="project.public_id")
    state = serializers.ChoiceField(
        choices=Release.State.choices, help_text="Files can be fetched while it is frozen"
    )

    class Meta:
        model = Release
        fields = list(ROW)


class PublishedArchive(serializers.Serializer[dict[str, Any]]):
    """All files of a release in one .tar.gz archive."""

    url = serializers.URLField()
    sha256 = serializers.CharField(help_text="In hexadecimal")
    bytes = serializers.IntegerField()


class PublishedFile(PublishedArchive):
    """A published file of a release."""

    path = serializers.CharField()
    rows = serializers.IntegerField(allow_null=True, help_text="null for files without rows")


class PreviewRow(serializers.ModelSerializer[ReleasePreview]):
    """What a draft would hold, as a worker found it at one moment."""

    content = serializers.DictField(
        allow_null=True, help_text="Sizes, warnings, what is left out and why, and some pairs"
    )

    class Meta:
        model = ReleasePreview
        fields = ["state", "read_at", "step", "done", "total", "failure", "content"]


@extend_schema_serializer(examples=[OpenApiExample("A release", WHOLE)])
class ReleaseWhole(ReleaseRow):
    """A release with its manifest and files. A withdrawn release keeps only its manifest."""

    step = serializers.CharField(help_text="Current step of the worker that builds it")
    done = serializers.IntegerField(help_text="Rows done in this step")
    total = serializers.IntegerField(help_text="Rows in this step")
    preview = PreviewRow(allow_null=True, help_text="Of a draft, while it is one")
    settings = serializers.DictField(help_text="The settings of the release")
    metadata = serializers.SerializerMethodField(
        help_text="Licence (SPDX), authors, languages, home page, citation, BibTeX and "
        "documentation, as far as declared"
    )
    hub_url = serializers.SerializerMethodField(
        help_text="Its copy on the Hugging Face Hub; empty without one"
    )
    files = serializers.SerializerMethodField(help_text="None unless it is frozen and written")
    archive = serializers.SerializerMethodField(help_text="null without one")
    manifest = serializers.DictField(allow_null=True, help_text="manifest.json")

    class Meta:
        model = Release
        fields = list(WHOLE)

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_metadata(self, release: Release) -> dict[str, Any]:
        return metadata_of(release).to_dict()

    @extend_schema_field(OpenApiTypes.STR)
    def get_hub_url(self, release: Release) -> str:
        upload = HubUpload.objects.filter(release=release).only("url").first()
        return upload.url if upload else ""

    @extend_schema_field(PublishedFile(many=True))
    def get_files(self, release: Release) -> list[dict[str, Any]]:
        return [
            {"path": path, "url": self._url("api_release_file", release, path), **entry}
            for path, entry in downloads.published_files(release).items()
        ]

    @extend_schema_field(PublishedArchive(allow_null=True))
    def get_archive(self, release: Release) -> dict[str, Any] | None:
        if (entry := archive_entry(release)) is None:
            return None
        url = self._url("api_release_archive", release)
        return {"url": url, "sha256": entry["sha256"], "bytes": entry["bytes"]}

    def _url(self, name: str, release: Release, *path: str) -> str:
        address = reverse(name, args=[release.public_id, *path])
        return str(self.context["request"].build_absolute_uri(address))


class OfReader(Endpoint):
    """Releases that the person who asks may read."""

    tag = "Releases"
    scope = Scope.RELEASES
    queryset = Release.objects.none()

    def get_queryset(self) -> QuerySet[Release]:
        return readable_releases(self.request.user)


class ReleaseFilter(Filters):
    """Filters for lists of releases."""

    state = Choice("state", choices=Release.State.choices)


class ReleaseList(OfReader, ListEndpoint):
    """List the releases you can read, oldest first. Only managers see those not yet frozen."""

    serializer_class = ReleaseRow
    filterset_class = ReleaseFilter


class ProjectReleaseList(OfProject, ReleaseList):
    """List the releases of a project, oldest first. Only managers see those not yet frozen."""

    def get_queryset(self) -> QuerySet[Release]:
        return super().get_queryset().filter(project=self.project)


class ReleaseDetail(OfReader, DetailEndpoint):
    """Return a release with its manifest and the URL of each file.

    A withdrawn release keeps its manifest and the reason, but not its files.
    """

    serializer_class = ReleaseWhole


def still_published(releases: QuerySet[Release], public_id: str) -> Release:
    """Return the release in the URL. Raises Http404, or Gone if it was withdrawn."""
    release = get_object_or_404(releases, public_id=public_id)
    if release.state == Release.State.WITHDRAWN:
        raise Gone(f"The release was withdrawn: {release.withdrawal_reason}")
    return release


class Download(OfReader):
    """A download from a release."""

    content_negotiation_class = FirstFormat

    def release(self) -> Release:
        return still_published(self.get_queryset(), self.kwargs["public_id"])

    def send(self, send: Callable[..., downloads.Reply], *path: str) -> downloads.Reply:
        try:
            return send(self.request, self.release(), *path, by=requester(self.request))
        except downloads.MissingFile as missing:
            raise NotFound(str(missing)) from missing


class ReleaseFile(Download):
    """One file of a release."""

    @extend_schema(
        operation_id="releases_file",
        parameters=[
            OpenApiParameter(
                "path", str, OpenApiParameter.PATH, description="As listed in `files`"
            ),
            *RANGES,
        ],
        responses=DOWNLOADED,
    )
    def get(self, request: Request, public_id: str, path: str) -> downloads.Reply:
        """Download a file of a release, or a byte range of it.

        The ETag is the file's SHA-256. Only files listed in the manifest are available.
        """
        return self.send(downloads.send_file, path)


class ReleaseChecksums(Download):
    """Checksums of the files of a release."""

    @extend_schema(
        operation_id="releases_checksums",
        responses={(200, TEXT): OpenApiTypes.STR, 410: RefusalResponse},
    )
    def get(self, request: Request, public_id: str) -> HttpResponse:
        """List the SHA-256 of each file, one per line.

        Use it with `sha256sum --check` in the folder of the release.
        """
        files = downloads.published_files(self.release())
        if not files:
            raise Http404
        lines = (f"{entry['sha256']}  {path}\n" for path, entry in sorted(files.items()))
        return HttpResponse("".join(lines), content_type=f"{TEXT}; charset=utf-8")


class ReleaseArchive(Download):
    """All files of a release in one archive."""

    @extend_schema(operation_id="releases_archive", parameters=RANGES, responses=DOWNLOADED)
    def get(self, request: Request, public_id: str) -> downloads.Reply:
        """Download a release as .tar.gz, or a byte range of it. The ETag is its SHA-256."""
        return self.send(downloads.send_archive)
