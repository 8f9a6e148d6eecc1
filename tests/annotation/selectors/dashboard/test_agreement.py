"""Votes and answers as they are in the database, cut by method, kind of change and week."""

from datetime import UTC, date, datetime, timedelta

import pytest

from annotation.models import Intervention, Judgment
from annotation.selectors import votes
from annotation.selectors.dashboard import agreement
from annotation.services import rounds
from annotation.stats import others
from generation.models import Candidate
from tests.annotation import cast, judged

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
MONDAY = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)
SUNDAY, NEXT_SUNDAY = MONDAY - timedelta(hours=1), MONDAY + timedelta(days=6)
LABELS = [[1, 1, 1, 0, 0], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1], [0, 1, 0, 1, 0], [1, 0, 0, 0, 0]]


@pytest.fixture
def people(project):
    return judged.people(project, 5)


def test_votes_are_cut_by_method_kind_of_change_and_the_week_of_their_decision(project, people):
    [pair] = judged.pairs(project, [[1] * 5], by=people, at=SUNDAY)
    judged.pairs(project, [[0] * 5, [1, 1, 1, 1, 0]], by=people, at=NEXT_SUNDAY)
    Candidate.objects.filter(pk=pair.candidate_id).update(kind="word order")
    found = votes.of_project(project)
    assert found.every == {(0, 5): 1, (5, 0): 1, (1, 4): 1}
    assert found.methods == {"back_translation": found.every}
    assert found.kinds == {
        ("back_translation", ""): {(5, 0): 1, (1, 4): 1},
        ("back_translation", "word order"): {(0, 5): 1},
    }
    assert found.weeks == {
        date(2026, 2, 23): {(0, 5): 1},
        date(2026, 3, 2): {(5, 0): 1, (1, 4): 1},
    }
    assert [*found.weeks] == [date(2026, 2, 23), date(2026, 3, 2)]


def test_each_part_is_measured_before_and_after_the_filter(project, people):
    empty = agreement.of_project(project)
    assert (empty.overall.before.pairs, empty.methods, empty.kinds, empty.weeks) == (0, [], [], [])
    judged.pairs(project, [[1] * 5, [0, 0, 0, 1, 1]], by=people)
    found = agreement.of_project(project)
    [method], [kind], [week] = found.methods, found.kinds, found.weeks
    for each in (found.overall, method.measured, kind.measured, week.measured):
        assert (each.before.pairs, each.after.pairs) == (2, 1)
        assert (each.before.human.value, each.after.human.value) == (pytest.approx(0.8), 1.0)


def test_answers_are_sides_beside_the_votes_of_their_pair_grades_too(project, people):
    judged.pairs(project, [[1, 1, 1, 1, 0], [1, 1]], by=people)
    [hidden] = judged.pairs(project, [[1] * 5], by=people)
    project.pairs.filter(pk=hidden.pk).update(known_label=1)
    keys = [member.user_id for member in people]
    expected = {(key, 1, (1, 4)): 1 for key in keys[:4]} | {(keys[4], 0, (1, 4)): 1}
    assert agreement.answers(project) == expected
    assert votes.of_project(project).every == {(1, 4): 1}
    graded = cast.study(protocol="parade")
    people = judged.people(graded, 3)
    judged.pairs(graded, [[3, 2, 1]], by=people)
    sides = [(member.user_id, side, (1, 2)) for member, side in zip(people, (1, 1, 0), strict=True)]
    assert agreement.answers(graded) == dict.fromkeys(sides, 1)


def test_figures_are_those_of_the_plain_judgments(project, people):
    """Two ways to the same: tallies from the database, and answers one by one."""
    assert agreement.annotators(project) == []
    judged.pairs(project, LABELS, by=people)
    answered = Judgment.objects.filter(project=project, label__isnull=False)
    plain = others.of_judgments(answered.values_list("pair", "annotator", "label"))
    assert others.leaving_one_out(agreement.answers(project)) == plain
    found = agreement.annotators(project)
    assert {each.user.pk: each.beside for each in found} == plain
    names = [each.pseudonym for each in found]
    assert names == sorted(set(names))
    assert {name.partition("-")[0] for name in names} == {"annotator"}


def test_the_latest_round_alone_counts_and_nothing_that_is_held_out(project, people):
    [pair] = judged.pairs(project, [[1, 1, 1, 0, 0]], by=people)
    rounds.reopen(project, [pair.public_id], by=people[0].user)
    assert agreement.annotators(project) == []
    for member in judged.people(project, 5):
        cast.judge_all(member, 0)
    assert votes.of_project(project).every == {(5, 0): 1}
    beside = [each.beside.counts for each in agreement.annotators(project)]
    assert beside == [{(0, 0): 1}] * 5
    judged.pairs(project, [[1, 0]], by=people)
    out = Intervention.objects.create(membership=people[0], kind="hold_out", reason="Too fast.")
    latest = Judgment.objects.filter(annotator=people[0].user, superseded_by=None)
    latest.update(held_out=out)
    assert people[0].user_id not in {each.user.pk for each in agreement.annotators(project)}
