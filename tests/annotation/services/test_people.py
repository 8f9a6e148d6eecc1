"""Roles are changed, and no project is left alone."""

import pytest

from annotation.errors import Refused
from annotation.models import Membership, Role
from annotation.services import people
from tests.annotation import cast


def to(role: str) -> dict[str, object]:
    return {"role": role, "may_correct": False, "may_judge": True}


def test_a_role_and_the_work_are_changed_together(db):
    member = cast.person(cast.study())
    people.change(cast.person(member.project, role=Role.MANAGER), **to(Role.MANAGER))
    people.change(member, **to(Role.RESEARCHER))
    stored = Membership.objects.get(pk=member.pk)
    assert (stored.role, stored.may_correct, stored.may_judge) == (Role.RESEARCHER, False, True)


def test_the_last_manager_stays(db):
    manager = cast.person(cast.study(), role=Role.MANAGER)
    with pytest.raises(Refused, match="at least one manager"):
        people.change(manager, **to(Role.ANNOTATOR))
    assert Membership.objects.get().role == Role.MANAGER


def test_one_of_two_managers_may_step_down(db):
    manager = cast.person(cast.study(), role=Role.MANAGER)
    other = cast.person(manager.project, role=Role.MANAGER)
    people.change(other, **to(Role.ANNOTATOR))
    with pytest.raises(Refused):
        people.change(manager, **to(Role.ANNOTATOR))


def test_a_manager_who_cannot_sign_in_does_not_count(db):
    manager = cast.person(cast.study(), role=Role.MANAGER)
    gone = cast.person(manager.project, role=Role.MANAGER).user
    gone.is_active = False
    gone.save()
    with pytest.raises(Refused):
        people.change(manager, **to(Role.ANNOTATOR))
