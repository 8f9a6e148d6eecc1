"""Downloads of release files over HTTP: digests and byte ranges (RFC 9110, 13 and 14)."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from rest_framework.request import Request

from releases.dataset.manifest import as_json
from releases.models import Release

MANIFEST = "manifest.json"
TYPE = "application/octet-stream"  # never rendered as a page of this site
CHUNK = 64 * 1024

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


def listed(release: Release) -> dict[str, dict[str, Any]]:
    """Return SHA-256, bytes and rows of each file by path; empty unless it is published."""
    if release.manifest is None or release.state != Release.State.FROZEN:
        return {}
    content = as_json(release.manifest).encode()
    own = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "rows": None}
    return {MANIFEST: own, **release.manifest["files"]}


def send(
    request: Request, file: Path, entry: dict[str, Any]
) -> HttpResponse | StreamingHttpResponse:
    """Return a file as described in the manifest, or the requested byte range.

    Raises Http404 if the file is missing or its length differs from the published one.
    """
    if not file.is_file() or file.stat().st_size != entry["bytes"]:
        raise Http404
    etag = f'"{entry["sha256"]}"'
    if (reply := get_conditional_response(request, etag=etag)) is not None:
        reply.headers["ETag"] = etag
        return reply
    asked = request.headers.get("Range", "")
    if request.headers.get("If-Range", etag) != etag:
        asked = ""
    response = _part(file, entry["bytes"], asked)
    if request.method == "HEAD":
        response = _without_body(response)
    for name, value in _headers(file, entry["sha256"], etag).items():
        response.headers[name] = value
    return response


def is_begun(reply: HttpResponse | StreamingHttpResponse) -> bool:
    """Return whether a reply starts at the first byte; other ranges continue a download."""
    ranged = reply.headers.get("Content-Range", "")
    return reply.status_code == 200 or (reply.status_code == 206 and ranged.startswith("bytes 0-"))


def _part(file: Path, size: int, asked: str) -> HttpResponse | StreamingHttpResponse:
    """Return one range, 416 if it is past the end, or the whole file for any other request."""
    match = _RANGE.fullmatch(asked)
    if not match or not any(match.groups()):
        return _stream(file, 0, size, status=200)
    first, last = _bounds(match[1], match[2], size)
    if first > last:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    response = _stream(file, first, last + 1 - first, status=206)
    response.headers["Content-Range"] = f"bytes {first}-{last}/{size}"
    return response


def _bounds(first: str, last: str, size: int) -> tuple[int, int]:
    """Return the first and last byte of a range: `5-`, `5-9`, or `-5` for the last five."""
    if not first:
        return max(size - int(last), 0), size - 1
    return int(first), min(int(last or size - 1), size - 1)


def _stream(file: Path, first: int, length: int, *, status: int) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        _bytes(file, first, length),
        status=status,
        content_type=TYPE,
        headers={"Content-Length": str(length)},
    )


def _bytes(file: Path, first: int, length: int) -> Iterator[bytes]:
    with file.open("rb") as stream:
        stream.seek(first)
        while length > 0 and (chunk := stream.read(min(CHUNK, length))):
            length -= len(chunk)
            yield chunk


def _without_body(response: HttpResponse | StreamingHttpResponse) -> HttpResponse:
    """Remove the body for HEAD, as some servers do not; Content-Length stays that of the file."""
    return HttpResponse(status=response.status_code, headers=dict(response.headers))


def _headers(file: Path, sha256: str, etag: str) -> dict[str, str]:
    digest = base64.b64encode(bytes.fromhex(sha256)).decode()
    return {
        "Accept-Ranges": "bytes",
        "Content-Disposition": f'attachment; filename="{file.name}"',
        "ETag": etag,
        "Repr-Digest": f"sha-256=:{digest}:",  # RFC 9530
    }
