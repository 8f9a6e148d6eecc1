"""Several accounts of one person count as that person."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Judgment, Recusal, SentencePair
from annotation.services import judgments
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return cast.study()


def test_a_pair_of_one_account_is_never_given_to_the_other(project):
    cast.pairs(project, 2)
    main, other, bob = (cast.person(project) for _ in range(3))
    cast.same_person(main, other)
    first = cast.judge_next(main).pair
    assert judgments.claim(other).pair != first
    assert judgments.claim(main) is None
    assert judgments.claim(bob).pair == first


def test_what_an_account_judged_before_it_was_marked_counts_too(project):
    cast.pairs(project, 1)
    main, other = cast.person(project), cast.person(project)
    cast.judge_next(other)
    cast.same_person(main, other)
    assert judgments.claim(main) is None


def test_slots_name_the_main_account_of_who_has_several_and_of_nobody_else(project):
    cast.pairs(project, 3)
    main, other, bob = (cast.person(project) for _ in range(3))
    cast.same_person(main, other)
    persons = [judgments.claim(member).person_id for member in (main, other, bob)]
    assert persons == [main.user_id, main.user_id, None]


def test_the_database_refuses_two_slots_of_one_pair_to_one_person(project):
    cast.pairs(project, 1)
    alice = cast.person(project)
    slots = Judgment.objects.order_by("slot")
    slots.filter(slot=1).update(person=alice.user)
    with pytest.raises(IntegrityError), transaction.atomic():
        slots.filter(slot=2).update(person=alice.user)


def test_a_released_slot_is_no_persons(project):
    cast.pairs(project, 2)
    main, other = cast.person(project), cast.person(project)
    cast.same_person(main, other)
    cast.judge_next(main)
    held = judgments.claim(main)
    judgments.undo(main)
    held.refresh_from_db()
    assert (held.annotator, held.person) == (None, None)
    assert judgments.claim(other) == held


def test_no_account_of_a_corrector_judges_the_pair(project):
    cast.candidates(project, [("Ada saw Bo.", "Bo saw Ada.")])
    main, other, third = (cast.person(project) for _ in range(3))
    cast.same_person(main, other, third)
    cast.correct_next(other)
    reasons = dict(Recusal.objects.values_list("annotator", "reason"))
    assert reasons == {
        main.user_id: "same_person",
        other.user_id: "corrected",
        third.user_id: "same_person",
    }
    assert [judgments.claim(member) for member in (main, other, third)] == [None] * 3
    assert judgments.claim(cast.person(project)).pair == SentencePair.objects.get()
