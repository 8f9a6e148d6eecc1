"""Figures of a project's people, counted in the database."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Intervention, Judgment, SentencePair, Skip
from annotation.selectors import annotators
from annotation.selectors.annotators import AnnotatorFigures
from annotation.services import judgments
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def of(member, project=None) -> AnnotatorFigures:
    """One person's figures, which must be the same in the list of all."""
    [in_list] = [each for each in annotators.figures(member.project) if each.user == member.user]
    assert annotators.of_member(member) == in_list
    return in_list


def answer(member, label, *, seconds=2.0):
    slot = judgments.claim(member)
    return judgments.submit(
        member, pair_public_id=slot.pair.public_id, label=label, seconds=seconds
    )


def judged(project, *answers):
    """So many pairs, judged by one person for each sequence of labels, in the order of pairs."""
    cast.pairs(project, len(answers[0]))
    people = [cast.person(project) for _ in answers]
    for person, labels in zip(people, answers, strict=True):
        for label in labels:
            answer(person, label)
    return people


def test_whoever_has_done_nothing_has_figures_too():
    alice = cast.person(cast.study())
    nobody = of(alice)
    assert (nobody.judgments, nobody.corrections, nobody.skips) == (0, 0, 0)
    assert nobody.agreement is nobody.agreement_interval is nobody.median_seconds is None
    assert nobody.last_seen is nobody.known_share is None
    assert nobody.label_shares == ()


def test_an_answer_agrees_when_most_of_the_others_gave_it():
    project = cast.study()
    alice, *_ = judged(project, [1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1])
    assert (of(alice).compared, of(alice).agreeing, of(alice).agreement) == (4, 2, 0.5)


def test_a_person_is_not_compared_with_themselves():
    project = cast.study()
    alice, *_ = judged(project, [1], [1], [0])
    assert of(alice).compared == 0  # one for and one against are left


def test_one_other_is_too_few_to_compare_with():
    alice, _ = judged(cast.study(), [1, 1], [0, 0])
    assert of(alice).agreement is None


def test_answers_held_out_count_for_nobody_else_and_are_still_compared_themselves():
    project = cast.study()
    alice, bob, *_ = judged(project, [1], [0], [0], [1])
    assert (of(alice).compared, of(alice).agreeing) == (1, 0)
    reason = Intervention.objects.create(membership=bob, kind="hold_out", reason="-")
    Judgment.objects.filter(annotator=bob.user).update(held_out=reason)
    assert of(alice).compared == 0  # one on each side is left
    assert (of(bob).compared, of(bob).agreeing) == (1, 0)


def test_grades_on_the_same_side_agree():
    project = cast.study(protocol="parade")
    alice, bob, _ = judged(project, [2, 1], [3, 3], [3, 2])
    assert (of(alice).compared, of(alice).agreeing) == (2, 1)
    assert of(alice).label_shares == (0.0, 0.5, 0.5, 0.0)
    assert of(bob).compared == 1


def test_hidden_pairs_are_counted_apart():
    project = cast.study()
    cast.pairs(project, 3)
    first, second, _ = SentencePair.objects.order_by("pk")
    SentencePair.objects.filter(pk=first.pk).update(known_label=1)
    SentencePair.objects.filter(pk=second.pk).update(known_label=0)
    people = [cast.person(project) for _ in range(3)]
    for person in people:
        given = Judgment.objects.filter(slot=people.index(person) + 1)
        given.update(annotator=person.user, label=1, seconds=2.0)
    alice = of(people[0])
    assert (alice.known_given, alice.known_right, alice.known_share) == (2, 1, 0.5)
    assert (alice.judgments, alice.compared) == (3, 1)


@pytest.mark.parametrize(
    ("seconds", "median"), [([3.0], 3.0), ([9.0, 1.0], 5.0), ([8, 1, 2], 2.0), ([1, 2, 4, 9], 3.0)]
)
def test_the_median_is_the_time_in_the_middle(seconds, median):
    project = cast.study()
    cast.pairs(project, len(seconds))
    alice = cast.person(project)
    for time in seconds:
        answer(alice, 1, seconds=time)
    assert of(alice).median_seconds == median


def test_what_was_done_is_counted():
    project = cast.study()
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Eve saw Al.", "Al saw Eve.")])
    alice = cast.person(project)
    cast.correct_next(alice)
    answer(cast.person(project), 0)
    Skip.objects.create(
        project=project, annotator=alice.user, pair=SentencePair.objects.get(), reason="unclear"
    )
    assert (of(alice).corrections, of(alice).judgments, of(alice).skips) == (1, 0, 1)


def test_last_seen_is_when_the_last_item_was_opened_or_answered():
    project = cast.study()
    cast.pairs(project, 2)
    alice = cast.person(project)
    stored = answer(alice, 1)
    assert of(alice).last_seen == stored.submitted_at
    opened = judgments.claim(alice)
    assert of(alice).last_seen == opened.claimed_at > stored.submitted_at


def test_flags_are_in_force_until_the_person_is_resumed():
    alice = cast.person(cast.study())

    def step(kind):
        return Intervention.objects.create(membership=alice, kind=kind, reason="-")

    step("flag"), step("pause")
    step("resume")
    later = step("flag")
    assert of(alice).flags == (later,)


def test_answers_are_held_out_until_they_are_reinstated():
    alice = cast.person(cast.study())
    seen = []
    for kind in ("hold_out", "reinstate", "hold_out"):
        Intervention.objects.create(membership=alice, kind=kind, reason="-")
        seen.append(of(alice).held_out)
    assert seen == [True, False, True]


def test_other_projects_do_not_show():
    here, there = cast.study(), cast.study()
    alice, *_ = judged(there, [1], [1], [1])
    elsewhere = cast.person(here)
    elsewhere.user, elsewhere.user_id = alice.user, alice.user_id
    elsewhere.save()
    assert (of(elsewhere).judgments, of(elsewhere).compared) == (0, 0)
    assert of(alice).compared == 1


def test_the_number_of_statements_does_not_grow_with_the_people():
    def statements(people):
        project = cast.study()
        judged(project, *[[1, 0]] * min(people, 5))
        for _ in range(people - min(people, 5)):
            cast.person(project)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            found = annotators.figures(project)
        assert len(found) == people
        return len(queries)

    assert statements(2) == statements(60) <= 8
