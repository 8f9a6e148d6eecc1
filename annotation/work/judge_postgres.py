"""A judge's turn on Postgres: the one statement of judge_turn.sql, or two if it decides a pair."""

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.db import DatabaseError, OperationalError, connection
from django.db.backends.utils import CursorWrapper
from django.utils import timezone
from psycopg import RawCursor
from psycopg.types.numeric import Int8

from annotation.errors import AlreadyAnswered, AnnotationError, NotHeld
from annotation.models import Duty, Project
from annotation.projects import protocols
from annotation.stats.consensus import Protocol, decide, first_tally
from annotation.work import keys, tries
from annotation.work.contract import Shown, Tally, Turn, midnight

WITHOUT_LIMIT = 2**31 - 1
# Fields of an Answer that are parameters as they are.
OF_ANSWER = ("item", "label", "seconds", "highlighted", "text")
# A part of the SQL that some turns leave out: its condition, the part, and what replaces it.
PART = re.compile(r"-- IF (\w+)\n(.*?)(?:-- ELSE (.*?)\n\s*)?-- END\n", re.DOTALL)
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
# OFFSET 0 keeps a probe from becoming a join, which is planned by statistics that may be outdated.
IS_NEW = " AND ".join(
    f"""NOT EXISTS (
        SELECT 1 FROM {table} own_row
        WHERE own_row.item_id = \\1 AND own_row.person_id = (SELECT person FROM own)
        LIMIT 1 OFFSET 0)"""  # noqa: S608 all parts are constants
    for table in ("annotation_slot", "annotation_recusal")
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A label for a pair, with the time taken and whether differing words were highlighted.

    `text` and `words` say why; `text` is None where no reason is asked for.
    """

    item: uuid.UUID
    label: int
    seconds: float | None = None
    highlighted: bool | None = None
    text: str | None = None
    words: list[list[int]] | None = None

    def is_stored(self, row: "_Row") -> bool:
        """Return whether the person has given this answer before."""
        words = None if row.words is None else json.loads(row.words)
        is_same = self.text is None or (self.text, self.words) == (row.text, words)
        return row.given == self.label and is_same


class _Row(NamedTuple):
    """The single row that the statement returns."""

    given: int | None
    text: str | None  # this and `words`: of answers with a reason
    words: str | None
    outdated: bool | None
    others: list[int] | None
    most_votes: int | None
    serial: int | None
    last_serial: int | None
    serial_before_today: int | None
    is_lost: bool
    place: int | None
    looked: datetime | None
    gold_after: int | None
    claimed: int | None
    public_id: uuid.UUID
    source: str
    rewrite: str
    flipped: bool
    language: str


def take(duty: Duty, answer: Answer | None = None) -> Turn:
    """Store an answer, if given, and claim a pair: see `answers.turn`.

    Updates `duty` to the person's new place in the queue. Raises OperationalError after
    `tries.MOST` conflicts with other people.
    """
    others: Sequence[int] | None = None
    most_votes: int | None = None
    for _ in range(tries.MOST):
        try:
            row = _execute(parameters(duty, answer, others, most_votes))
        except DatabaseError as error:
            if not tries.is_conflict(error):
                raise
            continue
        if row.outdated:
            others, most_votes = row.others, row.most_votes
        elif not row.is_lost:
            return _turn_of_row(duty, answer, row)
    raise OperationalError("too many people at the same rows of the queue")


@cache
def statement(*left_out: str) -> str:
    """Return the SQL without these parts, its comments and line breaks; with IS_NEW written out."""
    text = Path(__file__).with_name("judge_turn.sql").read_text(encoding="utf-8")
    text = PART.sub(lambda part: (part[3] or "") if part[1] in left_out else part[2], text)
    without_comments = re.sub(r"--.*", "", text)
    return " ".join(re.sub(r"IS_NEW\((\S+)\)", IS_NEW, without_comments).split())


def _unneeded_parts(values: dict[str, Any]) -> list[str]:
    """Return the parts that would do nothing in the turn with these parameters."""
    needed = {
        "early": values["early"],
        "more": values["more"],
        "breadth": values["entry"] is not None,
        "gold": values["every"] is not None,
        "looks": values["looks"],
        "reasons": values["text"] is not None,
    }
    return [part for part, is_needed in needed.items() if not is_needed]


@cache
def _number_placeholders(text: str) -> tuple[str, list[str]]:
    """Return SQL with the placeholders of Postgres, $1 and so on, and their names in order."""
    names = list(dict.fromkeys(PLACEHOLDER.findall(text)))
    numbered = PLACEHOLDER.sub(lambda match: f"${names.index(match[1]) + 1}", text)
    return numbered.replace("%%", "%"), names


def parameters(
    duty: Duty,
    answer: Answer | None,
    others: Sequence[int] | None = None,
    most_votes: int | None = None,
) -> dict[str, Any]:
    """Return the parameters of the statement.

    `others` are the labels on which the last answer decides the pair, or opens a slot for one more
    person: the statement stores nothing if these are no longer its labels. `most_votes` is that of
    the pair. Integers that may be large are sent as Int8: otherwise their
    type would depend on their size, and Postgres would prepare the statement once for each type.
    """
    member, now = duty.membership, timezone.now()
    project, protocol = member.project, protocols.of_project(member.project)
    in_depth, looked = project.order == Project.Order.DEPTH, duty.looked_behind_at
    schedule = keys.schedule_of(duty)
    return {
        "duty": Int8(duty.pk),
        "account": Int8(member.user_id),
        "project": Int8(project.pk),
        "place": Int8(duty.place),
        "looked": looked,
        "gold_after": Int8(duty.gold_after) if duty.gold_after is not None else None,
        "now": now,
        "midnight": midnight(),
        "lease": now + timedelta(minutes=project.lease_minutes),
        "most": Int8(_answer_limit(duty)),
        "looks": looked is None or looked < now - keys.BETWEEN_LOOKS,
        "span": Int8(keys.KEYS_PER_ITEM - 1 if in_depth else 0),
        "band": Int8(keys.BAND),
        "entry": None if in_depth else Int8(keys.in_breadth(now, member.pk)),
        "every": Int8(schedule.every) if schedule else None,
        "reach": Int8(schedule.every - (duty.gold_after is None)) if schedule else None,
        "draw": Int8(schedule.drawn) if schedule else None,
        **{name: getattr(answer, name, None) for name in OF_ANSWER},
        "words": json.dumps(answer.words) if answer and answer.words else None,
        "early": protocol.decides_early,
        "border": protocol.scheme.border_place,
        "enough": protocol.enough_votes,
        "more": protocol.asks_more,
        "others": others,
        "later": Int8(keys.LATER if in_depth else 0),
        **_decision(protocol, answer, others, most_votes),
    }


def _decision(
    protocol: Protocol, answer: Answer | None, others: Sequence[int] | None, most_votes: int | None
) -> dict[str, Any]:
    """Return what the answer makes of the pair, if the labels before it are known."""
    if answer is None or others is None:
        return {"opens": False, **dict.fromkeys(("first", "tally", "majority", "kept"))}
    labels = [*others, answer.label]
    decision = decide(labels, protocol.closed_at(most_votes))
    first = first_tally(labels, protocol)
    return {
        "opens": not decision.decided,
        "first": json.dumps(first) if first else None,
        "tally": json.dumps(decision.tally),
        "majority": decision.majority,
        "kept": decision.kept,
    }


def _answer_limit(duty: Duty) -> int:
    """The limit of answers for this person; 0 if they are given no work now."""
    if not duty.is_given_work:
        return 0
    return WITHOUT_LIMIT if duty.limit is None else duty.limit


def _execute(values: dict[str, Any]) -> _Row:
    sql = statement(*_unneeded_parts(values))
    if connection.queries_logged:  # Django composes the text for its log from names
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return _Row(*cursor.fetchone())
    text, names = _number_placeholders(sql)
    with _raw_cursor() as cursor:
        cursor.execute(text, [values[name] for name in names])
        return _Row(*cursor.fetchone())


def _raw_cursor() -> CursorWrapper:
    """Return a cursor for text with the placeholders of Postgres.

    In texts of more than 4,096 characters, psycopg replaces its own placeholders again at every
    execution, which takes a third of the time of the statement itself.
    """
    connection.ensure_connection()
    return CursorWrapper(RawCursor(connection.connection), connection)


def _turn_of_row(duty: Duty, answer: Answer | None, row: _Row) -> Turn:
    if row.place is not None:
        duty.place, duty.looked_behind_at, duty.gold_after = row.place, row.looked, row.gold_after
    shown = None
    if row.claimed is not None:
        texts = (row.source, row.rewrite)
        shown = Shown(row.public_id, texts[::-1] if row.flipped else texts, row.language)
    total = row.serial or row.last_serial or 0
    tally = Tally(total, total - (row.serial_before_today or 0))
    return Turn(shown, tally, refusal=_refusal(answer, row))


def _refusal(answer: Answer | None, row: _Row) -> AnnotationError | None:
    if answer is None or row.serial is not None or answer.is_stored(row):
        return None
    return NotHeld() if row.given is None else AlreadyAnswered()
