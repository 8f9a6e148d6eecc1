"""How much is left, and when it is done: from the answers of the latest stretches."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Judgment
from annotation.selectors.dashboard import over_time, pace
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return cast.study()


def measured(project):
    return pace.of_project(project, over_time.span(project))


def answer_at(project, *hours_ago: float) -> None:
    """One judgment at each of these times."""
    now, member = timezone.now(), judged.people(project, 1)
    for hours in hours_ago:
        judged.pairs(project, [[1]], by=member, at=now - timedelta(hours=hours))


def test_what_is_left_are_open_slots_of_pairs_in_the_queue(project):
    judged.pairs(project, [[1], [1]], by=judged.people(project, 1))
    aside = project.pairs.latest("pk")
    assert measured(project).left == 8
    project.pairs.filter(pk=aside.pk).update(set_aside_at=timezone.now())
    assert measured(project).left == 4


def test_in_the_first_hour_nothing_is_foretold(project):
    answer_at(project, 0.5, 0.1)
    found = measured(project)
    assert (found.window, found.forecast, found.ends) == (None, None, None)


def test_a_study_of_days_ends_on_a_date(project):
    answer_at(project, *(24 * day + hour for day in range(4) for hour in (1, 2, 3)))
    found = measured(project)
    assert found.forecast.per_hour == pytest.approx(3 / 24)
    assert found.left == 48
    soonest, latest = found.ends
    assert soonest == latest == found.now + timedelta(hours=48 / (3 / 24))
    assert found.is_on_one_day


def test_a_study_of_hours_takes_hours_and_has_no_date(project):
    answer_at(project, *(hour / 10 for hour in range(1, 60)))
    found = measured(project)
    assert found.forecast.soonest < found.left / 10 < found.forecast.latest
    assert found.ends is None


def test_nothing_is_foretold_when_nobody_is_at_work(project):
    answer_at(project, *(24 * day + 25 for day in range(4)))
    found = measured(project)
    assert found.window is not None
    assert found.forecast is None


def test_nothing_is_foretold_when_nothing_is_left(project):
    answer_at(project, 80, 50, 26, 1)
    Judgment.objects.filter(label=None).delete()
    assert (measured(project).left, measured(project).forecast) == (0, None)
