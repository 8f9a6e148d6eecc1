"""Planning a study: the command and the page."""

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.selectors.measured import measured
from tests.annotation import judged, make

pytestmark = pytest.mark.django_db


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
