"""What was set aside for everybody comes back."""

import pytest

from annotation.models import Skip
from annotation.services import corrections, judgments, setting_aside, skips
from tests.annotation import cast

pytestmark = pytest.mark.django_db
BROKEN = Skip.Reason.BROKEN


def set_aside(member):
    """The pair that the person was given, skipped for ever."""
    pair = judgments.claim(member).pair
    skips.pair(member, pair=pair.public_id, reason=BROKEN)
    return pair


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_a_pair_comes_back_to_people_who_are_far_beyond_it(order):
    project = cast.study(skipping="never", order=order)
    cast.pairs(project, 3)
    alice, bob = cast.person(project), cast.person(project)
    pair = set_aside(alice)
    assert cast.judge_all(bob, 1) == 2
    assert setting_aside.put_pairs_back(project, [pair.public_id]) == 1
    pair.refresh_from_db()
    assert pair.set_aside_at is None
    bob.refresh_from_db()
    assert judgments.claim(bob).pair == pair


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_a_pair_that_came_back_is_judged_to_its_end(order):
    project = cast.study(skipping="never", order=order)
    cast.pairs(project, 1)
    pair = set_aside(cast.person(project))
    setting_aside.put_pairs_back(project, [pair.public_id])
    assert [cast.judge_all(cast.person(project), 1) for _ in range(6)] == [1, 1, 1, 1, 1, 0]


def test_a_correction_comes_back_to_people_who_are_beyond_it():
    project = cast.study(skipping="never")
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Cy met Di.", "Di met Cy.")])
    alice, bob = cast.person(project), cast.person(project)
    item = corrections.claim(alice)
    skips.correction(alice, correction=item.public_id, reason=BROKEN)
    cast.correct_next(bob)
    assert corrections.claim(bob) is None
    assert setting_aside.put_corrections_back(project, [item.public_id]) == 1
    bob.refresh_from_db()
    assert corrections.claim(bob) == item


def test_what_is_not_set_aside_or_not_of_the_project_is_left_alone():
    project, other = cast.study(skipping="never"), cast.study(skipping="never")
    cast.pairs(project, 2)
    pair = set_aside(cast.person(project))
    never_left = project.pairs.exclude(pk=pair.pk).get()
    before = list(never_left.judgments.order_by("pk").values())
    assert setting_aside.put_pairs_back(other, [pair.public_id]) == 0
    assert setting_aside.put_pairs_back(project, [never_left.public_id]) == 0
    assert list(never_left.judgments.order_by("pk").values()) == before
    pair.refresh_from_db()
    assert pair.set_aside_at is not None
