"""Sentences that are pasted or sent again; test_a_linguists_study imports those of a file."""

import pytest
from playwright.sync_api import expect

from annotation.imports.services.work import IMPORTS
from common import bodies
from tests.annotation import make

pytestmark = pytest.mark.django_db(transaction=True)

SENTENCES = "".join(f"{n},The {n}. river flows from the hills to the sea.\n" for n in range(3000))


@pytest.fixture(autouse=True)
def _place(settings, tmp_path):
    settings.IMPORTS_DIR = tmp_path


@pytest.fixture
def manager(db):
    return make.person(make.study(), role="manager")


def test_pasted_sentences_and_a_changed_layout_keep_what_was_typed(signed_in, manager):
    page = signed_in(manager.user)
    page.goto(f"/projects/{manager.project.public_id}/data/")
    page.get_by_label("Or paste text").fill("It rains; it pours.\nBo ran; Ada walked.")
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_role("status")).to_have_text("Waiting for a worker.")
    assert IMPORTS.do_next()
    page.get_by_text("Letters look wrong?").click()
    expect(page.get_by_label("Format")).to_have_value("txt")
    page.get_by_label("Source").fill("Overheard")
    page.get_by_label("Format").select_option("csv")
    expect(page.get_by_role("status")).to_have_text("Waiting for a worker.")
    assert IMPORTS.do_next()
    page.get_by_text("Letters look wrong?").click()
    expect(page.get_by_label("Column separator")).to_be_visible()
    expect(page.get_by_label("Source")).to_have_value("Overheard")
    page.get_by_label("Format").select_option("txt")
    page.get_by_role("status").wait_for()
    assert IMPORTS.do_next()
    page.get_by_label("Name of the new corpus").fill("")
    page.locator("#id_language").fill("English")
    page.get_by_role("button", name="Import 2 sentences").click()
    expect(page.get_by_text("Give the new corpus a name.")).to_be_visible()
    page.get_by_label("Name of the new corpus").fill("Weather")
    page.get_by_role("button", name="Import 2 sentences").click()
    page.get_by_role("status").wait_for()
    assert IMPORTS.do_next()
    corpus = manager.project.corpora.get()
    assert (corpus.name, corpus.description, corpus.owner) == ("Weather", "Overheard", manager.user)
    assert corpus.sentence_set.count() == 2


def import_file(page, manager, texts, corpus="A new corpus"):
    page.goto(f"/projects/{manager.project.public_id}/data/")
    rows = "".join(f"{place},{text}\n" for place, text in zip("ACD", texts, strict=True))
    file = {"name": "rivers.csv", "mimeType": "text/csv", "buffer": f"id,text\n{rows}".encode()}
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_role("status")).to_have_text("Waiting for a worker.")
    assert IMPORTS.do_next()
    page.get_by_label(corpus).check()
    expect(page.locator("#start")).to_contain_text(f"into {corpus[0].lower()}{corpus[1:]}")
    if corpus == "A new corpus":
        page.locator("#id_language").fill("English")
    page.get_by_role("button", name="Import 3 sentences").click()
    expect(page.get_by_role("status")).to_have_text("Waiting for a worker.")
    assert IMPORTS.do_next()


def test_a_second_file_with_the_same_ids_is_added_whole_with_one_click(signed_in, manager):
    page = signed_in(manager.user)
    import_file(page, manager, ["It rains.", "Ada met Bo.", "Bo met Ada."])
    import_file(page, manager, ["It pours.", "Ada saw Bo.", "Bo saw Ada."], corpus="rivers")
    assert manager.project.corpora.get().sentence_set.count() == 6


def test_choosing_a_column_says_at_once_what_is_imported(signed_in, manager):
    page = signed_in(manager.user)
    page.goto(f"/projects/{manager.project.public_id}/data/")
    page.get_by_label("Or paste text").fill("a\tb\nIt rains.\tIt pours.\nIt rains.\tIt snows.")
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_role("status")).to_have_text("Waiting for a worker.")
    assert IMPORTS.do_next()
    page.get_by_label("Column 2").select_option("Sentence")
    expect(page.get_by_role("button", name="Import 2 sentences")).to_be_visible()
    expect(page.get_by_label("Column 1")).to_have_value("")
    page.get_by_label("Column 1").focus()
    page.get_by_label("Column 1").select_option("Sentence")
    expect(page.get_by_role("button", name="Import 1 sentence", exact=True)).to_be_visible()
    expect(page.get_by_label("Column 1")).to_be_focused()


def test_a_file_that_is_refused_stays_chosen_and_can_be_sent_again(signed_in, manager):
    page = signed_in(manager.user)
    page.goto(f"/projects/{manager.project.public_id}/data/")
    file = {"name": "rivers.csv", "mimeType": "text/csv"}
    content = f"nr,text\n{SENTENCES}".encode()
    assert len(content) > bodies.SMALL
    page.get_by_label("File").set_input_files({**file, "buffer": content})
    send = page.get_by_role("button", name="Upload and preview")
    with bodies.large_body_of(manager.user.pk):
        send.click()
        expect(page.get_by_role("status")).to_contain_text("you are sending another file")
    send.click()
    expect(page.get_by_role("status")).to_have_text("Waiting for a worker.")


def test_what_is_wrong_with_an_upload_is_said_in_its_form(signed_in, manager):
    page = signed_in(manager.user)
    page.goto(f"/projects/{manager.project.public_id}/data/")
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_text("Choose a file or paste text below.")).to_be_visible()
    page.get_by_label("Or paste text").fill("It rains.")
    page.get_by_role("button", name="Upload and preview").click()
    expect(page.get_by_role("status")).to_have_text("Waiting for a worker.")
