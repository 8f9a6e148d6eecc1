"""Many processes that translate and validate a study at once, some of them killed."""

import os
import signal
from contextlib import nullcontext
from functools import partial
from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.db.models import F, Q

from annotation.models import Duty, Item, Slot, TranslatedPair
from annotation.translations.kinds import Translate
from annotation.translations.selectors import figures
from annotation.translations.selectors.results import State
from annotation.translations.services import delivery
from annotation.work import answers
from annotation.work.keys import BETWEEN_LOOKS
from tests.annotation import make, translating
from tests.annotation.small_study import reread
from tests.thorough.races.at_once import FORK, at_once, outcome

FOUND = {"unfinished": 0, "both": 0, "own": 0, "twice": 0, "met": []}
# A process that is to be killed dies after this number of answers.
ANSWERS_BEFORE_DEATH = 7
# Each waits a minute for a busy SQLite.
TRIES = 5


def translate(*, sentences=200, translators=4, validators=2, tabs=2, guarded=True):
    """All work until nothing is left; one tab of each is killed at first, and opened again."""
    project = translating.study(translating.pairs(sentences // 2), validated_share=0.5)
    people = [make.person(project, kinds=["translate"]) for _ in range(translators)]
    people += [make.person(project, kinds=["validate"]) for _ in range(validators)]
    if not guarded:
        drop_trigger()
    met = work(people, tabs, guarded, killed=True)
    known = -1
    while left(project) and answered(project) > known:
        known = answered(project)
        # A minute later: people who had nothing left find what was committed behind their places.
        Duty.objects.update(looked_behind_at=F("looked_behind_at") - BETWEEN_LOOKS)
        met += work(people, tabs, guarded, killed=False)
    return {
        "unfinished": left(project) + unsettled(project),
        "both": with_both(project),
        "own": validated_by_translator(project),
        "twice": looked_at_twice(project),
        "met": met,
    }


def work(people, tabs, guarded, *, killed):
    """Run a process for each tab; the first of each person dies by kill -9 if `killed`."""
    errors = FORK.SimpleQueue()
    parts = [
        partial(answer_all, each, guarded, errors, dies=killed and not tab)
        for each in people
        for tab in range(tabs)
    ]
    connection.close()
    processes = [FORK.Process(target=part) for part in parts]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    found = []
    while not errors.empty():
        found.append(errors.get())
    return found


def answer_all(member, guarded, errors, *, dies):
    member, given = reread(member), 0
    duty = member.duties.get(allowed=True)
    unguarded = mock.patch.object(Translate, "barred_items", return_value=Q(pk=None))
    with nullcontext() if guarded else unguarded:
        try:
            shown = sent(duty)
            while shown:
                if dies and given == ANSWERS_BEFORE_DEATH:
                    os.kill(os.getpid(), signal.SIGKILL)
                shown = sent(duty, answer_to(duty.kind, shown, given))
                given += 1
        except Exception as error:  # what a person would have met is reported, not hidden
            errors.put(f"{type(error).__name__}: {error}")


def sent(duty, answer=None):
    """Send an answer, and again if SQLite had no turn for it, as the page of status 503 asks."""
    for _ in range(TRIES):
        try:
            return answers.turn(duty, answer).shown
        except OperationalError as error:
            if "locked" not in str(error):
                raise
    raise TimeoutError(f"the database was locked {TRIES} times")


def answer_to(kind, shown, given):
    """Every seventh translation is rejected, so that another person makes it anew.

    Once at most: four translators suffice for a pair whose sentences are both made anew.
    """
    answer = {"item": shown.id, "seconds": 5.0}
    if kind == "validate":
        rejected = given % 7 == 3 and looks_at_sentence(shown.id) == 1
        return answer | {"action": "reject" if rejected else "accept"}
    return answer | {"action": "translate", "text": translating.german(shown.sentences[0])}


def looks_at_sentence(item):
    looks = Item.objects.filter(kind="validate")
    return looks.filter(origin__item=looks.get(public_id=item).origin.item).count()


def drop_trigger():
    on_table = " ON annotation_slot" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER slot_partner{on_table}")


def left(project):
    return Slot.objects.filter(project=project, submitted_at=None).count()


def answered(project):
    return Slot.objects.filter(project=project, submitted_at__isnull=False).count()


def unsettled(project):
    results = figures.read(project).results
    return sum(each.state is not State.TRANSLATED for each in results)


def with_both(project):
    """Pairs of which a person had both sentences."""
    had = dict.fromkeys(Item.objects.filter(project=project).values_list("pk", flat=True), ())
    for item, person in Slot.objects.filter(kind="translate").values_list("item", "annotator"):
        had[item] = (*had[item], person)
    pairs = TranslatedPair.objects.filter(project=project).values_list("item1", "item2")
    return sum(bool({*had[one]} & {*had[other]}) for one, other in pairs)


def validated_by_translator(project):
    looks = Slot.objects.filter(project=project, kind="validate", annotator__isnull=False)
    return sum(
        look.item.origin.item.slots.filter(annotator=look.annotator).exists() for look in looks
    )


def looked_at_twice(project):
    """Translations with more than one item to validate, and sentences accepted more than once."""
    origins = list(
        Item.objects.filter(project=project, kind="validate").values_list("origin", flat=True)
    )
    standing = [sum(o.stands for o in each.opinions) for each in figures.read(project).results]
    return len(origins) - len(set(origins)) + sum(number > 1 for number in standing)


def deliver_while_undoing():
    """A person takes their answers back while a manager delivers: one of both happens."""
    project = translating.study(translating.pairs(2), people=3, validated_share=0.0)
    project.translation_plan.least_validated = 0
    project.translation_plan.save()
    translating.translate_all(project)
    first = translating.people(project)[0]
    _, met = at_once(
        [
            lambda: bool(delivery.deliver(project)),
            lambda: bool(answers.undo(reread(first).duty("translate"))),
        ]
    )
    project.translation_plan.refresh_from_db()
    delivered = project.translation_plan.delivered_at is not None
    return {"met": met, "torn": delivered and left(project) > 0}


def test_each_sentence_is_translated_once_and_validated_by_another_person(installation):
    assert outcome(installation, translate) == FOUND


def test_control_without_the_rule_somebody_has_both_sentences_of_a_pair(installation):
    found = outcome(installation, translate, sentences=60, guarded=False)
    assert found["both"] > 0


@pytest.mark.parametrize("_time", range(3))
def test_nothing_is_taken_back_from_a_delivered_study(installation, _time):
    state = outcome(installation, deliver_while_undoing)
    assert state.pop("met") in ([], ["NotReady"])
    assert state == {"torn": False}
