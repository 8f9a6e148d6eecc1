"""Answers of decided pairs are sealed; only changes that bypass the triggers break a seal."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts import services
from annotation.agreement import services as agreement
from annotation.models import Consensus, Correction, Judgment, Seal, SentencePair
from annotation.people.services import same_person
from annotation.quality.services import interventions
from annotation.seals import selectors as chain
from annotation.seals import services as seals
from tests.annotation import judged, make
from tests.annotation.judged import behind_the_back

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_db):
    """Three pairs: one all agree on, one they do not agree on, and one that lacks an answer."""
    project = make.study()
    members = judged.people(project, 5)
    judged.pairs(project, [[1] * 5, [1, 1, 1, 0, 0], [1] * 4], by=members)
    return project


def pair(project, number):
    return project.pairs.order_by("pk")[number]


def is_whole():
    return not [*chain.broken_links(), *chain.unsealed_on_sealed_pairs()]


def judge_all(project, people):
    for _ in range(people):
        make.judge_all(make.person(project), 1)


def refuses(change):
    try:
        with transaction.atomic():
            change()
    except IntegrityError:
        return True
    return False


@pytest.mark.both_engines
def test_answers_of_decided_pairs_are_sealed_once_and_the_chain_continues(project):
    decided = {pair(project, 0).pk, pair(project, 1).pk}
    assert seals.seal_waiting() == 2
    assert set(Seal.objects.values_list("judgment__item", flat=True)) == decided
    assert sorted(Seal.objects.values_list("number", flat=True)) == list(range(1, 11))
    first = chain.head()
    assert seals.seal_waiting() == 0
    assert chain.head() == first
    assert "consensus_not_sealed" in chain.waiting_consensus().values("pair")[:200].explain()
    last = make.person(project)
    make.judge_next(last)
    assert seals.seal_waiting() == 1
    assert (chain.head().number, chain.digest_at(10)) == (15, first.digest)
    assert make.undo(last) is None
    assert is_whole()


@pytest.mark.both_engines
def test_the_correction_of_a_decided_pair_is_sealed_and_then_never_changes():
    study = make.study()
    make.candidates(study, [("Ada met Bo.", "Bo met Ada.")])
    make.correct_next(make.person(study, kinds=["correct"]), "fix", "Bo met Ada once.")
    correction = Correction.objects.get(project=study)
    seals.seal_waiting()
    # Until the pair is decided, it can be undone.
    assert not Seal.objects.filter(judgment=correction.pk).exists()
    before = chain.head().number
    judge_all(study, 5)
    assert seals.seal_waiting() == 1
    assert chain.head().number == before + 6
    row = Correction.objects.filter(pk=correction.pk)
    for change in ({"text": "Bo met."}, {"action": "accept", "text": ""}, {"seconds": 1.0}):
        assert refuses(lambda change=change: row.update(**change)), change
    assert refuses(row.delete)
    assert is_whole()
    behind_the_back("UPDATE annotation_slot SET text = 'Bo met.' WHERE kind = 'correct'")
    [broken] = chain.broken_links()
    assert (broken.pair, broken.slot) == (correction.item.public_id, 1)


@pytest.mark.parametrize("sealed_before", [True, False])
def test_a_reopened_pair_is_sealed_with_both_rounds(project, sealed_before):
    asked = pair(project, 1)
    if sealed_before:
        seals.seal_waiting()
    make.spare(project)
    agreement.reopen(project, [asked.public_id], by=project.memberships.first().user)
    seals.seal_waiting()
    assert Seal.objects.filter(judgment__item=asked).count() == (5 if sealed_before else 0)
    judge_all(project, 5)
    seals.seal_waiting()
    assert is_whole()
    assert Seal.objects.filter(judgment__item=asked).count() == 10


def test_permitted_changes_of_sealed_answers_break_no_seal(project):
    decided = pair(project, 0)
    people = [member.user for member in project.memberships.order_by("pk")[:3]]
    seals.seal_waiting()
    Consensus.objects.filter(pair=decided).delete()
    SentencePair.objects.filter(pk=decided.pk).update(slot_count=6)
    # Slots of an open pair may move.
    Judgment.objects.filter(item=decided, number=5).update(number=6)
    assert is_whole()
    SentencePair.objects.filter(pk=decided.pk).update(slot_count=5)
    Judgment.objects.filter(item=decided, number=6).update(number=5)
    call_command("recompute_consensus", project=project.name)
    assert Consensus.objects.filter(pair=decided).exists()
    assert is_whole()
    same_person.mark(people[1], people[2])
    assert is_whole()
    member = project.memberships.get(user=people[0])
    interventions.exclude(member, by=people[1], reason="These look like guesses.")
    judge_all(project, 3)
    assert seals.seal_waiting() > 0
    assert is_whole()
    interventions.reinstate(member, by=people[1], reason="They were not.")
    assert seals.seal_waiting() > 0
    services.erase(people[0], by=people[0])
    assert is_whole()
    assert Seal.objects.count() == Judgment.objects.filter(submitted_at__isnull=False).count()


@pytest.mark.both_engines
def test_sealed_answers_seals_and_what_a_pair_came_to_cannot_be_changed(project):
    answers = Judgment.objects.filter(item=pair(project, 0))
    decided = Consensus.objects.filter(pair=pair(project, 0))
    decided.delete()
    assert not refuses(lambda: answers.update(seconds=3.5))
    Consensus.objects.create(pair=pair(project, 0), tally=[0, 5], label=1, kept=True)
    seals.seal_waiting()
    for change in ({"label": 0}, {"tally": [5, 0]}, {"kept": False}):
        assert refuses(lambda change=change: decided.update(**change)), change
    assert not refuses(lambda: decided.update(kept=True, decided_at=timezone.now()))
    last = Seal.objects.filter(number=10)
    assert refuses(lambda: last.update(digest=bytes(32)))
    assert refuses(lambda: last.delete())
    decided.delete()  # not even while the pair is open
    changes = [{"label": 0}, {"seconds": 1.0}, {"highlighted": True}, {"serial": 99}]
    emptied = {"label": None, "submitted_at": None}
    for change in (*changes, emptied, {"submitted_at": timezone.now()}):
        assert refuses(lambda change=change: answers.update(**change)), change
    assert refuses(lambda: answers._raw_delete(using="default"))
    linked, main = answers.filter(number=1), make.person(project).user
    assert not refuses(lambda: linked.update(person=main, queue_key=None))


def verify(**options):
    """What the command prints, and the message with which it fails."""
    printed = StringIO()
    try:
        call_command("verify_seals", stdout=printed, **options)
    except CommandError as error:
        return printed.getvalue(), str(error)
    return printed.getvalue(), None


def sealed(number):
    return Judgment.objects.get(seal__number=number)


@pytest.fixture
def head(project):
    """The head of a chain of ten."""
    seals.seal_waiting()
    return chain.head()


def test_a_whole_chain_is_named_by_its_head_in_one_form(project, head):
    judged.pairs(project, [[0] * 5], by=judged.people(project, 5))
    digest = bytes(Seal.objects.get(number=10).digest).hex()
    text = f"10 answers are sealed; 1 pairs are waiting to be sealed.\nHead: 10:{digest}\n"
    assert verify() == (text, None)
    assert chain.Head.parse(f"10:{digest}") == head
    with pytest.raises(CommandError, match="argument --head"):
        call_command("verify_seals", "--head", "six")


@pytest.mark.both_engines
def test_every_changed_answer_is_named(head):
    changes = ("label = 1 - label", "seconds = 1", "serial = 77", "highlighted = true")
    for number, change in enumerate((*changes, "submitted_at = '2020-01-01 00:00:00'"), 1):
        answer = sealed(number)
        behind_the_back(f"UPDATE annotation_slot SET {change} WHERE id = {answer.pk}")
        printed, failed = verify()
        lines = [line for line in printed.splitlines() if line.startswith("seal")]
        where = f"seal {number}, pair {answer.item.public_id}, slot {answer.number}:"
        assert (len(lines), lines[-1].startswith(where)) == (number, True), change
        assert failed == f"{number} differ from what was sealed."


@pytest.mark.both_engines
def test_what_was_shown_and_the_seals_themselves_are_compared(head):
    shown = sealed(6).item.sentence2_id
    behind_the_back(f"UPDATE generation_sentence SET text = 'X' WHERE id = {shown}")
    assert [each.first for each in chain.broken_links()] == [6, 7, 8, 9, 10]
    zeros = "X'00'" if connection.vendor == "sqlite" else r"'\x00'"
    behind_the_back(f"UPDATE annotation_seal SET digest = {zeros} WHERE number = 1")
    # With the next, which follows on it.
    assert [each.first for each in chain.broken_links()] == [1, 2, 6, 7, 8, 9, 10]


@pytest.mark.both_engines
def test_an_answer_that_is_deleted_with_or_without_its_seal_is_found(head):
    lost = sealed(3).pk
    behind_the_back(f"DELETE FROM annotation_slot WHERE id = {lost}")
    printed, failed = verify()
    assert "seal 3: has lost its answer\n" in printed
    assert failed == "1 differ from what was sealed."
    behind_the_back(f"DELETE FROM annotation_seal WHERE judgment_id = {lost}")
    printed, failed = verify()
    assert "seal 3: missing\n" in printed
    assert failed == "1 differ from what was sealed."
    behind_the_back("DELETE FROM annotation_seal WHERE number IN (2, 4)")
    assert "seals 2 to 4: missing\n" in verify()[0]


@pytest.mark.both_engines
def test_an_answer_that_is_added_to_a_sealed_pair_is_found(project, head):
    pair, stranger = sealed(1).item, make.person(project).user.pk
    behind_the_back(f"UPDATE annotation_item SET slot_count = 6 WHERE id = {pair.pk}")
    behind_the_back(
        "INSERT INTO annotation_slot (project_id, kind, item_id, number, annotator_id, "
        "person_id, label, submitted_at, reserved, action, text) "
        f"VALUES ({project.pk}, 'judge', {pair.pk}, 6, {stranger}, {stranger}, 1, "
        "'2026-01-01 00:00:00', false, '', '')"
    )
    printed, failed = verify()
    assert f"pair {pair.public_id}, slot 6: was answered after the pair was sealed\n" in printed
    assert failed == "1 differ from what was sealed."


def test_a_head_that_was_written_down_reveals_a_chain_that_was_cut_off_or_made_again(head):
    assert verify(head=head)[1] is None
    behind_the_back("DELETE FROM annotation_seal WHERE number = 10")
    assert (
        verify(head=head)[1] == "2 differ from what was sealed."
    )  # the answer in the sealed pair as well
    behind_the_back("DELETE FROM annotation_seal")
    behind_the_back("UPDATE annotation_slot SET label = 0 WHERE label = 1")
    behind_the_back("UPDATE annotation_consensus SET sealed_at = NULL")
    seals.seal_waiting()
    assert verify()[1] is None
    printed, failed = verify(head=head)
    assert "seal 10: is not the head that was written down\n" in printed
    assert failed == "1 differ from what was sealed."


def test_for_one_project_only_its_own_rows_are_named_and_what_is_gone(project, head):
    other = make.study().name
    behind_the_back(f"UPDATE annotation_slot SET seconds = 1 WHERE id = {sealed(2).pk}")
    failures = [verify(project=name)[1] for name in (other, project.name)]
    assert failures == [None, "1 differ from what was sealed."]
    behind_the_back("DELETE FROM annotation_seal WHERE number = 4")
    assert verify(project=other)[0].startswith("seal 4: missing\n")
