"""The slots that the database makes of new pairs."""

from datetime import UTC, datetime

import pytest

from annotation import queue_keys
from annotation.models import Judgment, Project
from annotation.services import new_slots
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def slots(project):
    rows = Judgment.objects.filter(project=project).order_by("pk")
    return list(rows.values_list("pair", "slot", "queue_key", "label", "annotator"))


def test_in_depth_all_slots_of_a_pair_stand_together():
    project = cast.study(order=Project.Order.DEPTH)
    cast.pairs(project, 3)
    assert slots(project) == [
        (pair.pk, slot, queue_keys.in_depth(pair.pk, slot), None, None)
        for pair in project.pairs.order_by("pk")
        for slot in range(1, 6)
    ]


def test_in_breadth_the_first_slot_of_each_pair_stands_alone(monkeypatch):
    now = datetime(2026, 11, 21, 12, 30, 1, 250, tzinfo=UTC)
    monkeypatch.setattr(new_slots.timezone, "now", lambda: now)
    project = cast.study(order=Project.Order.BREADTH)
    cast.pairs(project, 3)
    pairs = project.pairs.order_by("pk").values_list("pk", flat=True)
    firsts = [queue_keys.in_breadth(now, pair, ahead=ahead) for ahead, pair in enumerate(pairs)]
    assert slots(project) == [
        (pair, slot, first if slot == 1 else None, None, None)
        for pair, first in zip(pairs, firsts, strict=True)
        for slot in range(1, 6)
    ]


def test_a_pair_of_one_judgment_has_one_slot():
    project = cast.study(judgments_per_pair=1, consensus_min_votes=1)
    cast.pairs(project, 2)
    assert [slot for _, slot, *_ in slots(project)] == [1, 1]


def test_no_pairs_have_no_slots():
    assert list(new_slots.make(cast.study(), [])) == []
