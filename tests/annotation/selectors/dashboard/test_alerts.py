"""What stands in a study's way is counted as it is now."""

import pytest
from django.utils import timezone

from annotation.models import Intervention
from annotation.selectors.dashboard import alerts
from annotation.services import projects
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return cast.study()


def test_people_are_judges_while_they_are_given_work(project):
    people = judged.people(project, 3)
    projects.add_member(project, people[0].user, may_judge=False)
    people[1].paused_at = timezone.now()
    people[1].save()
    found = alerts.of_project(project)
    assert (found.judges, found.correctors, found.paused) == (1, 2, 1)
    assert found.too_few_judges


def test_two_accounts_of_one_person_are_one_judge(project):
    people = judged.people(project, 5)
    assert not alerts.of_project(project).too_few_judges
    people[1].user.main_account = people[0].user
    people[1].user.save()
    found = alerts.of_project(project)
    assert found.judges == 4
    assert found.too_few_judges


def test_flags_count_by_person_until_they_are_lifted(project):
    alice = cast.person(project)
    for reason in ("Too fast.", "Always the same."):
        Intervention.objects.create(membership=alice, kind="flag", reason=reason)
    assert alerts.of_project(project).flagged == 1
    Intervention.objects.create(membership=alice, kind="resume", reason="It was a misclick.")
    assert alerts.of_project(project).flagged == 0


def test_pairs_and_open_candidates_that_are_set_aside_are_counted(project):
    cast.candidates(project, [("A sees b.", "B sees a."), ("C sees d.", "D sees c.")])
    cast.correct_next(cast.person(project))
    project.pairs.update(set_aside_at=timezone.now())
    for correction in project.correction_set.all():
        correction.set_aside_at = timezone.now()
        correction.save()
    found = alerts.of_project(project)
    assert (found.pairs_set_aside, found.corrections_set_aside, found.set_aside) == (1, 1, 2)


def test_a_qualification_that_nobody_has_passed(project):
    people = judged.people(project, 2)
    assert not alerts.of_project(project).nobody_is_qualified
    project.asks_qualification = True
    project.save()
    assert alerts.of_project(project).nobody_is_qualified
    people[0].qualified_at = timezone.now()
    people[0].save()
    found = alerts.of_project(project)
    assert (found.unqualified, found.judges, found.nobody_is_qualified) == (1, 1, False)


def test_a_closed_project_lacks_nobody(project):
    project.is_open = False
    project.save()
    found = alerts.of_project(project)
    assert found.is_closed
    assert not found.too_few_judges
