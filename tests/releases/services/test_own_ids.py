"""The ids of pairs in the file of a researcher, from the import to the release and back."""

import json

import pytest
from django.core.management import call_command

from generation.models import Candidate
from releases.dataset.reader import read_release, read_tsv
from releases.dataset.verification import verify
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import make, pages
from tests.annotation.pages import client_of, page, rows_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
GUID = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
LINES = [
    {"sentence1": "It rains in May.", "sentence2": "In May it rains.", "pairID": "a-1"},
    {"sentence1": "Ada met Bo.", "sentence2": "Bo met Ada.", "pairID": GUID},
    {"sentence1": "It pours.", "sentence2": "It pours.", "pairID": "a-1"},
    {"sentence1": "It snows.", "sentence2": "Snow falls."},
]
OWN_IDS = ["a-1", GUID, "a-1", ""]


def imported(project, path, **options):
    call_command("import_pairs", str(path), project=project.name, **options)
    return list(project.pairs.order_by("pk").values_list("candidate__external_id", flat=True))


@pytest.fixture
def study(tmp_path):
    project = make.study(judgments_per_pair=1, consensus_min_votes=1)
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in LINES))
    assert imported(project, path) == OWN_IDS
    assert make.judge_all(make.person(project), 1) == len(LINES)
    with pages.release_folder(tmp_path):
        yield project


@pytest.mark.parametrize(("words", "places"), [("a-1", [0, 2]), (GUID, [1]), ("a-", [])])
def test_pairs_are_found_by_their_own_id_on_the_page(study, words, places):
    pairs = list(study.pairs.order_by("pk"))
    rows = client_of(study).get(page("pairs", study), {"words": words}).context["rows"]
    assert {row.item.pk for row in rows} == {pairs[place].pk for place in places}


def test_pairs_are_found_by_their_own_id_over_rest(study):
    reply = client_of(study).get(page("api_pairs", study), {"own_id": "a-1"}).json()
    assert [row["sentence1"]["text"] for row in reply["results"]] == [
        "It rains in May.",
        "It pours.",
    ]


def test_the_page_of_a_pair_shows_its_own_id(study):
    first = study.pairs.order_by("pk").first()
    assert "<bdi>a-1</bdi>" in client_of(study).get(page("pair", study, first.public_id)).text


def test_the_file_of_pairs_has_their_own_ids(study):
    rows = rows_of(client_of(study).get(page("table", study, "pairs")))
    ids = {row["sentence1"]: row["own_id"] for row in rows}
    assert [ids[line["sentence1"]] for line in LINES] == OWN_IDS


def test_tables_of_a_release_have_own_ids_that_an_import_keeps(study, tmp_path):
    release = freeze_version(study, version="1.0", dev=0, test=0)
    publication.publish(release)
    folder = folder_of(release)
    assert verify(folder) == []
    files = read_release(folder)
    table = files.tables[0]
    columns = [table.names.index(name) for name in ("sentence1", "sentence2", "own_id")]
    ids = {
        frozenset(row[at] for at in columns[:2]): row[columns[2]] for row in read_tsv(folder, table)
    }
    assert [
        ids[frozenset((line["sentence1"], line["sentence2"]))] or "" for line in LINES
    ] == OWN_IDS
    assert sorted(pair.own_id or "" for pair in files.pairs) == sorted(OWN_IDS)
    again = make.study()
    assert sorted(imported(again, folder / table.tsv, ignore_labels=True)) == sorted(OWN_IDS)


def test_a_release_without_own_ids_has_no_such_column(study):
    Candidate.objects.update(external_id="")
    release = freeze_version(study, version="1.0", dev=0, test=0)
    assert "own_id" not in release.settings.get("columns", [])
