"""For whom the pages of releases are, and how a draft is made and changed."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Membership, Release
from annotation.services import releases
from tests.annotation import cast
from tests.annotation.views.study.releases.visiting import FIELDS, of_project, page, signed_in, step

Role = Membership.Role
OPEN = ["release", "release_archive"]
MANAGED = ["withdraw_release", "forget_names"]


@pytest.mark.parametrize(
    ("role", "read", "managed"), [("researcher", 200, 404), ("manager", 200, 200)]
)
def test_researchers_read_and_managers_do_the_rest(frozen, role, read, managed):
    client = signed_in(frozen.project, role)
    for name in OPEN:
        assert client.get(page(name, frozen)).status_code == read
    for name in MANAGED:
        assert client.get(page(name, frozen)).status_code == managed
    assert client.get(of_project("releases", frozen.project)).status_code == read
    assert client.get(of_project("draft_release", frozen.project)).status_code == managed


@pytest.mark.parametrize("who", ["annotator", "stranger"])
def test_nobody_else_finds_anything(frozen, who):
    of = frozen.project if who == "annotator" else cast.study()
    client = signed_in(of, Role.ANNOTATOR if who == "annotator" else Role.MANAGER)
    for name in [*OPEN, *MANAGED, "edit_release", "preview_release", "release_progress"]:
        assert client.get(page(name, frozen)).status_code == 404
    assert client.get(page("release_file", frozen, "manifest.json")).status_code == 404
    assert step(client, frozen, "build").status_code == 404


def test_without_a_session_one_is_led_to_the_sign_in_page(frozen):
    reply = Client().get(page("release_file", frozen, "manifest.json"))
    assert reply.url.startswith("/accounts/login/")


def test_a_release_of_another_project_is_not_found(frozen):
    other = cast.study()
    client = signed_in(other, Role.MANAGER)
    address = reverse("release", args=[other.public_id, frozen.public_id])
    assert client.get(address).status_code == 404


def test_without_releases_the_page_says_what_one_is(manager, project):
    reply = manager.get(of_project("releases", project))
    assert "A release is one version of the dataset" in reply.text
    assert of_project("draft_release", project) in reply.text


def test_a_draft_is_made_from_the_form(manager, judged):
    reply = manager.post(of_project("draft_release", judged), FIELDS)
    draft = Release.objects.get()
    assert reply.url == page("release", draft)
    assert (draft.version, draft.seed, draft.settings["test"]) == ("1.0", 7, 0.0)
    assert draft.created_by is not None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", "../1"),
        ("dev", "many"),
        ("dev", "101 %"),
        ("test", "-1"),
        ("paraphrase_share", "100"),
        ("depth", "9"),
        ("seed", ""),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(manager, judged, field, value):
    reply = manager.post(of_project("draft_release", judged), FIELDS | {field: value})
    assert reply.status_code == 422
    assert reply.context["form"].errors.keys() == {field}
    assert not Release.objects.exists()


def test_a_version_that_is_there_is_refused(manager, draft):
    reply = manager.post(of_project("draft_release", draft.project), FIELDS)
    assert "version" in reply.context["form"].errors


@pytest.mark.parametrize(
    ("versions", "following"),
    [([], "1.0"), (["1.0"], "1.1"), (["1.1", "1.0"], "1.2"), (["beta"], "beta.1"), (["9"], "10")],
)
def test_the_next_version_is_proposed(manager, project, versions, following):
    for version in versions:
        releases.draft(project, version=version)
    form = manager.get(of_project("draft_release", project)).context["form"]
    assert form.initial["version"] == following


def test_the_form_shows_the_settings_that_a_draft_has(manager, judged):
    draft = releases.draft(judged, version="2", dev=0.125, test=40, recombine=False, seed=3)
    form = manager.get(page("edit_release", draft)).context["form"]
    shown = {name: form[name].value() for name in ("version", "test", "depth", "seed")}
    assert shown == {"version": "2", "test": 40, "depth": "0", "seed": 3}
    assert 'value="12.5 %"' in str(form["dev"])


def test_a_draft_is_changed(manager, draft):
    manager.post(page("edit_release", draft), FIELDS | {"version": "1.5", "depth": "all"})
    draft.refresh_from_db()
    assert (draft.version, draft.settings["recombination_reach"]) == ("1.5", None)


def test_what_is_no_draft_is_not_changed(manager, frozen):
    reply = manager.post(page("edit_release", frozen), FIELDS | {"version": "9"})
    assert reply.url == page("release", frozen)
    assert Release.objects.get().version == "1.0"
