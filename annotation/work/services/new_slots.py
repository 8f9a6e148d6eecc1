"""Creates the slots of new pairs in SQL: they are most of the rows of a study."""

import json
from collections.abc import Sequence

from django.db import connection
from django.utils import timezone

from annotation.models import Project
from annotation.work import queue_keys

POSTGRES = """
INSERT INTO annotation_judgment (project_id, pair_id, slot, queue_key)
SELECT %s, pair, slot, CASE WHEN slot <= %s THEN key + slot - 1 END
FROM (
    SELECT pair, key, generate_series(1, %s) AS slot
    FROM unnest(%s::bigint[], %s::bigint[]) AS new (pair, key)
) slots"""

SQLITE = """
WITH RECURSIVE slots (slot) AS (SELECT 1 UNION ALL SELECT slot + 1 FROM slots WHERE slot < %s)
INSERT INTO annotation_judgment (project_id, pair_id, slot, queue_key)
SELECT %s, CAST(new.key AS INTEGER), slot, CASE WHEN slot <= %s THEN new.value + slot - 1 END
FROM json_each(%s) new CROSS JOIN slots"""


def make(project: Project, pairs: Sequence[int]) -> Sequence[int]:
    """Create all slots of new pairs, and add those to the queue that enter it now.

    Returns the queue key of the first slot of each pair, the lowest of its keys.
    """
    slots, keys = project.judgments_per_pair, _first_keys(project, pairs)
    entering = slots if project.order == Project.Order.DEPTH else 1
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRES, [project.pk, entering, slots, list(pairs), keys])
        else:
            new = json.dumps(dict(zip(pairs, keys, strict=True)))
            cursor.execute(SQLITE, [slots, project.pk, entering, new])
    return keys


def _first_keys(project: Project, pairs: Sequence[int]) -> list[int]:
    if project.order == Project.Order.DEPTH:
        return [queue_keys.in_depth(pair, 1) for pair in pairs]
    now = timezone.now()
    return [queue_keys.in_breadth(now, pair, ahead=ahead) for ahead, pair in enumerate(pairs)]
