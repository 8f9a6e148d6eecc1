"""A published set in the browser: its files are sent; the draft asks for what they do not say."""

import pytest
from playwright.sync_api import expect

from annotation.models import Role
from releases.services.builds import BUILDS, PREVIEWS
from tests.annotation import make
from tests.releases.dataset.published.sets import SICK

pytestmark = pytest.mark.django_db(transaction=True)
FILE = {"name": "SICK.txt", "mimeType": "text/plain", "buffer": SICK}


@pytest.fixture
def form(signed_in, settings, tmp_path):
    """The page of a manager on which a set is sent, with a file and a name."""
    settings.RELEASES_DIR = tmp_path / "releases"
    page = signed_in(make.person(make.study(), role=Role.MANAGER).user)
    page.goto("/projects/new/published/")
    page.get_by_label("Name").fill("Rivers")
    page.get_by_label("Files").set_input_files(FILE)
    return page


def send(page):
    page.locator("#id_language").fill("English")
    page.get_by_label("Licence").fill("CC BY 4.0")
    page.get_by_label("How to cite it").fill("Doe (2020).")
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert PREVIEWS.do_next()


def test_a_set_is_built_once_its_labels_have_a_meaning(form):
    send(form)
    expect(form.get_by_role("link", name="Say from which number on")).to_be_visible()
    form.get_by_label("ENTAILMENT", exact=True).select_option("a paraphrase")
    form.get_by_label("CONTRADICTION").select_option("no paraphrase")
    form.get_by_role("button", name="Save and preview").click()
    expect(form.get_by_text("Waiting for a worker.")).to_be_visible()
    assert PREVIEWS.do_next()
    expect(form.get_by_text("The first pairs of each split")).to_be_visible()
    form.get_by_role("button", name="Build release").click()
    expect(form.get_by_role("button", name="Return to draft")).to_be_visible()
    assert BUILDS.do_next()
    expect(form.get_by_role("link", name="Download")).to_be_visible()


def test_files_stay_chosen_if_something_else_is_missing(form):
    form.get_by_role("button", name="Upload and preview").click()
    expect(form.locator(".errorlist").first).to_be_visible()
    send(form)
    expect(form.get_by_role("heading", name="Columns")).to_be_visible()
