"""Votes and answers as they stand in the database, cut by method, kind of change and week."""

from datetime import UTC, date, datetime, timedelta

import pytest

from annotation.models import Intervention, Judgment
from annotation.selectors import votes
from annotation.selectors.dashboard import agreement
from annotation.services import rounds
from annotation.stats import others
from generation.models import Candidate
from tests.annotation import cast, judged

pytestmark = [pytest.mark.django_db, pytest.mark.database]
MONDAY = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)


@pytest.fixture
def project():
    return cast.study()


@pytest.fixture
def people(project):
    return judged.people(project, 5)


def test_votes_are_cut_by_the_week_in_which_they_were_decided(project, people):
    sunday = MONDAY - timedelta(hours=1)
    judged.pairs(project, [[1] * 5], by=people, at=sunday)
    judged.pairs(project, [[0] * 5, [1, 1, 1, 1, 0]], by=people, at=MONDAY + timedelta(days=6))
    assert votes.of_project(project).weeks == {
        date(2026, 2, 23): {(0, 5): 1},
        date(2026, 3, 2): {(5, 0): 1, (1, 4): 1},
    }


def test_votes_are_cut_by_method_and_kind_of_change(project, people):
    made = judged.pairs(project, [[1] * 5, [0] * 5, [0] * 5], by=people)
    Candidate.objects.filter(pk=made[0].candidate_id).update(kind="word order")
    found = votes.of_project(project)
    assert found.methods == {"back_translation": {(0, 5): 1, (5, 0): 2}}
    assert found.kinds == {
        ("back_translation", ""): {(5, 0): 2},
        ("back_translation", "word order"): {(0, 5): 1},
    }
    assert found.every == {(0, 5): 1, (5, 0): 2}


def test_each_part_is_measured_before_and_after_the_filter(project, people):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 1, 1]], by=people)
    found = agreement.of_project(project)
    [method], [kind], [week] = found.methods, found.kinds, found.weeks
    for each in (found.overall, method.measured, kind.measured, week.measured):
        assert (each.before.pairs, each.after.pairs) == (2, 1)
        assert each.before.human.value == pytest.approx(0.8)
        assert each.after.human.value == 1.0


def test_hidden_pairs_are_in_no_vote(project, people):
    [pair] = judged.pairs(project, [[1] * 5], by=people)
    project.pairs.filter(pk=pair.pk).update(known_label=1)
    assert votes.of_project(project).every == {}
    assert agreement.answers(project) == {}


def test_answers_are_sides_beside_the_votes_of_their_pair(project, people):
    judged.pairs(project, [[1, 1, 1, 1, 0], [1, 1]], by=people)
    keys = [member.user_id for member in people]
    expected = {(key, 1, (1, 4)): 1 for key in keys[:4]} | {(keys[4], 0, (1, 4)): 1}
    assert agreement.answers(project) == expected


def test_grades_are_sides_too():
    graded = cast.study(protocol="parade")
    people = judged.people(graded, 3)
    judged.pairs(graded, [[3, 2, 1]], by=people)
    first, _, last = (member.user_id for member in people)
    found = agreement.answers(graded)
    assert found[first, 1, (1, 2)] == found[last, 0, (1, 2)] == 1


def test_figures_are_those_of_the_plain_judgments(project, people):
    """Two ways to the same: tallies from the database, and answers one by one."""
    labels = [[1, 1, 1, 0, 0], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1], [0, 1, 0, 1, 0], [1, 0, 0, 0, 0]]
    judged.pairs(project, labels, by=people)
    answered = Judgment.objects.filter(project=project, label__isnull=False)
    plain = others.of_judgments(answered.values_list("pair", "annotator", "label"))
    assert others.leaving_one_out(agreement.answers(project)) == plain
    assert {each.user.pk: each.beside for each in agreement.annotators(project)} == plain


def test_what_is_held_out_is_beside_nobody(project, people):
    judged.pairs(project, [[1, 0]], by=people)
    why = Intervention.objects.create(membership=people[0], kind="hold_out", reason="Too fast.")
    Judgment.objects.filter(annotator=people[0].user).update(held_out=why)
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    assert people[0].user_id not in {each.user.pk for each in agreement.annotators(project)}


def test_the_latest_round_of_a_pair_alone_counts(project, people):
    [pair] = judged.pairs(project, [[1, 1, 1, 0, 0]], by=people)
    rounds.reopen(project, [pair.public_id], by=people[0].user)
    assert agreement.annotators(project) == []
    for member in judged.people(project, 5):
        cast.judge_all(member, 0)
    assert votes.of_project(project).every == {(5, 0): 1}
    beside = [each.beside.counts for each in agreement.annotators(project)]
    assert beside == [{(0, 0): 1}] * 5


def test_pseudonyms_tell_people_apart_and_give_the_order(project, people):
    judged.pairs(project, [[1] * 5], by=people)
    names = [each.pseudonym for each in agreement.annotators(project)]
    assert names == sorted(set(names))
    assert all(name.startswith("annotator-") for name in names)


def test_a_study_without_answers_has_no_parts(project):
    found = agreement.of_project(project)
    assert found.overall.before.pairs == 0
    assert (found.methods, found.kinds, found.weeks) == ([], [], [])
    assert agreement.annotators(project) == []
