"""What is stored of each pair is what its answers say, or it is found and repaired."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Consensus, Judgment, SentencePair
from annotation.services import recompute, rounds
from tests.annotation import cast, judged
from tests.annotation.services import invariants

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    """Three pairs of three judgments: one decided for, one against, one without an answer."""
    project = cast.study(judgments_per_pair=3, consensus_min_votes=2)
    cast.pairs(project, 3)
    for label in (1, 1, 1):
        member = cast.person(project)
        cast.judge_next(member, label)
        cast.judge_next(member, 0)
    return project


def check(project):
    said = StringIO()
    call_command("recompute_consensus", project=project.name, check=True, stdout=said)
    return said.getvalue()


def pair_of(project, number):
    return project.pairs.order_by("pk")[number]


def test_a_sound_study_has_no_difference(project):
    assert check(project) == "Nothing differs.\n"


def test_a_study_that_was_reopened_and_decided_early_is_sound():
    protocol = {"judgments_per_pair": 3, "consensus_min_votes": 3, "decides_early": True}
    project = cast.study(**protocol)
    cast.pairs(project, 1)
    people = [cast.person(project) for _ in range(6)]
    for label, member in zip([1, 0, 1], people[:3], strict=True):
        cast.judge_next(member, label)
    rounds.reopen(project, [project.pairs.get().public_id], by=people[0].user)
    assert check(project) == "Nothing differs.\n"
    for member in people[3:]:
        cast.judge_next(member, 1)
    assert check(project) == "Nothing differs.\n"


def test_a_wrong_label_is_named_with_what_is_right(project):
    wrong = pair_of(project, 0)
    judged.decide_otherwise(Consensus.objects.filter(pair=wrong), label=0, tally=[3, 0])
    [difference] = recompute.check(project)
    assert (difference.pair, difference.stored.label) == (wrong.public_id, 0)
    assert (difference.right.label, difference.right.tally) == (1, (0, 3))


def test_a_pair_that_lacks_its_consensus_is_found(project):
    Consensus.objects.filter(pair=pair_of(project, 1)).delete()
    [difference] = recompute.check(project)
    assert (difference.stored, difference.right.tally) == (None, (3, 0))


def test_a_pair_that_is_decided_without_its_answers_is_found(project):
    undecided = pair_of(project, 2)
    Judgment.objects.filter(pair=undecided).delete()  # the triggers refuse it while one is open
    Consensus.objects.create(pair=undecided, tally=[0, 3], label=1, kept=True)
    [difference] = recompute.check(project)
    assert (difference.pair, difference.right) == (undecided.public_id, None)


def test_checking_exits_with_one_and_changes_nothing(project):
    judged.decide_otherwise(Consensus.objects.all(), kept=False)
    with pytest.raises(CommandError, match="2 pairs differ"):
        check(project)
    assert not Consensus.objects.filter(kept=True).exists()


def test_what_differs_is_repaired(project):
    wrong = Consensus.objects.filter(pair=pair_of(project, 0))
    judged.decide_otherwise(wrong, label=0, tally=[3, 0])
    Consensus.objects.filter(pair=pair_of(project, 1)).delete()
    said = StringIO()
    call_command("recompute_consensus", project=project.name, stdout=said)
    assert said.getvalue().endswith("2 pairs repaired.\n")
    assert check(project) == "Nothing differs.\n"
    assert invariants.broken(project) == []


def test_a_repaired_pair_that_lacks_its_slots_is_asked_of_people_again(project):
    lacking = pair_of(project, 2)
    Judgment.objects.filter(pair=lacking).delete()
    Consensus.objects.create(pair=lacking, tally=[0, 3], label=1, kept=True)
    call_command("recompute_consensus", project=project.name, stdout=StringIO())
    assert cast.judge_next(cast.person(project)).pair == lacking
    assert invariants.broken(project) == []


def test_a_pair_was_decided_when_its_last_answer_came(project):
    repaired = pair_of(project, 0)
    Consensus.objects.filter(pair=repaired).delete()
    call_command("recompute_consensus", project=project.name, stdout=StringIO())
    last = Judgment.objects.filter(pair=repaired).latest("submitted_at")
    assert Consensus.objects.get(pair=repaired).decided_at == last.submitted_at


def test_the_first_differences_are_named_and_the_others_counted():
    project = cast.study(judgments_per_pair=1, consensus_min_votes=1)
    cast.pairs(project, 23)
    cast.judge_all(cast.person(project), 1)
    Consensus.objects.all().delete()
    said = StringIO()
    call_command("recompute_consensus", project=project.name, stdout=said)
    lines = said.getvalue().splitlines()
    assert lines[20:] == ["and 3 more", "23 pairs repaired."]
    assert SentencePair.objects.filter(consensus__kept=True).count() == 23


def test_no_statement_is_added_by_more_pairs(project, django_assert_num_queries):
    with django_assert_num_queries(1):
        list(recompute.check(project))
