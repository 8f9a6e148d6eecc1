"""How people come into a project: links, the steps before work, and the roles that they get."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Invitation, Membership, Project, Role
from annotation.selectors.admission import Step, step_of
from annotation.selectors.invitations import State, find, of_project, state_of
from annotation.services import admission, invitations, people
from tests.annotation import cast

CONSENT = "We store your answers."
new_user = User.objects.create_user


@pytest.fixture
def project(db):
    return cast.study()


@pytest.fixture
def manager(project):
    return cast.person(project, role=Role.MANAGER)


def make(project, by, **options):
    end = {"expires_at": timezone.now() + timedelta(days=1)}
    return invitations.create(project, by=by.user, **(end | options))


def test_who_accepts_gets_the_offered_place_once_by_a_secret_that_is_not_stored(project, manager):
    invitation, secret = make(project, manager, role=Role.RESEARCHER, may_correct=False)
    assert len(secret) == 43
    assert secret not in str(Invitation.objects.values().get())
    assert find(secret) == invitation
    ada = new_user("ada")
    place = invitations.accept(secret, ada)
    assert (place.role, place.may_correct, place.may_judge) == (Role.RESEARCHER, False, True)
    assert place.invitation == invitation
    assert invitations.accept(secret, ada) == place
    assert invitation.memberships.count() == 1


def test_a_member_keeps_their_place_as_it_is_whatever_is_offered(project, manager):
    member = cast.person(project, role=Role.RESEARCHER, may_judge=False)
    for offered in Role:
        place = invitations.accept(make(project, manager, role=offered)[1], member.user)
        assert (place.pk, place.role, place.may_judge) == (member.pk, Role.RESEARCHER, False)
        assert place.invitation is None


def test_no_more_people_join_than_it_was_made_for(project, manager):
    invitation, secret = make(project, manager, most_people=2)
    ada, _ben = (invitations.accept(secret, new_user(name)) for name in ("ada", "ben"))
    with pytest.raises(invitations.Closed, match="has joined already"):
        invitations.accept(secret, new_user("cleo"))
    assert project.memberships.count() == 3
    ada.delete()
    assert state_of(invitation) is State.OPEN


def test_an_expired_or_revoked_invitation_is_closed_and_who_joined_stays(project, manager):
    invitation, secret = make(project, manager, most_people=5)
    assert invitations.is_open(str(invitation.public_id))
    ada, ben = new_user("ada"), new_user("ben")
    place = invitations.accept(secret, ada)
    Invitation.objects.update(expires_at=timezone.now())
    assert not invitations.is_open(str(invitation.public_id))
    with pytest.raises(invitations.Closed, match="expired"):
        invitations.accept(secret, ben)
    invitations.revoke(invitation)
    first = Invitation.objects.get().revoked_at
    invitations.revoke(invitation)
    assert Invitation.objects.get().revoked_at == first
    with pytest.raises(invitations.Closed, match="taken back"):
        invitations.accept(secret, ben)
    assert invitations.accept(secret, ada) == place


def test_a_wrong_secret_finds_nothing_and_a_senseless_invitation_is_not_made(project, manager):
    ada, over = new_user("ada"), {"expires_at": timezone.now()}
    for options in ({"most_people": 0}, {"role": "owner"}, {"note": "x" * 201}, over):
        with pytest.raises(ValidationError):
            make(project, manager, **options)
    assert Invitation.objects.count() == 0
    make(project, manager)
    for wrong in ("", "x", "x" * 5000, "\ud800", "é" * 43):
        with pytest.raises(Invitation.DoesNotExist):
            invitations.accept(wrong, ada)
    assert not Membership.objects.filter(user=ada).exists()


def test_managers_see_who_joined_and_what_is_open_in_one_query(
    project, manager, django_assert_num_queries
):
    _full, secret = make(project, manager, note="first")
    invitations.accept(secret, new_user("ada"))
    revoked, _secret = make(project, manager, note="second")
    invitations.revoke(revoked)
    make(project, manager, note="third", most_people=3)
    with django_assert_num_queries(1):
        found = [(each.invitation.note, each.joined, each.state) for each in of_project(project)]
    assert found == [
        ("third", 0, State.OPEN),
        ("second", 0, State.REVOKED),
        ("first", 1, State.FULL),
    ]


def reloaded(member):
    return Membership.objects.select_related("project").get(pk=member.pk)


@pytest.fixture
def member(db):
    """Of a project that asks for consent."""
    return cast.person(cast.study(consent=CONSENT, consent_changed_at=timezone.now()))


def test_consent_comes_first_then_qualification_then_work(db, member):
    assert step_of(cast.person(cast.study())) is Step.READY
    Project.objects.update(asks_qualification=True, attempts=1)
    assert step_of(reloaded(member)) is Step.CONSENT
    admission.agree(member, version=admission.version_of(CONSENT))
    assert step_of(reloaded(member)) is Step.QUALIFICATION
    member.attempts.create(number=1, finished_at=timezone.now(), share=0.1, passed=False)
    assert step_of(reloaded(member)) is Step.FAILED


def test_who_agrees_is_admitted_until_the_text_changes(member):
    read = admission.version_of(CONSENT)
    admission.agree(member, version=read)
    assert reloaded(member).is_admitted
    assert step_of(reloaded(member)) is Step.READY
    first = reloaded(member).consented_at
    admission.agree(reloaded(member), version=read)
    assert reloaded(member).consented_at == first
    Project.objects.update(consent="We keep them longer.", consent_changed_at=timezone.now())
    assert step_of(reloaded(member)) is Step.CONSENT
    with pytest.raises(Refused, match="changed while you were reading"):
        admission.agree(reloaded(member), version=read)
    assert reloaded(member).consented_at == first


def test_a_role_and_the_work_are_changed_together_but_a_manager_who_can_sign_in_stays(
    project, manager
):
    annotator = {"role": Role.ANNOTATOR, "may_correct": False, "may_judge": True}
    gone, other = (cast.person(project, role=Role.MANAGER) for _ in range(2))
    member = cast.person(project)
    gone.user.is_active = False
    gone.user.save()
    people.change(member, **(annotator | {"role": Role.RESEARCHER}))
    stored = reloaded(member)
    assert (stored.role, stored.may_correct, stored.may_judge) == (Role.RESEARCHER, False, True)
    people.change(manager, **(annotator | {"role": Role.MANAGER}))
    people.change(other, **annotator)
    with pytest.raises(Refused, match="at least one manager"):
        people.change(manager, **annotator)
    assert reloaded(manager).role == Role.MANAGER
