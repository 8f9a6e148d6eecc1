"""People: their place in a study and their names there, their figures, and what each sees."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.http import Http404
from django.utils import timezone

from accounts.models import User
from annotation.access import gates, readers
from annotation.models import Consensus, Intervention, Judgment, Membership, Project, Skip
from annotation.people.selectors import annotator, annotators, names
from annotation.people.selectors.annotator import Counts, OwnAgreement
from annotation.projects.services import projects
from annotation.quality.selectors.answers import gold_pairs
from tests.annotation import judged, make

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
Role = Membership.Role
ONE_EACH = {"judgments_per_pair": 1, "consensus_min_votes": 1}


def test_a_place_is_read_at_once_with_its_person_and_its_project(django_assert_num_queries):
    project = make.study()
    alice, stranger = make.person(project, kinds=["judge"]), make.person(make.study())
    request = {"path": "/", "method": "GET", "htmx": True}
    of_alice, of_stranger = (
        SimpleNamespace(user=member.user, **request) for member in (alice, stranger)
    )
    with django_assert_num_queries(1):
        found = gates.member(of_alice, project.public_id)
        assert (found, found.user, found.project) == (alice, alice.user, project)
    with django_assert_num_queries(1):
        duty = gates.duty(of_alice, project.public_id, "judge")
        assert (duty.kind, duty.membership, duty.membership.user) == ("judge", alice, alice.user)
        assert duty.membership.project == project
    with pytest.raises(Http404):
        gates.duty(of_alice, project.public_id, "correct")
    with pytest.raises(Http404):
        gates.member(of_stranger, project.public_id)


def test_managers_steer_their_project_and_its_runs_and_administrators_all():
    project, other = make.study(), make.study()
    for each in (project, other):
        make.pairs(each, 1)
    for role in Role:
        person, steers = make.person(project, role=role).user, role == Role.MANAGER
        assert list(readers.managed_projects(person)) == [project] * steers
        assert list(readers.steerable_runs(person)) == list(project.runs.all()) * steers
    root = User.objects.create_superuser("root")
    assert set(readers.managed_projects(root)) == {project, other}
    assert readers.steerable_runs(root).count() == 2


def test_names_are_for_managers_and_pseudonyms_of_one_project_for_all_others(settings):
    project, ada = Project(), User(pk=7, username="Ada")
    pseudonym = names.pseudonym(project, 7)
    for role in Role:
        reader = Membership(project=project, user=User(), role=role)
        called, name = names.for_reader(reader), "Ada" if role == Role.MANAGER else pseudonym
        assert (called.name(ada), called.of_id(7, "Ada"), called.name(None)) == (name, name, "")
        assert called.order(ada) == name.casefold()
    others = {names.pseudonym(project, 8), names.pseudonym(Project(), 7)}
    settings.SECRET_KEY = "another"  # of another installation
    assert len({pseudonym, *others, names.pseudonym(project, 7)}) == 4


def of(member):
    """One person's figures, which must be the same in the list of all."""
    [in_list] = [each for each in annotators.figures(member.project) if each.user == member.user]
    assert annotators.of_member(member) == in_list
    return in_list


def compared(member):
    return of(member).compared, of(member).comparison.with_others.agreeing


def answer(member, seconds):
    pair = make.claim(member).item.public_id
    return make.submit(member, item=pair, label=1, seconds=seconds)


def answered(project, *answers):
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
        alice, *_ = answered(make.study(), *answers)
        assert compared(alice) == expected
        assert of(alice).agreement == (0.5 if expected[0] else None)
    alice, *_ = answered(make.study(protocol="parade"), [2, 1], [3, 3], [3, 2])
    assert (compared(alice), of(alice).label_shares) == ((2, 1), (0.0, 0.5, 0.5, 0.0))
    alice, *_ = answered(make.study(), *[[1, 1, 1]] * 3)
    for pair, label in zip(alice.project.pairs.all()[:2], (1, 0), strict=True):
        alice.project.pairs.filter(pk=pair.pk).update(gold_label=label)
    found = of(alice)  # gold pairs are counted apart
    assert (found.gold_given, found.gold_right, found.gold_share) == (2, 1, 0.5)
    assert (found.judgments, found.compared) == (3, 1)


def test_answers_excluded_count_for_no_others_and_flags_until_the_person_is_resumed():
    alice, bob, *_ = answered(make.study(), [1], [0], [0], [1])
    assert compared(alice) == (1, 0)
    Judgment.objects.filter(annotator=bob.user).update(excluded_by=intervene(bob, "exclude"))
    assert (compared(alice), compared(bob), of(bob).excluded) == ((0, 0), (1, 0), True)
    intervene(bob, "reinstate")
    assert not of(bob).excluded
    for kind in ("flag", "pause", "resume"):
        intervene(bob, kind)
    later = intervene(bob, "flag")
    assert of(bob).flags == (later,)
    found = of(projects.add_member(make.study(), bob.user))  # nothing of another project
    assert (found.judgments, found.compared, found.flags) == (0, 0, ())


def test_what_was_done_how_fast_and_when_is_counted():
    project = make.study()
    alice = make.person(project)
    begun = of(alice)
    assert (begun.answers.total(), begun.skips, begun.label_shares) == (0, 0, ())
    assert begun.agreement is begun.agreement_interval is begun.median_seconds is None
    assert begun.last_seen is begun.gold_share is None
    make.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Eve saw Al.", "Al saw Eve.")])
    make.correct_next(alice)
    make.judge_next(make.person(project))
    pair = project.pairs.get()
    Skip.objects.create(project=project, annotator=alice.user, item=pair, reason="unclear")
    assert (of(alice).answers["correct"], of(alice).judgments, of(alice).skips) == (1, 0, 1)
    make.pairs(project, 5)
    for seconds, median in [(9.0, 9.0), (1.0, 5.0), (2.0, 2.0), (4.0, 3.0)]:
        stored = answer(alice, seconds)
        assert (of(alice).median_seconds, of(alice).last_seen) == (median, stored.submitted_at)
    assert of(alice).last_seen < make.claim(alice).claimed_at == of(alice).last_seen


def gold_answers(pair, *labels):
    people = judged.people(pair.project, len(labels))
    for slot, (person, label) in enumerate(zip(people, labels, strict=True), start=1):
        answer = {"label": label, "submitted_at": timezone.now()}
        by = {"annotator": person.user, "person": person.user}
        Judgment.objects.create(project=pair.project, item=pair, number=slot, **answer, **by)
    return people


def test_a_gold_pair_that_most_of_those_without_a_flag_miss_is_suspect():
    for protocol, label, labels, flagged, figures in [
        ("paws", 1, (1, 1, 0), 0, (3, 2, False)),
        ("paws", 1, (0, 0, 1), 0, (3, 1, True)),
        ("paws", 1, (0, 0), 0, (2, 0, False)),  # too few
        ("paws", 1, (0, 0, 0, 1), 2, (4, 1, False)),
        ("paws", 1, (), 0, (0, 0, False)),
        ("parade", 3, (2, 1), 0, (2, 1, False)),  # one of them on the same side
    ]:
        [pair] = make.gold_pairs(make.study(protocol=protocol), [label])
        people = gold_answers(pair, *labels)
        for careless in people[:flagged]:
            intervene(careless, "flag")
        [found] = gold_pairs(pair.project)
        assert (found.given, found.right, found.is_suspect) == figures, labels


@pytest.fixture
def ada():
    return make.person(make.study(**ONE_EACH))


def decided(member, number, *, against=0, label=1):
    """Let a person judge pairs, each decided by it; then turn some consensuses round."""
    make.pairs(member.project, number)
    make.judge_all(member, label)
    last = Consensus.objects.order_by("-decided_at", "-pk").values_list("pk", flat=True)[:against]
    judged.decide_otherwise(Consensus.objects.filter(pk__in=list(last)), label=0)
    return annotator.agreement_of(member)


def test_own_answers_are_counted_by_day_by_week_and_in_all(ada):
    make.pairs(ada.project, 5)
    slot, long_ago = make.claim(ada), timezone.now() - timedelta(days=400)
    Judgment.objects.filter(pk=slot.pk).update(label=1, serial=1, submitted_at=long_ago)
    make.judge_next(make.person(ada.project))
    assert annotator.pace_of(ada, "judge") is None
    assert annotator.counts_of(ada, "judge") == Counts(0, 0, 1)
    for seconds in (200.0, 100.0):
        answer(ada, seconds)
    assert annotator.pace_of(ada, "judge").per_hour is None  # five minutes say little
    answer(ada, 900.0)
    pace = annotator.pace_of(ada, "judge")
    assert (pace.seconds, pace.per_hour, pace.answers) == (200.0, 9.0, 3)
    assert annotator.counts_of(ada, "judge") == Counts(3, 3, 4)
    make.candidates(ada.project, [("One sees two.", "Two sees one.")])
    make.correct_next(ada)
    assert annotator.counts_of(ada, "correct") == Counts(1, 1, 1)
    days = annotator.by_day(ada)
    assert (len(days), list(days)[-1]) == (annotator.DAYS, timezone.localdate())
    assert (list(days.values())[-1], sum(days.values())) == (4, 4)
    for kind in Intervention.Kind:
        Intervention.objects.create(membership=ada, kind=kind, reason="-")
    assert [note.kind for note in annotator.notes_to(ada)] == ["resume", "pause", "warn"]


def test_agreement_is_of_whole_tens_of_at_least_twenty_decided_pairs_in_steps(ada):
    assert annotator.agreement_of(ada) is None
    assert decided(ada, 19) is None
    before = decided(ada, 1, against=3)
    assert before == OwnAgreement(85, 20)
    for _ in range(9):  # one more decided pair moves nothing
        assert decided(ada, 1, against=1) == before
    assert decided(ada, 1) == OwnAgreement(60, 30)
    eleven = list(Consensus.objects.values_list("pk", flat=True)[:11])
    judged.decide_otherwise(Consensus.objects.filter(pk__in=eleven), label=None)
    assert annotator.agreement_of(ada) is None
    bo = make.person(make.study(protocol="parade", **ONE_EACH))
    assert decided(bo, 20, label=2) == OwnAgreement(100, 20)
    assert decided(bo, 7, against=14, label=2) == OwnAgreement(65, 20)
