"""Downloads of release files over HTTP: digests and byte ranges (RFC 9110, 13 and 14)."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.models import User
from annotation.errors import AnnotationError
from releases.dataset.manifest import MANIFEST, as_json
from releases.models import Release
from releases.selectors.releases import (
    WRITE_AGAIN,
    archive_entry,
    archive_of,
    folder_of,
    name_of,
)
from releases.services.publication import record_download

CHUNK = 64 * 1024
Reply: TypeAlias = HttpResponse | StreamingHttpResponse

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


class MissingFile(AnnotationError):
    """A published file is not on the disk as it was written; the message says what to do."""

    def __init__(self, name: str) -> None:
        what = _("The file %(name)s of this release is missing on the server.") % {"name": name}
        super().__init__(f"{what} {WRITE_AGAIN}")


def published_files(release: Release) -> dict[str, dict[str, Any]]:
    """Return SHA-256, bytes and rows of each file by path; empty unless it is published."""
    if release.manifest is None or release.state != Release.State.FROZEN:
        return {}
    content = as_json(release.manifest).encode()
    manifest_entry = {
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "rows": None,
    }
    return {MANIFEST: manifest_entry, **release.manifest["files"]}


def send_file(request: Request, release: Release, path: str, *, by: User) -> Reply:
    """Return a file of a release, or the requested byte range; record a download.

    Raises Http404 for a file that was not published, and MissingFile.
    """
    entry = published_files(release).get(path)
    if entry is None:
        raise Http404
    file = folder_of(release) / path
    return _send(request, release, file, entry, by=by, name=file.name)


def send_archive(request: Request, release: Release, *, by: User) -> Reply:
    """Return the archive of a release, as `send_file` does its files."""
    if not published_files(release):
        raise Http404
    name = f"{name_of(release)}.tar.gz"
    entry = archive_entry(release)
    if entry is None:
        raise MissingFile(name)
    return _send(request, release, archive_of(release), entry, by=by, name=name)


def _send(
    request: Request, release: Release, file: Path, entry: dict[str, Any], *, by: User, name: str
) -> Reply:
    """Raises MissingFile if the file is missing, or if its length is not the published one."""
    if not file.is_file() or file.stat().st_size != entry["bytes"]:
        raise MissingFile(name)
    headers = _headers(name, entry["sha256"])
    if (reply := get_conditional_response(request, etag=headers["ETag"])) is not None:
        reply.headers["ETag"] = headers["ETag"]
        return reply
    is_same_file = request.headers.get("If-Range", headers["ETag"]) == headers["ETag"]
    byte_range = _RANGE.fullmatch(request.headers.get("Range", "")) if is_same_file else None
    first, last, status = 0, entry["bytes"] - 1, 200
    if byte_range and any(byte_range.groups()):
        (first, last), status = _range_bounds(byte_range[1], byte_range[2], entry["bytes"]), 206
        if first > last:
            headers["Content-Range"] = f"bytes */{entry['bytes']}"
            return HttpResponse(status=416, headers=headers)
        headers["Content-Range"] = f"bytes {first}-{last}/{entry['bytes']}"
    headers["Content-Length"] = str(last + 1 - first)
    if request.method == "HEAD":  # Some servers would send the body.
        return HttpResponse(status=status, headers=headers)
    if first == 0:  # Other ranges continue a download.
        record_download(release, file.name, by=by)
    return StreamingHttpResponse(_read_range(file, first, last), status=status, headers=headers)


def _range_bounds(first: str, last: str, size: int) -> tuple[int, int]:
    """Return the first and last byte of a range: `5-`, `5-9`, or `-5` for the last five."""
    if not first:
        return max(size - int(last), 0), size - 1
    return int(first), min(int(last or size - 1), size - 1)


def _read_range(file: Path, first: int, last: int) -> Iterator[bytes]:
    length = last + 1 - first
    with file.open("rb") as stream:
        stream.seek(first)
        while length > 0 and (chunk := stream.read(min(CHUNK, length))):
            length -= len(chunk)
            yield chunk


def _headers(name: str, sha256: str) -> dict[str, str]:
    digest = base64.b64encode(bytes.fromhex(sha256)).decode()
    return {
        "Accept-Ranges": "bytes",
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Type": "application/octet-stream",  # never rendered as a page of this site
        "ETag": f'"{sha256}"',
        "Repr-Digest": f"sha-256=:{digest}:",  # RFC 9530
    }
