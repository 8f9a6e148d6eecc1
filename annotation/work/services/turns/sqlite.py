"""A turn on SQLite: statements like those on Postgres, within BEGIN IMMEDIATE."""

import uuid
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection, transaction

from annotation.models import Consensus, Judgment, Membership, SentencePair
from annotation.projects.selectors.progress import Tally
from annotation.stats.consensus import decide
from annotation.work.queue_keys import BAND, KEYS_PER_PAIR
from annotation.work.services.turns import fragments
from annotation.work.services.turns.shapes import (
    Answer,
    HeldPair,
    Question,
    Stands,
    Turn,
    Whereabouts,
    standing,
)

_ACCOUNTS = "IN (SELECT id FROM accounts_user WHERE id = %(main)s OR main_account_id = %(main)s)"
SLOTS = """
SELECT slot.id, slot.slot, slot.annotator_id, slot.label, slot.queue_key, slot.held_out_id,
slot.superseded_by_id
FROM annotation_judgment slot JOIN annotation_sentencepair pair ON pair.id = slot.pair_id
WHERE pair.public_id = %(pair)s AND pair.project_id = %(project)s
AND (pair.known_label IS NULL OR slot.annotator_id = %(person)s) ORDER BY slot.slot"""
NUMBERS = f"SELECT ({fragments.LAST_NUMBER}), ({fragments.LAST_NUMBER_BEFORE_TODAY})"
NEXT = fragments.next_slot(accounts=_ACCOUNTS)
HIDDEN = fragments.hidden_pair(accounts=_ACCOUNTS)
SEVERAL = "SELECT 1 FROM accounts_user WHERE main_account_id = %(main)s LIMIT 1"
ITEM = f"SELECT {fragments.SHOWN} FROM (SELECT %(pair)s AS pair_id) claimed {fragments.JOINED}"  # noqa: S608 all parts are constants


class _Slot(NamedTuple):
    id: int
    number: int
    annotator: int | None
    label: int | None
    queue_key: int | None
    held_out: int | None
    superseded_by: int | None

    @property
    def counts(self) -> bool:
        """In the latest round of the pair, and not excluded."""
        return self.held_out is None and self.superseded_by is None


class _Claimed(NamedTuple):
    """The person's slot, its pair, and the person's place."""

    slot: int | None
    pair: int | None
    at: Whereabouts


def take(question: Question) -> Turn:
    """See turns.take."""
    with transaction.atomic():
        stands = _store(question, question.answer) if question.answer else None
        last, before_today = _numbers(question)
        claimed = _Claimed(None, None, question.at)
        if last < question.most:
            claimed = _held(question) or _given(question, last) or _claim(question)
        held = _shown(claimed)
    return Turn(stands, held, Tally(total=last, today=last - before_today), claimed.at)


def _store(question: Question, answer: Answer) -> Stands:
    pair = SentencePair.objects.filter(public_id=answer.pair, project=question.project).first()
    rows = _rows(SLOTS, question, pair=answer.pair.hex) if pair else []
    slots = [_Slot(*row) for row in rows]
    mine = [slot for slot in slots if slot.annotator == question.person]
    if pair is None or not mine:
        return Stands.NOT_HELD
    given = mine[0].label
    if given is None:
        _write(question, answer, mine[0])
        others = [slot for slot in slots if slot != mine[0]]
        if pair.known_label is not None or not _decide(question, answer, pair, others):
            _enter_next(question, pair, others)
    return standing(given, answer, stored=given is None)


def _write(question: Question, answer: Answer, slot: _Slot) -> None:
    Judgment.objects.filter(pk=slot.id).update(
        label=answer.label,
        seconds=answer.seconds,
        highlighted=answer.highlighted,
        submitted_at=question.now,
        lease_until=None,
        number=_numbers(question)[0] + 1,
    )


def _enter_next(question: Question, pair: SentencePair, others: list[_Slot]) -> None:
    """In breadth, add the next slot of the pair to the queue, unless one is in it."""
    unanswered = [slot for slot in others if slot.label is None]
    if question.entry is None or pair.set_aside_at or pair.known_label is not None:
        return
    if unanswered and all(slot.queue_key is None for slot in unanswered):
        key = question.entry - pair.priority * BAND
        Judgment.objects.filter(pk=unanswered[0].id).update(queue_key=key)


def _decide(question: Question, answer: Answer, pair: SentencePair, others: list[_Slot]) -> bool:
    """Store the consensus if this was the last answer or the project decides early.

    Deletes the slots that are then still open, including those in progress.
    """
    labels = [slot.label for slot in others if slot.counts]
    answered = [label for label in labels if label is not None]
    decision = decide([*answered, answer.label], question.protocol)
    is_early = question.protocol.decides_early and decision.decided
    if len(answered) < len(labels) and not is_early:
        return False
    Judgment.objects.filter(pk__in=[slot.id for slot in others if slot.label is None]).delete()
    Consensus.objects.create(
        pair=pair, tally=list(decision.tally), label=decision.majority, kept=decision.kept
    )
    return True


def _held(question: Question) -> _Claimed | None:
    if not (found := _rows(fragments.HELD, question)):
        return None
    [(slot, pair)] = found
    Judgment.objects.filter(pk=slot).update(lease_until=question.lease)
    return _Claimed(slot, pair, question.at)


def _given(question: Question, last: int) -> _Claimed | None:
    """Claim a slot of a gold pair, or of the queue if there is none. None if none is due."""
    hidden, after = question.hidden, question.at.known_after
    if hidden is None or (after is not None and last < after):
        return None
    question = replace(
        question, at=replace(question.at, known_after=hidden.next_after(last, after))
    )
    pairs = _rows(HIDDEN, question, draw=hidden.draw) if after is not None else []
    if not pairs:
        return _claim(question)
    [(pair,)] = pairs
    newest = Judgment.objects.filter(pair=pair).order_by("-slot").first()
    slot = Judgment.objects.create(
        project_id=question.project,
        pair_id=pair,
        slot=newest.slot + 1 if newest else 1,
        annotator_id=question.person,
        person_id=_person(question),
        lease_until=question.lease,
        claimed_at=question.now,
    )
    return _Claimed(slot.pk, pair, _moved(question, question.at))


def _claim(question: Question) -> _Claimed:
    """Claim the next slot of the queue."""
    found = _rows(NEXT, question)
    slot, pair, place = found[0] if found else (None, None, None)
    if slot is not None:
        Judgment.objects.filter(pk=slot).update(
            annotator=question.person,
            person=_person(question),
            lease_until=question.lease,
            claimed_at=question.now,
        )
    looked = question.now if slot is None and question.looks_behind else None
    at = replace(
        question.at,
        place=place if place is not None else _tail(question),
        looked_behind_at=looked or question.at.looked_behind_at,
    )
    return _Claimed(slot, pair, _moved(question, at))


def _tail(question: Question) -> int:
    found: list[int] = [place for (place,) in _rows(fragments.TAIL, question)]
    return max([question.at.place, *found])


def _moved(question: Question, at: Whereabouts) -> Whereabouts:
    Membership.objects.filter(pk=question.membership).exclude(
        judgment_place=at.place, looked_behind_at=at.looked_behind_at, known_after=at.known_after
    ).update(
        judgment_place=at.place, looked_behind_at=at.looked_behind_at, known_after=at.known_after
    )
    return at


def _person(question: Question) -> int | None:
    """The main account of a person who has several accounts."""
    return question.main if _rows(SEVERAL, question) else None


def _shown(claimed: _Claimed) -> HeldPair | None:
    if claimed.slot is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(ITEM, {"pair": claimed.pair})
        public_id, source, rewrite, flipped, language = cursor.fetchone()
    return HeldPair(claimed.slot, uuid.UUID(public_id), source, rewrite, bool(flipped), language)


def _numbers(question: Question) -> tuple[int, int]:
    """The number of the person's answers, in total and before today."""
    [(last, before_today)] = _rows(NUMBERS, question)
    return last or 0, before_today or 0


def _time(moment: datetime) -> str | None:
    return connection.ops.adapt_datetimefield_value(moment)


def _rows(statement: str, question: Question, **more: int | str) -> list[tuple[Any, ...]]:
    parameters: dict[str, int | str | None] = {
        "project": question.project,
        "person": question.person,
        "main": question.main,
        "place": question.at.place,
        "span": 0 if question.entry is not None else KEYS_PER_PAIR - 1,
        "looks_behind": question.looks_behind,
        "now": _time(question.now),
        "midnight": _time(question.midnight),
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, {**parameters, **more})
        return list(cursor.fetchall())
