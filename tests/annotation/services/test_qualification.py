"""The set of pairs with known answers: begun, answered, passed or not, and changed meanwhile."""

import uuid

import pytest
from django.utils import timezone

from annotation.errors import Refused
from annotation.known_lines import KnownPair
from annotation.models import Membership, Project, QualificationAttempt, QualificationPair
from annotation.selectors import qualification as selectors
from annotation.services import qualification
from tests.annotation import cast


def known(number: int) -> list[KnownPair]:
    """So many pairs; the even ones mean the same."""
    return [
        KnownPair(f"{n} sees a.", f"A sees {n}.", (n + 1) % 2, f"Why {n}") for n in range(number)
    ]


@pytest.fixture
def project(db: None) -> Project:
    project = cast.study(asks_qualification=True, attempts=2, pass_mark=75)
    qualification.add(project, known(4))
    return project


@pytest.fixture
def ada(project: Project) -> Membership:
    return cast.person(project)


def answer_all(member: Membership, *, wrong: int = 0) -> QualificationAttempt:
    """Answer the whole set, so many pairs of it wrongly."""
    attempt = qualification.begin(member)
    for place, pair in enumerate(selectors.remaining(attempt)):
        label = 1 - pair.label if place < wrong else pair.label
        attempt = qualification.answer(member, pair=pair.public_id, label=label)
    return attempt


def reloaded(member: Membership) -> Membership:
    return Membership.objects.select_related("project").get(pk=member.pk)


def test_who_answers_as_known_passes_and_is_admitted(ada):
    attempt = answer_all(ada)
    assert (attempt.share, attempt.passed) == (1.0, True)
    assert reloaded(ada).is_admitted


def test_the_pass_mark_is_enough(ada):
    attempt = answer_all(ada, wrong=1)
    assert (attempt.share, attempt.passed) == (0.75, True)


def test_below_the_pass_mark_is_not(ada):
    attempt = answer_all(ada, wrong=2)
    assert (attempt.share, attempt.passed) == (0.5, False)
    assert not reloaded(ada).is_admitted


@pytest.mark.parametrize(("total", "mark", "wrong"), [(10, 80, 2), (10, 70, 3), (3, 100, 0)])
def test_a_mark_is_met_by_exactly_its_share(db, total, mark, wrong):
    project = cast.study(asks_qualification=True, pass_mark=mark)
    qualification.add(project, known(total))
    assert answer_all(cast.person(project), wrong=wrong).passed


def test_a_second_attempt_follows_a_failure_and_no_third(ada):
    answer_all(ada, wrong=4)
    assert selectors.attempts_left(ada) == 1
    assert answer_all(ada, wrong=4).number == 2
    with pytest.raises(Refused, match="no attempt left"):
        qualification.begin(ada)


def test_another_attempt_can_be_granted_and_the_failure_stays_on_record(ada):
    for _ in range(2):
        answer_all(ada, wrong=4)
    qualification.grant_attempt(ada)
    assert selectors.attempts_left(ada) == 1
    assert answer_all(ada).passed
    assert list(ada.attempts.values_list("number", "share", "passed")) == [
        (1, 0.0, False),
        (2, 0.0, None),
        (3, 1.0, True),
    ]


def test_nothing_is_granted_to_who_has_not_failed(ada):
    with pytest.raises(Refused):
        qualification.grant_attempt(ada)


def test_a_manager_can_let_somebody_pass_by_hand(ada):
    qualification.let_pass(ada)
    assert reloaded(ada).is_admitted
    assert ada.attempts.count() == 0


def test_the_moment_of_passing_is_kept(ada):
    answer_all(ada)
    first = reloaded(ada).qualified_at
    qualification.let_pass(ada)
    assert reloaded(ada).qualified_at == first


def test_beginning_twice_is_one_attempt(ada):
    assert qualification.begin(ada) == qualification.begin(ada)


def test_an_answer_twice_is_one(ada):
    pair = selectors.remaining(qualification.begin(ada))[0]
    for _ in range(2):
        attempt = qualification.answer(ada, pair=pair.public_id, label=1)
    assert attempt.answers.count() == 1


def test_the_last_answer_twice_is_one_too(ada):
    attempt = answer_all(ada)
    last = attempt.answers.order_by("pk").last()
    assert last is not None
    again = qualification.answer(ada, pair=last.pair.public_id, label=last.label)
    assert (again.pk, again.answers.count()) == (attempt.pk, 4)


def test_an_answer_stands(ada):
    pair = selectors.remaining(qualification.begin(ada))[0]
    qualification.answer(ada, pair=pair.public_id, label=1)
    with pytest.raises(Refused, match="that answer stands"):
        qualification.answer(ada, pair=pair.public_id, label=0)


@pytest.mark.parametrize("label", [-1, 2])
def test_a_label_outside_the_scale_is_refused(ada, label):
    pair = selectors.remaining(qualification.begin(ada))[0]
    with pytest.raises(Refused, match="scale"):
        qualification.answer(ada, pair=pair.public_id, label=label)


def test_a_pair_of_another_project_is_refused(ada):
    other = cast.study(asks_qualification=True)
    qualification.add(other, known(1))
    qualification.begin(ada)
    with pytest.raises(Refused):
        qualification.answer(ada, pair=other.qualification_pairs.get().public_id, label=1)


def test_nothing_is_answered_before_it_is_begun(ada):
    with pytest.raises(Refused, match="not begun"):
        qualification.answer(ada, pair=uuid.uuid4(), label=1)


def test_consent_comes_before_the_set(ada, project):
    Project.objects.update(consent="We store.", consent_changed_at=timezone.now())
    with pytest.raises(Refused, match="consent"):
        qualification.begin(ada)


def test_an_empty_set_cannot_be_begun(db):
    with pytest.raises(Refused, match="not ready"):
        qualification.begin(cast.person(cast.study(asks_qualification=True)))


def test_who_is_not_asked_has_no_set(db):
    with pytest.raises(Refused):
        qualification.begin(cast.person(cast.study()))


def test_the_order_is_drawn_for_each_attempt_and_stands(db):
    project = cast.study(asks_qualification=True)
    qualification.add(project, known(12))
    orders = set()
    for _ in range(5):
        attempt = qualification.begin(cast.person(project))
        drawn = [pair.pk for pair in selectors.remaining(attempt)]
        assert drawn == [pair.pk for pair in selectors.remaining(attempt)]
        orders.add(tuple(drawn))
    assert len(orders) == 5


def test_nothing_is_told_of_an_attempt_before_it_is_over(ada):
    attempt = qualification.begin(ada)
    with pytest.raises(ValueError, match="before it is over"):
        selectors.marked(attempt)


def test_the_result_tells_right_from_wrong(ada):
    attempt = answer_all(ada, wrong=1)
    assert sorted(each.is_right for each in selectors.marked(attempt)) == [False, True, True, True]


def test_a_pair_that_joins_the_set_is_part_of_an_attempt_under_way(ada, project):
    attempt = qualification.begin(ada)
    first = selectors.remaining(attempt)[0]
    qualification.answer(ada, pair=first.public_id, label=first.label)
    qualification.add(project, [KnownPair("New one.", "One new.", 1)])
    standing = selectors.standing(attempt)
    assert standing is not None
    assert (standing.number, standing.total) == (2, 5)


def test_a_pair_that_leaves_the_set_is_not_asked_any_more(ada, project):
    attempt = qualification.begin(ada)
    gone = selectors.remaining(attempt)[0]
    qualification.remove(gone)
    with pytest.raises(Refused, match="no longer"):
        qualification.answer(ada, pair=gone.public_id, label=1)
    assert answer_all(ada).passed


def test_an_attempt_that_had_only_the_removed_pair_left_is_over(ada):
    attempt = qualification.begin(ada)
    *answered, last = selectors.remaining(attempt)
    for pair in answered:
        qualification.answer(ada, pair=pair.public_id, label=pair.label)
    qualification.remove(last)
    attempt.refresh_from_db()
    assert (attempt.share, attempt.passed) == (1.0, True)
    assert reloaded(ada).is_admitted


def test_a_set_that_became_empty_ends_no_attempt(ada, project):
    attempt = qualification.begin(ada)
    for pair in project.qualification_pairs.all():
        qualification.remove(pair)
    attempt.refresh_from_db()
    assert attempt.finished_at is None
    assert selectors.standing(attempt) is None


def test_results_stand_when_a_pair_leaves_the_set(ada, project):
    attempt = answer_all(ada, wrong=1)
    qualification.remove(project.qualification_pairs.all()[0])
    attempt.refresh_from_db()
    assert (attempt.share, attempt.passed) == (0.75, True)


def test_what_the_set_has_already_is_not_added_again(project):
    assert qualification.add(project, [*known(5), *known(1)]) == (1, 5)
    positions = project.qualification_pairs.values_list("position", flat=True)
    assert list(positions) == [1, 2, 3, 4, 5]


def test_a_set_has_a_limit(project, monkeypatch):
    monkeypatch.setattr(qualification, "MOST_PAIRS", 5)
    with pytest.raises(Refused, match="at most 5"):
        qualification.add(project, known(6))
    assert QualificationPair.objects.count() == 4


def test_managers_see_how_often_each_pair_was_answered_as_known(ada, project):
    answer_all(ada, wrong=1)
    answer_all(cast.person(project))
    figures = selectors.of_project(project)
    assert sorted((each.answers, each.right) for each in figures) == [
        (2, 1),
        (2, 2),
        (2, 2),
        (2, 2),
    ]
    assert {each.percent for each in figures} == {50.0, 100.0}
