"""Who is told the names of people."""

import pytest

from accounts.models import User
from annotation.models import Membership, Project
from annotation.selectors import naming, pseudonyms

Role = Membership.Role
ADA = User(pk=7, username="Ada")


@pytest.mark.parametrize("role", Role)
def test_names_are_for_managers_alone(role):
    reader = Membership(project=Project(), user=User(), role=role)
    assert (naming.for_reader(reader).of(ADA) == "Ada") is (role == Role.MANAGER)


def test_everybody_else_is_told_the_pseudonym_of_the_project():
    project = Project()
    called = naming.Naming(project, by_name=False)
    pseudonym = pseudonyms.within(project, 7)
    assert (called.of(ADA), called.of_id(7, "Ada")) == (pseudonym, pseudonym)
    assert called.order(ADA) == pseudonym


@pytest.mark.parametrize("by_name", [True, False])
def test_nobody_is_called_nothing(by_name):
    assert naming.Naming(Project(), by_name=by_name).of(None) == ""


def test_names_are_sorted_without_their_case():
    called = naming.Naming(Project(), by_name=True)
    people = [User(username=name) for name in ("bo", "Cy", "Ada")]
    assert [each.username for each in sorted(people, key=called.order)] == ["Ada", "bo", "Cy"]


def test_a_pseudonym_is_worked_out_once(monkeypatch):
    asked = []
    monkeypatch.setattr(
        pseudonyms, "within", lambda _, key: asked.append(key) or f"annotator-{key}"
    )
    called = naming.Naming(Project(), by_name=False)
    assert [called.of(ADA), called.of(ADA), called.of_id(8, "Bo")] == [
        *("annotator-7", "annotator-7", "annotator-8")
    ]
    assert asked == [7, 8]
