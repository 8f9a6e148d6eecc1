"""Settings of a project: who founded it, what may change when, and what is on record."""

import pytest
from django.contrib.admin.models import LogEntry
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import User
from annotation.models import Membership, Project
from annotation.selectors import project_settings as reading
from annotation.services import project_settings as settings
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def project() -> Project:
    return cast.study()


def test_whoever_founds_a_project_manages_it(ada):
    project = settings.create({"name": "Towns"}, by=ada)
    assert project.memberships.get().role == Membership.Role.MANAGER
    assert project.memberships.get().user == ada


def test_a_contradicting_protocol_founds_nothing(ada):
    with pytest.raises(ValidationError):
        settings.create({"name": "Towns", "consensus_min_votes": 6}, by=ada)
    assert not Project.objects.exists()


def test_a_change_says_which_settings_are_others_now(project, ada):
    changed = settings.change(project, {"name": project.name, "pass_mark": 90}, by=ada)
    project.refresh_from_db()
    assert changed == ["pass_mark"]
    assert project.pass_mark == 90


def test_a_change_is_on_record_with_both_values(project, ada):
    settings.change(project, {"pass_mark": 90, "guidelines": "Be fair."}, by=ada)
    [change] = reading.changes(project)
    assert (change.by, change.values, change.texts) == (
        ada,
        {"pass_mark": [80, 90]},
        ["guidelines"],
    )
    assert change.entry.get_change_message() == "Changed pass mark and guidelines."


def test_what_changes_nothing_is_not_on_record(project, ada):
    assert settings.change(project, {"pass_mark": 80}, by=ada) == []
    assert not LogEntry.objects.exists()


def test_the_second_of_two_changes_is_told_what_the_first_did(project, ada):
    read = settings.stamp(project)
    settings.change(project, {"pass_mark": 90, "attempts": 3}, by=ada, read=read)
    with pytest.raises(settings.Stale) as told:
        settings.change(project, {"lease_minutes": 5}, by=ada, read=read)
    assert sorted(told.value.fields) == ["attempts", "pass_mark"]
    assert Project.objects.get().lease_minutes == 30


@pytest.mark.parametrize("read", ["", "nonsense", "a b c"])
def test_a_stamp_that_is_none_is_not_trusted(project, ada, read):
    with pytest.raises(settings.Stale):
        settings.change(project, {"lease_minutes": 5}, by=ada, read=read)


@pytest.mark.parametrize("name", ["judgments_per_pair", "seed", "max_label"])
def test_what_pairs_were_made_by_stands(project, ada, name):
    cast.pairs(project, 1)
    with pytest.raises(ValidationError) as refused:
        settings.change(project, {name: 7}, by=ada)
    assert list(refused.value.message_dict) == [name]


def test_the_order_of_the_work_stands_once_there_are_pairs(project, ada):
    settings.change(project, {"order": "breadth"}, by=ada)
    cast.pairs(project, 1)
    with pytest.raises(ValidationError):
        settings.change(project, {"order": "depth"}, by=ada)


def test_everything_else_changes_with_pairs_there(project, ada):
    cast.pairs(project, 1)
    assert settings.change(project, {"skipping": "never"}, by=ada) == ["skipping"]


def test_a_consent_text_has_the_date_of_its_last_change(project, ada):
    member = cast.person(project)
    settings.change(project, {"consent": "I agree."}, by=ada)
    Membership.objects.filter(pk=member.pk).update(consented_at=timezone.now())
    assert Membership.objects.get(pk=member.pk).has_consented
    settings.change(project, {"consent": "I agree to all."}, by=ada)
    assert not Membership.objects.get(pk=member.pk).has_consented


def test_a_change_of_something_else_asks_nobody_again(project, ada):
    settings.change(project, {"consent": "I agree."}, by=ada)
    dated = Project.objects.get().consent_changed_at
    settings.change(project, {"pass_mark": 90}, by=ada)
    assert Project.objects.get().consent_changed_at == dated


def test_without_a_consent_text_there_is_no_date(project, ada):
    settings.change(project, {"consent": "I agree."}, by=ada)
    settings.change(project, {"consent": ""}, by=ada)
    assert Project.objects.get().consent_changed_at is None


def test_a_run_that_has_entered_stays(project, ada):
    cast.pairs(project, 1)
    with pytest.raises(ValidationError):
        settings.keep_out(project, project.runs.get(), by=ada)
    assert project.runs.count() == 1


def test_a_run_of_which_nothing_is_in_can_be_kept_out(project, ada):
    cast.pairs(project, 1)
    other = cast.study()
    run = project.runs.get()
    settings.let_in(other, run, by=ada)
    assert [each.has_entered for each in reading.runs(other)] == [False]
    settings.keep_out(other, run, by=ada)
    assert not other.runs.exists()
    assert [change.entry.get_change_message() for change in reading.changes(other)] == [
        f"Deleted run “{run}”.",
        f"Added run “{run}”.",
    ]
