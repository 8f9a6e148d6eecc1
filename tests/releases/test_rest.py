"""Releases over REST: their manifest, and their files to the byte."""

import base64
import hashlib
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from releases.dataset.verification import verify
from releases.selectors import releases as publications
from releases.selectors.releases import folder_of
from releases.services import drafts, publication
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def published(study):
    return (folder_of(study.release) / "pairs.jsonl").read_bytes()


def body(reply):
    return b"".join(reply)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def facts_of(content):
    return {"sha256": sha256(content), "bytes": len(content)}


def refused_as_missing(reply, name):
    [error] = reply.json()["errors"]
    assert (reply.status_code, error["code"]) == (404, "not_found")
    assert re.match(rf"The file \S*{re.escape(name)} of this release is missing", error["detail"])
    assert "An administrator can write them again" in error["detail"]


def test_what_a_release_lists_can_be_fetched_and_verified(study, at, reader, published, tmp_path):
    files = {file["path"]: file for file in reader.get(at["api_release"]).json()["files"]}
    [row] = reader.get(at["api_releases"]).json()["results"]
    assert [row] == reader.get(at["api_project_releases"]).json()["results"]
    assert (row["project"], row["version"]) == (str(study.project.public_id), "1.0")
    assert (row["state"], row["withdrawn_at"], row["withdrawal_reason"]) == ("frozen", None, "")
    assert set(files) == {"manifest.json", *study.release.manifest["files"]}
    assert files["manifest.json"]["rows"] is None
    url = f"http://testserver{at['api_release_file']}"
    own = {"path": "pairs.jsonl", "url": url, "rows": 1}
    assert files["pairs.jsonl"] == own | facts_of(published)
    for path, file in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(body(reader.get(file["url"])))
        assert file | facts_of(target.read_bytes()) == file
    assert verify(tmp_path) == []


def test_a_file_comes_with_its_checksum_and_is_never_shown_as_a_page(at, reader, published):
    digest = base64.b64encode(hashlib.sha256(published).digest()).decode()
    wanted = (
        {"ETag": f'"{sha256(published)}"', "Repr-Digest": f"sha-256=:{digest}:"}
        | {"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff"}
        | {"Content-Disposition": 'attachment; filename="pairs.jsonl"', "Accept-Ranges": "bytes"}
        | {"Content-Length": str(len(published))}
    )
    for accepted in ("application/octet-stream", "text/html", "*/*"):
        reply = reader.get(at["api_release_file"], headers={"Accept": accepted})
        assert (reply.status_code, body(reply)) == (200, published)
        assert {name: reply.headers.get(name) for name in wanted} == wanted
    head = reader.head(at["api_release_file"])
    assert (head.streaming, head.content) == (False, b"")
    assert {name: head.headers.get(name) for name in wanted} == wanted


def test_a_file_that_the_reader_has_is_not_sent_again(at, reader, published):
    etag = f'"{sha256(published)}"'
    known = dict.fromkeys((etag, f"W/{etag}", f'"another", {etag}', "*"), 304)
    for asked, status in (known | {'"another"': 200, "nonsense": 200}).items():
        reply = reader.get(at["api_release_file"], headers={"If-None-Match": asked})
        assert (reply.status_code, reply.headers["ETag"]) == (status, etag), asked
    for begun, status in ((etag, 206), ('"of-another-build"', 200)):
        asked = {"Range": "bytes=0-9", "If-Range": begun}
        assert reader.get(at["api_release_file"], headers=asked).status_code == status


def test_parts_of_a_file_can_be_fetched(at, reader, published):
    size, whole = len(published), slice(None)
    for asked, part in (
        ("bytes=0-9", slice(0, 10)),
        ("bytes=0-0", slice(0, 1)),
        ("bytes=5-", slice(5, None)),
        (f"bytes={size - 1}-", slice(-1, None)),
        (f"bytes=0-{size - 1}", whole),
        (f"bytes=3-{size}", slice(3, None)),
        ("bytes=-7", slice(-7, None)),
        (f"bytes=-{size + 1}", whole),
    ):
        reply = reader.get(at["api_release_file"], headers={"Range": asked})
        content, (first, last, _) = published[part], part.indices(size)
        assert (reply.status_code, body(reply)) == (206, content), asked
        assert reply.headers["Content-Length"] == str(len(content))
        assert reply.headers["Content-Range"] == f"bytes {first}-{last - 1}/{size}"
    for asked in ("bytes=0-1,3-4", "lines=0-9", "bytes=-", "bytes=a-b", "bytes=٣-٤", "0-9", ""):
        reply = reader.get(at["api_release_file"], headers={"Range": asked})
        assert (reply.status_code, body(reply)) == (200, published), asked
    for asked in ("bytes=999999-", f"bytes={size}-", "bytes=-0", "bytes=5-2"):
        reply = reader.get(at["api_release_file"], headers={"Range": asked})
        assert (reply.status_code, body(reply)) == (416, b""), asked
        assert reply.headers["Content-Range"] == f"bytes */{size}"


def test_a_download_is_on_record_once(study, at, reader):
    record = AuditEntry.objects.filter(act="release-downloaded")
    nothing = [{"Range": "bytes=5-"}, {"If-None-Match": "*"}, {"Range": "bytes=999999-"}]
    counts = [*((asked, 0) for asked in nothing), ({}, 1), ({"Range": "bytes=0-4"}, 2)]
    for asked, entries in counts:
        body(reader.get(at["api_release_file"], headers=asked))
        reader.head(at["api_release_file"], headers=asked)
        assert record.count() == entries, asked
    entry, of = record.first(), ("researcher", study.release.public_id, {"file": "pairs.jsonl"})
    assert (entry.by.username, entry.public_id, entry.details) == of


def test_only_files_that_are_as_the_manifest_lists_them_are_sent(study, at, reader, published):
    folder = folder_of(study.release)
    for place in (folder, folder.parent):
        (place / "secret.txt").write_text("not published")
    escapes = ("../secret.txt", "..%2Fsecret.txt", "%2Fetc%2Fpasswd")
    for path in ("secret.txt", *escapes, "labeled_final", ""):
        assert reader.get(f"{at['api_release']}files/{path}").status_code == 404, path
    file = folder / "pairs.jsonl"
    for change in (lambda: file.write_bytes(published[1:]), file.unlink):
        change()
        refused_as_missing(reader.get(at["api_release_file"]), "pairs.jsonl")
        file.write_bytes(published)


def test_drafts_are_for_managers_and_have_no_files(study, at, as_):
    draft = drafts.create_draft(study.project, version="2.0")
    address = f"/api/releases/{draft.public_id}/"
    for role, versions, status in (("researcher", [], 404), ("manager", ["2.0"], 200)):
        client = as_(role)
        listed = client.get(at["api_releases"], {"state": "draft"}).json()
        assert [row["version"] for row in listed["results"]] == versions
        assert client.get(address).status_code == status
    row, nothing = client.get(address).json(), {"files": [], "archive": None, "manifest": None}
    assert row | nothing | {"state": "draft"} == row
    for what in ("files/pairs.jsonl", "archive/", "checksums/"):
        reply = client.get(f"{address}{what}")
        assert (reply.status_code, reply.headers["Content-Type"]) == (404, "application/json")
    frozen = freeze_version(study.project, version="3.0", dev=0, test=0)  # and not yet written
    row = client.get(f"/api/releases/{frozen.public_id}/").json()
    assert row | nothing | {"state": "frozen"} == row


def test_a_judged_pair_leads_to_its_split_source_candidate_run_and_models(study, at, reader):
    example = study.release.examples.get(origin="judged")
    address = f"{at['api_release']}examples/{example.public_id}/"
    row = reader.get(address).json()
    candidate = study.decided.candidate
    assert (row["pair"], row["split"]) == (str(study.decided.public_id), example.split)
    by_text = {each["text"]: each for each in row["lineage"]}
    source, rewrite = by_text["Ada met Bo."], by_text["Bo met Ada once."]
    assert source["steps"] == []
    assert rewrite["source"] == source["source"]
    assert source["source"] == {
        "id": str(candidate.sentence.public_id),
        "id_in_file": candidate.sentence.external_id,
        "line": candidate.sentence.line,
        "corpus": candidate.sentence.corpus.name,
        "text": "Ada met Bo.",
    }
    [step] = rewrite["steps"]
    run = str(candidate.run.public_id)
    assert (step["candidate"], step["run"]) == (str(candidate.public_id), run)
    assert step["models"] == candidate.run.model_identities
    assert {each["id"] for each in row["lineage"]} == set(
        map(str, (example.sentence1_ref, example.sentence2_ref))
    )


def test_composed_and_unjudged_pairs_lead_to_their_sources_too(as_, tmp_path, settings):
    settings.RELEASES_DIR = tmp_path
    project = make.study()
    make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    make.correct_next(make.person(project, kinds=["correct"]))
    make.rewrites(project, project.pairs.get().sentence2, ["Ada was met by Bo."])
    swap, back = project.pairs.order_by("pk")
    by, at = judged.people(project, 5), timezone.now() - timedelta(hours=1)
    judged.give(swap, [0] * 5, by=by, at=at)
    judged.give(back, [1] * 5, by=by, at=at)
    release = freeze_version(project, version="1.0", dev=0, test=0)
    reader = client_of(make.person(project, role="researcher").user)
    address = f"/api/releases/{release.public_id}/examples/"
    rows = reader.get(address).json()["results"]
    assert [row["id"] for row in rows] == [
        str(each.public_id) for each in release.examples.order_by("position")
    ]
    for origin, depths in (("recombined", {0, 2}), ("silver", {0, 1, 2})):
        found = reader.get(address, {"origin": origin}).json()["results"]
        assert found
        whole = reader.get(f"{address}{found[0]['id']}/").json()
        assert {each["source"]["text"] for each in whole["lineage"]} == {"Ada met Bo."}, origin
        assert {len(each["steps"]) for each in whole["lineage"]} <= depths, origin
        assert (whole["pair"], bool(whole["via"])) == (None, origin == "recombined")
    judged_row = reader.get(address, {"origin": "judged", "label": 0, "subset": "labeled_final"})
    assert [row["pair"] for row in judged_row.json()["results"]] == [str(swap.public_id)]


def test_a_withdrawn_release_says_why_its_files_are_gone(study, at, reader, monkeypatch):
    monkeypatch.setattr(
        publication, "remove_files", lambda release: None
    )  # other tests need the files
    publication.withdraw(study.release, by=study.judges[0].user, reason="A licence was missing.")
    row = reader.get(at["api_release"]).json()
    facts = (row["state"], row["files"], row["archive"], row["withdrawal_reason"])
    assert facts == ("withdrawn", [], None, "A licence was missing.")
    assert "pairs.jsonl" in row["manifest"]["files"]
    files = ("api_release_file", "api_release_archive", "api_release_checksums")
    for route in (*files, "api_examples", "api_example", "api_release_evaluation"):
        reply = reader.get(at[route])
        [error] = reply.json()["errors"]
        assert (reply.status_code, error["code"], error["attr"]) == (410, "gone", None)
        assert error["detail"] == "The release was withdrawn: A licence was missing."


def test_checksums_read_as_sha256sum_writes_them(study, at, reader):
    reply, folder = reader.get(at["api_release_checksums"]), folder_of(study.release)
    assert reply.headers["Content-Type"] == "text/plain; charset=utf-8"
    paths = sorted(["manifest.json", *study.release.manifest["files"]])
    sums = [f"{sha256((folder / path).read_bytes())}  {path}" for path in paths]
    assert reply.text.splitlines() == sums


def test_the_archive_comes_with_its_checksum(study, at, reader, monkeypatch, tmp_path):
    archive = reader.get(at["api_release"]).json()["archive"]
    reply = reader.get(at["api_release_archive"])
    content, url = body(reply), f"http://testserver{at['api_release_archive']}"
    assert archive == {"url": url} | facts_of(content)
    assert reply.headers["ETag"] == f'"{archive["sha256"]}"'
    assert content == publications.archive_of(study.release).read_bytes()
    monkeypatch.setattr(publications, "slip_of", lambda release: tmp_path / "nothing.json")
    assert reader.get(at["api_release"]).json()["archive"] is None
    refused_as_missing(reader.get(at["api_release_archive"]), ".tar.gz")
