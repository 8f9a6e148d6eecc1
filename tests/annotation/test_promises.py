"""What the database refuses, whatever the code does."""

import re

import pytest
from django.db import IntegrityError, connection, transaction

from annotation import promises
from annotation.models import Consensus, Judgment, Membership, Project, SentencePair
from annotation.services import interventions, judgments
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = cast.study()
    cast.pairs(project, 2)
    return project


def refuses(change):
    """Whether the database refuses the change as breaking a constraint; it is undone."""
    try:
        with transaction.atomic():
            change()
    except IntegrityError:
        return True
    return False


def slot(project, number=1):
    return Judgment.objects.filter(project=project, slot=number).order_by("pair").first()


def test_a_sixth_slot(project):
    first = slot(project)
    extra = {"project": project, "pair": first.pair, "queue_key": 1}
    assert refuses(lambda: Judgment.objects.create(slot=6, **extra))
    assert refuses(lambda: Judgment.objects.create(slot=0, **extra))
    assert refuses(lambda: Judgment.objects.create(slot=5, **extra))
    assert refuses(lambda: Judgment.objects.filter(pk=first.pk).update(slot=6))


def test_a_second_slot_of_a_pair_for_one_person(project):
    alice = cast.person(project).user
    pair = slot(project).pair
    pair.judgments.filter(slot=1).update(annotator=alice, label=1)
    assert refuses(lambda: pair.judgments.filter(slot=2).update(annotator=alice, label=0))


def test_two_items_held_by_one_person(project):
    alice = cast.person(project).user
    first, second = Judgment.objects.filter(slot=1)
    Judgment.objects.filter(pk=first.pk).update(annotator=alice)
    assert refuses(lambda: Judgment.objects.filter(pk=second.pk).update(annotator=alice))


def test_an_answer_of_nobody(project):
    assert refuses(lambda: Judgment.objects.filter(slot=1).update(label=1))


@pytest.mark.parametrize("label", [2, 3, -1])
def test_a_label_off_the_scale(project, label):
    alice = cast.person(project).user
    change = {"annotator": alice, "label": label}
    assert refuses(lambda: Judgment.objects.filter(pk=slot(project).pk).update(**change))


def test_a_label_of_the_graded_scale_where_it_is_used():
    graded = cast.study(protocol="parade")
    cast.pairs(graded, 1)
    alice = cast.person(graded).user
    assert not refuses(
        lambda: Judgment.objects.filter(pk=slot(graded).pk).update(annotator=alice, label=3)
    )


def test_a_change_to_a_decided_pair(project):
    for _ in range(5):
        cast.judge_all(cast.person(project), 1)
    pair = Consensus.objects.first().pair
    assert refuses(lambda: pair.judgments.filter(slot=1).update(label=0))
    assert refuses(lambda: pair.judgments.filter(slot=1).update(seconds=1))
    assert refuses(lambda: pair.judgments.filter(slot=1)._raw_delete(using="default"))
    assert refuses(lambda: Consensus.objects.create(pair=pair, tally=[5, 0], label=0, kept=True))


def test_a_decision_while_an_answer_is_lacking(project):
    pair = slot(project).pair
    for _ in range(4):
        cast.judge_all(cast.person(project), 1)
    assert refuses(lambda: Consensus.objects.create(pair=pair, tally=[0, 4], label=1, kept=True))


def test_a_decision_on_a_pair_whose_answer_is_known(project):
    pair = slot(project).pair
    pair.judgments.all().delete()
    SentencePair.objects.filter(pk=pair.pk).update(known_label=1)
    assert refuses(lambda: Consensus.objects.create(pair=pair, tally=[0, 0], label=1, kept=True))


def test_another_label_for_an_answer_that_is_held_out(project):
    alice = cast.person(project)
    cast.judge_all(alice, 1)
    interventions.hold_out(alice, by=None, reason="These look like guesses.")
    answer = alice.user.judgments.filter(slot=1)
    assert refuses(lambda: answer.update(label=0))
    assert refuses(lambda: answer.update(label=None))
    assert not refuses(lambda: answer.update(seconds=1))


def test_a_correction_of_the_same_candidate_twice(project):
    made = cast.candidates(project, [("A b c.", "B a c.")])
    corrections = made[0].corrections
    again = {"project": project, "candidate": made[0], "queue_key": 1}
    assert refuses(lambda: corrections.create(**again))
    assert refuses(lambda: corrections.update(action="accept"))
    assert refuses(lambda: corrections.update(text="without a fix"))


def test_a_second_place_in_a_project(project):
    alice = cast.person(project)
    assert refuses(lambda: Membership.objects.create(project=project, user=alice.user))


@pytest.mark.parametrize(
    "protocol",
    [
        {"consensus_min_votes": 6},
        {"consensus_min_votes": 0},
        {"paraphrase_from": 2},
        {"paraphrase_from": 0},
    ],
)
def test_a_protocol_that_contradicts_itself(project, protocol):
    assert refuses(lambda: Project.objects.filter(pk=project.pk).update(**protocol))


def test_control_without_its_trigger_a_decided_pair_can_be_changed(project):
    alice = cast.person(project)
    for _ in range(4):
        cast.judge_all(cast.person(project), 1)
    pair = judgments.claim(alice).pair
    judgments.submit(alice, pair_public_id=pair.public_id, label=1)
    table = " ON annotation_judgment" if connection.vendor == "postgresql" else ""
    names = ["judgment_decided"] if table else ["judgment_decided_update"]
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"DROP TRIGGER {name}{table}")
    assert not refuses(lambda: pair.judgments.filter(slot=1).update(label=0))


MADE = promises.POSTGRES + promises.POSTGRES_HELD_OUT + "".join(promises.SQLITE_HELD_OUT)
OURS = {f"judgment_{name}" for name, *_ in promises.SQLITE}.union(
    re.findall(r"CREATE TRIGGER (\w+)", MADE)
)


def triggers():
    """Those of the promises by their names: of which table each is, and what it does."""
    query = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
    if connection.vendor == "postgresql":
        query = "SELECT tgname, tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {name: rest for name, *rest in cursor.fetchall() if name in OURS}


def take_away(schema_editor):
    """As before tables are made anew; on Postgres, which keeps their triggers, one by one."""
    if connection.vendor != "postgresql":
        promises.remove(schema_editor)
        return
    for name, (table, _) in triggers().items():
        schema_editor.execute(f"DROP TRIGGER {name} ON {table}")


def test_promises_that_a_migration_takes_away_are_installed_again_as_they_were():
    before, schema_editor = triggers(), connection.schema_editor()
    take_away(schema_editor)
    assert triggers() == {}
    promises.install(None, schema_editor)
    promises.install_held_out(None, schema_editor)
    assert triggers() == before != {}
