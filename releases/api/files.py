"""REST endpoints for the published files of releases."""

from pathlib import Path
from typing import Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from accounts.scopes import Scope, requester
from common.api.endpoints import Endpoint, FirstFormat
from common.api.errors import Gone, RefusalResponse
from releases.api import downloads
from releases.models import Release
from releases.selectors import published, readable
from releases.selectors.releases import folder_of
from releases.services import publication

BYTES = "application/octet-stream"
TEXT = "text/plain"
ANSWERS = {
    (200, BYTES): OpenApiTypes.BINARY,
    (206, BYTES): OpenApiTypes.BINARY,
    304: None,
    410: RefusalResponse,
    416: None,
}
ASKED = [
    OpenApiParameter("Range", str, OpenApiParameter.HEADER, description="bytes=FIRST-LAST"),
    OpenApiParameter("If-Range", str, OpenApiParameter.HEADER, description="An ETag"),
    OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="An ETag"),
]


class Download(Endpoint):
    """A download from a release."""

    tag = "Releases"
    scope = Scope.RELEASES
    queryset = Release.objects.none()
    content_negotiation_class = FirstFormat

    def release(self) -> Release:
        """Return the release in the URL. Raises Http404, or Gone if it was withdrawn."""
        releases = readable.releases(self.request.user)
        release = get_object_or_404(releases, public_id=self.kwargs["public_id"])
        if release.state == Release.State.WITHDRAWN:
            raise Gone(f"The release was withdrawn: {release.withdrawal_reason}")
        return release

    def send(
        self, release: Release, file: Path, entry: dict[str, Any] | None
    ) -> HttpResponse | StreamingHttpResponse:
        """Send a file and record the download. Raises Http404 if it was not published."""
        if entry is None:
            raise Http404
        reply = downloads.send(self.request, file, entry)
        if self.request.method == "GET" and downloads.is_begun(reply):
            publication.record_download(release, file.name, by=requester(self.request))
        return reply


class ReleaseFile(Download):
    """One file of a release."""

    @extend_schema(
        operation_id="releases_file",
        parameters=[
            OpenApiParameter("path", str, OpenApiParameter.PATH, description="As in `files`"),
            *ASKED,
        ],
        responses=ANSWERS,
    )
    def get(
        self, request: Request, public_id: str, path: str
    ) -> HttpResponse | StreamingHttpResponse:
        """Download a file of a release, or a byte range of it.

        The ETag is the file's SHA-256. Only files listed in the manifest are available.
        """
        release = self.release()
        return self.send(release, folder_of(release) / path, downloads.listed(release).get(path))


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
        files = downloads.listed(self.release())
        if not files:
            raise Http404
        lines = (f"{entry['sha256']}  {path}\n" for path, entry in sorted(files.items()))
        return HttpResponse("".join(lines), content_type=f"{TEXT}; charset=utf-8")


class ReleaseArchive(Download):
    """All files of a release in one archive."""

    @extend_schema(operation_id="releases_archive", parameters=ASKED, responses=ANSWERS)
    def get(self, request: Request, public_id: str) -> HttpResponse | StreamingHttpResponse:
        """Download a release as .tar.gz, or a byte range of it. The ETag is its SHA-256."""
        release = self.release()
        return self.send(release, published.archive_of(release), published.archive_entry(release))
