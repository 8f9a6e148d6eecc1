"""A name means the same in a file, over REST and on a page: a column that both have, a filter."""

from datetime import datetime

import pytest
from django.test import Client, override_settings

from accounts.models import User
from common import spreadsheets
from generation.models import Method
from support.studies import fill_study
from tests.annotation.pages import page, rows_of, signed_in

pytestmark = pytest.mark.django_db

# For each table: the list over REST, what identifies a row, and the other columns that both have.
SHARED = {
    "pairs": ("pairs", ["id"], "own_id method sentence1 sentence2 label kept votes decided_at"),
    "judgments": (
        "judgments",
        ["pair", "slot"],
        "round label seconds submitted_at highlighted reason words excluded superseded simulated",
    ),
    "corrections": (
        "corrections",
        ["id"],
        "method source text action final_text words_kept seconds submitted_at",
    ),
    "annotators": (
        "annotators",
        ["name"],
        "role simulated corrections judgments translations validations median_seconds compared"
        " agreement kappa decided kappa_consensus gold_given skips flags paused_at excluded"
        " last_seen",
    ),
    "glossary": ("terms", ["source"], "target note"),
}


@pytest.fixture(scope="module")
def study(module_db, tmp_path_factory):
    with override_settings(RELEASES_DIR=tmp_path_factory.mktemp("releases")):
        yield fill_study()


@pytest.fixture
def manager(study, db) -> Client:
    return signed_in(User.objects.get(username="manager"))


def over_rest(client, study, name, **filters):
    reply = client.get(f"/api/projects/{study.public_id}/{name}/", filters)
    return reply.json()["results"]


def cell(value):
    """What a file has for a value of REST."""
    if isinstance(value, dict):
        value = value["text"]
    if isinstance(value, list):
        separator = "; " if value and isinstance(value[0], dict) else " "
        value = separator.join(str(one["reason"] if separator == "; " else one) for one in value)
    return str(spreadsheets.cell(value))


def is_same(in_file, in_rest, column):
    if column.endswith(("_at", "_seen")) and in_file:
        return datetime.fromisoformat(in_file) == datetime.fromisoformat(in_rest)
    return in_file == cell(in_rest)


@pytest.mark.parametrize("table", SHARED)
def test_a_column_of_a_file_means_what_it_means_over_rest(study, manager, table):
    name, key, others = SHARED[table]
    rows = {tuple(str(row[part]) for part in key): row for row in over_rest(manager, study, name)}
    lines = rows_of(manager.get(page("table", study, table)))
    pairs = [(line, rows.get(tuple(line[part] for part in key))) for line in lines]
    compared = [(line, row) for line, row in pairs if row is not None]
    names_of_people = {"annotator"}
    shared = (compared[0][0].keys() & compared[0][1].keys()) - {*key} - names_of_people
    assert shared == set(others.split())
    for line, row in compared:
        different = {name for name in shared if not is_same(line[name], row[name], name)}
        assert not different, (line, row)


def test_a_pair_is_found_by_each_method_that_made_it(study, manager):
    [pair] = study.pairs.filter(duplicates__isnull=False)
    methods = {pair.candidate.run.method, pair.duplicates.get().candidate.run.method}
    assert methods == {Method.WORD_SWAP, Method.BACK_TRANSLATION}
    for name, key in (("pairs", "id"), ("judgments", "pair")):
        for method in methods:
            rows = over_rest(manager, study, name, method=method)
            assert str(pair.public_id) in {row[key] for row in rows}, (name, method)
