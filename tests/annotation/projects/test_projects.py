"""A project: its settings, who may change them, and how people come into it."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.audited_acts import Act
from accounts.models import AuditEntry, User
from annotation.errors import Refused
from annotation.models import Invitation, Membership, Project, Role
from annotation.people.selectors.invitations import State, find, of_project, state_of
from annotation.people.selectors.members import Step, step_of
from annotation.people.services import invitations, members
from annotation.projects.labels import GRADES
from annotation.projects.selectors import history
from annotation.projects.services import projects
from annotation.runs import services as runs
from annotation.runs.selectors import runs as project_runs
from tests.annotation import make

new_user = User.objects.create_user


@pytest.fixture
def ada(db):
    return new_user("ada")


@pytest.fixture
def invite(project):
    """Makes an invitation; returns it and its secret."""
    manager = make.person(project, role=Role.MANAGER).user
    end = {"expires_at": timezone.now() + timedelta(days=1)}
    return lambda **options: invitations.create(project, by=manager, **(end | options))


def accept(secret, user):
    return invitations.join(str(find(secret).public_id), user)


def reloaded(member):
    return Membership.objects.select_related("project").get(pk=member.pk)


def test_who_accepts_gets_the_offered_place_once_by_a_secret_that_is_not_stored(invite, ada):
    invitation, secret = invite(role=Role.RESEARCHER, kinds=["judge"])
    assert len(secret) == 43
    assert secret not in str(Invitation.objects.values().get())
    assert find(secret) == invitation
    place = accept(secret, ada)
    assert (place.role, place.kinds) == (Role.RESEARCHER, ["judge"])
    assert place.invitation == invitation
    assert accept(secret, ada) == place
    assert invitation.memberships.count() == 1


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.MANAGER])
def test_who_may_see_votes_gets_no_work_unless_that_is_allowed_on_record(project, invite, role):
    assert accept(invite(role=role)[1], new_user("ben")).kinds == []
    assert make.person(project, role=role).kinds == []
    assert make.person(project).kinds == project.kinds
    allowed = make.person(project, role=role, kinds=["judge"])
    assert allowed.kinds == ["judge"]
    added = AuditEntry.objects.filter(act=Act.MEMBER_ADDED).latest("pk")
    assert (added.public_id, added.details["kinds"]) == (allowed.user.public_id, ["judge"])
    invite(role=role, kinds=["judge"])
    assert AuditEntry.objects.latest("pk").details["kinds"] == ["judge"]
    assert members.allowed_kinds(role, ["judge"], despite_votes=False) == []


def test_a_member_keeps_their_place_as_it_is_whatever_is_offered(project, invite):
    member = make.person(project, role=Role.RESEARCHER, kinds=["correct"])
    for offered in set(Role) - {Role.REMOVED}:
        place = accept(invite(role=offered)[1], member.user)
        assert (place.pk, place.role, place.kinds) == (member.pk, Role.RESEARCHER, ["correct"])
        assert place.invitation is None


def test_no_more_people_join_than_it_was_made_for(project, invite, ada):
    invitation, secret = invite(most_people=2)
    place, _ = (accept(secret, each) for each in (ada, new_user("ben")))
    with pytest.raises(invitations.Closed, match="has already joined"):
        accept(secret, new_user("cleo"))
    assert project.memberships.count() == 3
    assert [(each.joined, state) for each, state in of_project(project)] == [(2, State.FULL)]
    place.delete()
    assert state_of(invitation) is State.OPEN


def test_an_expired_or_revoked_invitation_is_closed_and_who_joined_stays(invite, ada):
    invitation, secret = invite(most_people=5)
    assert invitations.is_open(str(invitation.public_id))
    ben = new_user("ben")
    place = accept(secret, ada)
    Invitation.objects.update(expires_at=timezone.now())
    assert not invitations.is_open(str(invitation.public_id))
    with pytest.raises(invitations.Closed, match="expired"):
        accept(secret, ben)
    invitations.revoke(invitation)
    first = Invitation.objects.get().revoked_at
    invitations.revoke(invitation)
    assert Invitation.objects.get().revoked_at == first
    with pytest.raises(invitations.Closed, match="been revoked"):
        accept(secret, ben)
    later = invite()[0]
    listed = [(each, each.joined, state) for each, state in of_project(invitation.project)]
    assert listed == [(later, 0, State.OPEN), (invitation, 1, State.REVOKED)]
    assert accept(secret, ada) == place


def test_a_wrong_secret_finds_nothing_and_an_invalid_invitation_is_not_created(invite):
    over = {"expires_at": timezone.now()}
    for options in ({"most_people": 0}, {"role": "owner"}, {"note": "x" * 201}, over):
        with pytest.raises(ValidationError):
            invite(**options)
    assert Invitation.objects.count() == 0
    invite()
    for wrong in ("", "x", "x" * 5000, "\ud800", "é" * 43):
        with pytest.raises(Invitation.DoesNotExist):
            find(wrong)


def test_consent_comes_first_then_qualification_then_work(project):
    member = make.person(project)
    assert step_of(member) is Step.READY
    asked = {"consent": "We store your answers.", "consent_changed_at": timezone.now()}
    Project.objects.update(asks_qualification=True, attempts=1, **asked)
    assert step_of(reloaded(member)) is Step.CONSENT
    read = members.version_of(asked["consent"])
    members.agree(reloaded(member), version=read)
    first = reloaded(member).consented_at
    members.agree(reloaded(member), version=read)
    assert reloaded(member).consented_at == first
    assert step_of(reloaded(member)) is Step.QUALIFICATION
    member.attempts.create(number=1, finished_at=timezone.now(), share=0.1, passed=False)
    assert step_of(reloaded(member)) is Step.FAILED
    Project.objects.update(asks_qualification=False)
    assert step_of(reloaded(member)) is Step.READY
    assert reloaded(member).is_admitted
    Project.objects.update(consent="We keep them longer.", consent_changed_at=timezone.now())
    assert step_of(reloaded(member)) is Step.CONSENT
    with pytest.raises(Refused, match="changed while you were reading"):
        members.agree(reloaded(member), version=read)


def test_a_manager_who_cannot_sign_in_does_not_count_as_the_last_one(project):
    manager, gone, other = (make.person(project, role=Role.MANAGER) for _ in range(3))
    gone.user.is_active = False
    gone.user.save()
    annotator = {"role": Role.ANNOTATOR, "kinds": ["judge"]}
    members.change(other, **annotator)
    changed = reloaded(other)
    assert {"role": changed.role, "kinds": changed.kinds} == annotator
    with pytest.raises(Refused, match="at least one manager"):
        members.change(manager, **annotator)
    assert reloaded(manager).role == Role.MANAGER


def test_a_project_needs_a_name(db):
    with pytest.raises(ValidationError, match="Give the project a name"):
        projects.create("   ")
    assert projects.create(" Towns ").name == "Towns"


def test_the_founder_manages_a_project_and_changes_are_on_record(ada):
    project = projects.create("Towns", managers=[ada], by=ada)
    place = project.memberships.get()
    assert (place.role, place.user) == (Role.MANAGER, ada)
    with pytest.raises(ValidationError):
        projects.create("Hills", consensus_min_votes=6, managers=[ada], by=ada)
    assert Project.objects.get() == project
    values = {"name": project.name, "pass_mark": 90, "guidelines": "Be fair."}
    for changed in (["pass_mark", "guidelines"], []):
        assert projects.change(project, values, by=ada) == changed
    change, _, first = history.of_project(project).order_by("-pk")
    changed = {"values": {"pass_mark": [80, 90]}, "texts": ["guidelines"]}
    assert (change.by, change.act, change.details) == (ada, Act.PROJECT_CHANGED, changed)
    assert (first.act, first.by) == (Act.PROJECT_MADE, ada)


def test_the_second_of_two_changes_learns_what_the_first_did(project, ada):
    read = projects.stamp(project)
    projects.change(project, {"pass_mark": 90, "attempts": 3}, by=ada, read=read)
    with pytest.raises(projects.Stale) as refused:
        projects.change(project, {"attempts": 5, "lease_minutes": 5}, by=ada, read=read)
    assert refused.value.fields == ["attempts"]
    for invalid in ("", "nonsense", "a b c"):
        with pytest.raises(projects.Stale):
            projects.change(project, {"lease_minutes": 5}, by=ada, read=invalid)
    assert Project.objects.get().lease_minutes == 30


def test_what_pairs_were_made_by_is_fixed_once_there_are_pairs(project, ada):
    assert projects.change(project, {"order": "breadth"}, by=ada) == ["order"]
    make.pairs(project, 1)
    fixed = {"judgments_per_pair": 7, "seed": 7, "scheme": GRADES, "order": "depth"}
    for name, value in fixed.items():
        with pytest.raises(ValidationError) as refused:
            projects.change(project, {name: value}, by=ada)
        assert list(refused.value.message_dict) == [name]
    assert projects.change(project, {"skipping": "never"}, by=ada) == ["skipping"]


def test_pairs_enter_under_the_settings_that_are_stored_not_those_read_before(project, ada):
    read = Project.objects.get()
    values = {"judgments_per_pair": 3, "consensus_min_votes": 2, "corrected_methods": []}
    projects.change(project, values | {"scheme": GRADES}, by=ada)
    make.candidates(read, [("Ada met Ben.", "Ben met Ada.")])
    assert [pair.slot_count for pair in project.pairs] == [3]
    assert [pair.gold_label for pair in make.gold_pairs(read, [3])] == [3]


def test_only_a_changed_consent_text_asks_people_again(project, ada):
    member = make.person(project)
    projects.change(project, {"consent": "I agree."}, by=ada)
    Membership.objects.filter(pk=member.pk).update(consented_at=timezone.now())
    for values, asks in (({"pass_mark": 90}, False), ({"consent": "I agree to all."}, True)):
        projects.change(project, values, by=ada)
        assert Membership.objects.get(pk=member.pk).has_consented is not asks
    projects.change(project, {"consent": ""}, by=ada)
    assert Project.objects.get().consent_changed_at is None


def test_a_run_is_kept_out_as_long_as_nothing_of_it_has_entered(project, ada):
    make.pairs(project, 1)
    run, other = project.runs.get(), make.study()
    with pytest.raises(ValidationError):
        runs.remove(project, run, by=ada)
    assert project.runs.count() == 1
    runs.add(other, run, by=ada)
    assert [each.has_entered for each in project_runs.of_project(other)] == [False]
    runs.remove(other, run, by=ada)
    assert not other.runs.exists()
    acts = history.of_project(other).order_by("pk").values_list("act", flat=True)
    assert [*acts] == [Act.PROJECT_MADE, Act.RUN_ADDED, Act.RUN_REMOVED]
