"""Answers beside those that others gave on the same pairs, counted inside the database.

One statement each, in SQL of both engines: an aggregate over window functions is more than the ORM
can say, and fetching a quarter of a million answers to count them here would take seconds.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from annotation.models import Project
from annotation.stats.agreement import Tally

# What others said is the tally of the pair less the answer itself, unless that is held out anyhow.
_WITH_OTHERS = """
SELECT annotator_id, COUNT(*), SUM(CASE WHEN (2 * yes > others) = (side = 1) THEN 1 ELSE 0 END)
FROM (
    SELECT annotator_id, side,
        SUM(counts) OVER (PARTITION BY pair_id) - counts AS others,
        SUM(counts * side) OVER (PARTITION BY pair_id) - counts * side AS yes
    FROM (
        SELECT slot.pair_id, slot.annotator_id,
            CASE WHEN slot.label >= %(paraphrase_from)s THEN 1 ELSE 0 END AS side,
            CASE WHEN slot.held_out_id IS NULL THEN 1 ELSE 0 END AS counts
        FROM annotation_judgment slot
        WHERE slot.project_id = %(project)s AND slot.label IS NOT NULL AND slot.pair_id NOT IN (
            SELECT id FROM annotation_sentencepair
            WHERE project_id = %(project)s AND known_label IS NOT NULL){of_pairs}
    ) answers
) compared
WHERE others >= 2 AND 2 * yes <> others{of_person}
GROUP BY annotator_id
"""
# As text, and once for each pair, a tally is grouped by in half the time that jsonb takes.
_BY_TALLY = """
WITH decided AS MATERIALIZED (
    SELECT consensus.pair_id, CAST(consensus.tally AS text) AS tally
    FROM annotation_consensus consensus
    JOIN annotation_sentencepair pair ON pair.id = consensus.pair_id
    WHERE pair.project_id = %(project)s AND pair.known_label IS NULL
)
SELECT slot.annotator_id, slot.label, decided.tally, COUNT(*)
FROM annotation_judgment slot JOIN decided ON decided.pair_id = slot.pair_id
WHERE slot.project_id = %(project)s AND slot.label IS NOT NULL
    AND slot.held_out_id IS NULL AND slot.superseded_by_id IS NULL
GROUP BY slot.annotator_id, slot.label, decided.tally
"""
_MEDIAN_SECONDS = """
SELECT annotator_id, AVG(seconds) FROM (
    SELECT annotator_id, seconds,
        ROW_NUMBER() OVER (PARTITION BY annotator_id ORDER BY seconds) AS place,
        COUNT(*) OVER (PARTITION BY annotator_id) AS number
    FROM annotation_judgment
    WHERE project_id = %(project)s AND label IS NOT NULL AND seconds IS NOT NULL{of_person}
) timed
WHERE 2 * place BETWEEN number AND number + 2
GROUP BY annotator_id
"""
_OF_PERSON = {
    "of_person": " AND annotator_id = %(person)s",
    "of_pairs": """
            AND slot.pair_id IN (
                SELECT pair_id FROM annotation_judgment
                WHERE annotator_id = %(person)s AND project_id = %(project)s)""",
}
_OF_EVERYBODY = dict.fromkeys(_OF_PERSON, "")


def with_others(project: Project, *, person: int | None = None) -> Mapping[int, tuple[int, int]]:
    """Person -> pairs on which the others' majority is clear, and own answers on its side.

    Clear: at least two others whose answers count, and no tie among them. Hidden pairs are left
    out. With `person`, only what that one did is read.
    """
    rows = _rows(_WITH_OTHERS, project, person)
    return {who: (int(pairs), int(agreeing)) for who, pairs, agreeing in rows}


def by_tally(project: Project) -> Counter[tuple[int, int, Tally]]:
    """How many decided pairs have each (person, their counted label, tally of labels)."""
    rows = _rows(_BY_TALLY, project)
    return Counter({(who, own, tuple(json.loads(tally))): n for who, own, tally, n in rows})


def median_seconds(project: Project, *, person: int | None = None) -> Mapping[int, float]:
    """Person -> median time on a pair; of an even number, the middle between the middle two."""
    return {who: float(seconds) for who, seconds in _rows(_MEDIAN_SECONDS, project, person)}


def _rows(statement: str, project: Project, person: int | None = None) -> Sequence[Any]:
    values = {
        "project": project.pk,
        "paraphrase_from": project.paraphrase_from,
        "person": person,
    }
    with connection.cursor() as cursor:
        parts = _OF_EVERYBODY if person is None else _OF_PERSON
        cursor.execute(statement.format(**parts), values)
        rows: Sequence[Any] = cursor.fetchall()
    return rows
