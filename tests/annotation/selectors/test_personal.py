"""Own figures: counted from own rows, and telling nothing of one pair."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Consensus, Intervention, Judgment
from annotation.selectors import personal
from annotation.selectors.personal import Counts, OwnAgreement
from tests.annotation import cast, judged

ONE_EACH = {"judgments_per_pair": 1, "consensus_min_votes": 1}


@pytest.fixture
def ada(db):
    return cast.person(cast.study(**ONE_EACH))


def decided(member, number, *, against=0, label=1):
    """Let a person judge so many pairs, each decided by it; then turn some consensuses round."""
    cast.pairs(member.project, number)
    cast.judge_all(member, label)
    last = Consensus.objects.order_by("-decided_at", "-pk").values_list("pk", flat=True)[:against]
    judged.decide_otherwise(Consensus.objects.filter(pk__in=list(last)), label=0)
    return personal.agreement_of(member)


def test_own_answers_are_counted_by_day_by_week_and_in_all(ada):
    cast.pairs(ada.project, 5)
    slot, long_ago = cast.judgments.claim(ada), timezone.now() - timedelta(days=400)
    Judgment.objects.filter(pk=slot.pk).update(label=1, number=1, submitted_at=long_ago)
    cast.judge_next(cast.person(ada.project))
    assert personal.pace_of_judging(ada) is None
    assert personal.judgments_of(ada) == Counts(0, 0, 1)
    for seconds in (2.0, 1.0, 9.0):
        pair = cast.judgments.claim(ada).pair.public_id
        cast.judgments.submit(ada, pair_public_id=pair, label=1, seconds=seconds)
    pace = personal.pace_of_judging(ada)
    assert (pace.seconds, pace.per_hour, pace.answers) == (2.0, 900.0, 3)
    assert personal.judgments_of(ada) == Counts(3, 3, 4)
    cast.candidates(ada.project, [("One sees two.", "Two sees one.")])
    cast.correct_next(ada)
    assert personal.corrections_of(ada) == Counts(1, 1, 1)
    days = personal.by_day(ada)
    assert (len(days), list(days)[-1]) == (personal.DAYS, timezone.localdate())
    assert (list(days.values())[-1], sum(days.values())) == (4, 4)


def test_agreement_is_of_whole_tens_of_at_least_twenty_decided_pairs(ada):
    assert personal.agreement_of(ada) is None
    assert decided(ada, 19) is None
    before = decided(ada, 1, against=3)
    assert before == OwnAgreement(85, 20)
    for _ in range(9):  # one more decided pair moves nothing
        assert decided(ada, 1, against=1) == before
    assert decided(ada, 1) == OwnAgreement(60, 30)


def test_the_share_comes_in_steps_of_the_same_side_and_of_pairs_with_a_majority(ada):
    assert decided(ada, 27, against=14) == OwnAgreement(65, 20)
    eight = list(Consensus.objects.values_list("pk", flat=True)[:8])
    judged.decide_otherwise(Consensus.objects.filter(pk__in=eight), label=None)
    assert personal.agreement_of(ada) is None
    bo = cast.person(cast.study(protocol="parade", **ONE_EACH))
    assert decided(bo, 20, label=2) == OwnAgreement(100, 20)


def test_only_what_was_said_to_the_person_is_shown(ada):
    for kind in Intervention.Kind:
        Intervention.objects.create(membership=ada, kind=kind, reason=f"about {kind}")
    assert [note.kind for note in personal.notes_to(ada)] == ["resume", "pause", "warn"]
