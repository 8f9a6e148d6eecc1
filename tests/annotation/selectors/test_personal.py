"""Own figures: counted from own rows, and telling nothing of one pair."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Consensus, Intervention, Judgment, Membership, Project
from annotation.selectors import personal
from annotation.selectors.personal import Counts, OwnAgreement
from tests.annotation import cast, judged


@pytest.fixture
def project(db: None) -> Project:
    return cast.study(judgments_per_pair=1, consensus_min_votes=1)


@pytest.fixture
def ada(project: Project) -> Membership:
    return cast.person(project)


def decided(member: Membership, number: int, *, against: int = 0) -> None:
    """Let a person judge so many pairs, each decided by it; then turn some consensuses round."""
    cast.pairs(member.project, number)
    cast.judge_all(member, 1)
    last = Consensus.objects.order_by("-decided_at", "-pk").values_list("pk", flat=True)[:against]
    judged.decide_otherwise(Consensus.objects.filter(pk__in=list(last)), label=0)


def test_answers_are_counted_by_day_week_and_all(project, ada):
    Project.objects.update(judgments_per_pair=1)
    cast.pairs(project, 3)
    cast.judge_all(ada, 1)
    assert personal.judgments_of(ada) == Counts(3, 3, 3)
    assert personal.corrections_of(ada) == Counts(0, 0, 0)


def test_the_answers_of_others_count_nowhere(project, ada):
    cast.pairs(project, 3)
    cast.judge_all(cast.person(project), 1)
    assert personal.judgments_of(ada) == Counts(0, 0, 0)
    assert sum(personal.by_day(ada).values()) == 0
    assert personal.pace_of_judging(ada) is None


def test_four_weeks_end_today(project, ada):
    cast.candidates(project, [("One sees two.", "Two sees one.")])
    cast.correct_next(ada)
    days = personal.by_day(ada)
    assert len(days) == personal.DAYS
    assert list(days)[-1] == timezone.localdate()
    assert list(days.values())[-1] == 1
    assert sum(days.values()) == 1


def test_the_pace_is_the_median_and_what_an_hour_holds(project, ada):
    cast.pairs(project, 3)
    for seconds in (1.0, 2.0, 9.0):
        slot = cast.judgments.claim(ada)
        cast.judgments.submit(ada, pair_public_id=slot.pair.public_id, label=1, seconds=seconds)
    pace = personal.pace_of_judging(ada)
    assert pace is not None
    assert (pace.seconds, pace.per_hour, pace.answers) == (2.0, 900.0, 3)


@pytest.mark.parametrize("pairs", [0, 10, 19])
def test_nothing_is_said_of_fewer_than_twenty_pairs(ada, pairs):
    if pairs:
        decided(ada, pairs)
    assert personal.agreement_of(ada) is None


def test_the_share_is_of_whole_tens(ada):
    decided(ada, 27, against=14)
    assert personal.agreement_of(ada) == OwnAgreement(65, 20)


def test_one_more_decided_pair_moves_nothing(ada):
    decided(ada, 20, against=3)
    before = personal.agreement_of(ada)
    for _ in range(9):
        decided(ada, 1, against=1)
        assert personal.agreement_of(ada) == before
    decided(ada, 1)
    assert personal.agreement_of(ada) == OwnAgreement(60, 30)


def test_undecided_pairs_answers_held_out_and_ties_do_not_count(project, ada):
    decided(ada, 20)
    judged.decide_otherwise(Consensus.objects.filter(pk=Consensus.objects.first().pk), label=None)
    assert personal.agreement_of(ada) is None


def test_on_a_graded_scale_the_side_counts_and_not_the_grade(db):
    project = cast.study(protocol="parade", judgments_per_pair=1, consensus_min_votes=1)
    member = cast.person(project)
    cast.pairs(project, 20)
    cast.judge_all(member, 2)
    assert personal.agreement_of(member) == OwnAgreement(100, 20)


def test_only_what_was_said_to_the_person_is_shown(ada):
    for kind in Intervention.Kind:
        Intervention.objects.create(membership=ada, kind=kind, reason=f"about {kind}")
    assert [note.kind for note in personal.notes_to(ada)] == ["resume", "pause", "warn"]


def test_an_answer_of_last_year_is_counted_in_all_alone(project, ada):
    cast.pairs(project, 1)
    slot = cast.judgments.claim(ada)
    assert slot is not None
    long_ago = timezone.now() - timedelta(days=400)
    Judgment.objects.filter(pk=slot.pk).update(label=1, number=1, submitted_at=long_ago)
    assert personal.judgments_of(ada) == Counts(0, 0, 1)
    assert sum(personal.by_day(ada).values()) == 0
