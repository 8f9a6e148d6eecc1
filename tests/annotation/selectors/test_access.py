"""What somebody may steer, and the place that they have in a project."""

import pytest

from accounts.models import User
from annotation.models import Membership
from annotation.selectors import access
from tests.annotation import cast

pytestmark = pytest.mark.django_db
Role = Membership.Role


@pytest.fixture
def project():
    project = cast.study()
    cast.pairs(project, 1)
    return project


def test_a_place_is_read_with_its_person_and_its_project(project, django_assert_num_queries):
    alice = cast.person(project, may_correct=False)
    with django_assert_num_queries(1):
        found = access.membership_for(alice.user_id, project.public_id)
        assert (found, found.user, found.project) == (alice, alice.user, project)
        assert found.may_correct is False


def test_who_has_no_place_has_none(project):
    stranger = cast.person(cast.study(), role=Role.MANAGER)
    with pytest.raises(Membership.DoesNotExist):
        access.membership_for(stranger.user_id, project.public_id)


@pytest.mark.parametrize("role", Role)
def test_managers_steer_their_project_and_its_runs(project, role):
    person = cast.person(project, role=role).user
    steers = role == Role.MANAGER
    assert list(access.managed(person)) == [project] * steers
    assert list(access.steerable(person)) == list(project.runs.all()) * steers


def test_managers_of_other_projects_steer_nothing_here(project):
    stranger = cast.person(cast.study(), role=Role.MANAGER).user
    assert project not in access.managed(stranger)
    assert not access.steerable(stranger).exists()


def test_an_administrator_steers_everything(project):
    root = User.objects.create_superuser("root")
    assert list(access.managed(root)) == [project]
    assert list(access.steerable(root)) == list(project.runs.all())
