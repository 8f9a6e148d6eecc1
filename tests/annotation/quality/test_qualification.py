"""The set of pairs with known answers: begun, answered, passed or not, and changed meanwhile."""

from dataclasses import replace

import pytest
from django.utils import timezone

from annotation.errors import Refused
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.services import members
from annotation.projects.services import projects
from annotation.quality.selectors import qualification as selectors
from annotation.quality.services import qualification
from annotation.stats.labels import Level, scale
from tests.annotation import make
from tests.annotation.small_study import reread

pytestmark = pytest.mark.django_db


def start(*, pairs=4, people=1, **settings):
    """A project with a set of pairs, of which the even ones mean the same, and people."""
    project = make.study(**{"asks_qualification": True, "pass_mark": 75, **settings})
    qualification.add(project, known(pairs))
    return project, *[make.person(project) for _ in range(people)]


def known(number):
    return [GoldPair(f"{n} sees a.", f"A sees {n}.", (n + 1) % 2, "Why") for n in range(number)]


def answer(member, pair, label=None):
    label = pair.label if label is None else label
    return qualification.answer(member, pair=pair.public_id, label=label)


def answer_all(member, *, wrong=0):
    attempt = qualification.begin(member)
    for place, pair in enumerate(selectors.unanswered_pairs(attempt)):
        attempt = answer(member, pair, 1 - pair.label if place < wrong else pair.label)
    return attempt


def test_a_person_who_reaches_the_pass_mark_exactly_is_admitted(subtests):
    for pairs, mark, wrong, share, passed in (
        (4, 75, 1, 0.75, True),
        (4, 75, 2, 0.5, False),
        (10, 80, 2, 0.8, True),
        (10, 70, 3, 0.7, True),
        (3, 100, 0, 1.0, True),
        (3, 100, 1, 2 / 3, False),
    ):
        with subtests.test(pairs=pairs, mark=mark, wrong=wrong):
            _, member = start(pairs=pairs, pass_mark=mark)
            attempt = answer_all(member, wrong=wrong)
            assert (attempt.share, attempt.passed) == (share, passed)
            assert reread(member).is_admitted == passed


def test_attempts_are_counted_and_another_can_be_granted():
    _, ada = start(attempts=2)
    with pytest.raises(Refused, match="No attempt has failed"):
        qualification.grant_attempt(ada)
    for left in (1, 0):
        answer_all(ada, wrong=4)
        assert selectors.attempts_left(ada) == left
    with pytest.raises(Refused, match="no attempts left"):
        qualification.begin(ada)
    qualification.grant_attempt(ada)
    answer_all(ada)
    found = list(ada.attempts.values_list("number", "share", "passed"))
    assert found == [(1, 0.0, False), (2, 0.0, None), (3, 1.0, True)]


def test_a_person_who_may_not_begin_is_given_the_reason():
    consent = {"consent": "Agree.", "consent_changed_at": timezone.now()}
    _, admitted = start()
    for _ in range(2):
        qualification.let_pass(admitted)
        assert reread(admitted).is_admitted
    for member, reason in (
        (start(asks_qualification=False)[1], "no qualification test for you"),
        (admitted, "no qualification test for you"),
        (start(**consent)[1], "agree to the consent text"),
        (start(pairs=0)[1], "isn’t ready yet"),
    ):
        with pytest.raises(Refused, match=reason):
            qualification.begin(member)


def test_pairs_of_the_set_are_answered_once():
    _, ada = start()
    elsewhere = start(pairs=1)[0].qualification_pairs.get()
    with pytest.raises(Refused, match="started yet"):
        answer(ada, elsewhere)
    attempt = qualification.begin(ada)
    assert qualification.begin(ada) == attempt
    first, *others = selectors.unanswered_pairs(attempt)
    for _ in range(2):
        answer(ada, first)
    for pair, label, reason in (
        (first, 1 - first.label, "answers can't be changed"),
        (others[0], -1, "not one of this project"),
        (others[0], 2, "not one of this project"),
        (elsewhere, 1, "part of your test"),
    ):
        with pytest.raises(Refused, match=reason):
            answer(ada, pair, label)
    for pair in (*others, others[-1]):
        assert answer(ada, pair) == attempt
    assert attempt.answers.count() == 4


def test_attempts_under_way_get_pairs_that_join_the_set_and_lose_those_that_leave():
    project, ada, bob = start(people=2)
    attempt, empty = qualification.begin(ada), qualification.begin(bob)
    first, gone, *_ = selectors.unanswered_pairs(attempt)
    answer(ada, first)
    qualification.add(project, [GoldPair("New one.", "One new.", 1)])
    standing = selectors.progress_of(attempt)
    assert (standing.number, standing.total) == (2, 5)
    qualification.remove(gone)
    with pytest.raises(Refused, match="no longer"):
        answer(ada, gone, 1)
    *others, last = selectors.unanswered_pairs(attempt)
    for pair in others:
        answer(ada, pair)
    qualification.remove(last)  # with which only the attempt of Bob, who answered none, goes on
    for pair in project.qualification_pairs.all():
        attempt.refresh_from_db()
        assert (attempt.share, attempt.passed, reread(ada).is_admitted) == (1.0, True, True)
        qualification.remove(pair)
    empty.refresh_from_db()
    assert (empty.finished_at, selectors.progress_of(empty)) == (None, None)


def test_a_set_holds_each_pair_once_and_has_a_limit(monkeypatch):
    project, *_ = start()
    assert qualification.add(project, [*known(5), *known(1)]) == (1, 5)
    monkeypatch.setattr(qualification, "MOST_PAIRS", 6)
    with pytest.raises(Refused, match="at most 6"):
        qualification.add(project, known(7))
    assert qualification.add(project, known(6)) == (1, 5)
    positions = project.qualification_pairs.values_list("position", flat=True)
    assert list(positions) == [1, 2, 3, 4, 5, 6]
    make.candidates(project, [("Ana met Bo.", "Bo met Ana.")], method="imported")
    with pytest.raises(Refused, match="already has this pair"):
        qualification.add(project, [GoldPair("Bo met Ana.", "Ana met  Bo.", 1)])


def test_a_consent_text_that_changes_stops_an_attempt_until_the_person_agrees():
    project, ada = start()
    attempt = qualification.begin(ada)
    projects.change(project, {"consent": "Agree."}, by=ada.user)
    [pair, *_] = selectors.unanswered_pairs(attempt)
    for step in (lambda: answer(ada, pair), lambda: qualification.begin(ada)):
        with pytest.raises(Refused, match="agree to the consent text"):
            step()
    members.agree(reread(ada), version=members.version_of("Agree."))
    assert answer(ada, pair) == qualification.begin(ada) == attempt


@pytest.mark.both_engines
@pytest.mark.parametrize(("level", "right"), [(Level.INTERVAL, 3), (Level.ORDINAL, 1)])
def test_a_label_next_to_the_known_one_is_right_only_where_steps_are_equal(level, right):
    scheme = replace(scale(3, border=2), level=level)
    project, ada = start(pairs=0, scheme=scheme, pass_mark=25)
    lines = [GoldPair(f"{n} sees a.", f"A sees {n}.", 1, "Why") for n in range(4)]
    qualification.add(project, lines)
    qualification.begin(ada)
    for pair, label in zip(project.qualification_pairs.order_by("pk"), (0, 1, 2, 3), strict=True):
        attempt = answer(ada, pair, label)
    assert attempt.share == right / 4
    marked = selectors.marked_answers(attempt)
    assert sum(mark.is_right for mark in marked) == right
    assert sum(pair.right for pair in selectors.of_project(project)) == right
