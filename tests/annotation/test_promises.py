"""What the database refuses, whatever the code does."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation.crowd import services as recruiting
from annotation.models import (
    Consensus,
    Duty,
    Item,
    Judgment,
    Membership,
    Participant,
    ParticipantBrowser,
    Project,
    SentencePair,
)
from annotation.models.references import REFERENCES
from annotation.models.triggers import NEVER_EMPTIED, STAYS, TRIGGERS, install
from annotation.projects.labels import GRADES
from annotation.quality.services import interventions
from tests.annotation import make

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture
def project():
    project = make.study()
    make.pairs(project, 2)
    return project


@pytest.fixture
def alice(project):
    return make.person(project)


@pytest.fixture
def pair(project):
    return project.pairs.earliest("pk")


def refuses(change, *arguments, **options):
    try:
        with transaction.atomic():
            change(*arguments, **options)
            transaction.set_rollback(True)
    except IntegrityError:
        return True
    return False


def test_a_slot_is_of_the_project_of_its_item(project, pair):
    other = make.study()
    Item.objects.filter(pk=pair.pk).update(slot_count=6)
    assert refuses(Judgment.objects.create, project=other, item=pair, number=6)
    assert not refuses(Judgment.objects.create, project=project, item=pair, number=6)
    assert refuses(Judgment.objects.filter(item=pair).update, project=other)
    assert refuses(Item.objects.filter(pk=pair.pk).update, project=other)


def refers_wrongly(change):
    """Whether a change is refused because of a reference: at once, or on SQLite at the end."""
    try:
        with transaction.atomic():
            change()
            if connection.vendor == "sqlite":
                connection.check_constraints()
            transaction.set_rollback(True)
    except IntegrityError as error:
        return any(why in str(error) for why in ("refers to a row", "invalid foreign key", STAYS))
    return False


def copy_of_last(model, **changes):
    row = model.objects.latest("pk")
    values = {"pk": None, "public_id": uuid4(), "rank": 9} | changes
    for name, value in values.items():
        setattr(row, name, value)
    return row


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: reference.name)
def test_a_row_refers_to_existing_rows_only(project, reference):
    tables = {each._meta.db_table: each for each in apps.get_models() if not each._meta.proxy}
    model, missing = tables[reference.table], {reference.column: 10**9}
    assert refers_wrongly(copy_of_last(model, **missing).save)
    last = model.objects.latest("pk")
    assert refers_wrongly(partial(model.objects.filter(pk=last.pk).update, **missing))
    key = getattr(last, reference.column)
    delete = f"DELETE FROM {reference.target} WHERE id = {key}"
    assert refers_wrongly(partial(connection.cursor().execute, delete))


def test_a_pair_has_no_more_slots_than_it_was_opened_with(project, pair):
    extra = {"project": project, "item": pair, "queue_key": 1}
    for number in (6, 0, 5):
        assert refuses(Judgment.objects.create, number=number, **extra)
    last = pair.slots.filter(number=5)
    assert refuses(last.update, number=6)
    SentencePair.objects.filter(pk=pair.pk).update(slot_count=6)
    assert not refuses(last.update, number=6)
    assert not refuses(Judgment.objects.create, number=6, **extra)


def test_a_person_has_one_slot_of_a_pair_under_all_accounts_and_one_in_progress(project, alice):
    make.pairs(project, 1)
    pair, other, third = project.pairs.order_by("pk")
    first, second = (pair.slots.filter(number=number) for number in (1, 2))
    held, free = (each.slots.filter(number=1) for each in (other, third))
    hers, now = {"annotator": alice.user, "person": alice.user}, timezone.now()
    with_other_account = {"annotator": make.person(project).user, "person": alice.user}
    assert refuses(second.update, annotator=alice.user)
    assert not refuses(second.update, label=1, submitted_at=now, **hers)
    first.update(label=1, submitted_at=now, **hers)
    assert refuses(second.update, label=0, submitted_at=now, **with_other_account)
    assert not refuses(free.update, **hers)
    held.update(**hers)
    assert refuses(free.update, **hers)
    assert refuses(first.update, label=None, submitted_at=None)


def test_a_label_is_someones_and_on_the_scale_of_the_project(project, pair, alice):
    slot, now = pair.slots.filter(number=1), timezone.now()
    hers = {"annotator": alice.user, "person": alice.user}
    by = hers | {"submitted_at": now}
    assert refuses(slot.update, label=1, submitted_at=now)
    for change in ({"label": 1}, hers | {"label": 1}, by):
        assert refuses(slot.update, **change)
    mine = {"project": project, "item": pair, "number": 6, **by}
    SentencePair.objects.filter(pk=pair.pk).update(slot_count=6)
    for label in (2, 3, -1):
        assert refuses(slot.update, label=label, **by)
        assert refuses(Judgment.objects.create, label=label, **mine)
    assert not refuses(Judgment.objects.create, label=1, **mine)
    Project.objects.filter(pk=project.pk).update(scheme=GRADES)
    assert not refuses(slot.update, label=3, **by)


def test_a_pair_is_decided_once_when_all_answers_are_there_and_then_stays_as_it_is(project, pair):
    decided = {"pair": pair, "tally": [0, 5], "label": 1, "kept": True}
    for _ in range(5):
        assert refuses(Consensus.objects.create, **decided)
        make.judge_all(make.person(project), 1)
    assert refuses(Consensus.objects.create, **decided)
    slot = pair.slots.filter(number=1)
    for change in ({"label": 0}, {"seconds": 1}, {"number": 6}):
        assert refuses(slot.update, **change)
    assert refuses(slot._raw_delete, using="default")
    Consensus.objects.all().delete()
    assert not refuses(slot.update, label=0)
    assert not refuses(slot._raw_delete, using="default")


@pytest.mark.postgres
@pytest.mark.parametrize("table", [*NEVER_EMPTIED, "accounts_auditentry"])
def test_append_only_tables_are_never_emptied_at_once(table):
    assert refuses(connection.cursor().execute, f"TRUNCATE {table} CASCADE")


def test_a_browser_is_of_one_participant_of_a_project(project, alice):
    soon = timezone.now() + timedelta(days=1)
    offer = {"platform": "prolific", "kinds": ["judge"], "most_people": 9, "expires_at": soon}
    link, _ = recruiting.create(project, by=make.person(project, role="manager").user, **offer)
    person = {"project": project, "recruitment": link, "platform": "prolific"}
    browser = {"project": project, "browser": uuid4()}
    for number, member in enumerate((alice, make.person(project))):
        participant = Participant.objects.create(
            participant_id=str(number), membership=member, **person
        )
        taken = refuses(ParticipantBrowser.objects.create, participant=participant, **browser)
        assert taken == bool(number)
        ParticipantBrowser.objects.get_or_create(**browser, defaults={"participant": participant})


def test_a_pair_whose_answer_is_known_is_never_decided(pair):
    pair.slots.all().delete()
    for gold_label in (None, 1):
        SentencePair.objects.filter(pk=pair.pk).update(gold_label=gold_label)
        decided = {"pair": pair, "tally": [0, 0], "label": 1, "kept": True}
        assert refuses(Consensus.objects.create, **decided) == (gold_label == 1)


def test_an_answer_that_is_excluded_keeps_its_label(alice):
    make.judge_all(alice, 1)
    interventions.exclude(alice, by=None, reason="These look like guesses.")
    answer = alice.user.slots.filter(number=1)
    for change in ({"label": 0}, {"label": None, "submitted_at": None}):
        assert refuses(answer.update, **change)
    assert not refuses(answer.update, seconds=1)


def test_a_candidate_is_corrected_once_and_an_answer_is_an_action_with_its_text(project, alice):
    [candidate] = make.candidates(project, [("A b c.", "B a c.")])
    item = candidate.items.get()
    values = {"kind": "correct", "candidate": candidate}
    assert refuses(Item.objects.create, project=project, texts_key=uuid4(), **values)
    assert refuses(Item.objects.create, project=make.study(), texts_key=None, **values)
    assert not refuses(Item.objects.create, project=make.study(), texts_key=uuid4(), **values)
    answered = {"submitted_at": timezone.now(), "annotator": alice.user, "person": alice.user}
    for change, refused in (
        ({"number": 2}, True),
        ({"action": "accept"}, True),
        ({"text": "without a fix"}, True),
        (answered, True),
        (answered | {"action": "accept", "text": "C a b."}, True),
        (answered | {"action": "fix"}, True),
        (answered | {"action": "judge"}, True),
        (answered | {"action": "reject", "annotator": None, "person": None}, True),
        (answered | {"action": "reject"}, False),
        (answered | {"action": "fix", "text": "C a b."}, False),
    ):
        assert refuses(item.slots.update, **change) == refused, change


def test_an_item_has_what_its_kind_needs_and_one_origin(project, pair):
    values = {"project": project, "kind": "judge", "slot_count": 1}
    needed = ("candidate", "sentence1", "sentence2", "texts_key")
    whole = {name: getattr(pair, name) for name in needed}
    elsewhere = {"project": make.study()}
    assert not refuses(Item.objects.create, **values | whole | elsewhere)
    for lacking in whole:
        assert refuses(Item.objects.create, **values | whole | elsewhere | {lacking: None})
    assert refuses(Item.objects.create, **values | whole | elsewhere | {"slot_count": 0})
    assert refuses(Item.objects.create, project=project, kind="correct")
    SentencePair.objects.filter(pk=pair.pk).update(origin=pair.slots.earliest("number"))
    origin = {"origin": pair.slots.earliest("number")}
    assert refuses(Item.objects.create, **values | whole | elsewhere | origin)


def test_a_person_is_a_member_once_with_one_duty_of_each_kind(project, alice):
    assert refuses(Membership.objects.create, project=project, user=alice.user)
    assert refuses(Duty.objects.create, membership=alice, kind="judge")


def test_an_id_of_a_platform_is_one_participant_of_a_project(project, alice):
    soon = timezone.now() + timedelta(days=1)
    offer = {"platform": "prolific", "kinds": ["judge"], "most_people": 9, "expires_at": soon}
    link, _ = recruiting.create(project, by=make.person(project, role="manager").user, **offer)
    person = {"project": project, "platform": "prolific", "participant_id": "5f0c"}
    Participant.objects.create(membership=alice, recruitment=link, **person)
    other = {"membership": make.person(project), "recruitment": link}
    assert refuses(Participant.objects.create, **person, **other)
    assert not refuses(Participant.objects.create, **person | other | {"platform": "mturk"})


def test_a_protocol_makes_sense(project):
    protocol = Project.objects.filter(pk=project.pk)
    for votes in (0, 1, 5, 6):
        assert refuses(protocol.update, consensus_min_votes=votes) == (votes in (0, 6)), votes


def triggers():
    ours = {trigger.name for trigger in TRIGGERS}
    query = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
    if connection.vendor == "postgresql":
        query = "SELECT tgname, tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {name: rest for name, *rest in cursor.fetchall() if name in ours}


def drop_triggers():
    with connection.cursor() as cursor:
        for name, (table, _) in triggers().items():
            on_table = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on_table}")
    assert triggers() == {}


def test_migrating_installs_the_triggers_again_as_they_were():
    before = triggers()
    drop_triggers()
    for _ in range(2):
        call_command("migrate", verbosity=0)
        assert triggers() == before != {}


def test_migrations_that_go_back_install_no_triggers():
    """The tables may lack columns that triggers name; an older version installs its own."""
    drop_triggers()
    install(using="default", plan=[(None, True)])
    assert triggers() == {}
