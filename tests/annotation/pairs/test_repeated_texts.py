"""The same two texts of a project are answered once, whatever brings them again."""

import pytest

from annotation.models import Correction, Item
from annotation.pairs.labelled_lines import GoldPair
from annotation.pairs.selectors import pairs as table
from annotation.pairs.services import intake, pair_exclusions
from annotation.projects import protocols
from annotation.projects.selectors import funnel, over_time
from annotation.quality.services import gold_pairs
from annotation.work.skips import skip
from generation.models import Method
from releases.selectors import study
from tests.annotation import make
from tests.annotation.pages import signed_in

pytestmark = [pytest.mark.both_engines, pytest.mark.django_db]

TEXTS = ("Ana met Bo.", "Bo met Ana.")


@pytest.fixture
def project():
    return make.study()


def imported(project, *texts):
    return make.candidates(project, [*texts], method=Method.BACK_TRANSLATION)


@pytest.mark.parametrize(
    "again",
    [
        TEXTS,
        TEXTS[::-1],
        ("Ana  met Bo.", "Bo met\u00a0Ana."),
        ("Ana met Bo\u200b.", "\ufeffBo m\u00adet Ana."),
    ],
    ids=["same", "turned", "spaces", "unseen"],
)
def test_texts_that_come_again_are_recorded_as_a_duplicate_without_slots(project, again):
    imported(project, TEXTS)
    pair = project.pairs.get()
    for texts in (again, again, ("Ana met Bo.", "Bo saw Ana.")):
        imported(project, texts)
    assert project.pairs.count() == 2
    duplicates = pair.duplicates.all()
    assert [each.candidate.text for each in duplicates] == [again[1]] * 2
    assert not any(each.slots.exists() for each in duplicates)


def test_the_pair_belongs_to_the_run_that_was_first(project):
    other = make.study()
    first, second = imported(other, TEXTS)[0].run, imported(other, TEXTS)[0].run
    project.runs.add(second, first)
    assert intake.take_in(project) == 2
    assert project.pairs.get().candidate.run == first


def test_a_candidate_that_comes_again_is_corrected_once(project):
    make.candidates(project, [TEXTS])
    make.candidates(project, [TEXTS])
    ana, bo = make.person(project), make.person(project)
    make.correct_next(ana)
    make.candidates(project, [TEXTS])
    assert make.claim(bo, "correct") is None
    assert (project.pairs.count(), Correction.objects.count()) == (1, 1)
    assert Item.objects.filter(duplicate_of__isnull=False).count() == 2


def test_two_candidates_that_are_fixed_to_the_same_text_make_one_pair(project):
    make.candidates(project, [("Ana met Bo.", "Met Bo Ana."), ("Ana met Bo.", "Bo Ana met.")])
    ana, bo, cy = (make.person(project) for _ in range(3))
    make.correct_next(ana, "fix", "Bo met Ana.")
    pair = project.pairs.get()
    make.claim(bo)
    make.correct_next(bo, "fix", "Bo met Ana.")
    assert project.pairs.get() == pair
    # Neither of the two who wrote the text judges it, although one had it open.
    assert [make.claim(ana), make.claim(bo)] == [None, None]
    assert make.claim(cy).item_id == pair.pk
    # Taking back the second correction deletes its duplicate only.
    assert make.undo(bo, "correct")
    assert (Item.objects.filter(kind="judge").get().pk, make.undo(ana, "correct")) == (
        pair.pk,
        None,
    )


def test_whoever_rejects_a_candidate_does_not_judge_a_pair_of_its_texts(project):
    make.candidates(project, [("Ana met Bo.", "Met Bo Ana."), TEXTS])
    make.correct_next(make.person(project), "fix", "Bo met Ana.")
    bo = make.person(project)
    make.correct_next(bo, "reject")
    assert make.claim(bo) is None


def test_a_gold_pair_is_none_of_the_study(project):
    imported(project, TEXTS)
    report = gold_pairs.add(project, [GoldPair(*TEXTS, label=1, line=1)])
    assert (report.added, [each.reason for each in report.first_refusals]) == (
        0,
        ["pair_of_the_study"],
    )
    report = gold_pairs.add(project, [GoldPair("Cy met Di.", "Di met Cy.", label=0, line=1)])
    imported(project, ("Cy met Di.", "Di met Cy."))
    assert project.pairs.filter(gold_label=None).count() == 1
    assert [row.text for row in study.candidates(project)] == [TEXTS[1]]


def test_a_pair_shows_every_candidate_that_made_its_texts(project):
    imported(project, TEXTS)
    make.candidates(project, [("Ana met Bo.", "Met Bo Ana."), TEXTS])
    bo, boss = make.person(project), make.person(project, role="manager")
    correction = make.correct_next(bo, "fix", "Bo met Ana.")
    pair = project.pairs.get()
    assert [each.candidate.run.method for each in pair.duplicates.order_by("pk")] == [
        Method.WORD_SWAP,
        Method.WORD_SWAP,
    ]
    client = signed_in(boss.user)
    page = client.get(f"/projects/{project.public_id}/pairs/{pair.public_id}/").content.decode()
    assert page.count("run ") >= 3
    told = client.get(f"/api/pairs/{pair.public_id}/").json()["duplicates"]
    assert {each["candidate"] for each in told} == {
        str(key) for key in pair.duplicates.values_list("candidate__public_id", flat=True)
    }
    [row] = client.get(f"/api/projects/{project.public_id}/corrections/").json()["results"]
    assert (row["candidate"], row["pair"]) == (
        str(correction.item.candidate.public_id),
        str(pair.public_id),
    )


def test_whoever_skips_a_candidate_does_not_judge_its_pair(project):
    make.candidates(project, [TEXTS])
    ana, bo = make.person(project), make.person(project)
    given = make.claim(ana, "correct").item
    skip(ana.duty("correct"), item=given.public_id, reason="unclear")
    make.correct_next(bo)
    assert make.claim(ana) is None
    assert make.claim(make.person(project)).item == project.pairs.get()


def test_a_pair_counts_for_each_method_that_made_it_and_once_in_the_total():
    project = make.study(judgments_per_pair=1, consensus_min_votes=1)
    imported(project, TEXTS)
    imported(project, TEXTS)
    make.candidates(project, [("Ana met Bo.", "Met Bo Ana.")])
    make.correct_next(make.person(project), "fix", "Bo met Ana.")
    make.judge_next(make.person(project))
    found = funnel.by_method(project, over_time.of_project(project))
    every = funnel.total(found, protocols.of_project(project))
    figures = [
        (each.method, each.candidates, each.repeats, each.pairs, each.judged.by_outcome[1])
        for each in (*found, every)
    ]
    assert figures == [
        ("word_swap", 1, 0, 1, 1),
        ("back_translation", 2, 1, 1, 1),
        ("", 3, 1, 1, 1),
    ]
    for method in (Method.WORD_SWAP, Method.BACK_TRANSLATION):
        assert (
            table.matching_pairs(project, table.PairFilters(method=method)).get()
            == project.pairs.get()
        )
    by = make.person(project).user
    pair_exclusions.exclude(project.pairs.get(), by=by, reason="offensive")
    found = funnel.by_method(project, over_time.of_project(project))
    every = funnel.total(found, protocols.of_project(project))
    assert [(each.pairs, each.excluded) for each in (*found, every)] == [(0, 1), (0, 1), (0, 1)]
