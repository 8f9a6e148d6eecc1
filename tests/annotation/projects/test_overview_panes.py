"""What the overview of a study shows in its panes."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.models import Comment, CommentThread, Intervention
from annotation.projects.views import project_form
from annotation.studies import judging
from annotation.translations import study as translating
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page

pytestmark = pytest.mark.django_db
DEMONSTRATION = Path("operations/demonstration")
NOON = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0)


def overview(project, role="manager"):
    return client_of(project, role).get(page("overview", project)).context


def exclude(member, evidence, *, days_ago=1):
    step = Intervention.objects.create(
        membership=member, kind="exclude", reason="Careless.", evidence=evidence
    )
    at = timezone.now() - timedelta(days=days_ago)
    Intervention.objects.filter(pk=step.pk).update(created_at=at)


@pytest.fixture
def people(project):
    people = judged.people(project, 5)
    judged.pairs(project, [[1] * 5, [1, 1, 1, 1, 0]], by=people)
    return people


def test_an_exclusion_shows_agreement_before_it_and_after_it(project, people):
    exclude(people[0], {"agreement_before": 0.8})
    change = overview(project)["change"]
    assert (change.before, change.after, change.low) == (0.8, pytest.approx(0.9), 0.8)
    assert (change.name, change.x_before) == (str(people[0].user), "4.00%")


def test_researchers_see_a_pseudonym_of_who_was_excluded(project, people):
    exclude(people[0], {"agreement_before": 0.8})
    assert overview(project, "researcher")["change"].name.startswith("annotator-")


@pytest.mark.parametrize(
    ("evidence", "days_ago"), [({}, 1), ({"agreement_before": 0.8}, 15)], ids=["unknown", "old"]
)
def test_an_exclusion_claims_nothing_without_its_evidence_or_after_two_weeks(
    project, people, evidence, days_ago
):
    exclude(people[0], evidence, days_ago=days_ago)
    assert overview(project)["change"] is None


def test_grades_count_the_pairs_to_which_most_people_gave_them():
    project = make.study(protocol="parade")
    votes = [[0, 0, 1], [2, 2, 2], [3, 2, 3], [0, 1, 2]]
    judged.pairs(project, votes, by=judged.people(project, 3))
    grades = overview(project)["grades"]
    assert [grade.number for grade in grades.grades] == [1, 0, 1, 1]
    assert [grade.value for grade in grades.grades if grade.is_first] == [2]
    assert (grades.upper, grades.unanimous, grades.decided) == (2, 1, 4)


def test_decided_pairs_are_drawn_from_three_periods_on(project):
    people = judged.people(project, 5)
    judged.pairs(project, [[1] * 5], by=people, at=NOON - timedelta(days=30))
    assert overview(project)["course"] is None
    judged.pairs(project, [[1] * 5] * 3, by=people, at=NOON - timedelta(days=2))
    exclude(people[0], {}, days_ago=10)
    course = overview(project)["course"]
    assert (course.total, course.curve.end) == ("4 of 4 pairs", "20.0")
    assert [event.words for event in course.events] == ["1 person excluded"]


def test_needs_are_sorted_worst_first(project, people):
    thread = CommentThread.objects.create(
        project=project, item=project.items.first(), annotator=people[0].user
    )
    words = "Is this a person? " * 10
    Comment.objects.create(thread=thread, author=people[0].user, text=words)
    project.memberships.filter(pk=people[1].pk).update(paused_at=timezone.now())
    needs = overview(project)["needs"]
    assert [need.level for need in needs] == ["amber", "blue", "green"]
    assert needs[1].text.endswith("…”")
    assert len(needs[1].text) < 110


def test_who_is_excluded_needs_nobody_any_more(project, people):
    Intervention.objects.create(membership=people[1], kind="flag", evidence={"flag": "fast"})
    project.memberships.filter(pk=people[1].pk).update(paused_at=timezone.now())
    assert {need.level for need in overview(project)["needs"]} == {"amber", "green"}
    exclude(people[1], {})
    assert [need.level for need in overview(project)["needs"]] == ["green"]


def test_needs_beyond_five_are_folded(project, people, monkeypatch):
    monkeypatch.setattr("annotation.projects.views.overview.MOST_NEEDS", 1)
    project.memberships.filter(pk=people[1].pk).update(paused_at=timezone.now())
    context = overview(project)
    assert (len(context["needs"]), len(context["more"])) == (1, 1)


def test_the_pairs_decided_last_come_first(project, people):
    [last] = judged.pairs(project, [[0] * 5], by=people, at=timezone.now())
    latest = overview(project)["latest"]
    assert (len(latest), latest[0].item) == (3, last)


def test_examples_are_sentences_of_the_demonstration():
    rows = (DEMONSTRATION / "sentences.jsonl").read_text("utf-8").splitlines()
    texts = {json.loads(row)["text"] for row in rows}
    assert {judging.SWAPPED[0], project_form.SWAPPED[0]} <= texts
    paraphrases = (DEMONSTRATION / "paraphrases.tsv").read_text("utf-8")
    assert "\t".join(project_form.REORDERED) in paraphrases
    definitions = (DEMONSTRATION / "flashcards.tsv").read_text("utf-8").splitlines()
    assert {f"hash table\t{text}" for text in judging.DEFINED} <= {*definitions}
    assert {f"version control\t{text}" for text in project_form.DEFINED} <= {*definitions}
    assert "\t".join(translating.TRANSLATED) in (DEMONSTRATION / "translations.tsv").read_text(
        "utf-8"
    )
    paraphrases = (DEMONSTRATION / "paraphrases.tsv").read_text("utf-8")
    assert "\t".join(project_form.REORDERED) in paraphrases


def test_stages_leave_out_correction_where_nothing_is_corrected():
    project = make.study(corrected_methods=[])
    judged.pairs(project, [[1] * 5, [1]], by=judged.people(project, 5))
    stages = overview(project)["stages"]
    assert [stage.name for stage in stages] == ["Sentences", "Pairs", "Judged", "Kept"]
    assert [stage.number for stage in stages[1:]] == [2, 1, 1]
