"""Agreement by group of annotators, on its page and in the report."""

import pytest
from django.urls import reverse

from annotation.agreement import groups
from annotation.models import Project
from annotation.questions import services
from releases.selectors import report_tables
from tests.annotation import judged, make, rest
from tests.annotation.pages import client_of, page, rows_of, statements
from tests.annotation.questions.asking import ask, reply

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(project):
    """Six people who judge twenty pairs, five of them each. The first one judges sixteen."""
    people = judged.people(project, 6)
    votes, by = [], []
    for number in range(20):
        five = [person for place, person in enumerate(people) if place != number % 5]
        votes.append([number % 2] * 4 + [1 - number % 2])
        by.append(five)
    judged.pairs_of(project, votes, by=by)
    ask(project)
    return people


def test_a_group_has_those_who_let_their_replies_be_published(project, people):
    for place, person in enumerate(people):
        reply(person, 0, publishes=place > 0)
    [group] = groups.of_project(Project.objects.get())
    assert (group.question, group.choice, group.people) == ("First language", "German", 5)
    assert group.answers == 100 - 16


def test_a_group_of_four_is_not_told(project, people):
    for place, person in enumerate(people):
        reply(person, 0, publishes=place > 1)
    assert groups.of_project(Project.objects.get()) == []


def test_groups_are_on_the_page_and_in_the_report(project, people):
    for person in people:
        reply(person, 0, publishes=True)
    text = client_of(project, "researcher").get(page("agreement", project)).text
    assert "By group of annotators" in text
    figures = report_tables.figures_of(Project.objects.get(pk=project.pk))
    tables = dict(report_tables.tables(figures))
    header, row = tables["Agreement by group of annotators"]
    assert header[-2:] == ("Different meaning%", "Same meaning%")
    assert row[:3] == ("First language: German", "6", "100")


def test_groups_are_in_a_file_and_in_rest(project, people):
    for person in people:
        reply(person, 0, publishes=True)
    [group] = groups.of_project(Project.objects.get(pk=project.pk))
    address = reverse("table", args=[project.public_id, "agreement-groups"])
    [row] = rows_of(client_of(project, "researcher").get(address))
    assert (row["question"], row["choice"], row["people"]) == ("First language", "German", "6")
    assert float(row["alpha_high"]) == group.alpha.interval[1]
    assert (int(row["label_0"]), int(row["label_1"])) == group.outcomes
    researcher = rest.client_of(make.person(project, role="researcher").user)
    figures = researcher.get(f"/api/projects/{project.public_id}/agreement/").json()
    [in_rest] = figures["groups"]
    assert in_rest["outcomes"] == list(group.outcomes)
    assert in_rest["alpha"] == {"value": group.alpha.value, "interval": list(group.alpha.interval)}


def test_a_study_without_questions_costs_no_more(project, people):
    client, address = client_of(project), page("agreement", project)
    services.remove(project.questions.get(), by=None)
    before = statements(client, address)
    question = ask(project)
    for person in people:
        reply(person, 0, publishes=True)
    assert statements(client, address) > before
    services.retire(question, by=None)
    assert statements(client, address) == before
