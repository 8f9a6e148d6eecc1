"""Periods hold what was answered and decided in them; from the latest the end is foretold."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.models import Intervention, Judgment
from annotation.selectors.dashboard import over_time, pace
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db
NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.both_engines
def test_answers_and_decided_pairs_fall_into_their_periods(project):
    cast.pairs(project, 1)
    assert over_time.span(project) is None
    by = judged.people(project, 5)
    judged.pairs(project, [[1] * 5], by=by, at=NINE)
    judged.pairs(project, [[1, 1, 1, 1, 0]], by=by, at=NINE + timedelta(minutes=28))
    other = cast.study()
    judged.pairs(other, [[1] * 5], by=judged.people(other, 5), at=NINE - timedelta(days=1))
    span = over_time.span(project)
    assert (span.first, span.last) == (NINE, NINE + timedelta(minutes=32))
    found = over_time.of_project(project, span)
    assert found.periods.length == 600
    assert found.answers == {0: 5, 2: 2, 3: 3}
    assert found.votes == {0: {(0, 5): 1}, 3: {(1, 4): 1}}
    assert found.by_method == {"back_translation": {(0, 5): 1, (1, 4): 1}}


def test_answers_that_are_held_out_and_hidden_pairs_do_not_count(project):
    by = judged.people(project, 2)
    [pair] = judged.pairs(project, [[1, 0]], by=by, at=NINE)
    why = Intervention.objects.create(membership=by[0], kind="hold_out", reason="Too fast.")
    Judgment.objects.filter(pair=pair, annotator=by[0].user).update(held_out=why)
    [known] = judged.pairs(project, [[1]], by=by[:1], at=NINE)
    project.pairs.filter(pk=known.pk).update(known_label=1)
    assert over_time.of_project(project, over_time.span(project)).answers == {0: 1}


def measured(project):
    return pace.of_project(project, over_time.span(project))


def answer_at(project, *hours_ago):
    """One judgment at each of these times."""
    now, member = timezone.now(), judged.people(project, 1)
    pairs = judged.pairs(project, [[1]] * len(hours_ago), by=member)
    for pair, hours in zip(pairs, hours_ago, strict=True):
        at = now - timedelta(hours=hours)
        pair.judgments.filter(label=1).update(submitted_at=at, claimed_at=at)


def test_in_the_first_hour_nothing_is_foretold_and_pairs_set_aside_are_not_left(project):
    answer_at(project, 0.5, 0.1)
    found = measured(project)
    assert (found.left, found.window, found.forecast, found.ends) == (8, None, None, None)
    aside = project.pairs.latest("pk")
    project.pairs.filter(pk=aside.pk).update(set_aside_at=timezone.now())
    assert measured(project).left == 4


def test_a_study_of_days_ends_on_a_date_unless_nothing_is_left(project):
    answer_at(project, *(24 * day + hour for day in range(4) for hour in (1, 2, 3)))
    found = measured(project)
    assert found.forecast.per_hour == pytest.approx(3 / 24)
    assert found.left == 48
    assert found.ends == (found.now + timedelta(hours=48 / (3 / 24)),) * 2
    assert found.is_on_one_day
    Judgment.objects.filter(label=None).delete()
    assert (measured(project).left, measured(project).forecast) == (0, None)


def test_a_study_of_hours_takes_hours_and_has_no_date(project):
    answer_at(project, *(hour / 10 for hour in range(1, 60)))
    found = measured(project)
    assert found.forecast.soonest < found.left / 10 < found.forecast.latest
    assert found.ends is None


def test_nothing_is_foretold_when_the_last_answer_is_a_day_old(project):
    answer_at(project, *(24 * day + 25 for day in range(4)))
    found = measured(project)
    assert found.window is not None
    assert found.forecast is None
