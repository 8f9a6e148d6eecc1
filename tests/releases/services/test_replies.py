"""A release tells replies of annotators who allowed it, as they were when it was frozen."""

import json
from collections import Counter

import pytest
from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.services import erase
from annotation.models import Project
from annotation.projects.services import projects
from annotation.questions import services as questions
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.annotation.questions.asking import ask, reply

pytestmark = pytest.mark.django_db
GERMAN, POLISH = 0, 2


@pytest.fixture
def people(settings, tmp_path):
    """Twelve people who judge, five each pair, and are asked for their language and age."""
    settings.RELEASES_DIR = tmp_path
    project = make.study()
    people = judged.people(project, 12)
    by = [[people[(start + more) % 12] for more in range(5)] for start in range(24)]
    judged.pairs_of(project, [[number % 2] * 5 for number in range(24)], by=by)
    ask(project)
    ask(project, "Age", ["young", "old"])
    return people


def published(people, version="1.0"):
    """The rows of annotators.jsonl, and the folder."""
    project = Project.objects.get(pk=people[0].project_id)
    release = freeze_version(project, version=version, dev=0, test=0)
    publication.publish(release)
    folder = folder_of(release)
    path = folder / "annotators.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines], folder


def test_no_combination_of_fewer_than_five_is_told(people):
    for place, person in enumerate(people):
        language = GERMAN if place < 10 else POLISH
        reply(person, language, int(place % 2), publishes=place != 9)
    rows, folder = published(people)
    sizes = Counter(tuple(row["replies"].values()) for row in rows)
    assert sizes == {("German", "young"): 5, (None, None): 6}
    assert verify(folder) == []
    text = (folder / "README.md").read_text()
    assert "what 11 annotators replied" in text
    assert "6 of them have only nulls" in text


def test_whoever_did_not_allow_it_is_not_told_of(people):
    for place, person in enumerate(people):
        reply(person, GERMAN, 0, publishes=place < 5)
    rows, folder = published(people)
    assert len(rows) == 5
    assert len({row["annotator"] for row in rows}) == 5
    judgments = (folder / "judgments.jsonl").read_text()
    assert all(row["annotator"] in judgments for row in rows)


def test_a_release_where_nothing_may_be_told_has_no_such_file(people):
    for person in people[:4]:
        reply(person, GERMAN, 0, publishes=True)
    rows, folder = published(people)
    assert (rows, verify(folder)) == ([], [])


def test_a_retired_question_is_not_released(people):
    for person in people:
        reply(person, GERMAN, 0, publishes=True)
    project = people[0].project
    questions.retire(project.questions.get(title="Age"), by=None)
    rows, _ = published(people)
    assert {tuple(row["replies"]) for row in rows} == {("First language",)}


def test_a_release_is_written_again_as_it_was_whatever_people_change(people):
    for person in people:
        reply(person, GERMAN, 0, publishes=True)
    rows, folder = published(people)
    reply(people[0], POLISH, 1, publishes=False)
    erase(people[1].user, by=User.objects.create_superuser("root"))
    release = Release.objects.get()
    manifest = json.loads((folder / "manifest.json").read_text())
    again = publication.write_files(release, folder.parent / "again")
    assert again == manifest
    assert rows == [
        json.loads(line)
        for line in (folder.parent / "again/annotators.jsonl").read_text().splitlines()
    ]


def test_the_smallest_group_is_fixed_with_the_first_release(people):
    published(people)
    project = Project.objects.get(pk=people[0].project_id)
    with pytest.raises(ValidationError, match="locked, because the project has a release"):
        projects.change(project, {"least_in_group": 6}, by=None)
