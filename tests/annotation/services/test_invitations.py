"""Links that bring people in: whom they let in, and whom not."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import User
from annotation.models import Invitation, Membership, Project, Role
from annotation.selectors.invitations import State, find, of_project, state_of
from annotation.services import invitations
from tests.annotation import cast


@pytest.fixture
def project(db: None) -> Project:
    return cast.study()


@pytest.fixture
def manager(project: Project) -> User:
    return cast.person(project, role=Role.MANAGER).user


def make(project: Project, by: User, **options: object) -> tuple[Invitation, str]:
    end = {"expires_at": timezone.now() + timedelta(days=1)}
    return invitations.create(project, by=by, **(end | options))


def newcomer(name: str) -> User:
    return User.objects.create_user(name)


def test_the_secret_is_long_and_stands_nowhere_in_the_row(project, manager):
    invitation, secret = make(project, manager)
    assert len(secret) == 43
    columns = Invitation.objects.filter(pk=invitation.pk).values().get()
    assert secret not in str(columns)
    assert find(secret) == invitation


def test_who_accepts_gets_the_place_that_was_offered(project, manager):
    invitation, secret = make(project, manager, role=Role.RESEARCHER, may_correct=False)
    place = invitations.accept(secret, newcomer("ada"))
    assert (place.role, place.may_correct, place.may_judge) == (Role.RESEARCHER, False, True)
    assert place.invitation == invitation


def test_accepting_twice_is_accepting_once(project, manager):
    invitation, secret = make(project, manager)
    ada = newcomer("ada")
    assert invitations.accept(secret, ada) == invitations.accept(secret, ada)
    assert invitation.memberships.count() == 1


@pytest.mark.parametrize("offered", Role)
def test_who_is_in_the_project_keeps_their_place_as_it_is(project, manager, offered):
    member = cast.person(project, role=Role.RESEARCHER, may_judge=False)
    invitation, secret = make(project, manager, role=offered)
    place = invitations.accept(secret, member.user)
    assert (place.pk, place.role, place.may_judge) == (member.pk, Role.RESEARCHER, False)
    assert invitation.memberships.count() == 0


def test_no_more_people_come_in_than_it_was_made_for(project, manager):
    _invitation, secret = make(project, manager, most_people=2)
    for name in ("ada", "ben"):
        invitations.accept(secret, newcomer(name))
    with pytest.raises(invitations.Closed, match="has joined already"):
        invitations.accept(secret, newcomer("cleo"))
    assert project.memberships.count() == 3


def test_an_expired_invitation_lets_nobody_in(project, manager):
    invitation, secret = make(project, manager)
    Invitation.objects.update(expires_at=timezone.now())
    with pytest.raises(invitations.Closed, match="expired"):
        invitations.accept(secret, newcomer("ada"))
    assert not invitations.is_open(str(invitation.public_id))


def test_a_revoked_invitation_lets_nobody_in_and_who_came_in_stays(project, manager):
    invitation, secret = make(project, manager, most_people=5)
    place = invitations.accept(secret, newcomer("ada"))
    invitations.revoke(invitation)
    with pytest.raises(invitations.Closed, match="taken back"):
        invitations.accept(secret, newcomer("ben"))
    assert invitations.accept(secret, place.user) == place


def test_the_moment_of_the_first_revocation_is_kept(project, manager):
    invitation, _secret = make(project, manager)
    invitations.revoke(invitation)
    first = Invitation.objects.get().revoked_at
    invitations.revoke(invitation)
    assert Invitation.objects.get().revoked_at == first


@pytest.mark.parametrize("wrong", ["", "x", "x" * 5000, "\ud800", "é" * 43])
def test_a_wrong_secret_finds_nothing(project, manager, wrong):
    make(project, manager)
    with pytest.raises(Invitation.DoesNotExist):
        invitations.accept(wrong, newcomer("ada"))
    assert Membership.objects.filter(user__username="ada").count() == 0


@pytest.mark.parametrize("options", [{"most_people": 0}, {"role": "owner"}, {"note": "x" * 201}])
def test_an_invitation_that_makes_no_sense_is_not_made(project, manager, options):
    with pytest.raises(ValidationError):
        make(project, manager, **options)
    assert Invitation.objects.count() == 0


def test_an_invitation_that_is_over_before_it_begins_is_not_made(project, manager):
    with pytest.raises(ValidationError):
        make(project, manager, expires_at=timezone.now())


def test_managers_see_how_many_joined_and_what_stands_open(project, manager):
    _full, secret = make(project, manager, note="first")
    invitations.accept(secret, newcomer("ada"))
    revoked, _secret = make(project, manager, note="second")
    invitations.revoke(revoked)
    make(project, manager, note="third", most_people=3)
    listed = [(each.invitation.note, each.joined, each.state) for each in of_project(project)]
    assert listed == [
        ("third", 0, State.OPEN),
        ("second", 0, State.REVOKED),
        ("first", 1, State.FULL),
    ]


def test_the_list_costs_the_same_for_many(project, manager, django_assert_num_queries):
    for _ in range(5):
        make(project, manager)
    with django_assert_num_queries(1):
        of_project(project)


def test_a_place_becomes_free_again_when_somebody_leaves(project, manager):
    invitation, secret = make(project, manager)
    invitations.accept(secret, newcomer("ada")).delete()
    assert state_of(invitation) is State.OPEN
