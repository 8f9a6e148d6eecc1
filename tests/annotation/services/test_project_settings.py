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


@pytest.fixture
def ada(db):
    return User.objects.create_user("ada")


def test_the_founder_of_a_project_manages_it(ada):
    place = settings.create({"name": "Towns"}, by=ada).memberships.get()
    assert (place.role, place.user) == (Membership.Role.MANAGER, ada)
    with pytest.raises(ValidationError):
        settings.create({"name": "Hills", "consensus_min_votes": 6}, by=ada)
    assert not Project.objects.filter(name="Hills").exists()


def test_a_change_is_stored_and_on_record_with_both_values(project, ada):
    values = {"name": project.name, "pass_mark": 90, "guidelines": "Be fair."}
    assert settings.change(project, values, by=ada) == ["pass_mark", "guidelines"]
    assert Project.objects.get().pass_mark == 90
    [change] = reading.changes(project)
    assert (change.by, change.values) == (ada, {"pass_mark": [80, 90]})
    assert change.texts == ["guidelines"]
    assert change.entry.get_change_message() == "Changed pass mark and guidelines."
    assert settings.change(project, values, by=ada) == []
    assert LogEntry.objects.count() == 1


def test_the_second_of_two_changes_learns_what_the_first_did(project, ada):
    read = settings.stamp(project)
    settings.change(project, {"pass_mark": 90, "attempts": 3}, by=ada, read=read)
    with pytest.raises(settings.Stale) as refused:
        settings.change(project, {"lease_minutes": 5}, by=ada, read=read)
    assert sorted(refused.value.fields) == ["attempts", "pass_mark"]
    for invalid in ("", "nonsense", "a b c"):
        with pytest.raises(settings.Stale):
            settings.change(project, {"lease_minutes": 5}, by=ada, read=invalid)
    assert Project.objects.get().lease_minutes == 30


def test_what_pairs_were_made_by_is_fixed_once_there_are_pairs(project, ada):
    assert settings.change(project, {"order": "breadth"}, by=ada) == ["order"]
    cast.pairs(project, 1)
    fixed = {"judgments_per_pair": 7, "seed": 7, "max_label": 7, "order": "depth"}
    for name, value in fixed.items():
        with pytest.raises(ValidationError) as refused:
            settings.change(project, {name: value}, by=ada)
        assert list(refused.value.message_dict) == [name]
    assert settings.change(project, {"skipping": "never"}, by=ada) == ["skipping"]


def test_only_a_changed_consent_text_asks_people_again(project, ada):
    member = cast.person(project)
    settings.change(project, {"consent": "I agree."}, by=ada)
    Membership.objects.filter(pk=member.pk).update(consented_at=timezone.now())
    for values, asks in (({"pass_mark": 90}, False), ({"consent": "I agree to all."}, True)):
        settings.change(project, values, by=ada)
        assert Membership.objects.get(pk=member.pk).has_consented is not asks
    settings.change(project, {"consent": ""}, by=ada)
    assert Project.objects.get().consent_changed_at is None


def test_a_run_is_kept_out_as_long_as_nothing_of_it_has_entered(project, ada):
    cast.pairs(project, 1)
    run, other = project.runs.get(), cast.study()
    with pytest.raises(ValidationError):
        settings.keep_out(project, run, by=ada)
    assert project.runs.count() == 1
    settings.let_in(other, run, by=ada)
    assert [each.has_entered for each in reading.runs(other)] == [False]
    settings.keep_out(other, run, by=ada)
    assert not other.runs.exists()
    assert [change.entry.get_change_message() for change in reading.changes(other)] == [
        f"Deleted run “{run}”.",
        f"Added run “{run}”.",
    ]
