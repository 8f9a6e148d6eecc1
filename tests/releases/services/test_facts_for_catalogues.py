"""What is frozen of a study for croissant.json: its sources, and when and by whom work was done."""

import json
from datetime import UTC, datetime

import pytest
from django.utils.translation import override

from accounts.models import User
from annotation.agreement import services as agreement
from annotation.models import (
    Adjudication,
    Correction,
    Membership,
    Participant,
    Project,
    Recruitment,
)
from annotation.quality.services import interventions
from generation.models import Corpus, GenerationRun, Sentence
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import judged, make

pytestmark = pytest.mark.both_engines
SOURCE = "Weather reports (https://example.org/reports?year=2025), as published."


def late_on(day):
    """A time whose day in UTC is not that in Berlin."""
    return datetime(2026, 1, day, 23, 30, tzinfo=UTC)


@pytest.fixture
def study(db):
    """Two swaps that two people correct, and five judge; on one an expert decides."""
    project = make.study()
    make.candidates(project, [("It rained.", "Rained it."), ("It froze.", "Froze it.")])
    Corpus.objects.update(description=SOURCE, licence="CC-BY-4.0")
    Sentence.objects.filter(candidate=None).update(created_at=late_on(1))
    GenerationRun.objects.update(created_at=late_on(2), finished_at=late_on(3))
    for corrector in (make.person(project, kinds=["correct"]) for _ in range(2)):
        make.correct_next(corrector)
    Correction.objects.update(submitted_at=late_on(4))
    people = judged.people(project, 5)
    clear, close = project.pairs.order_by("pk")
    judged.give(clear, [1] * 5, by=people, at=late_on(5))
    judged.give(close, [1, 1, 1, 0, 0], by=people, at=late_on(6))
    agreement.adjudicate(close, by=make.person(project).user, label=1, note="")
    Adjudication.objects.update(created_at=late_on(7))
    return project


def frozen(project):
    return freeze_version(project, version="1.0", dev=0, test=0, unlabeled_dev=0)


def facts_of(project):
    return frozen(project).facts


def test_a_corpus_has_its_licence_and_the_address_in_its_description(study):
    assert facts_of(study)["corpora"] == {
        "Tests": {
            "language": "en", "licence": "CC-BY-4.0", "sentences": 2,
            "address": "https://example.org/reports?year=2025",
            "imported": ["2026-01-01", "2026-01-01"],
        }
    }  # fmt: skip


def test_work_has_its_days_in_utc_and_the_number_of_people(study):
    facts = facts_of(study)
    assert [run["days"] for run in facts["runs"]] == [["2026-01-02", "2026-01-03"]]
    assert facts["collected"] == ["2026-01-05", "2026-01-06"]
    assert facts["work"] == {
        "correct": {"days": ["2026-01-04", "2026-01-04"], "people": 2},
        "review": {"days": ["2026-01-07", "2026-01-07"], "people": 1},
    }


def test_excluded_answers_have_their_people_and_pairs_that_others_decided(study):
    first, *_others = study.memberships.filter(user__slots__kind="judge").distinct()
    interventions.exclude(first, by=first.user, reason="By chance.")
    make.judge_next(make.person(study), 1)
    assert facts_of(study)["excluded_answers"] == {"people": 1, "answers": 2, "pairs": 1}


def test_simulated_people_are_counted_by_their_work(study):
    judges = study.memberships.filter(user__slots__kind="judge").distinct()
    User.objects.filter(memberships__in=judges[:2].values("pk")).update(is_simulated=True)
    assert facts_of(study)["simulated_people"] == {"judge": 2}


def test_platforms_are_those_of_people_whose_answers_count(study):
    first, second, *_ = study.memberships.filter(user__slots__kind="judge").distinct()
    add_participant(study, "prolific", first)
    add_participant(study, "other", second)  # it has no name
    add_participant(study, "mturk", make.person(study))
    assert facts_of(study)["platforms"] == ["Prolific"]


def add_participant(project: Project, platform: str, membership: Membership) -> None:
    link = Recruitment.objects.create(
        project=project, digest=platform, platform=platform, most_people=1,
        expires_at=late_on(1), created_by=membership.user,
    )  # fmt: skip
    Participant.objects.create(
        project=project, platform=platform, participant_id="5f0c9a1b", membership=membership,
        recruitment=link,
    )  # fmt: skip


def test_pairs_that_wait_for_answers_are_counted(study):
    make.pairs(study, 3)
    assert facts_of(study)["waiting"] == 3


def test_answers_are_frozen_in_english_with_the_criteria_of_the_project(db):
    project = make.study(protocol="parade", label_looks={"0": {"criterion": "They differ."}})
    make.pairs(project, 1)
    judged.all_that_is_open(project, [3] * 3)
    with override("de"):
        lowest, *_, highest = facts_of(project)["scale"]
    assert lowest == {"label": 0, "name": "Not equivalent", "criterion": "They differ."}
    assert highest["criterion"] == "They describe the same thing in the same details."


def test_a_release_without_these_facts_is_written_in_croissant_1_0(study, tmp_path):
    release = frozen(study)
    for name in ("croissant", "waiting", "scale", "platforms", "work"):
        del release.facts[name]
    for run in release.facts["runs"]:
        del run["days"]
    for corpus in release.facts["corpora"].values():
        del corpus["address"], corpus["imported"]
    publication.write_files(release, tmp_path / "1.0")
    described = json.loads((tmp_path / "1.0" / "croissant.json").read_text())
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
