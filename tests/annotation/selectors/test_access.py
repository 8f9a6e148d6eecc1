"""The place of a person in a project, what they may steer, and what they are called there."""

import pytest

from accounts.models import User
from annotation.models import Membership, Project
from annotation.selectors import access, naming, pseudonyms
from tests.annotation import cast

Role = Membership.Role


@pytest.mark.django_db
@pytest.mark.both_engines
def test_a_place_is_read_at_once_with_its_person_and_its_project(django_assert_num_queries):
    project = cast.study()
    alice, stranger = cast.person(project, may_correct=False), cast.person(cast.study())
    with django_assert_num_queries(1):
        found = access.membership_for(alice.user_id, project.public_id)
        assert (found, found.user, found.project) == (alice, alice.user, project)
        assert found.may_correct is False
    with pytest.raises(Membership.DoesNotExist):
        access.membership_for(stranger.user_id, project.public_id)


@pytest.mark.django_db
def test_managers_steer_their_project_and_its_runs_and_administrators_all():
    project, other = cast.study(), cast.study()
    for each in (project, other):
        cast.pairs(each, 1)
    for role in Role:
        person, steers = cast.person(project, role=role).user, role == Role.MANAGER
        assert list(access.managed(person)) == [project] * steers
        assert list(access.steerable(person)) == list(project.runs.all()) * steers
    root = User.objects.create_superuser("root")
    assert set(access.managed(root)) == {project, other}
    assert access.steerable(root).count() == 2


def test_names_are_for_managers_and_pseudonyms_of_one_project_for_all_others(settings):
    project, ada = Project(), User(pk=7, username="Ada")
    pseudonym = pseudonyms.within(project, 7)
    for role in Role:
        reader = Membership(project=project, user=User(), role=role)
        called, name = naming.for_reader(reader), "Ada" if role == Role.MANAGER else pseudonym
        assert (called.of(ada), called.of_id(7, "Ada"), called.of(None)) == (name, name, "")
        assert called.order(ada) == name.casefold()
    others = {pseudonyms.within(project, 8), pseudonyms.within(Project(), 7)}
    settings.SECRET_KEY = "another"  # of another installation
    assert len({pseudonym, *others, pseudonyms.within(project, 7)}) == 4
