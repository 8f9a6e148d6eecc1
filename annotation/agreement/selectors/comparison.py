"""Compares answers with other people's answers on the same pairs, inside the database.

Each function runs one SQL statement that works on both engines: the ORM cannot aggregate over
window functions, and fetching 250,000 answers to count them in Python would take seconds.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from annotation.models import Project
from annotation.models.slots import COUNTS
from annotation.stats.agreement import Tally
from annotation.stats.others import Confusion

# Others' votes: those of the latest round that count, without the answer itself.
_WITH_OTHERS = """
SELECT annotator_id, side, CASE WHEN 2 * yes > others THEN 1 ELSE 0 END AS other, COUNT(*)
FROM (
    SELECT annotator_id, side,
        SUM(counts) OVER (PARTITION BY item_id) - counts AS others,
        SUM(counts * side) OVER (PARTITION BY item_id) - counts * side AS yes
    FROM (
        SELECT slot.item_id, slot.annotator_id,
            CASE WHEN slot.label >= %(paraphrase_from)s THEN 1 ELSE 0 END AS side,
            CASE WHEN {counts} THEN 1 ELSE 0 END AS counts
        FROM annotation_slot slot
        WHERE slot.project_id = %(project)s AND slot.kind = 'judge' AND slot.label IS NOT NULL
        AND slot.superseded_by_id IS NULL
        AND slot.item_id NOT IN (
            SELECT id FROM annotation_item
            WHERE project_id = %(project)s AND kind = 'judge' AND gold_label IS NOT NULL){of_pairs}
    ) answers
) compared
WHERE others >= %(fewest)s AND 2 * yes <> others{of_person}
GROUP BY annotator_id, side, other
"""
# Grouping by the tally as text, once per pair, takes half the time of jsonb.
_BY_TALLY = """
WITH decided AS MATERIALIZED (
    SELECT consensus.pair_id, CAST(consensus.tally AS text) AS tally
    FROM annotation_consensus consensus
    JOIN annotation_item pair ON pair.id = consensus.pair_id
    WHERE pair.project_id = %(project)s AND pair.gold_label IS NULL
)
SELECT slot.annotator_id, slot.label, decided.tally, COUNT(*)
FROM annotation_slot slot JOIN decided ON decided.pair_id = slot.item_id
WHERE slot.project_id = %(project)s AND slot.kind = 'judge' AND {counts}
GROUP BY slot.annotator_id, slot.label, decided.tally
"""
_MEDIAN_SECONDS = """
SELECT annotator_id, AVG(seconds) FROM (
    SELECT annotator_id, seconds,
        ROW_NUMBER() OVER (PARTITION BY annotator_id ORDER BY seconds) AS place,
        COUNT(*) OVER (PARTITION BY annotator_id) AS number
    FROM annotation_slot
    WHERE project_id = %(project)s AND kind = 'judge'
        AND label IS NOT NULL AND seconds IS NOT NULL{of_person}
) timed
WHERE 2 * place BETWEEN number AND number + 2
GROUP BY annotator_id
"""
_OF_PERSON = {
    "of_person": " AND annotator_id = %(person)s",
    "of_pairs": """
            AND slot.item_id IN (
                SELECT item_id FROM annotation_slot
                WHERE annotator_id = %(person)s AND project_id = %(project)s)""",
}
_OF_EVERYBODY = dict.fromkeys(_OF_PERSON, "")


def with_others(project: Project, *, person: int | None = None) -> dict[int, Confusion]:
    """Compare each person's answers with the majority of the other people's, by side of the scale.

    This is the one definition of an annotator's agreement. It covers every pair, decided or not, on
    which at least two others (one, where only two judge) have a majority; gold pairs and earlier
    rounds are left out. Excluded answers are compared, but are part of no majority. With `person`,
    reads only the pairs of that person.
    """
    counts = defaultdict[int, dict[tuple[int, int], int]](dict)
    for who, own, other, pairs in _rows(_WITH_OTHERS, project, person):
        counts[who][own, other] = pairs
    return {who: Confusion(found) for who, found in counts.items()}


def by_tally(project: Project) -> Counter[tuple[int, int, Tally]]:
    """Count decided pairs by (person, their counting label, tally of labels)."""
    rows = _rows(_BY_TALLY, project)
    return Counter({(who, own, tuple(json.loads(tally))): n for who, own, tally, n in rows})


def median_seconds(project: Project, *, person: int | None = None) -> Mapping[int, float]:
    """Map each person to their median seconds per judgment."""
    return {who: float(seconds) for who, seconds in _rows(_MEDIAN_SECONDS, project, person)}


def _rows(statement: str, project: Project, person: int | None = None) -> Sequence[Any]:
    values = {
        "project": project.pk,
        "paraphrase_from": project.paraphrase_from,
        "person": person,
        "fewest": min(2, max(1, project.judgments_per_pair - 1)),
    }
    with connection.cursor() as cursor:
        parts = _OF_EVERYBODY if person is None else _OF_PERSON
        cursor.execute(statement.format(counts=COUNTS, **parts), values)
        rows: Sequence[Any] = cursor.fetchall()
    return rows
