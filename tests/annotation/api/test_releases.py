"""Releases over REST: their manifest, and their files to the byte."""

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from annotation.dataset.verification import verify
from annotation.selectors.releases import folder_of
from annotation.services import releases
from tests.annotation.api.conftest import As, client_of
from tests.annotation.filled import Filled


@pytest.fixture
def reader(as_: As) -> APIClient:
    return as_("researcher")


@pytest.fixture
def published(study: Filled) -> bytes:
    """The file that tests fetch, as it lies in its folder."""
    return (folder_of(study.release) / "pairs.jsonl").read_bytes()


def body(response: Any) -> bytes:
    return b"".join(response)


def test_a_release_lists_its_files(
    study: Filled, addresses: dict[str, str], reader: APIClient, published: bytes
) -> None:
    files = {file["path"]: file for file in reader.get(addresses["release"]).json()["files"]}

    assert set(files) == {"manifest.json", *study.release.manifest["files"]}
    assert files["pairs.jsonl"] == {
        "path": "pairs.jsonl",
        "url": f"http://testserver{addresses['file']}",
        "sha256": hashlib.sha256(published).hexdigest(),
        "bytes": len(published),
        "rows": 1,
    }


def test_fetched_files_make_the_release_again(
    addresses: dict[str, str], reader: APIClient, tmp_path: Path
) -> None:
    for file in reader.get(addresses["release"]).json()["files"]:
        target = tmp_path / "fetched" / file["path"]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body(reader.get(file["url"])))
        assert hashlib.sha256(target.read_bytes()).hexdigest() == file["sha256"]

    assert verify(tmp_path / "fetched") == []


def test_a_file_comes_with_its_checksum(
    addresses: dict[str, str], reader: APIClient, published: bytes
) -> None:
    response = reader.get(addresses["file"])

    assert body(response) == published
    assert response.headers["ETag"] == f'"{hashlib.sha256(published).hexdigest()}"'
    digest = base64.b64encode(hashlib.sha256(published).digest()).decode()
    assert response.headers["Repr-Digest"] == f"sha-256=:{digest}:"
    assert response.headers["Content-Length"] == str(len(published))


def test_a_file_is_kept_and_never_shown_as_a_page(
    addresses: dict[str, str], reader: APIClient
) -> None:
    response = reader.get(addresses["file"])

    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["Content-Disposition"] == 'attachment; filename="pairs.jsonl"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("known", ["{etag}", "W/{etag}", '"another", {etag}', "*"])
def test_a_file_that_the_reader_has_is_not_sent_again(
    known: str, addresses: dict[str, str], reader: APIClient
) -> None:
    etag = reader.get(addresses["file"]).headers["ETag"]

    reply = reader.get(addresses["file"], headers={"If-None-Match": known.format(etag=etag)})

    assert reply.status_code == 304


def test_a_file_that_differs_from_the_reader_s_is_sent(
    addresses: dict[str, str], reader: APIClient
) -> None:
    reply = reader.get(addresses["file"], headers={"If-None-Match": '"another"'})

    assert reply.status_code == 200


@pytest.mark.parametrize(
    ("asked", "part"),
    [("bytes=0-9", slice(0, 10)), ("bytes=5-", slice(5, None)), ("bytes=-7", slice(-7, None))],
)
def test_a_part_of_a_file_can_be_fetched(
    asked: str, part: slice, addresses: dict[str, str], reader: APIClient, published: bytes
) -> None:
    response = reader.get(addresses["file"], headers={"Range": asked})

    assert response.status_code == 206
    assert body(response) == published[part]
    first, last, _ = part.indices(len(published))
    expected = f"bytes {first}-{last - 1}/{len(published)}"
    assert response.headers["Content-Range"] == expected


@pytest.mark.parametrize("asked", ["lines=1-2", "bytes=-", "bytes=0-1,4-5", "bytes=x-"])
def test_a_part_that_is_not_understood_is_the_whole(
    asked: str, addresses: dict[str, str], reader: APIClient, published: bytes
) -> None:
    response = reader.get(addresses["file"], headers={"Range": asked})

    assert response.status_code == 200
    assert body(response) == published


@pytest.mark.parametrize("asked", ["bytes=999999-", "bytes=-0"])
def test_a_part_beyond_the_end_is_refused(
    asked: str, addresses: dict[str, str], reader: APIClient, published: bytes
) -> None:
    response = reader.get(addresses["file"], headers={"Range": asked})

    assert response.status_code == 416
    assert response.headers["Content-Range"] == f"bytes */{len(published)}"


def test_a_part_of_another_file_than_was_begun_is_the_whole(
    addresses: dict[str, str], reader: APIClient
) -> None:
    asked = {"Range": "bytes=0-9", "If-Range": '"of-another-build"'}

    assert reader.get(addresses["file"], headers=asked).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["secret.txt", "../secret.txt", "..%2Fsecret.txt", "%2Fetc%2Fpasswd", "labeled_final", ""],
)
def test_only_what_the_manifest_lists_is_there(
    path: str, study: Filled, addresses: dict[str, str], reader: APIClient
) -> None:
    for place in (folder_of(study.release), folder_of(study.release).parent):
        (place / "secret.txt").write_text("not published")

    assert reader.get(f"{addresses['release']}files/{path}").status_code == 404


def test_a_file_that_was_changed_in_its_place_is_not_sent(
    study: Filled, addresses: dict[str, str], reader: APIClient
) -> None:
    (folder_of(study.release) / "pairs.jsonl").write_text("something else")

    assert reader.get(addresses["file"]).status_code == 404


def test_a_release_that_is_not_written_has_no_files(study: Filled, reader: APIClient) -> None:
    release = releases.freeze(study.project, version="2.0", dev=0, test=0)

    told = reader.get(f"/api/releases/{release.public_id}/").json()

    assert (told["files"], told["archive"], told["manifest"]) == ([], None, None)


def test_releases_of_all_projects_are_listed_together(
    study: Filled, addresses: dict[str, str], reader: APIClient
) -> None:
    of_all = reader.get(addresses["releases"]).json()

    assert of_all == reader.get(addresses["project_releases"]).json()
    row = of_all["results"][0]
    assert (row["project"], row["version"]) == (str(study.project.public_id), "1.0")
    assert (row["state"], row["withdrawn_at"], row["withdrawal_reason"]) == ("frozen", None, "")


def test_what_is_not_frozen_is_for_managers(study: Filled, as_: As) -> None:
    draft = releases.draft(study.project, version="2.0")
    address = f"/api/releases/{draft.public_id}/"

    def versions(role: str) -> list[str]:
        listed = as_(role).get("/api/releases/", {"state": "draft"}).json()
        return [row["version"] for row in listed["results"]]

    assert (versions("researcher"), versions("manager")) == ([], ["2.0"])
    manager = User.objects.get(username="manager")
    researcher = User.objects.get(username="researcher")
    assert client_of(researcher).get(address).status_code == 404
    told = client_of(manager).get(address).json()
    assert (told["state"], told["files"], told["manifest"]) == ("draft", [], None)
    assert client_of(manager).get(f"{address}files/pairs.jsonl").status_code == 404


def test_files_of_a_withdrawn_release_are_gone_for_a_reason(
    study: Filled, addresses: dict[str, str], reader: APIClient
) -> None:
    releases.withdraw(study.release, by=study.judges[0].user, reason="A licence was missing.")

    reply = reader.get(addresses["file"])

    assert reply.status_code == 410
    [error] = reply.json()["errors"]
    assert (error["code"], error["attr"]) == ("gone", None)
    assert "A licence was missing." in error["detail"]
    assert reader.get(f"{addresses['release']}archive/").status_code == 410


def test_of_a_withdrawn_release_the_manifest_and_the_reason_stay(
    study: Filled, addresses: dict[str, str], reader: APIClient
) -> None:
    releases.withdraw(study.release, by=study.judges[0].user, reason="A licence was missing.")

    told = reader.get(addresses["release"]).json()

    assert (told["state"], told["files"], told["archive"]) == ("withdrawn", [], None)
    assert told["withdrawal_reason"] == "A licence was missing."
    assert "pairs.jsonl" in told["manifest"]["files"]


def test_checksums_are_told_as_sha256sum_reads_them(
    study: Filled, addresses: dict[str, str], reader: APIClient
) -> None:
    reply = reader.get(f"{addresses['release']}checksums/")

    assert reply.headers["Content-Type"] == "text/plain; charset=utf-8"
    told = dict(line.split("  ")[::-1] for line in reply.content.decode().splitlines())
    folder = folder_of(study.release)
    there = [path for path in folder.rglob("*") if path.is_file()]
    assert told == {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in there
    }


def test_there_are_no_checksums_of_what_is_not_published(study: Filled, as_: As) -> None:
    draft = releases.draft(study.project, version="2.0")
    reply = as_("manager").get(f"/api/releases/{draft.public_id}/checksums/")
    assert (reply.status_code, reply.headers["Content-Type"]) == (404, "application/json")

    releases.withdraw(study.release, by=study.judges[0].user, reason="A licence was missing.")
    gone = f"/api/releases/{study.release.public_id}/checksums/"
    assert client_of(User.objects.get(username="manager")).get(gone).status_code == 410


def test_the_archive_comes_with_its_checksum(study: Filled, reader: APIClient) -> None:
    releases.publish(study.release)
    archive = reader.get(f"/api/releases/{study.release.public_id}/").json()["archive"]

    reply = reader.get(archive["url"])

    content = body(reply)
    assert hashlib.sha256(content).hexdigest() == archive["sha256"]
    assert len(content) == archive["bytes"]
    assert reply.headers["ETag"] == f'"{archive["sha256"]}"'


def test_a_release_without_archive_offers_none(study: Filled, reader: APIClient) -> None:
    address = f"/api/releases/{study.release.public_id}/"

    assert reader.get(address).json()["archive"] is None
    assert reader.get(f"{address}archive/").status_code == 404


@pytest.mark.parametrize("accepted", ["application/octet-stream", "text/html", "*/*"])
def test_a_file_has_one_form_whatever_is_accepted(
    accepted: str, addresses: dict[str, str], reader: APIClient, published: bytes
) -> None:
    reply = reader.get(addresses["file"], headers={"Accept": accepted})

    assert body(reply) == published


def test_the_head_of_a_file_tells_its_length_and_sends_nothing(
    addresses: dict[str, str], reader: APIClient, published: bytes
) -> None:
    reply = reader.head(addresses["file"])

    assert not reply.streaming
    assert reply.headers["Content-Length"] == str(len(published))
    assert reply.headers["Accept-Ranges"] == "bytes"
