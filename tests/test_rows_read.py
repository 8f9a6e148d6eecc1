"""No statement over many new rows reads more of them because statistics are missing or outdated.

A large study is added without new statistics, as when rows are imported and used before autovacuum
has analyzed them: to a new database, or to one that was analyzed with a small study.
"""

from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from annotation.models import Item, Recusal, SentencePair, TranslationPlan
from annotation.translations.services import delivery
from common.api import paging
from releases.selectors.releases import folder_of
from releases.services import frozen, publication
from releases.translations import services as translations
from support import large_study
from support.studies import freeze_version
from tests import rows_read
from tests.annotation.pages import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

FEW, MANY = large_study.Size(60), large_study.Size(600)
PAIRS = 1_000
PAGE = 50
# Of each statement, for each pair: the nodes of a plan count
# alike, so a join of five answers with their pair, person and texts counts up to eighty.
MOST_PER_PAIR = 100
PAGES = (
    "",
    "figures/",
    "pairs/",
    "agreement/",
    "models/",
    "answers/judge/",
    "answers/correct/",
    "me/",
    "people/",
    "invitations/",
    "data/",
    "known/",
)
LINES = "application/x-ndjson"
ANSWER_ALL = """
UPDATE annotation_slot SET annotator_id = %(user)s, person_id = %(user)s, claimed_at = now(),
    submitted_at = now(), serial = id, action = 'translate', text = 'Satz ' || id
WHERE project_id = %(project)s AND kind = 'translate'"""


# As in a new database: the space that other tests left in the files of tables changes the plans.
AS_NEW = (
    "SET LOCAL session_replication_role = replica",
    f"TRUNCATE {', '.join(large_study.COUNTED_ON)} CASCADE",
    "SET LOCAL session_replication_role = origin",
)


@pytest.fixture(scope="module", params=[FEW], ids=["statistics of a small study"])
def large(request, module_db):
    """A large study whose rows no statistics describe; with None there are none at all."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in AS_NEW:
            cursor.execute(statement)
        if request.param:
            large_study.make("Small", request.param, analyzed=False)
            cursor.execute("ANALYZE")
        yield large_study.make("Large", MANY, analyzed=False)
        transaction.set_rollback(True)


@pytest.fixture
def project(db, large):
    return large


@contextmanager
def bounded(pairs):
    """Fail for each statement that reads more rows than a multiple of these pairs."""
    with rows_read.counted() as executions:
        yield
    too_many = beyond(rows_read.in_all(executions), pairs)
    assert not too_many, "\n\n".join(too_many)


def beyond(executions, pairs):
    return [f"{rows:,} rows: {sql}" for sql, rows in executions if rows > pairs * MOST_PER_PAIR]


def table(path, *columns, rows):
    path.write_text("\n".join("\t".join(map(str, row)) for row in (columns, *rows)) + "\n")
    return str(path)


def pairs_file(tmp_path, *, method="back_translation"):
    rows = (
        (f"The train left Rome at {n} in rain.", f"In rain the train left Rome at {n}.", method)
        for n in range(PAIRS)
    )
    return table(tmp_path / "pairs.tsv", "sentence1", "sentence2", "method", rows=rows)


def test_a_count_that_joins_new_rows_by_their_project_is_caught(project, tmp_path):
    call_command("import_pairs", pairs_file(tmp_path), project=project.name)
    run = project.runs.latest("pk")
    with rows_read.counted() as executions:
        made = Item.objects.filter(project=project, candidate__run__in=[run])
        made.filter(duplicate_of__gold_label__isnull=False).count()
    assert beyond(executions, PAIRS)


def test_import_of_pairs(project, tmp_path):
    with bounded(PAIRS):
        call_command("import_pairs", pairs_file(tmp_path), project=project.name)


def test_import_of_pairs_that_are_there_already(project, tmp_path):
    call_command("import_pairs", pairs_file(tmp_path), project=project.name)
    with bounded(PAIRS):
        call_command("import_pairs", pairs_file(tmp_path), project=project.name)


def test_import_of_candidates_to_correct(project, tmp_path):
    path = pairs_file(tmp_path, method="word_swap")
    with bounded(PAIRS):
        call_command("import_pairs", path, project=project.name)


def test_import_of_rewrites_of_sentences_that_people_corrected(project, tmp_path):
    pairs = SentencePair.objects.filter(project=project, origin__isnull=False)
    corrected = pairs.values_list("sentence2__public_id", "sentence2__text")
    rows = [(key, text, f"{text} Said again.", "back_translation") for key, text in corrected]
    path = table(
        tmp_path / "pairs.tsv", "sentence1_id", "sentence1", "sentence2", "method", rows=rows
    )
    with bounded(len(rows)):
        call_command("import_pairs", path, project=project.name, corpus="Large")
    assert Recusal.objects.filter(item__project=project).count() == len(rows)


def test_import_of_pairs_with_labels(project, tmp_path):
    rows = ((f"Ada met Bo {n} times.", f"Bo met Ada {n} times.", 1) for n in range(PAIRS))
    path = table(tmp_path / "pairs.tsv", "sentence1", "sentence2", "label", rows=rows)
    with bounded(PAIRS):
        call_command("import_pairs", path, project=project.name, labels_of="Elsewhere")


def test_import_of_gold_pairs(project, tmp_path):
    rows = ((f"Ada met Bo {n} times.", f"Bo met Ada {n} times.", 1) for n in range(PAIRS))
    path = table(tmp_path / "gold.tsv", "sentence1", "sentence2", "label", rows=rows)
    with bounded(PAIRS):
        call_command("import_gold_pairs", path, project=project.name)


def test_import_of_model_judgments(project, tmp_path):
    pairs = SentencePair.objects.filter(project=project).values_list("public_id", flat=True)
    path = table(tmp_path / "labels.tsv", "pair", "label", rows=[(pair, 1) for pair in pairs])
    with bounded(MANY.judged):
        call_command("import_model_judgments", path, project=project.name, name="Some model")


@pytest.mark.parametrize("rows", ["pairs", "judgments", "corrections"])
def test_each_page_of_rows_over_rest(project, rows, monkeypatch):
    """However many pages there are: each statement is bounded by the rows of one."""
    monkeypatch.setattr(paging, "MAX_ROWS", PAGE)
    client = client_of(project)
    with rows_read.counted() as executions:
        reply = client.get(f"/api/projects/{project.public_id}/{rows}/", headers={"Accept": LINES})
        assert b"".join(reply).count(b"\n") >= MANY.pairs
    # Twice as much: the accounts of people, of which there are few, are read again for each row.
    too_many = beyond(executions, 2 * PAGE)
    assert not too_many, too_many[0]


with_or_without_statistics = pytest.mark.parametrize(
    "large", [None, FEW], ids=["no statistics", "statistics of a small study"], indirect=True
)


@with_or_without_statistics
def test_preview_of_a_release(project):
    draft = frozen.new_draft(project, version="1.0")
    with bounded(MANY.judged):
        frozen.plan_now(draft, frozen.Progress())


@with_or_without_statistics
def test_building_of_a_release(project):
    with bounded(MANY.judged):
        release = freeze_version(project, version="1.0")
        publication.write_files(release, folder_of(release))


def test_creating_and_delivering_of_translations(project):
    release = freeze_version(project, version="1.0", dev=300, test=0)
    with bounded(MANY.judged):
        translated = translations.create(release, name="German", language="de", validated_share=0)
    TranslationPlan.objects.filter(project=translated).update(least_validated=0, most_error=1.0)
    with connection.cursor() as cursor:
        values = {"user": project.memberships.first().user_id, "project": translated.pk}
        cursor.execute(ANSWER_ALL, values)
    with bounded(MANY.judged):
        delivery.deliver(translated)


@pytest.mark.parametrize("address", PAGES)
def test_page_of_the_project(project, address):
    client = client_of(project)
    with bounded(MANY.judged):
        reply = client.get(f"/projects/{project.public_id}/{address}")
        assert reply.status_code == 200


def test_report(project, capsys):
    with bounded(MANY.judged):
        call_command("report", project=project.name)
