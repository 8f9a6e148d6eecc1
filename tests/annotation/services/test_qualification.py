"""The set of pairs with known answers: begun, answered, passed or not, and changed meanwhile."""

import pytest
from django.utils import timezone

from annotation.errors import Refused
from annotation.known_lines import KnownPair
from annotation.models import QualificationPair
from annotation.selectors import qualification as selectors
from annotation.services import qualification
from tests.annotation import cast
from tests.annotation.services.small_study import reread

pytestmark = pytest.mark.django_db


def known(number):
    """So many pairs; the even ones mean the same."""
    return [
        KnownPair(f"{n} sees a.", f"A sees {n}.", (n + 1) % 2, f"Why {n}") for n in range(number)
    ]


@pytest.fixture
def project():
    project = cast.study(asks_qualification=True, attempts=2, pass_mark=75)
    qualification.add(project, known(4))
    return project


@pytest.fixture
def ada(project):
    return cast.person(project)


def answer(member, pair, label=None):
    label = pair.label if label is None else label
    return qualification.answer(member, pair=pair.public_id, label=label)


def answer_all(member, *, wrong=0):
    """Answer the whole set, so many pairs of it wrongly."""
    attempt = qualification.begin(member)
    for place, pair in enumerate(selectors.remaining(attempt)):
        attempt = answer(member, pair, 1 - pair.label if place < wrong else pair.label)
    return attempt


def test_whoever_reaches_the_pass_mark_exactly_is_admitted(subtests):
    for total, mark, wrong, share, passed in (
        (4, 75, 0, 1.0, True),
        (4, 75, 1, 0.75, True),
        (4, 75, 2, 0.5, False),
        (10, 80, 2, 0.8, True),
        (10, 70, 3, 0.7, True),
        (3, 100, 0, 1.0, True),
        (3, 100, 1, 2 / 3, False),
    ):
        with subtests.test(total=total, mark=mark, wrong=wrong):
            project = cast.study(asks_qualification=True, pass_mark=mark)
            qualification.add(project, known(total))
            member = cast.person(project)
            attempt = answer_all(member, wrong=wrong)
            assert (attempt.share, attempt.passed) == (share, passed)
            assert reread(member).is_admitted == passed


def test_attempts_are_counted_and_another_can_be_granted(ada):
    with pytest.raises(Refused, match="No attempt has failed"):
        qualification.grant_attempt(ada)
    answer_all(ada, wrong=4)
    assert selectors.attempts_left(ada) == 1
    answer_all(ada, wrong=4)
    with pytest.raises(Refused, match="no attempt left"):
        qualification.begin(ada)
    qualification.grant_attempt(ada)
    assert selectors.attempts_left(ada) == 1
    assert answer_all(ada).passed
    assert list(ada.attempts.values_list("number", "share", "passed")) == [
        (1, 0.0, False),
        (2, 0.0, None),
        (3, 1.0, True),
    ]


def test_a_manager_can_admit_someone_without_the_set_once(ada):
    qualification.let_pass(ada)
    admitted = reread(ada)
    assert (admitted.is_admitted, ada.attempts.count()) == (True, 0)
    qualification.let_pass(ada)
    assert reread(ada).qualified_at == admitted.qualified_at


def test_what_is_sent_twice_is_one_and_an_answer_stands(ada):
    attempt = qualification.begin(ada)
    assert qualification.begin(ada) == attempt
    first, *others = selectors.remaining(attempt)
    for _ in range(2):
        answer(ada, first)
    with pytest.raises(Refused, match="that answer stands"):
        answer(ada, first, 1 - first.label)
    for pair in others:
        answer(ada, pair)
    assert answer(ada, others[-1]) == attempt
    assert attempt.answers.count() == 4


def test_only_pairs_of_the_set_are_answered_and_only_on_the_scale(ada):
    other = cast.study(asks_qualification=True)
    qualification.add(other, known(1))
    with pytest.raises(Refused, match="not begun"):
        answer(ada, other.qualification_pairs.get())
    pair = selectors.remaining(qualification.begin(ada))[0]
    for label in (-1, 2):
        with pytest.raises(Refused, match="scale"):
            answer(ada, pair, label)
    with pytest.raises(Refused, match="part of your set"):
        answer(ada, other.qualification_pairs.get())


def test_who_may_not_begin_is_given_the_reason(project):
    open_to_all, empty = cast.study(), cast.study(asks_qualification=True)
    consent = {"consent": "Agree.", "consent_changed_at": timezone.now()}
    asks_consent = cast.study(asks_qualification=True, **consent)
    qualified = cast.person(project)
    qualification.let_pass(qualified)
    for member, reason in (
        (cast.person(open_to_all), "no qualification set for you"),
        (qualified, "no qualification set for you"),
        (cast.person(asks_consent), "agree to the consent text"),
        (cast.person(empty), "not ready yet"),
    ):
        with pytest.raises(Refused, match=reason):
            qualification.begin(member)


def test_results_are_shown_when_an_attempt_is_over(ada, project):
    with pytest.raises(ValueError, match="before it is over"):
        selectors.marked(qualification.begin(ada))
    attempt = answer_all(ada, wrong=1)
    assert sorted(each.is_right for each in selectors.marked(attempt)) == [False, True, True, True]
    answer_all(cast.person(project))
    figures = selectors.of_project(project)
    assert sorted((each.right, each.answers, each.percent) for each in figures) == [
        (1, 2, 50.0),
        *[(2, 2, 100.0)] * 3,
    ]


def test_attempts_under_way_have_pairs_that_join_the_set_and_lose_those_that_leave(ada, project):
    attempt = qualification.begin(ada)
    first, gone, *_ = selectors.remaining(attempt)
    answer(ada, first)
    qualification.add(project, [KnownPair("New one.", "One new.", 1)])
    standing = selectors.standing(attempt)
    assert (standing.number, standing.total) == (2, 5)
    qualification.remove(gone)
    with pytest.raises(Refused, match="no longer"):
        qualification.answer(ada, pair=gone.public_id, label=1)
    *others, last = selectors.remaining(attempt)
    for pair in others:
        answer(ada, pair)
    qualification.remove(last)
    attempt.refresh_from_db()
    assert (attempt.share, attempt.passed, reread(ada).is_admitted) == (1.0, True, True)
    qualification.remove(project.qualification_pairs.first())
    attempt.refresh_from_db()
    assert (attempt.share, attempt.passed) == (1.0, True)


def test_a_set_that_became_empty_ends_no_attempt(ada, project):
    attempt = qualification.begin(ada)
    for pair in project.qualification_pairs.all():
        qualification.remove(pair)
    attempt.refresh_from_db()
    assert (attempt.finished_at, selectors.standing(attempt)) == (None, None)


def test_a_set_holds_each_pair_once_and_has_a_limit(project, monkeypatch):
    assert qualification.add(project, [*known(5), *known(1)]) == (1, 5)
    assert list(project.qualification_pairs.values_list("position", flat=True)) == [1, 2, 3, 4, 5]
    monkeypatch.setattr(qualification, "MOST_PAIRS", 6)
    with pytest.raises(Refused, match="at most 6"):
        qualification.add(project, known(7))
    assert qualification.add(project, known(6)) == (1, 5)
    assert QualificationPair.objects.count() == 6
