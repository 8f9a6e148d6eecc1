"""What is in a study's way is counted as it is now."""

import pytest
from django.utils import timezone

from annotation.models import Intervention
from annotation.selectors.dashboard import alerts
from annotation.services import projects
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db


def test_judges_are_people_who_are_given_work_and_two_accounts_of_one_are_one(project):
    people = judged.people(project, 6)
    assert not alerts.of_project(project).too_few_judges
    projects.add_member(project, people[0].user, may_judge=False)
    people[1].paused_at = timezone.now()
    people[1].save()
    found = alerts.of_project(project)
    assert (found.judges, found.correctors, found.paused) == (4, 5, 1)
    assert found.too_few_judges
    cast.same_person(*people[2:4])
    assert alerts.of_project(project).judges == 3
    project.is_open = False
    project.save()
    closed = alerts.of_project(project)
    assert (closed.is_closed, closed.too_few_judges) == (True, False)


def test_flags_count_by_person_until_they_are_lifted(project):
    alice = cast.person(project)
    flagged = []
    for kind in ("flag", "flag", "resume"):
        Intervention.objects.create(membership=alice, kind=kind, reason="Too fast.")
        flagged.append(alerts.of_project(project).flagged)
    assert flagged == [1, 1, 0]


def test_pairs_and_open_candidates_that_are_set_aside_are_counted(project):
    cast.candidates(project, [("A sees b.", "B sees a."), ("C sees d.", "D sees c.")])
    cast.correct_next(cast.person(project))
    project.pairs.update(set_aside_at=timezone.now())
    for correction in project.correction_set.all():
        correction.set_aside_at = timezone.now()
        correction.save()
    found = alerts.of_project(project)
    assert (found.pairs_set_aside, found.corrections_set_aside, found.set_aside) == (1, 1, 2)


def test_a_qualification_that_no_member_has_passed_is_told(project):
    people = judged.people(project, 2)
    assert not alerts.of_project(project).nobody_is_qualified
    project.asks_qualification = True
    project.save()
    assert alerts.of_project(project).nobody_is_qualified
    people[0].qualified_at = timezone.now()
    people[0].save()
    found = alerts.of_project(project)
    assert (found.unqualified, found.judges, found.nobody_is_qualified) == (1, 1, False)
