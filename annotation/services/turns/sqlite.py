"""A turn on SQLite: statements of the same shape as that of Postgres, within BEGIN IMMEDIATE."""

import uuid
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from annotation.models import Consensus, Judgment, Membership
from annotation.selectors.progress import Tally
from annotation.services.turns import fragments
from annotation.services.turns.shapes import Answer, HeldPair, Question, Stands, Turn, standing
from annotation.stats.consensus import decide

SLOTS = """
SELECT slot.id, slot.pair_id, slot.annotator_id, slot.label FROM annotation_judgment slot
JOIN annotation_sentencepair pair ON pair.id = slot.pair_id
WHERE pair.public_id = %(pair)s AND pair.project_id = %(project)s"""
NUMBERS = f"SELECT ({fragments.LAST_NUMBER}), ({fragments.LAST_NUMBER_BEFORE_TODAY})"
NEXT = fragments.next_slot()
ITEM = f"SELECT {fragments.SHOWN} FROM (SELECT %(pair)s AS pair_id) claimed {fragments.JOINED}"  # noqa: S608 all parts are constants


def take(question: Question) -> Turn:
    """See turns.take."""
    with transaction.atomic():
        stands = _store(question, question.answer) if question.answer else None
        held, place = _claim(question) if question.claims else (None, question.place)
        last, before_today = _numbers(question)
    return Turn(stands, held, Tally(total=last, today=last - before_today), place)


def _store(question: Question, answer: Answer) -> Stands:
    slots = _rows(SLOTS, pair=answer.pair.hex, project=question.project)
    mine = [slot for slot in slots if slot[2] == question.person]
    if not mine:
        return Stands.NOT_HELD
    [(slot, pair, _, given)] = mine
    if given is None:
        _write(question, answer, slot)
        labels = [label for other, _, _, label in slots if other != slot]
        if None not in labels:
            _decide(question, pair, [*labels, answer.label])
    return standing(given, answer, stored=given is None)


def _write(question: Question, answer: Answer, slot: int) -> None:
    Judgment.objects.filter(pk=slot).update(
        label=answer.label,
        seconds=answer.seconds,
        submitted_at=question.now,
        lease_until=None,
        number=_numbers(question)[0] + 1,
    )


def _decide(question: Question, pair: int, labels: list[int]) -> None:
    decision = decide(labels, question.protocol)
    Consensus.objects.create(
        pair_id=pair, tally=list(decision.tally), label=decision.majority, kept=decision.kept
    )


def _claim(question: Question) -> tuple[HeldPair | None, int]:
    """The pair that is now the person's, and their place."""
    found = _rows(
        NEXT,
        project=question.project,
        person=question.person,
        place=question.place,
        now=_time(question.now),
    )
    if not found:
        return None, question.place
    [(slot, pair, place)] = found
    _take(question, slot)
    if place != question.place:
        Membership.objects.filter(pk=question.membership).update(judgment_place=place)
    [(public_id, source, rewrite, flipped, language)] = _rows(ITEM, pair=pair)
    held = HeldPair(slot, uuid.UUID(public_id), source, rewrite, bool(flipped), language)
    return held, place


def _take(question: Question, slot: int) -> None:
    found = Judgment.objects.filter(pk=slot)
    found.exclude(annotator=question.person).update(claimed_at=question.now)
    found.update(annotator=question.person, lease_until=question.lease)


def _numbers(question: Question) -> tuple[int, int]:
    """How many answers the person has given, and how many of them before today."""
    [(last, before_today)] = _rows(
        NUMBERS,
        person=question.person,
        project=question.project,
        midnight=_time(question.midnight),
    )
    return last or 0, before_today or 0


def _time(moment: datetime) -> str | None:
    return connection.ops.adapt_datetimefield_value(moment)


def _rows(statement: str, **parameters: int | str | None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())
