"""The page of an uploaded file, before its import and after it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.imports.services import corpora, work
from annotation.imports.services.work import IMPORTS
from annotation.imports.tables import Layout
from annotation.models import Import
from annotation.pairs.services import intake
from common import demonstration, leases
from generation.models import Sentence
from generation.readers import Row
from generation.services.sentences import import_sentences
from tests.annotation import make
from tests.annotation.pages import HTMX, client_of, page

pytestmark = pytest.mark.django_db
RUNNING_NUMBERS = b"id,text\n1,Ada met Bo.\n2,Bo met Ada.\n"


@pytest.fixture
def project(settings, tmp_path, monkeypatch):
    settings.IMPORTS_DIR = tmp_path
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)
    return make.study(corrected_methods=[])


@pytest.fixture
def client(project):
    return client_of(project)


@pytest.fixture
def rivers(project):
    """A corpus with a sentence that has the ID 1."""
    owner = make.person(project, role="manager").user
    corpus = corpora.create("rivers", owner=owner, project=project)
    import_sentences([Row(1, "It rains in May.", "1")], corpus=corpus)
    return corpus


def uploaded(client, project, content, *, kind="sentences", name="a.csv", **sent):
    """The address of the page of a file, and the file once a worker has read it."""
    file = SimpleUploadedFile(name, content)
    reply = client.post(page("upload", project), {"kind": kind, "file": file, **sent})
    assert IMPORTS.do_next()
    return reply.url, Import.objects.get()


def started(client, address, row, **sent):
    columns = {f"column_{name}": place for name, place in row.columns.items()}
    about = {"target": "new", "corpus_name": "New", "language": "en"}
    return client.post(address, row.layout | columns | about | sent)


def test_a_changed_layout_is_read_again_before_anything_is_imported(client, project):
    address, row = uploaded(client, project, "text\nGröße zählt.\n".encode("cp1250"))
    client.post(address, row.layout | {"encoding": "koi8-r", "source": "Overheard", "start": "yes"})
    row.refresh_from_db()
    assert (row.state, row.preview) == ("queued", None)
    assert IMPORTS.do_next()
    row.refresh_from_db()
    assert Layout.from_dict(row.layout).encoding == "koi8-r"
    assert client.get(address).context["form"]["source"].value() == "Overheard"


def test_looking_at_a_draft_opens_no_file(client, project, tmp_path):
    address, row = uploaded(client, project, RUNNING_NUMBERS)
    for path in tmp_path.rglob("data"):
        path.unlink()
    assert "Ada met Bo." in client.get(address).text
    assert started(client, address, row, start="yes").status_code == 302


@pytest.mark.parametrize(
    ("kind", "most_bytes", "is_said"),
    [("sentences", 1, True), ("sentences", 1_000, False), ("pairs", 1, False)],
)
def test_a_draft_says_that_near_repetitions_are_not_marked(
    client, project, monkeypatch, kind, most_bytes, is_said
):
    monkeypatch.setattr(work, "MOST_COMPARED_BYTES", most_bytes)
    content = b"sentence1,sentence2\nAda met Bo.,Bo met Ada.\n"
    address, _row = uploaded(client, project, content, kind=kind)
    assert ("imported without a mark" in client.get(address).text) is is_said


def test_a_file_that_is_no_table_says_what_to_do_in_the_language_of_the_page(client, project):
    address, row = uploaded(client, project, b"PK\x03\x04 and no more", name="a.xlsx")
    assert "Save it again as .xlsx" in client.get(address).text
    german = client.get(address, headers={"accept-language": "de"}).text
    assert "Save it again" not in german
    assert started(client, address, row, start="yes").status_code == 422


@pytest.mark.parametrize(
    ("content", "name"), [(b"id,text\n\n", "a.csv"), (b"[]", "a.json")], ids=["csv", "json"]
)
def test_a_file_without_rows_offers_no_import(client, project, content, name):
    address, row = uploaded(client, project, content, name=name)
    text = client.get(address).text
    assert "nothing to import" in text
    assert 'name="start"' not in text
    assert started(client, address, row, start="yes").status_code == 422


def test_no_worker_is_asked_for_that_starts_after_the_demonstration(client, project):
    file = SimpleUploadedFile("a.csv", RUNNING_NUMBERS)
    address = client.post(page("upload", project), {"kind": "sentences", "file": file}).url
    assert "Ask the administrator of this installation to start one." in client.get(address).text
    with demonstration.being_created():
        text = client.get(address).text
    assert "Workers start after it" in text
    assert "Ask the administrator" not in text


def test_a_lone_row_that_was_taken_for_column_names_can_be_imported(client, project):
    address, row = uploaded(client, project, b"id,text\n")
    client.post(address, row.layout | {"has_header": ""})
    assert IMPORTS.do_next()
    assert 'name="start"' in client.get(address).text


def test_ids_that_the_corpus_has_for_other_sentences_are_asked_about(client, project, rivers):
    address, row = uploaded(client, project, RUNNING_NUMBERS, corpus=rivers.pk)
    question = "1 of the first 2 IDs belong to other sentences of the corpus"
    assert question in client.get(address).text
    reply = started(client, address, row, start="yes", target=rivers.pk)
    assert (reply.status_code, question in reply.text) == (422, True)


def test_ids_can_be_left_out(client, project, rivers):
    address, row = uploaded(client, project, RUNNING_NUMBERS, corpus=rivers.pk)
    assert started(client, address, row, ids="ignore", target=rivers.pk).status_code == 302
    assert IMPORTS.do_next()
    assert set(Sentence.objects.values_list("external_id", flat=True)) == {"1", ""}
    assert Sentence.objects.count() == 3


def test_ids_of_the_same_sentences_are_not_asked_about(client, project, rivers):
    same = b"id,text\n1,It rains in May.\n2,Bo met Ada.\n"
    address, row = uploaded(client, project, same, corpus=rivers.pk)
    assert started(client, address, row, start="yes", target=rivers.pk).status_code == 302


def test_the_preview_names_texts_that_are_python_code(client, project):
    address, _row = uploaded(client, project, b"text\nb'It rains.'\nIt pours.\n")
    assert "1 of the first rows has Python code" in client.get(address).text


def test_the_page_says_how_many_imported_pairs_can_be_judged(client, project):
    pairs = b"sentence1,sentence2\nIt rains in May.,In May it rains.\nAda saw Bo.,Bo saw Ada.\n"
    address, row = uploaded(client, project, pairs, kind="pairs")
    started(client, address, row, start="yes")
    assert IMPORTS.do_next()
    progress = page("import_progress", project, row.public_id)
    for reply in (client.get(address), client.get(progress, headers=HTMX)):
        assert "0 of 2 pairs can be judged so far" in reply.text
    intake.take_in_all()
    assert "can be judged so far" not in client.get(address).text
    assert client.get(progress, headers=HTMX)["HX-Refresh"] == "true"


def test_pairs_of_named_methods_are_viewed_without_the_filter_for_imported_ones(client, project):
    pairs = b"sentence1,sentence2,method\nAda saw Bo.,Bo saw Ada.,word_swap\n"
    address, row = uploaded(client, project, pairs, kind="pairs")
    started(client, address, row, start="yes")
    assert IMPORTS.do_next()
    assert f'href="{page("pairs", project)}">View pairs' in client.get(address).text
