"""Published sets on their pages: from uploaded files and their preview to versions."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Project, Role
from releases.models import Release
from releases.selectors.published import sources_of
from releases.selectors.releases import metadata_of
from releases.services.builds import BUILDS, PREVIEWS
from tests.annotation import make, pages
from tests.releases.dataset.published.sets import PAIRS, PAWS, SICK, lines, numbered

pytestmark = pytest.mark.django_db
STATED = {"name": "Trial", "version": "1.0", "language": "en", "licence": "cc by 4.0", "seed": "0"}
TRAIN = lines(numbered(), PAWS)
TWICE = "Another column holds this. Choose one."
STATED |= {"citation": "Doe (2020)."}


@pytest.fixture(autouse=True)
def _folder(tmp_path):
    with pages.release_folder(tmp_path / "releases"):
        yield


@pytest.fixture
def manager():
    member = make.person(make.study(), role=Role.MANAGER)
    return pages.signed_in(member.user)


def sent(**changes):
    return STATED | {"set_files": SimpleUploadedFile("SICK.txt", SICK)} | changes


def draft_of(manager, **changes):
    reply = manager.post(reverse("create_set"), sent(**changes))
    assert reply.status_code == 302, reply.context["form"].errors
    assert PREVIEWS.do_next()
    return Release.objects.get()


def say(manager, draft, **changes):
    """Send the form of a draft with these changes, and have a worker read its files again."""
    form = manager.get(pages.page("release", draft.project, draft.public_id)).context["reading"]
    fields = {field.html_name: field.value() or None for field in form} | {"seed": 0}
    fields = {name: value for name, value in fields.items() if value is not None}
    address = pages.page("read_again", draft.project, draft.public_id)
    reply = manager.post(address, fields | changes)
    assert reply.status_code == 302, reply.context["reading"].errors
    assert PREVIEWS.do_next()
    draft.refresh_from_db()


def test_what_the_files_do_not_say_is_asked_for_until_a_draft_can_be_built(manager):
    draft = draft_of(manager)
    address = pages.page("release", draft.project, draft.public_id)
    page = manager.get(address).text
    assert "labels are numbers from 0 to 5." in page
    assert "--" not in page[page.index("impossible") :].partition("</div>")[0]
    say(manager, draft, **{"label-0": "1", "label-1": "0"})
    assert "The first pairs of each split" in manager.get(address).text
    manager.post(pages.page("release_step", draft.project, draft.public_id, "build"))
    assert BUILDS.do_next()
    draft.refresh_from_db()
    assert draft.state == Release.State.FROZEN
    assert draft.examples.count() == 5
    assert not sources_of(draft).exists()


def test_columns_and_splits_are_read_as_the_page_says(manager):
    draft = draft_of(manager, set_files=SimpleUploadedFile("train.tsv", TRAIN))
    say(manager, draft, **{"column-1": "sentence2", "column-2": "sentence1", "file-0": "test"})
    pair = draft.preview.content["sample"][0]
    assert (pair["split"], pair["text2"], pair["text1"]) == ("test", *PAIRS[0][:2])


def test_numbers_may_be_names(manager):
    rows = [(*pair[:2], number) for pair, number in zip(PAIRS, (0, 2, 0, 1, 0), strict=True)]
    draft = draft_of(manager, set_files=SimpleUploadedFile("train.tsv", lines(rows, PAWS[1:])))
    say(manager, draft, **{"label-0": "1", "label-1": "0", "label-2": "0"})
    assert [pair["label"] for pair in draft.preview.content["sample"]] == [1, 0, 1]


def test_what_was_chosen_stays_if_it_contradicts_itself(manager):
    draft = draft_of(manager, set_files=SimpleUploadedFile("train.tsv", TRAIN))
    sent = STATED | {"column-1": "sentence1", "column-2": "sentence1", "file-0": "dev"}
    reply = manager.post(pages.page("read_again", draft.project, draft.public_id), sent)
    form = reply.context["reading"]
    assert (reply.status_code, form.errors["column-2"]) == (422, [TWICE])
    assert (form["column-2"].value(), form["file-0"].value()) == ("sentence1", "dev")


def test_refused_lines_are_named_until_they_are_left_out(manager):
    damaged = TRAIN.replace(b"Mara paid the miller", b"Mara\tpaid the miller")
    draft = draft_of(manager, set_files=SimpleUploadedFile("train.tsv", damaged))
    page = manager.get(pages.page("release", draft.project, draft.public_id))
    assert page.context["refused"][0]["lines"] == [["train.tsv", 3]]
    assert page.context["remedy_at"] == "refused"
    say(manager, draft, accepts_refused="on")
    assert sum(part["pairs"] for part in draft.preview.content["parts"]) == 4


def test_a_next_version_is_read_as_the_last_one(manager):
    draft = draft_of(manager)
    say(manager, draft, paraphrase_from="4")
    address = pages.page("create_version", draft.project)
    form = manager.get(address).context["form"]
    assert (form["version"].value(), form["licence"].value()) == ("1.1", "CC-BY-4.0")
    manager.post(address, sent(version="1.1"))
    assert PREVIEWS.do_next()
    newest = Release.objects.first()
    assert (newest.version, newest.preview.state) == ("1.1", "made")


def test_a_next_version_has_the_documentation_of_the_last_one(manager):
    draft = draft_of(manager)
    say(manager, draft, **{"documentation-uses": "To test models"})
    manager.post(pages.page("create_version", draft.project), sent(version="1.1"))
    assert metadata_of(Release.objects.first()).documentation.uses == ("To test models",)


def test_the_page_names_what_is_not_stated_until_it_is(manager):
    draft = draft_of(manager, homepage="https://example.org")
    address = pages.page("release", draft.project, draft.public_id)
    missing = manager.get(address).context["undocumented"]
    assert missing[:2] == ["Sentences written by machines", "Limitations"]
    say(manager, draft, is_synthetic="false")
    assert manager.get(address).context["undocumented"] == missing[1:]


def test_a_version_that_is_no_file_name_says_so(manager):
    reply = manager.post(reverse("create_set"), sent(version="../x"))
    assert reply.status_code == 422
    assert reply.context["form"].errors.keys() == {"version"}
    assert not Release.objects.exists()


def test_a_discarded_draft_leaves_no_file(manager, django_capture_on_commit_callbacks):
    draft = draft_of(manager)
    assert sources_of(draft).exists()
    with django_capture_on_commit_callbacks(execute=True):
        manager.post(pages.page("release_step", draft.project, draft.public_id, "discard"))
    assert not sources_of(draft).exists()


def test_a_set_whose_only_draft_is_discarded_can_be_deleted(manager):
    draft = draft_of(manager)
    step = pages.page("release_step", draft.project, draft.public_id, "discard")
    reply = manager.post(step, follow=True)
    assert reply.redirect_chain[0][0] == pages.page("delete_project", draft.project)
    assert reply.context["is_empty"]
    manager.post(reply.redirect_chain[0][0], {"name": "Trial"})
    assert not Project.objects.filter(name="Trial").exists()


def test_a_licence_that_spdx_does_not_know_is_no_link(manager):
    draft = draft_of(manager, licence="as on the page")
    text = manager.get(pages.page("release", draft.project, draft.public_id)).content.decode()
    assert "as on the page" in text
    assert "spdx.org" not in text
