"""Figures of a project's people and of its hidden pairs, counted in the database."""

import pytest

from annotation.models import Intervention, Judgment, SentencePair, Skip
from annotation.selectors import annotators, known
from annotation.services import judgments, projects
from tests.annotation import cast, judged

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def of(member):
    """One person's figures, which must be the same in the list of all."""
    [in_list] = [each for each in annotators.figures(member.project) if each.user == member.user]
    assert annotators.of_member(member) == in_list
    return in_list


def compared(member):
    return of(member).compared, of(member).agreeing


def answered(project, *answers):
    """A pair for each place in these answers, each sequence of which is one person's."""
    people = judged.people(project, len(answers))
    judged.pairs(project, list(zip(*answers, strict=True)), by=people)
    return people


def intervene(member, kind):
    return Intervention.objects.create(membership=member, kind=kind, reason="-")


def test_answers_are_compared_with_the_majority_of_at_least_two_others():
    for answers, expected in [
        (([1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1]), (4, 2)),
        (([1], [1], [0]), (0, 0)),  # without their own, one for and one against are left
        (([1, 1], [0, 0]), (0, 0)),
    ]:
        alice, *_ = answered(cast.study(), *answers)
        assert compared(alice) == expected
        assert of(alice).agreement == (0.5 if expected[0] else None)
    alice, *_ = answered(cast.study(protocol="parade"), [2, 1], [3, 3], [3, 2])
    assert (compared(alice), of(alice).label_shares) == ((2, 1), (0.0, 0.5, 0.5, 0.0))


def test_answers_held_out_count_for_no_others_and_are_still_compared_themselves():
    alice, bob, *_ = answered(cast.study(), [1], [0], [0], [1])
    assert compared(alice) == (1, 0)
    Judgment.objects.filter(annotator=bob.user).update(held_out=intervene(bob, "hold_out"))
    assert (compared(alice), compared(bob), of(bob).held_out) == ((0, 0), (1, 0), True)
    intervene(bob, "reinstate")
    assert not of(bob).held_out


def test_hidden_pairs_are_counted_apart():
    alice, *_ = answered(cast.study(), [1, 1, 1], [1, 1, 1], [1, 1, 1])
    for pair, label in zip(SentencePair.objects.order_by("pk")[:2], (1, 0), strict=True):
        SentencePair.objects.filter(pk=pair.pk).update(known_label=label)
    found = of(alice)
    assert (found.known_given, found.known_right, found.known_share) == (2, 1, 0.5)
    assert (found.judgments, found.compared) == (3, 1)


def test_what_was_done_how_fast_and_when_is_counted():
    project = cast.study()
    alice = cast.person(project)
    begun = of(alice)
    assert (begun.judgments, begun.corrections, begun.skips, begun.label_shares) == (0, 0, 0, ())
    assert begun.agreement is begun.agreement_interval is begun.median_seconds is None
    assert begun.last_seen is begun.known_share is None
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Eve saw Al.", "Al saw Eve.")])
    cast.correct_next(alice)
    cast.judge_next(cast.person(project))
    pair = SentencePair.objects.get()
    Skip.objects.create(project=project, annotator=alice.user, pair=pair, reason="unclear")
    assert (of(alice).corrections, of(alice).judgments, of(alice).skips) == (1, 0, 1)
    cast.pairs(project, 5)
    for seconds, median in [(9.0, 9.0), (1.0, 5.0), (2.0, 2.0), (4.0, 3.0)]:
        pair = judgments.claim(alice).pair.public_id
        stored = judgments.submit(alice, pair_public_id=pair, label=1, seconds=seconds)
        assert (of(alice).median_seconds, of(alice).last_seen) == (median, stored.submitted_at)
    assert of(alice).last_seen < judgments.claim(alice).claimed_at == of(alice).last_seen


def test_flags_are_in_force_until_the_person_is_resumed_and_in_one_project_alone():
    alice, *_ = answered(cast.study(), [1], [1], [1])
    for kind in ("flag", "pause", "resume"):
        intervene(alice, kind)
    later = intervene(alice, "flag")
    assert (of(alice).flags, of(alice).compared) == ((later,), 1)
    found = of(projects.add_member(cast.study(), alice.user))
    assert (found.judgments, found.compared, found.flags) == (0, 0, ())


def test_a_hidden_pair_that_most_of_those_without_a_flag_miss_is_suspect():
    for protocol, label, labels, flagged, figures in [
        ("paws", 1, (1, 1, 0), 0, (3, 2, False)),
        ("paws", 1, (0, 0, 1), 0, (3, 1, True)),
        ("paws", 1, (0, 0), 0, (2, 0, False)),  # too few
        ("paws", 1, (0, 0, 0, 1), 2, (4, 1, False)),
        ("paws", 1, (), 0, (0, 0, False)),
        ("parade", 3, (2, 1), 0, (2, 1, False)),  # one of them on the same side
    ]:
        [pair] = cast.known_pairs(cast.study(protocol=protocol), [label])
        for number, careless in enumerate(known_answers(pair, *labels)):
            if number < flagged:
                intervene(careless, "flag")
        [found] = known.of_project(pair.project)
        assert (found.given, found.right, found.is_suspect) == figures, labels


def known_answers(pair, *labels, by=()):
    """Slots of a hidden pair with these answers, each by somebody new if nobody is named."""
    people = by or judged.people(pair.project, len(labels))
    for slot, (person, label) in enumerate(zip(people, labels, strict=True), start=1):
        given = {"annotator": person.user, "label": label}
        Judgment.objects.create(project=pair.project, pair=pair, slot=slot, **given)
    return people


def test_one_persons_answers_to_hidden_pairs_are_read_in_few_statements(
    django_assert_num_queries, django_assert_max_num_queries
):
    project = cast.study()
    pair, other, *_ = cast.known_pairs(project, [1, 0, 1, 1])
    alice, bob = known_answers(pair, 1, 0)
    known_answers(other, 1, by=[alice])
    right = {answer.pair: answer.is_right for answer in known.answers_of(alice)}
    assert right == {pair: True, other: False}
    intervene(bob, "flag")
    with django_assert_num_queries(3):
        assert len(known.of_project(project)) == 4
    with django_assert_max_num_queries(8):
        assert len(annotators.figures(project)) == 2
