"""What people are called where their names must not stand."""

from annotation.models import Project
from annotation.selectors import pseudonyms


def test_a_person_is_called_the_same_throughout_a_project() -> None:
    project = Project()

    assert pseudonyms.within(project, 7) == pseudonyms.within(project, 7)


def test_two_people_are_told_apart() -> None:
    project = Project()

    assert pseudonyms.within(project, 7) != pseudonyms.within(project, 8)


def test_a_person_cannot_be_followed_into_another_project() -> None:
    assert pseudonyms.within(Project(), 7) != pseudonyms.within(Project(), 7)


def test_the_name_needs_the_key_of_the_installation(settings: object) -> None:
    project = Project()
    before = pseudonyms.within(project, 7)
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]

    assert pseudonyms.within(project, 7) != before
