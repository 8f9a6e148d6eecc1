"""What becomes of an uploaded file: every line is added, known already, or refused, just once."""

import csv
import os
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.utils import timezone

from annotation.errors import Refused
from annotation.imports import files, selectors
from annotation.imports.services import corpora, pruning, uploads, work
from annotation.imports.services.work import IMPORTS, Journal
from annotation.imports.tables import REASON
from annotation.models import Import, JudgingModel
from annotation.projects.services import lifecycle
from common import leases
from generation.models import Candidate, Sentence
from generation.services import imported_pairs, sentences
from tests.annotation import judged, make

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
RIVERS = "The {n}. river flows from the hills to the sea."


class Killed(BaseException):
    pass


@pytest.fixture(autouse=True)
def _place(settings, tmp_path, monkeypatch):
    settings.IMPORTS_DIR = tmp_path
    # A test’s own transaction would keep the thread that renews the lease from writing.
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)


@pytest.fixture
def project():
    return make.study()


def read(row):
    """A worker reads the beginning of the file."""
    assert IMPORTS.do_next()
    row.refresh_from_db()
    return row


def uploaded(project, kind, lines, *, name="lines.csv", **options):
    """A file that waits for a worker, with its columns as they were found."""
    content, by = "\n".join(lines).encode(), make.person(project, role="manager").user
    file = {"name": name, "size": len(content), "chunks": [content]}
    row = read(uploads.create(project, kind=kind, **file, by=by))
    corpus = (
        corpora.create(f"{kind} {row.pk}", owner=by) if kind in ("sentences", "pairs") else None
    )
    uploads.start(row, columns=row.columns, options=options, corpus=corpus, by=by)
    return row


def imported(project, kind, lines, **options):
    row = uploaded(project, kind, lines, **options)
    IMPORTS.do_next()
    return outcome(row)


def outcome(row):
    row.refresh_from_db()
    names = ("project", "state", "failure", "read", "added", "duplicates")
    counts = {name: getattr(row, name) for name in names}
    return SimpleNamespace(row=row, refused=row.refused, **counts)


def refused(row):
    with files.refused_of(row).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_refused_lines_come_back_corrected_and_are_added_then(project):
    lines = ["id,text", "1,It rains.", "1,It pours.", "2,", '3,"=1+1"', "4,It rains."]
    found = imported(project, "sentences", lines)
    assert (found.state, found.read, found.added, found.duplicates) == ("done", 5, 2, 1)
    assert found.refused == {"duplicate_id": 1, "empty": 1}
    rows = refused(found.row)
    assert sorted((row["id"], row["pawsmith_line"]) for row in rows) == [("1", "3"), ("2", "4")]
    assert all(row[REASON] for row in rows)
    again = files.refused_of(found.row).read_text(encoding="utf-8-sig")
    corrected = again.replace("1,It pours.", "5,It pours.").replace("2,,", "2,It snows.,")
    row = uploaded(project, "sentences", corrected.splitlines())
    Import.objects.filter(pk=row.pk).update(corpus=found.row.corpus)
    assert IMPORTS.do_next()
    assert (outcome(row).added, outcome(row).refused) == (2, {})
    assert not files.data_of(row).exists()
    texts = Sentence.objects.filter(corpus=found.row.corpus).order_by("external_id")
    assert [each.text for each in texts] == ["It rains.", "It snows.", "=1+1", "It pours."]


def killing(monkeypatch, module, name, at):
    """Let the worker die at the end of call number `at` of what stores a chunk."""
    store, calls = getattr(module, name), []

    def dying(*arguments, **options):
        store(*arguments, **options)
        calls.append(1)
        if len(calls) == at:
            raise Killed

    monkeypatch.setattr(module, name, dying)


def free(row):
    """As if its lease were over."""
    Import.objects.filter(pk=row.pk).update(lease_until=row.created_at)


def test_near_duplicates_are_marked_unless_that_would_take_much_memory(project, monkeypatch):
    long = "flows from the hills to the sea past mills and meadows as it has done for years."
    lines = ["text", f"The river {long}", f"A river {long}"]
    imported(project, "sentences", lines)
    assert Sentence.objects.exclude(near_duplicate_of=None).count() == 1
    monkeypatch.setattr(work, "MOST_COMPARED_BYTES", 1)
    assert imported(project, "sentences", lines).added == 2
    assert Sentence.objects.exclude(near_duplicate_of=None).count() == 1


# Before the transaction of a chunk is committed, and after it.
@pytest.mark.parametrize("place", [(Journal, "stored"), (sentences, "_add_rows")])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_killed_worker_loses_and_doubles_no_sentence(project, monkeypatch, at, place):
    monkeypatch.setattr(sentences, "ROWS_PER_TRANSACTION", 4)
    lines = [f"{n},{RIVERS.format(n=n % 9)}" if n % 4 else f"{n}" for n in range(12)]
    row = uploaded(project, "sentences", ["id,text", *lines])
    with monkeypatch.context() as patch:
        killing(patch, *place, at)
        with pytest.raises(Killed):
            IMPORTS.do_next()
    free(row)
    assert IMPORTS.do_next()
    found = outcome(row)
    assert (found.read, found.added, found.duplicates) == (12, 7, 2)
    assert found.refused == {"other_number_of_columns": 3}
    assert [line["pawsmith_line"] for line in refused(row)] == ["2", "6", "10"]
    assert Sentence.objects.filter(corpus=found.row.corpus).count() == 7


def test_what_is_cancelled_stops_after_its_chunk_and_keeps_what_is_stored(project, monkeypatch):
    monkeypatch.setattr(sentences, "ROWS_PER_TRANSACTION", 4)
    row = uploaded(project, "sentences", ["text", *(RIVERS.format(n=n) for n in range(12))])
    add = sentences._add_rows

    def cancelling(rows, index, report):
        add(rows, index, report)
        if report.added == 4:
            uploads.cancel(row, by=None)

    monkeypatch.setattr(sentences, "_add_rows", cancelling)
    assert not IMPORTS.do_next()
    assert (outcome(row).state, outcome(row).added) == ("cancelled", 4)
    assert Sentence.objects.count() == 4
    with pytest.raises(Refused):
        uploads.cancel(row, by=None)
    uploads.discard(row, by=None)
    assert not Import.objects.exists()


def test_a_file_that_cannot_be_read_fails_with_its_reason_and_can_be_tried_again(project):
    row = uploaded(project, "sentences", ["text", "It rains."])
    data = files.data_of(row)
    kept = data.rename(data.with_name("kept"))
    assert not IMPORTS.do_next()
    assert outcome(row).state == "failed"
    assert "no longer on the server" in row.failure
    kept.rename(data)
    uploads.retry(row, by=None)
    assert IMPORTS.do_next()
    assert outcome(row).added == 1


def test_pairs_enter_the_project_and_their_labels_stand_beside_people_s(project):
    lines = ["sentence1\tsentence2\tlabel\tmethod"]
    lines += ["It rains in May.\tIn May it rains.\t1\t", "Bo saw Ada.\tAda saw Bo.\t0\t"]
    lines += ["It pours.\tIt pours.\t1\tback_translation", "A.\tB.\t7\t"]
    found = imported(project, "pairs", lines, name="pairs.tsv", origin="parrot")
    assert (found.added, found.refused) == (2, {"identical": 1, "label_not_on_the_scale": 1})
    assert project.pairs.count() == 2
    assert JudgingModel.objects.get().name == "parrot"
    assert set(JudgingModel.objects.get().judgments.values_list("label", flat=True)) == {0, 1}
    assert list(project.corpora.all()) == [found.row.corpus]


def test_labels_that_are_not_stored_are_counted_and_in_the_file_of_refused_lines(project):
    lines = ["sentence1,sentence2,label", "It rains in May.,In May it rains.,1", ",A.,1"]
    assert sum(imported(project, "pairs", lines, origin="parrot").refused.values()) == 1
    lines = [*lines[:1], lines[1].replace(",1", ",0"), "Bo ran.,Ran Bo.,1"]
    found = imported(project, "pairs", lines, origin="parrot")
    assert (found.added, found.refused) == (2, {"said_otherwise_before": 1})
    [row] = refused(found.row)
    assert (row["sentence1"], row["label"], row["pawsmith_line"]) == ("It rains in May.", "0", "2")
    waiting = make.study(corrected_methods=["imported"])
    found = imported(waiting, "pairs", lines, origin="parrot")
    assert (found.added, found.refused) == (2, {"label_without_an_open_pair": 2})
    assert [row["pawsmith_line"] for row in refused(found.row)] == ["2", "3"]


def test_a_worker_that_dies_while_labels_are_refused_counts_none_twice(project, monkeypatch):
    lines = ["sentence1,sentence2,label", "It rains in May.,In May it rains.,1"]
    imported(project, "pairs", lines, origin="parrot")
    lines[1] = lines[1].replace(",1", ",0")
    row = uploaded(project, "pairs", lines, origin="parrot")
    with monkeypatch.context() as patch:
        killing(patch, Journal, "write_late_refusals", 1)
        with pytest.raises(Killed):
            IMPORTS.do_next()
    free(row)
    assert IMPORTS.do_next()
    assert outcome(row).refused == {"said_otherwise_before": 1}
    assert len(refused(row)) == 1


def test_a_killed_worker_loses_and_doubles_no_pair_and_no_label(project, monkeypatch):
    monkeypatch.setattr(imported_pairs, "LINES_AT_ONCE", 4)
    lines = [f"{RIVERS.format(n=n)}\t{RIVERS.format(n=-n)}\t1" for n in range(1, 11)]
    row = uploaded(project, "pairs", ["sentence1\tsentence2\tlabel", *lines], name="pairs.tsv")
    with monkeypatch.context() as patch:
        killing(patch, Journal, "stored", 2)
        with pytest.raises(Killed):
            IMPORTS.do_next()
    free(row)
    assert IMPORTS.do_next()
    assert (outcome(row).read, outcome(row).added, outcome(row).duplicates) == (10, 10, 0)
    assert Candidate.objects.count() == project.pairs.count() == 10
    assert JudgingModel.objects.get().judgments.count() == 10


GOLD = ["sentence1;sentence2;label;explanation", "Ada met Bo.;Bo met Ada.;1;To meet is mutual."]
GOLD += ["Ada saw Bo.;Bo saw Ada.;0;", "It rains.;It pours.;2;"]


def test_gold_and_qualification_pairs_come_by_the_same_importer(project):
    found = imported(project, "gold_pairs", GOLD)
    assert (found.added, found.refused) == (2, {"label_not_on_the_scale": 1})
    assert project.pairs.filter(gold_label__isnull=False).count() == 2
    found = imported(project, "qualification", GOLD)
    assert (found.state, found.added) == ("failed", 0)
    assert "the project already has this pair" in found.failure
    found = imported(make.study(), "qualification", GOLD)
    assert (found.added, found.refused) == (2, {"label_not_on_the_scale": 1})
    explained = found.project.qualification_pairs.values_list("explanation", flat=True)
    assert list(explained) == ["To meet is mutual.", ""]


def test_model_judgments_come_by_the_same_importer(project):
    make.pairs(project, 2)
    judged.all_that_is_open(project, [1, 1, 1, 1, 0])
    one, two = project.pairs.values_list("public_id", flat=True)
    lines = ["pair,label,score", f"{one},1,0.75", f"{two},5,", "nothing,1,", f"{two},0,"]
    found = imported(project, "model_judgments", lines, revision="7")
    assert (found.added, sum(found.refused.values())) == (2, 2)


def test_uploads_that_nobody_starts_and_the_files_of_what_is_gone_are_deleted(
    project, settings, django_capture_on_commit_callbacks
):
    by = make.person(project, role="manager").user
    file = {"name": "lines.txt", "size": 8, "chunks": [b"It rains"], "by": by}
    old, fresh = (read(uploads.create(project, kind="sentences", **file)) for _ in range(2))
    started, other = uploaded(project, "sentences", ["text", "It pours."]), make.study()
    files_of_other = files.folder_of(uploads.create(other, kind="sentences", **file)).parent
    lifecycle.delete(other, by=by)
    long_ago = timezone.now() - timedelta(days=8)
    Import.objects.filter(pk__in=[old.pk, started.pk]).update(created_at=long_ago)
    foreign = settings.IMPORTS_DIR / "notes"
    foreign.mkdir()
    with django_capture_on_commit_callbacks(execute=True):
        assert pruning.prune() == 1
    for folder in (foreign, files_of_other):
        os.utime(folder, (0, 0))
    assert pruning.prune() == 1
    assert set(Import.objects.all()) == {fresh, started}
    assert all(each.exists() for each in (files.data_of(fresh), files.data_of(started), foreign))
    assert not any(each.exists() for each in (files.folder_of(old), files_of_other))


def test_uploads_that_a_killed_web_server_was_receiving_are_deleted(settings, tmp_path):
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    with (
        TemporaryUploadedFile("a.csv", "text/csv", 0, None) as left,
        TemporaryUploadedFile("b.csv", "text/csv", 0, None) as arriving,
    ):
        foreign = tmp_path / "notes.upload"
        foreign.touch()
        for path in (left.temporary_file_path(), foreign):
            os.utime(path, (0, 0))
        assert pruning.prune() == 1
        assert {*tmp_path.iterdir()} == {Path(arriving.temporary_file_path()), foreign}


def test_time_left_is_said_of_what_runs(project):
    row = uploaded(project, "sentences", ["text", "It rains."])
    assert selectors.seconds_left(row) is None
