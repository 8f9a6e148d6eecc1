"""Stored consensus that differs from what the answers of a pair say is found and repaired."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.agreement import services as agreement
from annotation.models import Consensus, Judgment, SentencePair
from annotation.seals import services as seals
from tests.annotation import invariants, judged, make
from tests.annotation.judged import behind_the_back

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_db):
    """Three pairs of three judgments: one decided for, one against, one without an answer."""
    project = make.study(judgments_per_pair=3, consensus_min_votes=2)
    make.pairs(project, 3)
    for _ in range(3):
        member = make.person(project)
        make.judge_next(member, 1)
        make.judge_next(member, 0)
    return project


def run(project, **options):
    printed = StringIO()
    call_command("recompute_consensus", project=project.name, stdout=printed, **options)
    return printed.getvalue()


def is_sound(project):
    return run(project, check=True) == "No differences.\n" and not invariants.broken(project)


def decide_without_answers(pair):
    Judgment.objects.filter(item=pair).delete()  # the triggers refuse it while one is open
    Consensus.objects.create(pair=pair, tally=[0, 3], label=1, kept=True)


def test_a_study_that_was_reopened_and_decided_early_is_sound(db):
    project = make.study(judgments_per_pair=3, consensus_min_votes=3, decides_early=True)
    people = judged.people(project, 6)
    judged.pairs(project, [[1, 0, 1]], by=people)
    agreement.reopen(project, [project.pairs.get().public_id], by=people[0].user)
    assert run(project, check=True) == "No differences.\n"
    for member in people[3:]:
        make.judge_next(member, 1)
    assert run(project, check=True) == "No differences.\n"


@pytest.mark.both_engines
def test_each_pair_that_differs_is_found_with_what_is_right(project, django_assert_num_queries):
    assert is_sound(project)
    wrong, lacking, undecided = project.pairs.order_by("pk")
    judged.decide_otherwise(Consensus.objects.filter(pair=wrong), label=0, tally=[3, 0])
    Consensus.objects.filter(pair=lacking).delete()
    decide_without_answers(undecided)
    with django_assert_num_queries(1):
        first, second, third = agreement.differences(project)
    assert (first.pair, first.stored.label) == (wrong.public_id, 0)
    assert (first.right.label, first.right.tally) == (1, (0, 3))
    assert (second.pair, second.stored, second.right.tally) == (lacking.public_id, None, (3, 0))
    assert (third.pair, third.right) == (undecided.public_id, None)


def test_checking_changes_nothing_and_a_repair_dates_pairs_by_their_last_answer(project):
    wrong, lacking, empty = project.pairs.order_by("pk")
    judged.decide_otherwise(Consensus.objects.filter(pair=wrong), label=0, tally=[3, 0])
    Consensus.objects.filter(pair=lacking).delete()
    with pytest.raises(CommandError, match="2 pairs differ"):
        run(project, check=True)
    assert Consensus.objects.get().label == 0
    assert run(project).endswith("2 pairs repaired.\n")
    assert is_sound(project)
    last = Judgment.objects.filter(item=lacking).latest("submitted_at")
    assert Consensus.objects.get(pair=lacking).decided_at == last.submitted_at
    decide_without_answers(empty)
    run(project)  # its slots are made again
    assert make.judge_next(make.person(project)).item_id == empty.pk
    assert invariants.broken(project) == []


def test_nothing_is_repaired_from_answers_that_differ_from_their_seals(project):
    changed, lacking, _ = project.pairs.order_by("pk")
    seals.seal_waiting()
    Consensus.objects.filter(pair=lacking).delete()
    behind_the_back(f"UPDATE annotation_slot SET label = 0 WHERE item_id = {changed.pk}")
    with pytest.raises(CommandError, match="1 pair not repaired"):
        run(project)
    assert Consensus.objects.get(pair=changed).label == 1
    assert Consensus.objects.filter(pair=lacking).exists()
    # A lost seal may be of any pair.
    Consensus.objects.filter(pair=lacking).delete()
    behind_the_back("DELETE FROM annotation_seal WHERE number = 1")
    with pytest.raises(CommandError, match="2 pairs not repaired"):
        run(project)


def test_the_first_differences_are_named_and_the_others_counted(db):
    project = make.study(judgments_per_pair=1, consensus_min_votes=1)
    judged.pairs(project, [[1]] * 23, by=judged.people(project, 1))
    Consensus.objects.all().delete()
    assert run(project).splitlines()[20:] == ["and 3 more", "23 pairs repaired."]
    assert SentencePair.objects.filter(consensus__kept=True).count() == 23
