"""Alerts, periods, the pace and the pages of the dashboard, as the database has them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.models import Intervention, Judgment, Project
from annotation.selectors.dashboard import alerts, keyset, over_time, pace
from annotation.services import projects
from tests.annotation import cast, judged

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ORDERS = [("seed", "id"), ("-seed", "id"), ("-id",), ("id",)]


def test_judges_are_people_who_are_given_work_and_two_accounts_of_one_are_one(project):
    people = judged.people(project, 6)
    assert not alerts.of_project(project).too_few_judges
    projects.add_member(project, people[0].user, may_judge=False)
    people[1].paused_at = timezone.now()
    people[1].save()
    cast.same_person(*people[2:4])
    found = alerts.of_project(project)
    assert (found.judges, found.correctors, found.paused) == (3, 4, 1)
    assert found.too_few_judges
    project.asks_qualification = True
    project.save()
    assert alerts.of_project(project).nobody_is_qualified
    people[4].qualified_at = timezone.now()
    people[4].save()
    found = alerts.of_project(project)
    assert (found.judges, found.nobody_is_qualified) == (1, False)
    project.is_open = False
    project.save()
    closed = alerts.of_project(project)
    assert (closed.is_closed, closed.too_few_judges) == (True, False)


def test_flags_count_until_they_are_lifted_and_pairs_and_open_candidates_set_aside(project):
    cast.candidates(project, [("A sees b.", "B sees a."), ("C sees d.", "D sees c.")])
    alice, flagged = cast.person(project), []
    cast.correct_next(alice)
    for kind in ("flag", "flag", "resume"):
        Intervention.objects.create(membership=alice, kind=kind, reason="Too fast.")
        flagged.append(alerts.of_project(project).flagged)
    assert flagged == [1, 1, 0]
    for each in (*project.pairs.all(), *project.correction_set.all()):
        each.set_aside_at = timezone.now()
        each.save()
    found = alerts.of_project(project)
    assert (found.pairs_set_aside, found.corrections_set_aside, found.set_aside) == (1, 1, 2)


def test_what_counts_falls_into_its_periods(project):
    cast.pairs(project, 1)
    assert over_time.span(project) is None
    by = judged.people(project, 5)
    judged.pairs(project, [[1] * 5], by=by, at=NINE)
    judged.pairs(project, [[1, 1, 1, 1, 0]], by=by, at=NINE + timedelta(minutes=28))
    [known, out] = judged.pairs(project, [[1, 0]] * 2, by=by, at=NINE)
    project.pairs.filter(pk=known.pk).update(known_label=1)
    why = Intervention.objects.create(membership=by[0], kind="hold_out", reason="Too fast.")
    out.judgments.update(held_out=why)
    other = cast.study()
    judged.pairs(other, [[1] * 5], by=judged.people(other, 5), at=NINE - timedelta(days=1))
    span = over_time.span(project)
    assert (span.first, span.last) == (NINE, NINE + timedelta(minutes=32))
    found = over_time.of_project(project, span)
    assert (found.periods.length, found.answers) == (600, {0: 5, 2: 2, 3: 3})
    assert found.votes == {0: {(0, 5): 1}, 3: {(1, 4): 1}}
    assert found.by_method == {"back_translation": {(0, 5): 1, (1, 4): 1}}


def measured(*hours_ago):
    """A study with one judgment at each of these times."""
    project, now = cast.study(), timezone.now()
    pairs = judged.pairs(project, [[1]] * len(hours_ago), by=judged.people(project, 1))
    for pair, hours in zip(pairs, hours_ago, strict=True):
        at = now - timedelta(hours=hours)
        pair.judgments.filter(label=1).update(submitted_at=at, claimed_at=at)
    return project, pace.of_project(project, over_time.span(project))


def test_the_end_is_foretold_from_the_latest_stretches():
    _, found = measured(0.5, 0.1)
    assert (found.left, found.window, found.forecast, found.ends) == (8, None, None, None)
    _, found = measured(*(24 * day + 25 for day in range(4)))  # nobody was at work today
    assert (found.window is None, found.forecast) == (False, None)
    _, found = measured(*(hour / 10 for hour in range(1, 60)))
    assert found.forecast.soonest < found.left / 10 < found.forecast.latest
    assert found.ends is None
    project, found = measured(*(24 * day + hour for day in range(4) for hour in (1, 2, 3)))
    assert (found.forecast.per_hour, found.left) == (pytest.approx(3 / 24), 48)
    assert found.ends == (found.now + timedelta(hours=48 / (3 / 24)),) * 2
    assert found.is_on_one_day
    aside = project.pairs.latest("pk")
    project.pairs.filter(pk=aside.pk).update(set_aside_at=timezone.now())
    assert pace.of_project(project, over_time.span(project)).left == 44
    Judgment.objects.filter(label=None).delete()
    found = pace.of_project(project, over_time.span(project))
    assert (found.left, found.forecast) == (0, None)


def page(columns, size, **beyond):
    return keyset.page(Project.objects.all(), columns=columns, size=size, **beyond)


def test_pages_are_the_whole_table_in_both_directions_and_new_rows_shift_nothing(subtests):
    for seed in (3, 1, 3, 2, 1, 3, 3, 2):
        cast.study(seed=seed)
    for columns in ORDERS:
        with subtests.test(columns=columns):
            rows = list(Project.objects.order_by(*columns))
            for size in (1, 3, 4, 8, 50):
                pages = [page(columns, size)]
                while pages[-1].after is not None:
                    pages.append(page(columns, size, after=pages[-1].after))
                assert [row for each in pages for row in each.rows] == rows
                assert {len(each.rows) for each in pages[:-1]} <= {size}
                back = [pages[-1]]
                while back[0].before is not None:
                    back.insert(0, page(columns, size, before=back[0].before))
                assert back == pages
            first, new = page(columns, 3), cast.study(seed=2)
            rest = page(columns, 50, after=first.after).rows
            assert first.rows + [row for row in rest if row != new] == rows
            new.delete()
    found = keyset.page(Project.objects.none(), columns=["id"], size=3)
    assert (found.rows, found.before, found.after) == ([], None, None)
