"""manage.py verify_seals names every row that somebody changed behind the back of Pawsmith."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from annotation.models import Judgment, Seal
from annotation.seal_promises import TRIGGERS
from annotation.selectors import seals as chain
from annotation.services import seals
from tests.annotation import cast, judged

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture(scope="module")
def project(module_db):
    """Two sealed pairs of three answers, and one that waits."""
    project = cast.study(judgments_per_pair=3, consensus_min_votes=2)
    members = judged.people(project, 3)
    judged.pairs(project, [[1, 1, 1], [0, 1, 0]], by=members)
    seals.seal_waiting()
    judged.pairs(project, [[0, 0, 0]], by=members)
    return project


def behind_the_back(sql):
    """What somebody can do who may do everything."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
        else:
            for name in ("judgment_decided_update", "judgment_decided_delete", *TRIGGERS):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        cursor.execute(sql)
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = origin")


def verify(**options):
    """What it prints, and the message with which it fails."""
    printed = StringIO()
    try:
        call_command("verify_seals", stdout=printed, **options)
    except CommandError as error:
        return printed.getvalue(), str(error)
    return printed.getvalue(), None


def broken():
    return [each.first for each in chain.broken()]


def sealed(number):
    return Judgment.objects.get(seal__number=number)


def test_a_whole_chain_is_named_by_its_head_in_one_form(project):
    digest = bytes(Seal.objects.get(number=6).digest).hex()
    text = f"6 answers are sealed; 1 pairs wait for it.\nHead: 6:{digest}\n"
    assert verify() == (text, None)
    assert chain.Head.parse(f"6:{digest}") == chain.head()
    with pytest.raises(CommandError, match="argument --head"):
        call_command("verify_seals", "--head", "six")


@pytest.mark.parametrize(
    "change",
    [
        "label = 1 - label",
        "seconds = 1",
        "submitted_at = '2020-01-01 00:00:00'",
        "number = 77",
        "highlighted = true",
    ],
)
def test_a_changed_answer_is_named(project, change):
    changed = sealed(2)
    behind_the_back(f"UPDATE annotation_judgment SET {change} WHERE id = {changed.pk}")
    printed, failed = verify()
    [line] = [line for line in printed.splitlines() if line.startswith("seal")]
    assert line.startswith(f"seal 2, pair {changed.pair.public_id}, slot {changed.slot}:")
    assert failed == "1 not as sealed."


def test_what_was_shown_and_the_seals_themselves_are_compared(project):
    keys = (sealed(2).pk, sealed(5).pk)
    behind_the_back(f"UPDATE annotation_judgment SET label = 1 - label WHERE id IN {keys}")
    assert broken() == [2, 5]
    behind_the_back(f"UPDATE annotation_judgment SET label = 1 - label WHERE id IN {keys}")
    assert broken() == []
    shown = sealed(4).pair.sentence2_id
    behind_the_back(f"UPDATE generation_sentence SET text = 'X' WHERE id = {shown}")
    assert broken() == [4, 5, 6]
    zeros = "X'00'" if connection.vendor == "sqlite" else r"'\x00'"
    behind_the_back(f"UPDATE annotation_seal SET digest = {zeros} WHERE number = 1")
    assert broken() == [1, 2, 4, 5, 6]  # with the next, which follows on it


def test_an_answer_that_is_deleted_with_or_without_its_seal_is_found(project):
    lost = sealed(3).pk
    behind_the_back(f"DELETE FROM annotation_judgment WHERE id = {lost}")
    printed, failed = verify()
    assert "seal 3: has lost its answer\n" in printed
    assert failed == "1 not as sealed."
    behind_the_back(f"DELETE FROM annotation_seal WHERE judgment_id = {lost}")
    printed, failed = verify()
    assert "seal 3: missing\n" in printed
    assert failed == "1 not as sealed."
    behind_the_back("DELETE FROM annotation_seal WHERE number IN (2, 4)")
    assert "seals 2 to 4: missing\n" in verify()[0]


def test_an_answer_that_is_added_to_a_sealed_pair_is_found(project):
    pair, stranger = sealed(1).pair, cast.person(project).user.pk
    behind_the_back(f"UPDATE annotation_sentencepair SET slots = 4 WHERE id = {pair.pk}")
    behind_the_back(
        "INSERT INTO annotation_judgment (project_id, pair_id, slot, annotator_id, label) "
        f"VALUES ({project.pk}, {pair.pk}, 4, {stranger}, 1)"
    )
    printed, failed = verify()
    assert f"pair {pair.public_id}, slot 4: was answered after the pair was sealed\n" in printed
    assert failed == "1 not as sealed."


def test_a_head_that_was_written_down_reveals_a_chain_that_was_made_again(project):
    head = chain.head()
    assert verify(head=head)[1] is None
    behind_the_back("DELETE FROM annotation_seal")
    behind_the_back("UPDATE annotation_judgment SET label = 0 WHERE label = 1")
    behind_the_back("UPDATE annotation_consensus SET sealed_at = NULL")
    seals.seal_waiting()
    assert verify()[1] is None
    printed, failed = verify(head=head)
    assert "seal 6: is not the head that was written down\n" in printed
    assert failed == "1 not as sealed."


def test_a_head_beyond_the_end_reveals_seals_that_were_cut_off(project):
    head = chain.head()
    behind_the_back("DELETE FROM annotation_seal WHERE number = 6")
    assert verify(head=head)[1] == "2 not as sealed."  # the answer in the sealed pair as well


def test_for_one_project_only_its_own_rows_are_named_and_what_is_gone(project):
    other = cast.study()
    behind_the_back(f"UPDATE annotation_judgment SET seconds = 1 WHERE id = {sealed(2).pk}")
    assert verify(project=other.name)[1] is None
    assert verify(project=project.name)[1] == "1 not as sealed."
    behind_the_back("DELETE FROM annotation_seal WHERE number = 4")
    printed, failed = verify(project=other.name)
    assert printed.startswith("seal 4: missing\n")
    assert failed == "1 not as sealed."
