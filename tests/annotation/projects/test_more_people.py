"""How many more people may be asked: said and refused where a project is made and changed."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from annotation.models import Project
from annotation.projects.labels import GRADES
from annotation.projects.services import projects
from tests.annotation import make
from tests.annotation.pages import page, scheme_inputs, signed_in

pytestmark = pytest.mark.django_db
SENT = {"name": "Towns", "order": "depth", "seed": 1, "judgments_per_pair": 3}
SENT |= scheme_inputs(GRADES)
TOO_WEAK = "More people can be asked only where more than half of the first must agree."
EARLY_TOO = "A study stops early or asks more. Ask fewer people first instead."


@pytest.fixture
def client():
    return signed_in(make.person(make.study(), role="manager").user)


def test_a_project_is_made_that_asks_more_people(client):
    sent = SENT | {"consensus_min_votes": 3, "judgments_at_most": 7}
    assert client.post("/projects/new/", sent).status_code == 302
    assert Project.objects.get(name="Towns").judgments_at_most == 7


def test_as_many_people_at_most_as_at_first_are_no_more_people(client):
    sent = SENT | {"consensus_min_votes": 3, "judgments_at_most": 3}
    assert client.post("/projects/new/", sent).status_code == 302
    assert Project.objects.get(name="Towns").judgments_at_most is None


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"judgments_at_most": 2}, "This is fewer than the people who judge each pair first."),
        ({"judgments_at_most": 16}, "less than or equal to 15"),
        ({"judgments_at_most": 5, "consensus_min_votes": 1}, TOO_WEAK),
        ({"judgments_at_most": 5, "decides_early": "on"}, EARLY_TOO),
    ],
)
def test_a_project_with_impossible_numbers_is_explained(client, numbers, message):
    reply = client.post("/projects/new/", SENT | {"consensus_min_votes": 2} | numbers)
    assert reply.status_code == 422
    assert message in " ".join(reply.context["form"].errors["judgments_at_most"])


def test_the_form_says_what_its_numbers_mean(client):
    sent = SENT | {"consensus_min_votes": 3, "judgments_at_most": 7}
    text = client.post("/projects/protocol/", sent).text
    assert "up to 7 in all, until one label leads all others together by 3" in " ".join(
        text.split()
    )


def test_the_number_is_fixed_once_there_are_pairs():
    project = make.study()
    make.pairs(project, 1)
    manager = make.person(project, role="manager").user
    with pytest.raises(ValidationError, match="This setting is locked"):
        projects.change(project, {"judgments_at_most": 7}, by=manager)


def test_a_command_makes_a_project_that_asks_more_people():
    call_command("create_project", "Towns", judgments_at_most=7)
    assert Project.objects.get(name="Towns").judgments_at_most == 7


def test_a_command_explains_a_number_that_cannot_be():
    with pytest.raises(CommandError, match="fewer than the people who judge each pair first"):
        call_command("create_project", "Towns", judgments_at_most=3)


def test_the_page_of_agreement_says_whose_it_is():
    project = make.study(judgments_at_most=7)
    make.pairs(project, 1)
    for label in (1, 1, 0, 1, 1):
        make.judge_next(make.person(project), label)
    reply = signed_in(make.person(project, role="manager").user).get(page("agreement", project))
    assert "Agreement is that of the first 5 answers" in reply.text
