"""A project as a whole: who creates it, its duplicate, its archive, its end; and who leaves it."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from annotation.access import readers
from annotation.errors import Refused
from annotation.models import Membership, Project, Role, Slot
from annotation.pairs.labelled_lines import GoldPair
from annotation.pairs.services import intake
from annotation.people.selectors import workforce
from annotation.people.services import invitations, members
from annotation.projects.services import lifecycle, projects
from annotation.quality.services import qualification
from annotation.work import waiting
from tests.annotation import make


@pytest.fixture
def manager(project):
    return make.person(project, role=Role.MANAGER)


def test_managers_create_projects_unless_an_administrator_decides_otherwise(project, manager):
    stranger, root = User.objects.create_user("bo"), User.objects.create_superuser("root")
    researcher = make.person(project, role=Role.RESEARCHER).user
    for user, usual in ((manager.user, True), (researcher, False), (stranger, False)):
        assert readers.may_create(user) is usual
        for decided in (True, False):
            user.may_create_projects = decided
            assert readers.may_create(user) is decided
    assert readers.may_create(root)


def test_a_duplicate_has_the_settings_and_the_qualification_set_and_nobody_elses_data(manager):
    project = manager.project
    settings = {"guidelines": "Read *twice*.", "consent": "You may stop.", "attempts": 4}
    projects.change(project, settings, by=manager.user)
    qualification.add(project, [GoldPair("A b.", "B a.", 0, "Swapped.")])
    make.pairs(project, 2)
    copy = lifecycle.duplicate(project, name="Again", by=manager.user)
    assert {name: getattr(copy, name) for name in settings} == settings
    assert copy.qualification_pairs.get().explanation == "Swapped."
    assert [each.user for each in copy.memberships.all()] == [manager.user]
    assert (copy.items.count(), copy.runs.count()) == (0, 0)
    with pytest.raises(ValidationError):
        lifecycle.duplicate(project, name="Again", by=manager.user)


def test_an_archived_project_hands_out_nothing_and_takes_in_nothing_until_it_is_restored(manager):
    project, ada = manager.project, make.person(manager.project)
    make.pairs(project, 2)
    make.claim(ada)
    lifecycle.archive(project, by=manager.user)
    assert not Slot.objects.in_progress().exists()
    ada = Membership.objects.get(pk=ada.pk)
    assert waiting.items_for(ada.duty("judge")) == 0
    elsewhere = make.study()
    make.pairs(elsewhere, 1)
    project.runs.add(elsewhere.runs.get())
    assert intake.take_in_all() == 0
    with pytest.raises(ValidationError):
        projects.change(project, {"is_open": True}, by=manager.user)
    with pytest.raises(IntegrityError), transaction.atomic():
        Project.objects.filter(pk=project.pk).update(is_open=True)
    lifecycle.restore(project, by=manager.user)
    assert intake.take_in_all() == 1
    projects.change(project, {"is_open": True}, by=manager.user)
    ada = Membership.objects.get(pk=ada.pk)
    assert waiting.items_for(ada.duty("judge")) == 3


def test_only_an_empty_project_is_deleted(manager):
    project = manager.project
    qualification.add(project, [GoldPair("A b.", "B a.", 0, "")])
    full = make.study()
    make.pairs(full, 1)
    with pytest.raises(Refused):
        lifecycle.delete(full, by=manager.user)
    lifecycle.delete(project, by=manager.user)
    assert list(Project.objects.all()) == [full]


def test_who_is_removed_gets_nothing_more_and_their_answers_stay(manager):
    project, ada = manager.project, make.person(manager.project)
    make.pairs(project, 2)
    make.submit(ada, item=make.claim(ada).item.public_id, label=1)
    make.claim(ada)
    tomorrow = timezone.now() + timedelta(days=1)
    offer = {"by": manager.user, "expires_at": tomorrow, "most_people": 9}
    invitation, _secret = invitations.create(project, **offer)
    members.remove(ada, by=manager.user)
    slots = Slot.objects.of_member(ada)
    assert (slots.answered().count(), slots.in_progress().count()) == (1, 0)
    assert not workforce.people(project)["judge"]
    with pytest.raises(invitations.Closed):
        invitations.join(str(invitation.public_id), ada.user)
    members.change(ada, role=Role.ANNOTATOR, kinds=["judge"], by=manager.user)
    assert workforce.people(project)["judge"] == {ada.user_id}
    with pytest.raises(Refused):
        members.remove(manager, by=manager.user)


def test_a_project_goes_to_another_member_who_can_sign_in(manager):
    ada, closed = make.person(manager.project), make.person(manager.project)
    User.objects.filter(pk=closed.user_id).update(is_active=False)
    closed.user.refresh_from_db()
    for other in (closed, manager):
        with pytest.raises(Refused):
            members.transfer(manager, to=other, by=manager.user)
    members.transfer(manager, to=ada, by=manager.user)
    roles = {each.user_id: (each.role, each.kinds) for each in manager.project.memberships.all()}
    assert roles[ada.user_id] == (Role.MANAGER, [])
    assert roles[manager.user_id] == (Role.RESEARCHER, [])


def test_a_password_link_leads_to_nothing_that_its_maker_does_not_manage(manager):
    project = manager.project
    ada, boss, two = (make.person(project) for _ in range(3))
    User.objects.filter(pk=boss.user_id).update(is_staff=True)
    boss.user.refresh_from_db()
    elsewhere = projects.add_member(make.study(), two.user)
    assert members.new_password_link(ada, by=manager.user).startswith("/accounts/")
    for other in (boss, two, manager):
        with pytest.raises(Refused):
            members.new_password_link(other, by=manager.user)
    Membership.objects.filter(pk=elsewhere.pk).update(role=Role.REMOVED)
    assert members.new_password_link(two, by=manager.user)
