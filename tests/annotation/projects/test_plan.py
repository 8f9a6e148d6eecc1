"""Planning a study: the command and the page."""

import html
import re

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.labels import GRADES
from annotation.projects.selectors.measured import measured
from tests.annotation import judged, make
from tests.annotation.pages import client_of

PLAN = "/projects/plan/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def manager():
    return client_of(make.study())


def study_with(answers, *, wrong):
    """A study of pairs with four equal answers and one that is other in `wrong` of them."""
    project, pairs = make.study(), answers // 5
    votes = [[1, 1, 1, 1, int(n >= wrong)] for n in range(pairs)]
    judged.pairs(project, votes, by=judged.people(project, 5))
    return project


def test_a_study_is_planned_by_command(printed):
    out = printed("plan_study", pairs=1000, people=10, pay=15.0)
    assert "an answer takes 8.0 seconds" in out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert {"answers 5,000", "answers per person 500", "hours 11.1", "cost 166.67"} <= {*lines}
    assert "4 of 5 votes 1,000 877 87.7% 99.0%" in lines


def test_a_command_refuses_more_answers_than_people():
    with pytest.raises(CommandError, match="4 people cannot give 5 answers"):
        call_command("plan_study", pairs=1000, people=4)


def test_a_command_refuses_more_votes_than_people():
    with pytest.raises(CommandError, match="Only 3 people judge each pair, so 4 votes are imp"):
        call_command("plan_study", pairs=1000, people=8, preset="graded", votes=4)


def test_errors_are_those_of_a_study(printed):
    project = study_with(500, wrong=20)
    assert 0.03 < measured(project).error < 0.06
    out = printed("plan_study", pairs=1000, people=10, project=project.name)
    assert f"{measured(project).error:.1%} of answers are wrong; an answer" in out


def test_a_study_with_few_answers_says_how_many_are_needed():
    project = study_with(195, wrong=0)
    with pytest.raises(CommandError, match=r"have 195 answers.*from 200 answers on"):
        call_command("plan_study", pairs=1000, people=10, project=project.name)


def links(reply):
    return re.findall(r'href="(/projects/new/[?][^"]+)"', reply.text)


def test_the_page_plans_paws_at_first(manager):
    planned = manager.get(PLAN).context["plan"]
    assert (planned.answers, round(planned.quality.kept, 3)) == (5000, 0.877)


def test_numbers_of_the_address_are_planned(manager):
    sent = {"basis": "graded", "people": "9", "judgments_per_pair": "5", "error": "20"}
    study = manager.get(PLAN, sent | {"consensus_min_votes": ""}).context["plan"].study
    assert (study.people, study.error) == (9, 0.2)
    assert (study.protocol.judgments_per_pair, study.protocol.consensus_min_votes) == (5, 2)
    assert study.protocol.scheme == GRADES


def test_a_link_of_the_plan_fills_in_the_form_of_a_new_project(manager):
    address = html.unescape(links(manager.get(PLAN, {"basis": "graded"}))[-2])
    form = manager.get(address).context["form"]
    values = [form[name].value() for name in ("judgments_per_pair", "consensus_min_votes")]
    assert values == [5, 4]
    assert form["scheme"].value() == GRADES


def test_a_link_of_the_plan_fills_in_how_many_more_people_are_asked(manager):
    address = html.unescape(links(manager.get(PLAN))[-1])
    form = manager.get(address).context["form"]
    assert (form["judgments_per_pair"].value(), form["judgments_at_most"].value()) == (5, 7)


def test_a_study_that_asks_more_people_is_planned_by_command(printed):
    out = printed("plan_study", pairs=1000, people=10, votes=3, judgments=3, judgments_at_most=7)
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "people needed 7" in lines
    assert any(line.startswith("3 of 3 votes, up to 7") for line in lines)


def test_a_command_refuses_to_ask_more_people_where_half_of_the_votes_keep_a_pair():
    with pytest.raises(CommandError, match="more than half of the first must agree"):
        call_command("plan_study", pairs=10, people=9, judgments=4, votes=2, judgments_at_most=6)


@pytest.mark.parametrize("numbers", ["judgments_per_pair=x", "consensus_min_votes=9"])
def test_a_new_project_takes_only_numbers_that_can_be(manager, numbers):
    assert manager.get(f"/projects/new/?{numbers}").status_code == 404


def test_the_page_explains_numbers_that_cannot_be(manager):
    reply = manager.get(PLAN, {"people": 4})
    assert reply.status_code == 422
    assert "4 people cannot give 5 answers." in reply.text


def test_a_study_that_one_reads_gives_its_error_rate():
    project = study_with(500, wrong=20)
    reply = client_of(project).get(PLAN, {"basis": project.public_id})
    study = reply.context["plan"].study
    assert (study.error, study.hard_share) == (measured(project).error, 0)


def test_a_study_that_one_does_not_read_is_no_basis(manager):
    assert manager.get(PLAN, {"basis": make.study().public_id}).status_code == 422
