"""A turn in one Postgres statement, or two if the answer is the last one of its pair."""

import json
import re
import uuid
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from django.db import IntegrityError, OperationalError, connection
from psycopg.types.numeric import Int8

from annotation.projects.selectors.progress import Tally
from annotation.stats.consensus import decide
from annotation.work.queue_keys import BAND, KEYS_PER_PAIR
from annotation.work.services.turns import fragments
from annotation.work.services.turns.shapes import HeldPair, Question, Turn, Whereabouts, standing

# Each further try means that other people have just changed the same rows.
TRIES = 20
_ACCOUNTS = "= ANY ((SELECT ids FROM same)::bigint[])"
_SKIP = "FOR UPDATE OF slot SKIP LOCKED"

# The planner cannot see values inside a subquery, so it keeps one generic plan. Otherwise it would
# plan each execution again, which takes longer than the execution.
_TELLING = re.compile(r"%\((project|person|main|membership|place|now|midnight)\)s")

# All slots of the answered pair are locked in one order: of two concurrent last answers, the second
# waits and then sees the first. For a gold pair, which is never decided, only the person's own slot
# is locked. The search for the pair has no condition on its project: with outdated statistics
# Postgres would read the whole project for it. Everything that reads `stored` runs after it, so the
# answered slot has left the index of claimed slots before another one enters it.
_ASKED = """
WITH asked AS (
SELECT id, priority, set_aside_at, known_label, CASE WHEN known_label IS NOT NULL THEN coalesce((
SELECT own.slot FROM annotation_judgment own
WHERE own.pair_id = pair.id AND own.annotator_id = %(person)s), 0) END AS own_slot
FROM annotation_sentencepair pair WHERE public_id = %(pair)s::uuid
), item AS (
SELECT id, slot, annotator_id, label, queue_key, held_out_id, superseded_by_id
FROM annotation_judgment
WHERE pair_id = (SELECT id FROM asked) AND project_id = %(project)s
AND slot BETWEEN (SELECT coalesce(own_slot, 0) FROM asked)
AND (SELECT coalesce(own_slot, 32767) FROM asked)
ORDER BY slot FOR UPDATE
)"""
# The other labels of the latest round, and whether the answer decides the pair: if all others have
# answered or, with early decisions, if enough agree with the answer.
_OTHERS = """, others AS (
SELECT coalesce(array_agg(label ORDER BY label), '{}') AS labels,
count(*) = count(label) AND (SELECT own_slot FROM asked) IS NULL AS decides
FROM item WHERE annotator_id IS DISTINCT FROM %(person)s
AND held_out_id IS NULL AND superseded_by_id IS NULL
)"""
_OTHERS_EARLY = """, others AS (
SELECT coalesce(array_agg(label ORDER BY label) FILTER (WHERE label IS NOT NULL), '{}') AS labels,
(count(*) = count(label) OR count(*) FILTER (
WHERE (label >= %(threshold)s) = (%(label)s >= %(threshold)s)) + 1 >= %(enough)s)
AND (SELECT own_slot FROM asked) IS NULL AS decides
FROM item WHERE annotator_id IS DISTINCT FROM %(person)s
AND held_out_id IS NULL AND superseded_by_id IS NULL
)"""
_STORED = f""", answer AS (
SELECT item.id, item.label AS given, labels, decides,
item.label IS NULL AND decides AND labels IS DISTINCT FROM %(others)s::smallint[] AS undecided
FROM item, others WHERE item.annotator_id = %(person)s
), last AS (
{fragments.LAST_NUMBER}
), stored AS (
UPDATE annotation_judgment slot SET label = %(label)s, seconds = %(seconds)s,
highlighted = %(highlighted)s, submitted_at = %(now)s, lease_until = NULL,
number = coalesce((SELECT number FROM last), 0) + 1
FROM answer WHERE slot.id = answer.id AND answer.given IS NULL AND NOT answer.undecided
RETURNING slot.pair_id, slot.number
)"""  # noqa: S608 all parts are constants
# Deletes the open slots, including those in progress. The triggers require it before the pair is
# decided, so `decided` reads `gone`.
_GONE = """, gone AS (
DELETE FROM annotation_judgment slot USING stored, others WHERE others.decides AND slot.id IN (
SELECT id FROM item WHERE label IS NULL AND annotator_id IS DISTINCT FROM %(person)s)
RETURNING slot.id
)"""
_ARE_GONE = " AND (SELECT count(*) FROM gone) >= 0"
_DECIDED = """, decided AS (
INSERT INTO annotation_consensus (pair_id, tally, label, kept, decided_at)
SELECT stored.pair_id, %(tally)s::jsonb, %(majority)s, %(kept)s, %(now)s
FROM stored, others WHERE others.decides{are_gone}
)"""
_ASKING = f""", done AS (
SELECT coalesce((SELECT number FROM stored), (SELECT number FROM last), 0) AS n
), same AS (
SELECT array_agg(id) AS ids, CASE WHEN count(*) > 1 THEN %(main)s END AS person
FROM accounts_user WHERE id = %(main)s OR main_account_id = %(main)s
), asking AS (
SELECT n FROM done WHERE n < %(most)s AND NOT EXISTS (SELECT 1 FROM answer WHERE undecided)
), held AS (
{fragments.HELD} AND EXISTS (SELECT 1 FROM asking) AND NOT EXISTS (SELECT 1 FROM stored)
FOR UPDATE OF slot
)"""  # noqa: S608 all parts are constants

# In breadth, the next slot of the answered pair enters the queue, unless one is in it.
_ENTERED = f""", entered AS (
UPDATE annotation_judgment slot SET queue_key = %(entry)s - asked.priority * {BAND}
FROM asked WHERE asked.own_slot IS NULL AND asked.set_aside_at IS NULL
AND EXISTS (SELECT 1 FROM stored, others WHERE NOT others.decides)
AND slot.pair_id = asked.id AND slot.slot = (
SELECT min(slot) FROM item WHERE label IS NULL AND annotator_id IS DISTINCT FROM %(person)s
HAVING count(queue_key) = 0)
)"""  # noqa: S608 all parts are constants

_GIVEN = f""", given AS (
INSERT INTO annotation_judgment
(project_id, pair_id, slot, annotator_id, person_id, lease_until, claimed_at)
SELECT %(project)s, hidden.id, coalesce((SELECT max(slot) FROM annotation_judgment
WHERE pair_id = hidden.id), 0) + 1, %(person)s, same.person, %(lease)s, %(now)s
FROM same, ({fragments.hidden_pair(accounts=_ACCOUNTS)}) hidden
WHERE (SELECT n FROM asking) >= %(known_after)s AND NOT EXISTS (SELECT 1 FROM held)
RETURNING id, pair_id
)"""  # noqa: S608 all parts are constants
_NONE_GIVEN = "NOT EXISTS (SELECT 1 FROM given)"
# See shapes.Hidden.next_after.
_KNOWN_AFTER = """CASE WHEN n < %(known_after)s THEN %(known_after)s
ELSE (n + %(reach)s) / %(every)s * %(every)s + %(draw)s %% %(every)s END"""


def _claim(*, none_given: str, known_after: str, given: str) -> str:
    return f""", free AS (
SELECT * FROM ({fragments.next_slot(accounts=_ACCOUNTS, lock=_SKIP)}) next
WHERE EXISTS (SELECT 1 FROM asking) AND NOT EXISTS (SELECT 1 FROM held) AND {none_given}
), claimed AS (
UPDATE annotation_judgment slot SET annotator_id = %(person)s, lease_until = %(lease)s,
claimed_at = CASE WHEN chosen.old THEN slot.claimed_at ELSE %(now)s END,
person_id = CASE WHEN chosen.old THEN slot.person_id ELSE (SELECT person FROM same) END
FROM (SELECT id, true AS old FROM held UNION ALL SELECT id, false FROM free) chosen
WHERE slot.id = chosen.id RETURNING slot.id, slot.pair_id
), moved AS (
UPDATE annotation_membership member
SET judgment_place = at.place, looked_behind_at = at.looked, known_after = at.known
FROM (SELECT CASE WHEN {none_given} THEN coalesce(free.place,
greatest(%(place)s, ({fragments.TAIL}))) ELSE %(place)s END AS place,
CASE WHEN {none_given} AND free.id IS NULL AND %(looks_behind)s THEN %(now)s ELSE %(looked)s END
AS looked, {known_after} AS known
FROM asking LEFT JOIN free ON true WHERE NOT EXISTS (SELECT 1 FROM held)) at
WHERE member.id = %(membership)s AND member.judgment_place = %(place)s
AND (at.place, at.looked, at.known) IS DISTINCT FROM (%(place)s, %(looked)s, %(known_after)s)
RETURNING at.*
)
SELECT answer.given, answer.undecided, answer.labels, (SELECT number FROM stored),
(SELECT number FROM last), ({fragments.LAST_NUMBER_BEFORE_TODAY}),
free.id IS NOT NULL AND claimed.id IS NULL, moved.place, moved.looked, moved.known,
claimed.id, {fragments.SHOWN}
FROM (SELECT 1) AS one LEFT JOIN answer ON true LEFT JOIN free ON true LEFT JOIN moved ON true
LEFT JOIN ((SELECT * FROM claimed{given}) claimed {fragments.JOINED}) ON true
"""  # noqa: S608 all parts are constants


@cache
def statement(*, breadth: bool, hidden: bool, early: bool = False) -> str:
    """Return the SQL for a kind of project; it holds only the parts that this kind needs."""
    claim = (
        _GIVEN
        + _claim(
            none_given=_NONE_GIVEN,
            known_after=_KNOWN_AFTER,
            given=" UNION ALL SELECT * FROM given",
        )
        if hidden
        else _claim(none_given="true", known_after="%(known_after)s::int", given="")
    )
    answer = _ASKED + (_OTHERS_EARLY if early else _OTHERS) + _STORED
    answer += (_GONE if early else "") + _DECIDED.replace("{are_gone}", _ARE_GONE if early else "")
    text = " ".join((answer + _ASKING + (_ENTERED if breadth else "") + claim).split())
    return _TELLING.sub(r"(SELECT \g<0>)", text)


def take(question: Question) -> Turn:
    """See turns.take. Raises OperationalError after TRIES conflicts with other people."""
    others: Sequence[int] | None = None
    for _ in range(TRIES):
        try:
            row = _executed(question, others)
        except IntegrityError:
            continue  # another tab or account of this person claimed a slot at the same moment
        if row.undecided:
            others = row.others
        elif not row.lost:
            return _turn(question, row)
    raise OperationalError("too many people at the same rows of the queue")


def statement_for(question: Question) -> str:
    """Return the SQL for this turn."""
    return statement(
        breadth=question.entry is not None,
        hidden=question.hidden is not None,
        early=question.protocol.decides_early,
    )


def parameters(question: Question, others: Sequence[int] | None = None) -> dict[str, Any]:
    """Return the parameters of the statement.

    `others` are the labels on which the last answer decides the pair: the statement stores nothing
    if these are no longer its labels. Integers that may be large are sent as Int8: otherwise their
    type would depend on their size, and Postgres would prepare the statement once for each type.
    """
    answer, at, hidden = question.answer, question.at, question.hidden
    decision = None
    if answer is not None and others is not None:
        decision = decide([*others, answer.label], question.protocol)
    return {
        "membership": Int8(question.membership),
        "person": Int8(question.person),
        "main": Int8(question.main),
        "project": Int8(question.project),
        "place": Int8(at.place),
        "looked": at.looked_behind_at,
        "known_after": at.known_after,
        "now": question.now,
        "midnight": question.midnight,
        "lease": question.lease,
        "most": Int8(question.most),
        "looks_behind": question.looks_behind,
        "span": Int8(0 if question.entry is not None else KEYS_PER_PAIR - 1),
        "entry": question.entry,
        "every": Int8(hidden.every) if hidden else None,
        "reach": Int8(hidden.every - (at.known_after is None)) if hidden else None,
        "draw": Int8(hidden.draw) if hidden else None,
        "pair": answer.pair if answer else None,
        "label": answer.label if answer else None,
        "seconds": answer.seconds if answer else None,
        "highlighted": answer.highlighted if answer else None,
        "threshold": question.protocol.paraphrase_from,
        "enough": question.protocol.enough_votes,
        "others": others,
        "tally": json.dumps(decision.tally) if decision else None,
        "majority": decision.majority if decision else None,
        "kept": decision.kept if decision else None,
    }


class _Row(NamedTuple):
    """The single row that the statement returns."""

    given: int | None
    undecided: bool | None
    others: list[int] | None
    number: int | None
    last_number: int | None
    last_number_before_today: int | None
    lost: bool
    place: int | None
    looked: datetime | None
    known_after: int | None
    claimed: int | None
    public_id: uuid.UUID
    source: str
    rewrite: str
    flipped: bool
    language: str


def _executed(question: Question, others: Sequence[int] | None) -> _Row:
    with connection.cursor() as cursor:
        cursor.execute(statement_for(question), parameters(question, others))
        return _Row(*cursor.fetchone())


def _turn(question: Question, row: _Row) -> Turn:
    answer, stored = question.answer, row.number is not None
    total = row.number or row.last_number or 0
    held = None
    if row.claimed is not None:
        held = HeldPair(
            row.claimed, row.public_id, row.source, row.rewrite, row.flipped, row.language
        )
    return Turn(
        stands=standing(row.given, answer, stored=stored) if answer else None,
        held=held,
        tally=Tally(total=total, today=total - (row.last_number_before_today or 0)),
        at=_whereabouts(question, row),
    )


def _whereabouts(question: Question, row: _Row) -> Whereabouts:
    if row.place is None:
        return question.at
    return Whereabouts(row.place, row.looked, row.known_after)
