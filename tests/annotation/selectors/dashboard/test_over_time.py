"""Periods hold what was answered and decided in them, and only what counts."""

from datetime import UTC, datetime, timedelta

import pytest

from annotation.models import Intervention, Judgment
from annotation.selectors.dashboard import over_time
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db
NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def project():
    return cast.study()


def course(project):
    return over_time.of_project(project, over_time.span(project))


def test_before_the_first_judgment_there_is_no_span(project):
    cast.pairs(project, 1)
    assert over_time.span(project) is None


def test_the_span_goes_from_the_first_judgment_to_the_last(project):
    by = judged.people(project, 5)
    judged.pairs(project, [[1] * 5], by=by, at=NINE)
    judged.pairs(project, [[1, 0]], by=by[:2], at=NINE + timedelta(hours=2))
    span = over_time.span(project)
    assert (span.first, span.last) == (NINE, NINE + timedelta(hours=2, minutes=1))


def test_answers_and_decided_pairs_fall_into_their_periods(project):
    by = judged.people(project, 5)
    judged.pairs(project, [[1] * 5], by=by, at=NINE)
    judged.pairs(project, [[1, 1, 1, 1, 0]], by=by, at=NINE + timedelta(minutes=28))
    found = course(project)
    assert found.periods.length == 600
    assert found.answers == {0: 5, 2: 2, 3: 3}
    assert found.votes == {0: {(0, 5): 1}, 3: {(1, 4): 1}}


def test_votes_are_told_apart_by_method_and_summed_up(project):
    by = judged.people(project, 5)
    judged.pairs(project, [[1] * 5, [0, 0, 0, 1, 1]], by=by, at=NINE)
    found = course(project)
    assert found.by_method == {"back_translation": {(0, 5): 1, (3, 2): 1}}


def test_answers_that_are_held_out_and_hidden_pairs_do_not_count(project):
    by = judged.people(project, 2)
    [pair] = judged.pairs(project, [[1, 0]], by=by, at=NINE)
    why = Intervention.objects.create(membership=by[0], kind="hold_out", reason="Too fast.")
    Judgment.objects.filter(pair=pair, annotator=by[0].user).update(held_out=why)
    [known] = judged.pairs(project, [[1]], by=by[:1], at=NINE)
    project.pairs.filter(pk=known.pk).update(known_label=1)
    assert course(project).answers == {0: 1}


def test_other_projects_do_not_count(project):
    judged.pairs(project, [[1]], by=judged.people(project, 1), at=NINE)
    other = cast.study()
    judged.pairs(other, [[1] * 5], by=judged.people(other, 5), at=NINE)
    found = course(project)
    assert (found.answers, found.votes) == ({0: 1}, {})
