"""Uploads to the Hugging Face Hub, whose place a server on this machine takes."""

import logging

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from annotation.errors import Refused
from common.leases import Work
from releases.models import HubUpload, Release
from releases.selectors.releases import folder_of
from releases.services import drafts, hub
from releases.services.builds import BUILDS
from tests.annotation import make
from tests.annotation.pages import HTMX, page, signed_in
from tests.releases.dataset.studies import contents
from tests.releases.services.hub_server import TOKEN, Repository, hub_server

# What the library does not do itself as its own libraries want it.
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content:DeprecationWarning")
NAME = "lab/pairs"
SENT = {"repository": NAME, "visibility": "private", "token": TOKEN}


@pytest.fixture
def server(settings):
    with hub_server() as server:
        settings.HUB_ADDRESS = server.address
        yield server


@pytest.fixture
def release(draft):
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    return Release.objects.get(pk=draft.pk)


@pytest.fixture
def manager(project):
    return make.person(project, role="manager").user


def request(release, by, **changes):
    asked = {"repository": NAME, "is_private": True, "token": TOKEN}
    return hub.request(release, by=by, **asked | changes)


def upload_next():
    """Upload in this thread."""
    return Work.do_next(hub.UPLOADS)


def state(release):
    upload = HubUpload.objects.get(release=release)
    return upload.state, upload.failure


def test_a_manager_uploads_a_release_and_its_page_leads_to_the_copy(release, manager, server):
    client = signed_in(manager)
    address = page("upload_release", release.project, release.public_id)
    assert 'name="token"' in client.get(address).text
    reply = client.post(address, SENT)
    home = page("release", release.project, release.public_id)
    assert reply.url == home
    progress = page("upload_progress", release.project, release.public_id)
    assert progress in client.get(home).text
    assert "waiting for a worker" in client.get(progress, headers=HTMX).text
    assert upload_next()
    found = server.repositories[NAME]
    assert found.private
    assert found.files == {".gitattributes": b""} | contents(folder_of(release))
    assert found.tags == {"1.0": found.commits[0]}
    copy = f"{server.address}/datasets/{NAME}"
    assert f'href="{copy}"' in client.get(home).text
    entry = AuditEntry.objects.get(act="release-uploaded")
    assert (entry.by, entry.details["url"]) == (manager, copy)
    assert client.get(progress, headers=HTMX).headers["HX-Refresh"] == "true"


def test_the_token_is_never_in_clear_and_goes_with_the_upload(release, manager, server, caplog):
    caplog.set_level(logging.DEBUG)
    upload = request(release, manager)
    stored = HubUpload.objects.values_list("token", flat=True).get()
    assert stored
    assert TOKEN not in stored
    server.broken = [500, 500, 500]
    assert not upload_next()
    assert state(release)[0] == "waiting"
    upload_next()
    upload_next()
    assert state(release)[0] == "failed"
    upload.refresh_from_db()
    assert upload.token == ""
    written = [upload.failure, caplog.text, str(list(AuditEntry.objects.values()))]
    assert not any(TOKEN in text for text in written)


def test_a_server_that_repeats_the_token_puts_it_into_no_row_and_no_line(
    release, manager, server, caplog
):
    request(release, manager)
    server.broken, server.error = [500] * 9, f"You sent {TOKEN}"
    assert not upload_next()
    failure = state(release)[1]
    assert "You sent …" in failure
    assert not any(TOKEN in text for text in (failure, caplog.text))


def test_a_server_that_takes_nothing_more_ends_the_attempt(release, manager, server, monkeypatch):
    monkeypatch.setattr(hub, "STALLED_SECONDS", 0.2)
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _seconds: None)
    server.stalls = True
    request(release, manager)
    assert not upload_next()
    waits, failure = state(release)
    assert (waits, bool(failure)) == ("waiting", True)


def test_an_interrupted_upload_goes_on_and_a_repeated_one_changes_nothing(release, manager, server):
    request(release, manager)
    server.broken = [502]
    assert not upload_next()
    sent = [asked for asked in server.asked if asked.startswith("PUT /objects/")]
    assert upload_next()
    # A worker that died after the commit left the row as it was.
    HubUpload.objects.update(state="under_way", lease_until=timezone.now(), attempts=2)
    HubUpload.objects.update(token=hub.cipher(hub.PURPOSE).encrypt(TOKEN.encode()).decode())
    assert upload_next()
    assert len(server.repositories[NAME].commits) == 1
    assert [asked for asked in server.asked if asked.startswith("PUT /objects/")] == sent
    assert state(release) == ("done", "")


def test_a_later_version_replaces_the_files_that_it_no_longer_has(release, manager, server):
    request(release, manager)
    assert upload_next()
    repository = server.repositories[NAME]
    repository.files["adjudications.jsonl"] = repository.files["notes.md"] = b"{}\n"
    later = drafts.create_draft(release.project, version="1.1", dev=0, test=0, unlabeled_dev=0)
    drafts.queue_draft(later)
    assert BUILDS.do_next()
    later.refresh_from_db()
    request(later, manager)
    assert upload_next()
    assert repository.files.keys() - contents(folder_of(later)).keys() == {
        ".gitattributes",
        "notes.md",
    }
    assert list(repository.tags) == ["1.0", "1.1"]


@pytest.mark.parametrize(
    ("there", "changes", "said"),
    [
        (None, {"token": "hf_another"}, "may write to lab/pairs"),
        (None, {"repository": "others/pairs"}, "may write to others/pairs"),
        (Repository(private=False), {}, "is public"),
        (Repository(True, {"model.bin": b""}), {}, "contains something else"),
    ],
)
def test_what_the_hub_or_we_refuse_fails_at_once_and_says_why(
    release, manager, server, there, changes, said
):
    if there:
        server.repositories[NAME] = there
    request(release, manager, **changes)
    assert not upload_next()
    failed, why = state(release)
    assert failed == "failed"
    assert said in why
    assert HubUpload.objects.get().token == ""
    text = signed_in(manager).get(page("release", release.project, release.public_id)).text
    assert said in text
    assert "Upload again" in text


def test_a_token_that_no_worker_took_for_an_hour_is_not_used(release, manager, server, monkeypatch):
    request(release, manager)
    monkeypatch.setattr(hub, "TOKEN_LASTS", -hub.TOKEN_LASTS)
    assert not upload_next()
    assert "Enter it again" in state(release)[1]
    assert not server.asked


def test_an_upload_can_be_cancelled_and_asked_for_again_but_not_twice(release, manager, server):
    client, again = signed_in(manager), page("cancel_upload", release.project, release.public_id)
    request(release, manager)
    with pytest.raises(Refused, match="already"):
        request(release, manager)
    client.post(again)
    assert HubUpload.objects.values_list("state", "token").get() == ("cancelled", "")
    assert not upload_next()
    request(release, manager)
    assert upload_next()
    client.post(again)
    assert state(release) == ("done", "")


@pytest.mark.parametrize(
    "wrong",
    [{"repository": "pairs"}, {"repository": "lab/a--b"}, {"token": "two words"}, {"token": ""}],
)
def test_what_cannot_be_uploaded_is_refused_and_the_token_is_not_sent_back(release, manager, wrong):
    address = page("upload_release", release.project, release.public_id)
    reply = signed_in(manager).post(address, SENT | wrong)
    assert reply.status_code == 422
    assert list(reply.context["form"].errors) == list(wrong)
    assert TOKEN not in reply.text
    assert not HubUpload.objects.exists()
