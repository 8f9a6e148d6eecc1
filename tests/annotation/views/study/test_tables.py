"""Each table as a file: the rows of its page, and nothing that a spreadsheet would run."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Correction, Guest, GuestJudgment, Membership, Skip
from annotation.selectors.dashboard import pairs as selector
from annotation.services import judgments
from annotation.views.study.tables import TABLES
from tests.annotation import cast, judged


@pytest.fixture
def manager(project) -> Client:
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.MANAGER).user)
    return client


@pytest.fixture
def table(manager, project):
    def read(name, **query) -> list[dict[str, str]]:
        reply = manager.get(reverse("table", args=[project.public_id, name]), query)
        assert reply.status_code == 200
        text = b"".join(reply).decode()
        assert text.startswith("\ufeff")
        return list(csv.DictReader(io.StringIO(text[1:], newline="")))

    return read


def test_table_3_has_a_row_for_each_method_and_one_for_all(table, project):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 1, 1]], by=judged.people(project, 5))
    first, last = table("funnel")
    assert (first["method"], last["method"]) == ("back_translation", "all")
    assert (last["pairs"], last["judged"], last["kept"]) == ("2", "2", "1")
    assert float(last["agreement"]) == pytest.approx(0.8)


def test_periods_are_rows(table, project):
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    rows = table("over-time")
    assert sum(int(row["judgments"]) for row in rows) == 5
    assert sum(int(row["pairs_decided"]) for row in rows) == 1


def test_the_balance_has_its_interval(table, project):
    judged.pairs(project, [[1] * 5, [0] * 5], by=judged.people(project, 5))
    for row in table("balance"):
        assert float(row["share_low"]) < float(row["share"]) == 0.5 < float(row["share_high"])


def test_pairs_are_under_the_filters_of_their_page(table, project, monkeypatch):
    monkeypatch.setattr(selector, "CHUNK", 2)
    people = judged.people(project, 5)
    votes = [[1] * 5, [1, 1, 1, 0, 0], [0] * 5, [1], [0] * 5]
    made = judged.pairs(project, votes, by=people)
    assert len(table("pairs")) == 5
    kept = table("pairs", state="kept", order="oldest")
    assert [row["id"] for row in kept] == [str(made[n].public_id) for n in (0, 2, 4)]
    assert kept[0]["votes"] == "0 5"
    assert kept[0]["answers"].split("; ") == [f"{person.user}: 1" for person in people]


def test_annotators_are_in_the_order_of_their_page(table, project):
    people = judged.people(project, 2)
    judged.pairs(project, [[1, 1], [1]], by=people)
    rows = table("annotators", order="judgments", down="1")
    assert [(row["name"], row["judgments"]) for row in rows] == [
        (str(people[0].user), "2"),
        (str(people[1].user), "1"),
    ]


def test_corrections_leases_and_skips_are_files_too(table, project):
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Cy saw Di.", "Di saw Cy.")])
    cast.correct_next(bob := cast.person(project), "reject")
    cast.pairs(project, 1)
    slot = judgments.claim(bob)
    open_one = Correction.objects.get(action=None)
    Skip.objects.create(
        project=project, annotator=bob.user, correction=open_one, reason="other", note="=1+1"
    )
    assert [row["action"] for row in table("corrections")] == ["", "reject"]
    [lease] = table("leases")
    assert (lease["id"], lease["annotator"]) == (str(slot.pair.public_id), str(bob.user))
    [skip] = table("skips", kind="correction")
    assert (skip["id"], skip["note"]) == (str(open_one.public_id), "'=1+1")


def test_sentences_that_look_like_formulas_are_no_formulas(table, project):
    texts = [("=SUM(A1) is a sum.", "@home is a sum.")]
    cast.candidates(project, texts, method="back_translation")
    [row] = table("pairs")
    assert (row["sentence1"], row["sentence2"]) == ("'=SUM(A1) is a sum.", "'@home is a sum.")


@pytest.mark.parametrize("name", TABLES)
def test_an_empty_study_has_the_names_of_the_columns(manager, project, name):
    reply = manager.get(reverse("table", args=[project.public_id, name]))
    header = b"".join(reply).decode().splitlines()[0].removeprefix("\ufeff")
    assert header.split(",") == TABLES[name].columns.split()


@pytest.mark.parametrize("name", TABLES)
def test_a_row_has_a_cell_for_each_column(table, project, name):
    decided, _ = judged.pairs(project, [[1] * 5, [0]], by=(people := judged.people(project, 5)))
    guest = Guest.objects.create(project=project, name="Model")
    GuestJudgment.objects.create(guest=guest, pair=decided, label=0)
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    pair = project.pairs.latest("pk")
    Skip.objects.create(project=project, annotator=people[4].user, pair=pair, reason="broken")
    assert judgments.claim(people[4])
    rows = table(name)
    assert rows
    assert all(None not in row and None not in row.values() for row in rows)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("passwords", {}),
        ("pairs", {"state": "x"}),
        ("skips", {"reason": "x"}),
        ("annotators", {"order": "x"}),
        ("guest-parting", {"guest": "x"}),
        ("guest-parting", {"guest": "6f0c9f4e-6d0a-4a51-9f0c-0d6a5b2f9a11"}),
    ],
)
def test_what_cannot_be_asked_for_is_not_found(manager, project, name, query):
    page = reverse("table", args=[project.public_id, name])
    assert manager.get(page, query).status_code == 404


def test_annotators_download_nothing(client, project):
    assert client.get(reverse("table", args=[project.public_id, "pairs"])).status_code == 404


def test_the_file_is_named_after_the_project(manager, project):
    project.name = "Flüsse: a/b"
    project.save()
    reply = manager.get(reverse("table", args=[project.public_id, "pairs"]))
    assert reply["Content-Disposition"] == 'attachment; filename="flusse-ab-pairs.csv"'


def test_many_pairs_take_a_statement_for_each_of_many(
    manager, project, monkeypatch, django_assert_num_queries
):
    judged.pairs(project, [[1]] * 30, by=judged.people(project, 1))
    page = reverse("table", args=[project.public_id, "pairs"])
    b"".join(manager.get(page))
    with django_assert_num_queries(7):
        assert len(b"".join(manager.get(page)).splitlines()) == 31
