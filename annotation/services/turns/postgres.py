"""A turn in one statement of Postgres; two, when the answer is the last one of its pair."""

import json
import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import IntegrityError, OperationalError, connection

from annotation.selectors.progress import Tally
from annotation.services.turns import fragments
from annotation.services.turns.shapes import HeldPair, Question, Turn, standing
from annotation.stats.consensus import decide

# Every further try means that others have just changed the same rows.
TRIES = 20
UNLESS_STORED = "AND NOT EXISTS (SELECT 1 FROM stored) FOR UPDATE OF slot"
SKIP = "FOR UPDATE OF slot SKIP LOCKED"

# All slots of the answered pair are locked, in one order: of two last answers that come at once,
# the second waits and then sees the first. Whatever reads `stored` runs after it, so the answered
# slot has left the index of held ones before another slot enters it. The project of the pair is no
# condition of its search: with old statistics Postgres would read the whole project for it.
_TEXT = f"""
WITH item AS (
SELECT id, annotator_id, label FROM annotation_judgment
WHERE pair_id = (SELECT CASE WHEN project_id = %(project)s THEN id END
FROM annotation_sentencepair WHERE public_id = %(pair)s::uuid)
ORDER BY slot FOR UPDATE
), others AS (
SELECT coalesce(array_agg(label ORDER BY label), '{{}}') AS labels,
count(*) = count(label) AS are_all FROM item WHERE annotator_id IS DISTINCT FROM %(person)s
), answer AS (
SELECT item.id, item.label AS given, labels, are_all,
item.label IS NULL AND are_all AND labels IS DISTINCT FROM %(others)s::smallint[] AS undecided
FROM item, others WHERE item.annotator_id = %(person)s
), last AS (
{fragments.LAST_NUMBER}
), stored AS (
UPDATE annotation_judgment slot SET label = %(label)s, seconds = %(seconds)s,
submitted_at = %(now)s, lease_until = NULL, number = coalesce((SELECT number FROM last), 0) + 1
FROM answer WHERE slot.id = answer.id AND answer.given IS NULL AND NOT answer.undecided
RETURNING slot.pair_id, slot.number
), decided AS (
INSERT INTO annotation_consensus (pair_id, tally, label, kept, decided_at)
SELECT stored.pair_id, %(tally)s::jsonb, %(majority)s, %(kept)s, %(now)s
FROM stored, others WHERE others.are_all
), chosen AS (
SELECT * FROM ({fragments.next_slot(held=UNLESS_STORED, free=SKIP)}) next
WHERE %(claims)s AND NOT EXISTS (SELECT 1 FROM answer WHERE undecided)
), claimed AS (
UPDATE annotation_judgment slot SET annotator_id = %(person)s, lease_until = %(lease)s,
claimed_at = CASE WHEN slot.annotator_id = %(person)s THEN slot.claimed_at ELSE %(now)s END
FROM chosen WHERE slot.id = chosen.id
RETURNING slot.id, slot.pair_id
), moved AS (
UPDATE annotation_membership member SET judgment_place = chosen.place
FROM chosen WHERE member.id = %(membership)s AND chosen.place <> %(place)s
)
SELECT answer.given, answer.undecided, answer.labels,
(SELECT number FROM stored), (SELECT number FROM last), ({fragments.LAST_NUMBER_BEFORE_TODAY}),
chosen.id, chosen.place, claimed.id, {fragments.SHOWN}
FROM (SELECT 1) AS one LEFT JOIN answer ON true LEFT JOIN chosen ON true
LEFT JOIN (claimed {fragments.JOINED}) ON true
"""  # noqa: S608 all parts are constants
# psycopg reads a statement for its parameters once, unless it is longer than 4,096 characters.
STATEMENT = " ".join(_TEXT.split())


def take(question: Question) -> Turn:
    """See turns.take. Raises OperationalError when others are in the way again and again."""
    others: Sequence[int] | None = None
    for _ in range(TRIES):
        try:
            row = _executed(question, others)
        except IntegrityError:
            continue  # another tab of this person claimed a slot at the same moment
        if row.undecided:
            others = row.others
        elif row.chosen == row.claimed:
            return _turn(question, row)
    raise OperationalError("too many people at the same rows of the queue")


def parameters(question: Question, others: Sequence[int] | None = None) -> dict[str, Any]:
    """Those of the statement. `others` are the labels on which the answered pair is decided, if it
    is the last one: the statement stores nothing where these are not, or no longer, its labels."""
    answer = question.answer
    decision = None
    if answer is not None and others is not None:
        decision = decide([*others, answer.label], question.protocol)
    return {
        "membership": question.membership,
        "person": question.person,
        "project": question.project,
        "place": question.place,
        "now": question.now,
        "midnight": question.midnight,
        "lease": question.lease,
        "claims": question.claims,
        "pair": answer.pair if answer else None,
        "label": answer.label if answer else None,
        "seconds": answer.seconds if answer else None,
        "others": others,
        "tally": json.dumps(decision.tally) if decision else None,
        "majority": decision.majority if decision else None,
        "kept": decision.kept if decision else None,
    }


class _Row(NamedTuple):
    """What the statement returns: always one row."""

    given: int | None
    undecided: bool | None
    others: list[int] | None
    number: int | None
    last_number: int | None
    last_number_before_today: int | None
    chosen: int | None
    place: int | None
    claimed: int | None
    public_id: uuid.UUID
    source: str
    rewrite: str
    flipped: bool
    language: str


def _executed(question: Question, others: Sequence[int] | None) -> _Row:
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, parameters(question, others))
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
        place=question.place if row.place is None else row.place,
    )
