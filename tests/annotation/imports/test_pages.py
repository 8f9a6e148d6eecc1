"""The page of an uploaded file, before its import and after it."""

import json

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
from tests.annotation.pages import HTMX, client_of, form_at, page

pytestmark = pytest.mark.django_db
RUNNING_NUMBERS = b"id,text\n1,Ada met Bo.\n2,Bo met Ada.\n"
OWN_NUMBERS = b"id,text\n1,Ada met Bo.\n7,Bo met Ada.\n"


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
    columns = {f"column_{place}": name for name, place in row.columns.items()}
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


def test_looking_at_a_draft_reads_no_upload(client, project, tmp_path):
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
    address, row = uploaded(client, project, OWN_NUMBERS, corpus=rivers.pk)
    question = "1 of these 2 IDs is already in the corpus rivers."
    text = client.get(address).text
    for words in (
        question,
        "Import only the 1 new row",
        "none of the 2 is in",
        "Import 2 sentences",
    ):
        assert words in text
    reply = started(client, address, row, start="yes", target=rivers.pk)
    assert (reply.status_code, question in reply.text) == (422, True)


def test_ids_that_clash_can_be_left_out(client, project, rivers):
    address, row = uploaded(client, project, OWN_NUMBERS, corpus=rivers.pk)
    sent = {"start": "yes", "ids": "without", "target": rivers.pk}
    assert started(client, address, row, **sent).status_code == 302
    assert IMPORTS.do_next()
    assert sorted(Sentence.objects.values_list("external_id", flat=True)) == ["", "", "1"]


def test_ids_are_kept_if_the_chosen_corpus_has_none_of_them(client, project, rivers):
    address, row = uploaded(client, project, OWN_NUMBERS, corpus=rivers.pk)
    started(client, address, row, start="yes", ids="without")
    assert IMPORTS.do_next()
    of_new_corpus = Sentence.objects.exclude(corpus=rivers)
    assert set(of_new_corpus.values_list("external_id", flat=True)) == {"1", "7"}


def test_rows_that_were_refused_for_their_ids_are_imported_without_them(client, project, rivers):
    address, row = uploaded(client, project, OWN_NUMBERS + b"8,\n", corpus=rivers.pk)
    started(client, address, row, start="yes", ids="new", target=rivers.pk)
    assert IMPORTS.do_next()
    row.refresh_from_db()
    assert (row.added, row.refused) == (1, {"duplicate_id": 1, "empty": 1})
    assert "Import this 1 row without its ID" in client.get(address).text
    draft = client.post(page("import_step", project, row.public_id, "without-ids")).url
    assert IMPORTS.do_next()
    assert "Import 1 sentence<" in client.get(draft).text
    client.post(draft, form_at(client, draft, start="yes"))
    assert IMPORTS.do_next()
    assert list(Sentence.objects.order_by("pk").values_list("text", "external_id"))[1:] == [
        ("Bo met Ada.", "7"),
        ("Ada met Bo.", ""),
    ]


def test_a_column_that_numbers_the_rows_is_left_out_if_its_numbers_clash(client, project, rivers):
    address, _row = uploaded(client, project, RUNNING_NUMBERS, corpus=rivers.pk)
    assert "The column id only numbers the rows" in client.get(address).text
    client.post(address, form_at(client, address, start="yes"))
    assert IMPORTS.do_next()
    assert sorted(Sentence.objects.values_list("external_id", flat=True)) == ["", "", "1"]


def test_ids_that_occur_twice_in_a_file_are_asked_about(client, project):
    address, _row = uploaded(client, project, b"id,text\nA,Ada met Bo.\nA,Bo met Ada.\n")
    text = client.get(address).text
    assert "IDs occur more than once in the file." in text
    assert "1 row would be refused." in text


def test_rows_that_no_database_can_hold_are_not_counted(client, project, rivers):
    lines = [
        {"id": "A", "text": "\ud800"},
        {"id": "\0", "text": "Ada."},
        {"id": "B", "text": "Bo."},
    ]
    content = "\n".join(map(json.dumps, lines)).encode()
    address, _row = uploaded(client, project, content, name="a.jsonl", corpus=rivers.pk)
    assert "Import 1 sentence<" in client.get(address).text


def test_a_choice_is_checked_at_once_and_takes_its_field_from_the_other_column(
    client, project, rivers
):
    address, _row = uploaded(client, project, b"nr,words\n1,Ada met Bo.\n2,It rains in May.\n")
    sent = form_at(client, address, target=rivers.pk, column_0="text", column_1="text")
    headers = HTMX | {"hx-trigger-name": "column_1"}
    reply = client.post(address, sent, headers=headers)
    columns = [column.value() for column in reply.context["form"].columns_of_table]
    assert columns == ["", "text"]
    assert "1 of 2 texts is in the corpus already" in reply.text
    assert "Import 1 sentence<" in reply.text
    assert "<html" not in reply.text


@pytest.mark.parametrize(("protocol", "kind"), [("paws", "sentences"), ("nli", "pairs")])
def test_studies_whose_labels_no_method_knows_begin_with_pairs(protocol, kind):
    study = make.study(protocol=protocol)
    form = client_of(study).get(page("data", study)).context["form"]
    assert form["kind"].value() == kind


def test_a_refused_label_is_quoted(client, project):
    lines = b"sentence1,sentence2,label\nAda met Bo.,Bo met Ada.,maybe\n"
    address, row = uploaded(client, project, lines, kind="gold_pairs")
    words = "“maybe” is no label of the project: give the value or the name of one."
    assert words in client.get(address).text
    started(client, address, row, start="yes")
    assert IMPORTS.do_next()
    assert words in client.get(address).text


def test_a_further_file_goes_to_the_only_corpus(client, project, rivers):
    address, _row = uploaded(client, project, b"text\nAda met Bo.\n")
    assert client.get(address).context["form"]["target"].value() == str(rivers.pk)


def test_with_several_a_further_file_goes_to_no_corpus_that_nobody_chose(client, project, rivers):
    corpora.create("towns", owner=make.person(project).user, project=project)
    address, row = uploaded(client, project, b"text\nAda met Bo.\n")
    form = client.get(address).context["form"]
    assert (form["target"].value(), form["language"].value()) == ("new", None)
    reply = started(client, address, row, start="yes", language="")
    assert (reply.status_code, [*reply.context["form"].errors]) == (422, ["language"])
    Import.objects.all().delete()
    address, _row = uploaded(client, project, b"text\nBo met Ada.\n", corpus=rivers.pk)
    assert client.get(address).context["form"]["target"].value() == str(rivers.pk)


def test_the_preview_counts_the_rows_that_cannot_be_imported(client, project):
    lines = [f"{n};Ada met Bo {n}." for n in range(9)]
    lines[6] = '6;"Ada met Bo 6.'
    address, _row = uploaded(client, project, "\n".join(["id;text", *lines]).encode())
    text = client.get(address).text
    assert "3 of 9 rows can’t be imported." in text
    assert "Line 8: A quotation mark opens here" in text
    assert "2 lines, the first is line 9: Not read, because" in text
    assert "Import 6 sentences" in text


def test_a_pair_twice_and_a_rewrite_that_changes_nothing_are_not_counted(client, project):
    pair = "Ada saw Bo.,Bo saw Ada.,"
    lines = "\n".join(["sentence1,sentence2,method", pair, "A.,A.,word_swap", pair, ""])
    text = client.get(uploaded(client, project, lines.encode(), kind="pairs")[0]).text
    assert "1 of 3 rows can’t be imported." in text
    assert "Import 1 pair<" in text


def test_columns_without_sentences_are_asked_about(client, project):
    address, row = uploaded(client, project, b"id,author,year\n1,Ada Lovelace,1843\n2,Bo,2001\n")
    assert row.columns == {"id": 0}
    assert "Which column is “Sentence”?" in client.get(address).text


def test_a_file_of_pairs_among_sentences_is_noticed(client, project):
    pairs = b"sentence1,sentence2,label\nAda saw Bo.,Bo saw Ada.,0\n"
    address, _row = uploaded(client, project, pairs)
    assert "This looks like a file of pairs." in client.get(address).text


def test_a_licence_that_nobody_knows_is_asked_about(client, project):
    address, row = uploaded(client, project, b"text\nAda met Bo.\n")
    reply = started(client, address, row, start="yes", licence="whatever")
    assert (reply.status_code, [*reply.context["form"].errors]) == (422, ["licence"])
    assert started(client, address, row, start="yes", licence="cc by 4.0").status_code == 302
    assert project.corpora.get().licence == "CC-BY-4.0"


def test_a_manager_corrects_what_is_said_of_a_corpus(client, project, rivers):
    rivers.licence = "As agreed by letter"
    rivers.save()
    at = page("corpus", project, rivers.pk)
    sent = {"corpus_name": "Flüsse", "language": "German", "licence": rivers.licence}
    reply = client.post(f"{at}change/", sent, follow=True)
    assert "Saved." in reply.text
    rivers.refresh_from_db()
    assert (rivers.name, rivers.language, rivers.licence) == ("Flüsse", "de", "As agreed by letter")
    assert "language: en → de" in client.get(page("history", project)).text
    client.post(f"{at}change/", sent | {"language": "de_DE"})
    shown = {field.name: field.value() for field in client.get(at).context["about"]}
    assert "No changes to save." in client.post(f"{at}change/", shown, follow=True).text
    taken = corpora.create("Lakes", owner=rivers.owner, project=project)
    reply = client.post(f"{at}change/", sent | {"corpus_name": taken.name})
    assert (reply.status_code, "This name is taken" in reply.text) == (422, True)


def test_the_list_of_imports_tells_files_that_cannot_be_read(client, project):
    uploaded(client, project, b"PK\x03\x04 and no more", name="a.xlsx")
    text = client.get(page("data", project)).text
    assert "can’t be read" in text
    assert "not started" not in text


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


FORETOLD = {
    "pairs": """sentence1,sentence2,method,label,sentence1_id
Ada saw Bo.,Bo saw Ada.,magic,,
It rained in May.,In May it rained.,,7,
It rained in May.,May had rain.,,1,
It rained in May.,In May there was rain.,,,
Ada left.,Ada went.,,,0c2a1f5e-9d0b-4b7e-8a43-6f5b1d2c3e4f
""",
    "flashcards": """entity,definition
queue,Line
queue,First in and first out.
stack,First in and first out.
""",
    "gold_pairs": """sentence1,sentence2,label
Ada saw Bo.,Bo saw Ada.,1
It rained.,It rained.,1
It rained.,Rain fell.,1
Rain fell.,It rained.,0
It rained.,Rain fell.,1
""",
    "model_judgments": "pair,label\n0c2a1f5e-9d0b-4b7e-8a43-6f5b1d2c3e4f,1\n{pair},1\n",
}


@pytest.mark.parametrize("kind", FORETOLD)
def test_the_preview_foretells_what_the_import_refuses(client, project, kind):
    make.candidates(project, [("Ada saw Bo.", "Bo saw Ada.")])
    pair = project.items.get().public_id
    content = FORETOLD[kind].format(pair=pair).encode()
    address, row = uploaded(client, project, content, kind=kind)
    clashes = client.get(address).context["clashes"]
    form = form_at(client, address, start="yes", corpus_name="New", language="en")
    assert client.post(address, form | {"name": "Bow", "origin": "May"}).status_code == 302
    assert IMPORTS.do_next()
    row.refresh_from_db()
    assert row.refused
    assert {reason: number for reason, (number, _line) in clashes.unusable.items()} == row.refused
    assert (clashes.new, clashes.present) == (row.added, row.duplicates)


def test_the_preview_says_why_a_qualification_set_cannot_be_imported(client, project):
    make.candidates(project, [("Ada saw Bo.", "Bo saw Ada.")])
    lines = b"sentence1,sentence2,label\nAda saw Bo.,Bo saw Ada.,1\n"
    address, _row = uploaded(client, project, lines, kind="qualification")
    assert "because the project already has this pair" in client.get(address).text


def test_the_page_of_the_data_shows_the_first_sentences_of_a_corpus(client, project, rivers):
    further = [Row(n, f"It rains in year {n}.", str(n)) for n in range(2, 5)]
    import_sentences(further, corpus=rivers)
    text = client.get(page("data", project)).text
    assert ("It rains in May." in text, "in year 3." in text) == (True, True)
    assert "in year 4." not in text
    assert "Read and search all 4 sentences" in text
