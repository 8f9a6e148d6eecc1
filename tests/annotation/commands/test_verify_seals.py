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

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
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
    """What it says, and whether it fails."""
    said = StringIO()
    try:
        call_command("verify_seals", stdout=said, **options)
    except CommandError as error:
        return said.getvalue(), str(error)
    return said.getvalue(), None


def sealed(number):
    return Judgment.objects.get(seal__number=number)


def test_a_whole_chain_is_told_by_its_head(project):
    digest = bytes(Seal.objects.get(number=6).digest).hex()
    said, failed = verify()
    assert failed is None
    assert said == f"6 answers are sealed; 1 pairs wait for it.\nHead: 6:{digest}\n"


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
    said, failed = verify()
    where = f"seal 2, pair {changed.pair.public_id}, slot {changed.slot}:"
    [line] = [line for line in said.splitlines() if line.startswith("seal")]
    assert line.startswith(where)
    assert failed == "1 not as sealed."


def test_what_was_shown_is_part_of_the_answers(project):
    pair = sealed(4).pair
    behind_the_back(f"UPDATE generation_sentence SET text = 'X' WHERE id = {pair.sentence2_id}")
    said, _failed = verify()
    assert [line.split(",")[0] for line in said.splitlines() if "pair " in line and "seal " in line]
    assert [each.first for each in chain.broken()] == [4, 5, 6]


def test_every_changed_answer_is_named(project):
    keys = (sealed(2).pk, sealed(5).pk)
    behind_the_back(f"UPDATE annotation_judgment SET label = 1 - label WHERE id IN {keys}")
    assert [each.first for each in chain.broken()] == [2, 5]


def test_an_answer_that_is_deleted_with_its_seal_is_found(project):
    lost = sealed(3).pk
    behind_the_back(f"DELETE FROM annotation_seal WHERE judgment_id = {lost}")
    behind_the_back(f"DELETE FROM annotation_judgment WHERE id = {lost}")
    said, failed = verify()
    assert "seal 3: missing\n" in said
    assert failed == "1 not as sealed."


def test_an_answer_that_is_deleted_without_its_seal_is_found(project):
    behind_the_back(f"DELETE FROM annotation_judgment WHERE id = {sealed(3).pk}")
    said, failed = verify()
    assert "seal 3: has lost its answer\n" in said
    assert failed == "1 not as sealed."
    behind_the_back("DELETE FROM annotation_seal")  # no test may end with a broken foreign key


def test_a_rewritten_seal_is_found_with_the_next(project):
    zeros = "X'00'" if connection.vendor == "sqlite" else r"'\x00'"
    behind_the_back(f"UPDATE annotation_seal SET digest = {zeros} WHERE number = 2")
    assert [each.first for each in chain.broken()] == [2, 3]


def test_an_answer_that_comes_to_a_sealed_pair_is_found(project):
    pair = sealed(1).pair
    somebody = cast.person(project).user.pk
    behind_the_back(f"UPDATE annotation_sentencepair SET slots = 4 WHERE id = {pair.pk}")
    behind_the_back(
        "INSERT INTO annotation_judgment (project_id, pair_id, slot, annotator_id, label) "
        f"VALUES ({project.pk}, {pair.pk}, 4, {somebody}, 1)"
    )
    said, failed = verify()
    assert f"pair {pair.public_id}, slot 4: was answered after the pair was sealed\n" in said
    assert failed == "1 not as sealed."


def test_a_head_that_was_written_down_tells_of_a_chain_that_was_made_anew(project):
    head = str(chain.head())
    assert verify(head=chain.Head.parse(head))[1] is None
    behind_the_back("DELETE FROM annotation_seal")
    behind_the_back("UPDATE annotation_judgment SET label = 0 WHERE label = 1")
    behind_the_back("UPDATE annotation_consensus SET sealed_at = NULL")
    seals.seal_waiting()
    assert verify()[1] is None
    said, failed = verify(head=chain.Head.parse(head))
    assert "seal 6: is not the head that was written down\n" in said
    assert failed == "1 not as sealed."


def test_a_head_beyond_the_end_tells_of_seals_that_were_cut_off(project):
    head = chain.head()
    behind_the_back("DELETE FROM annotation_seal WHERE number = 6")
    assert verify(head=head)[1] == "2 not as sealed."  # the answer in the sealed pair as well


def test_of_one_project_only_its_own_rows_are_named_and_what_is_gone(project):
    other = cast.study()
    behind_the_back(f"UPDATE annotation_judgment SET seconds = 1 WHERE id = {sealed(2).pk}")
    assert verify(project=other.name)[1] is None
    assert verify(project=project.name)[1] == "1 not as sealed."
    behind_the_back("DELETE FROM annotation_seal WHERE number = 4")
    said, failed = verify(project=other.name)
    assert said.startswith("seal 4: missing\n")
    assert failed == "1 not as sealed."


def test_several_that_are_gone_are_one_gap(project):
    behind_the_back("DELETE FROM annotation_seal WHERE number IN (2, 3, 4)")
    said, _failed = verify()
    assert "seals 2 to 4: missing\n" in said


def test_a_head_is_written_and_read_in_one_form(project):
    head = chain.head()
    assert chain.Head.parse(str(head)) == head
    with pytest.raises(CommandError, match="argument --head"):
        call_command("verify_seals", "--head", "six")
