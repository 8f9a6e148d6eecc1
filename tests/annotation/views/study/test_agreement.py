"""The page of agreement: figures with their meaning, files, and nobody's name where none may be."""

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Membership
from generation.models import Candidate
from tests.annotation import cast, judged


@pytest.fixture
def people(project) -> list[Membership]:
    return judged.people(project, 5)


@pytest.fixture
def visit(project):
    def go(role="manager", name="agreement", *parts):
        client = Client()
        client.force_login(cast.person(project, role=role).user)
        return client.get(reverse(name, args=[project.public_id, *parts]))

    return go


@pytest.fixture
def table(visit):
    def read(name, role="manager") -> list[dict[str, str]]:
        text = b"".join(visit(role, "table", name)).decode().removeprefix("\ufeff")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    return read


def test_before_a_pair_is_decided_there_is_nothing_to_measure(visit, project, people):
    judged.pairs(project, [[1, 0]], by=people)
    reply = visit()
    assert reply.status_code == 200
    assert "No pair is decided yet." in reply.text


def test_measures_stand_before_and_after_the_filter(visit, project, people):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 1, 1]], by=people)
    reply = visit()
    human = reply.context["measures"][0]
    assert (human.before.value, human.after.value) == (pytest.approx(0.8), 1.0)
    assert all(measure.meaning in reply.text for measure in reply.context["measures"])
    assert "at least 4 of 5 answers" in reply.text


def test_ordinal_alpha_is_for_grades(visit, project, people):
    project.__class__.objects.filter(pk=project.pk).update(max_label=3, paraphrase_from=2)
    project.refresh_from_db()
    judged.pairs(project, [[3, 3, 2, 2, 3], [0, 1, 1, 1, 2]], by=people)
    assert "Ordinal alpha" in visit().text


def test_two_labels_have_one_alpha(visit, project, people):
    judged.pairs(project, [[1] * 5, [0] * 5], by=people)
    assert "Ordinal alpha" not in visit().text


def test_weeks_without_a_decision_are_shown_as_empty(visit, project, people):
    now = timezone.now()
    for weeks in (1, 4):
        judged.pairs(project, [[1] * 5, [0] * 5], by=people, at=now - timedelta(weeks=weeks))
    found = visit().context["weeks"]
    assert [week.measured is not None for week in found.rows] == [True, False, False, True]
    assert len(found.human.dots) == len(found.alpha.dots) == 2


def test_kinds_of_change_have_their_names(visit, project, people):
    made = judged.pairs(project, [[1] * 5, [0] * 5], by=people)
    Candidate.objects.filter(pk=made[0].candidate_id).update(kind="adjective")
    assert [line.kind for line in visit().context["kinds"]] == ["not told", "adjectives"]


def test_managers_know_who_an_annotator_is(visit, project, people):
    judged.pairs(project, [[1] * 5], by=people)
    told = visit().text
    assert all(member.user.username in told for member in people)


@pytest.mark.parametrize("page", [("agreement",), ("table", "agreement-annotators")])
def test_researchers_are_told_pseudonyms_alone(visit, project, people, page):
    for number, member in enumerate(people):
        member.user.username = f"someone-{number}"
        member.user.save()
    judged.pairs(project, [[1] * 5], by=people)
    reply = visit("researcher", *page)
    told = b"".join(reply).decode()
    assert "annotator-" in told
    assert "someone-" not in told
    assert not any(str(member.user.public_id) in told for member in people)


def test_annotators_have_no_such_page(visit):
    assert visit("annotator").status_code == 404


def test_every_table_is_a_file(table, project, people):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 1, 1]], by=people)
    decided, kept = table("agreement")
    assert (decided["pairs"], kept["pairs"], kept["agreement"]) == ("2", "1", "1.0")
    for name, key in (("method", "method"), ("kind", "method"), ("week", "monday")):
        [row] = table(f"agreement-by-{name}")
        assert row[key]
        assert (row["pairs"], row["kept"], row["kept_agreement"]) == ("2", "1", "1.0")
    rows = table("agreement-annotators")
    assert sorted(row["compared"] for row in rows) == ["1", "1", "1", "2", "2"]
    assert {row["simulated"] for row in rows} == {"no"}


def test_the_number_of_statements_does_not_grow(visit, project, people):
    def statements() -> int:
        with CaptureQueriesContext(connection) as made:
            visit()
        return len(made)

    judged.pairs(project, [[1] * 5], by=people)
    few = statements()
    judged.pairs(project, [[1] * 5, [0] * 5] * 3, by=judged.people(project, 5))
    assert statements() == few


def test_the_overview_leads_to_it(visit, project):
    assert reverse("agreement", args=[project.public_id]) in visit("researcher", "overview").text
