"""Flashcards that a manager uploads: mapped, imported in chunks, paired, added to the project."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.imports import files
from annotation.imports.services import corpora, uploads
from annotation.imports.services.journal import Journal
from annotation.imports.services.work import IMPORTS
from annotation.models import Import
from annotation.pairs.services import intake
from common import leases
from generation.models import GenerationRun, Sentence
from generation.services import flashcards, runs
from generation.services.runs import Action
from support.workers import work_until_idle
from tests.annotation import make
from tests.annotation.imports.test_imports import Killed, free, killing, outcome, read, refused
from tests.annotation.pages import client_of, form_at, page
from tests.generation.cards import CARDS, DEFINITIONS

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture(autouse=True)
def _place(settings, tmp_path, monkeypatch):
    settings.IMPORTS_DIR = tmp_path
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)


@pytest.fixture
def project():
    return make.study(protocol="parade", corrected_methods=[])


def uploaded(project, lines, **options):
    content, by = "\n".join(lines).encode(), make.person(project, role="manager").user
    file = {"name": "cards.tsv", "size": len(content), "chunks": [content]}
    row = read(uploads.create(project, kind="flashcards", **file, by=by))
    corpus = corpora.create("Cards", owner=by)
    uploads.start(row, columns=row.columns, options=options, corpus=corpus, by=by)
    return row


@pytest.mark.parametrize("place", [(Journal, "stored"), (flashcards, "_add_cards")])
@pytest.mark.parametrize("at", [1, 3])
def test_a_killed_worker_loses_and_doubles_no_card_and_no_group(project, monkeypatch, at, place):
    monkeypatch.setattr(flashcards, "CARDS_PER_TRANSACTION", 8)
    row = uploaded(project, ["term\tdefinition\tid", *CARDS], terms="\n".join(DEFINITIONS))
    with monkeypatch.context() as patch:
        killing(patch, *place, at)
        with pytest.raises(Killed):
            IMPORTS.do_next()
    free(row)
    assert IMPORTS.do_next()
    found = outcome(row)
    assert (found.read, found.added, found.duplicates) == (40, 29, 2)
    assert found.refused == {
        "empty": 1,
        "missing_entity": 1,
        "too_few_words": 1,
        "too_many_words": 1,
        "shared_definition": 1,
        "bad_entity": 1,
        "not_a_term": 1,
        "other_script": 1,
        "other_number_of_columns": 1,
    }
    assert {int(line["pawsmith_line"]) for line in refused(row)} == {*range(33, 42)}
    groups = dict(Sentence.objects.values_list("entity", "group").distinct())
    assert groups["virtual machine(s)"] == groups["Virtual Machine"] == groups["heap"]
    assert set(groups.values()) == {"stack", "queue", "virtual machin"}


def test_cards_go_from_the_file_of_a_manager_to_pairs_that_experts_judge(project):
    client = client_of(project)
    lines = ["front,back", *(f'heap,"{text}"' for text in DEFINITIONS["heap"])]
    lines += [f'queue,"{text}"' for text in DEFINITIONS["queue"]]
    lines.append(f'queue,"{DEFINITIONS["queue"][0].replace("element", "elements")}"')
    sent = {"kind": "flashcards", "file": SimpleUploadedFile("c.csv", "\n".join(lines).encode())}
    address = client.post(page("upload", project), sent)["Location"]
    assert IMPORTS.do_next()
    form = form_at(client, address, start="yes", corpus_name="Cards", language="en")
    assert (form["column_0"], form["column_1"]) == ("entity", "definition")
    client.post(address, form)
    assert IMPORTS.do_next()
    shown = client.get(address).content.decode()
    assert "1 entity of the corpus has fewer than 5 definitions." in shown
    [corpus] = project.corpora.all()
    found = client.get(page("corpus", project, corpus.pk)).content.decode()
    assert "Entity <bdi>queue</bdi>" in found

    address = page("new_run", project)
    form = form_at(client, address, corpus=corpus.pk, preview="on")
    address = client.post(address, form)["Location"]
    run = GenerationRun.objects.get()
    work_until_idle(run)
    shown = client.get(address).content.decode()
    assert "its entity has too few definitions" in shown
    assert "<bdi>queue</bdi>" in shown
    assert re.search(
        r"The same but for a few letters<svg.*?</svg>\s*<span class=.number.>1<", shown
    )
    runs.steer(run, Action.APPROVE)
    assert intake.take_in(project) > 0
    assert set(project.items.values_list("kind", flat=True)) == {"judge"}
    assert not files.data_of(Import.objects.get()).exists()
