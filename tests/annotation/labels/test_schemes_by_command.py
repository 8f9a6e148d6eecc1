"""Projects with labels of their own, from a file."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Project
from annotation.projects.labels import INFERENCE
from annotation.stats.labels import Label, Level, Rule, Scheme

pytestmark = pytest.mark.django_db
FEELINGS = Scheme(
    (Label(-1, "worse"), Label(0, "alike"), Label(1, "better")), Level.ORDINAL, Rule.MOST
)


@pytest.fixture
def create(tmp_path):
    def create_project(contents):
        path = tmp_path / "scheme.json"
        path.write_text(contents)
        call_command("create_project", "Feelings", "--scheme", str(path))
        return Project.objects.get(name="Feelings")

    return create_project


def test_a_file_describes_the_labels(create):
    assert create(json.dumps(FEELINGS.to_dict())).scheme == FEELINGS


@pytest.mark.parametrize(
    ("contents", "problem"),
    [
        (
            json.dumps(
                FEELINGS.to_dict() | {"labels": [{"value": n, "name": f"l{n}"} for n in range(12)]}
            ),
            "A scheme has 2 to 11 labels; this one has 12.",
        ),
        (
            json.dumps(
                FEELINGS.to_dict() | {"labels": [{"value": n, "name": "x"} for n in range(3)]}
            ),
            "Two labels are called “x”. Give each its own name.",
        ),
        ("[]", "A scheme has labels with value and name, a level and a rule."),
        ("{", "scheme.json: "),
    ],
)
def test_a_scheme_that_cannot_be_is_refused_with_its_file(create, contents, problem):
    with pytest.raises(CommandError, match=r"scheme\.json") as refusal:
        create(contents)
    assert problem in str(refusal.value)
    assert not Project.objects.exists()


def test_a_protocol_has_the_labels_of_inferences(db):
    call_command("create_project", "Ferries", "--protocol", "nli")
    project = Project.objects.get()
    assert (project.scheme, project.consensus_min_votes) == (INFERENCE, 3)


def test_the_empty_preset_asks_for_labels(db):
    with pytest.raises(CommandError, match=r"--scheme FILE\.json"):
        call_command("create_project", "Feelings", "--preset", "empty")
    assert not Project.objects.exists()
