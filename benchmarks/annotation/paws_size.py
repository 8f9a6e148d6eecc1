"""A study of the size of PAWS on Wikipedia (Table 3), judged to its end: by the database itself."""

from typing import Any

from benchmarks.annotation import study
from support.large_study import execute

CANDIDATES, ACCEPTED, FIXED, PAIRS = 50_000, 39_903, 7_387, 47_290
JUDGMENTS = PAIRS * study.SLOTS
# Five of them judge each pair: those whose numbers are a fifth of all apart.
PEOPLE = 40
DAYS = 30

# One in eight pairs is a paraphrase and one answer in twenty is wrong: near enough to Table 3.
FILL = (
    "UPDATE generation_generationrun SET method = 'word_swap' WHERE id = %(run)s",
    """INSERT INTO annotation_intake (project_id, batch_id, created_at)
    SELECT %(project)s, id, now() FROM generation_batch WHERE run_id = %(run)s""",
    """INSERT INTO generation_candidate
        (id, public_id, run_id, batch_id, sentence_id, rank, text, external_id, kind, similarity,
         inversion_rate, alternatives)
    SELECT %(first)s + 1000000 + n, gen_random_uuid(), %(run)s, batch_id, sentence_id, 1,
        text, '', '', 1, 0.1, '[]'
    FROM generation_candidate, LATERAL (SELECT generation_candidate.id - %(first)s AS n) numbered
    WHERE run_id = %(run)s AND n < %(rejected)s""",
    """INSERT INTO annotation_item
        (id, public_id, project_id, kind, candidate_id, texts_key, flipped, slot_count, priority,
         created_at)
    SELECT id + 2000000, gen_random_uuid(), %(project)s, 'correct', id, gen_random_uuid(), false,
        1, 0, now()
    FROM generation_candidate WHERE run_id = %(run)s""",
    """INSERT INTO annotation_slot
        (id, project_id, kind, item_id, number, annotator_id, person_id, reserved, action, text,
         seconds, claimed_at, submitted_at)
    SELECT id + 100000000, %(project)s, 'correct', id + 2000000, 1,
        (%(people)s::bigint[])[1 + n %% %(crowd)s], (%(people)s::bigint[])[1 + n %% %(crowd)s],
        false,
        CASE WHEN rank = 1 THEN 'reject' WHEN n < %(fixed)s THEN 'fix' ELSE 'accept' END,
        CASE WHEN rank = 0 AND n < %(fixed)s THEN text ELSE '' END, 11, began, began
    FROM generation_candidate,
        LATERAL (SELECT (id - %(first)s) %% 1000000 AS n) numbered,
        LATERAL (SELECT now() - interval '60 days' + interval '1 minute' * (n %% 30000)
            AS began) begun
    WHERE run_id = %(run)s""",
    """UPDATE generation_candidate SET
        kind = (ARRAY['name', 'adjective', 'noun', 'number', 'adverbial'])[1 + id %% 5],
        probability = 0.6 + 0.39 * (id * 7919 %% 1000) / 1000
    WHERE run_id = %(run)s""",
    """UPDATE annotation_slot slot SET serial = counted.serial
    FROM (SELECT id, row_number() OVER (PARTITION BY annotator_id ORDER BY submitted_at, id)
            AS serial
        FROM annotation_slot WHERE project_id = %(project)s AND kind = 'correct') counted
    WHERE counted.id = slot.id""",
    """UPDATE annotation_item SET origin_id = candidate_id + 100000000
    WHERE project_id = %(project)s AND kind = 'judge'""",
    """UPDATE annotation_slot SET
        annotator_id = account, person_id = account,
        label = CASE WHEN (item_id %% 8 = 0) = ((item_id * 31 + number * 17) %% 20 <> 0)
            THEN 1 ELSE 0 END,
        seconds = 10 + (item_id * number) %% 29, queue_key = NULL,
        serial = 1 + (item_id - %(first)s) * 5 / %(crowd)s,
        claimed_at = at, submitted_at = at
    FROM (SELECT id AS of,
            (%(people)s::bigint[])[1 + (item_id * 7 + number * %(crowd)s / 5) %% %(crowd)s]
                AS account, now() - interval '1 hour' - interval '30 days'
            * (1 - (item_id - %(first)s + number / 6.0) / %(pairs)s) AS at
        FROM annotation_slot WHERE project_id = %(project)s AND kind = 'judge') given
    WHERE given.of = annotation_slot.id""",
    """INSERT INTO annotation_consensus (pair_id, tally, label, kept, decided_at)
    SELECT item_id, jsonb_build_array(count(*) - sum(label), sum(label)),
        CASE WHEN 2 * sum(label) > count(*) THEN 1 ELSE 0 END,
        greatest(sum(label), count(*) - sum(label)) >= 4, max(submitted_at)
    FROM annotation_slot WHERE project_id = %(project)s AND kind = 'judge' GROUP BY item_id""",
)


def make(name: str) -> tuple[Any, str]:
    """The study, and the session of somebody who manages it."""
    from django.db import connection

    from accounts.models import User
    from generation.models import GenerationRun

    project = study.make_study(name, pairs=PAIRS)
    study.sign_in(project, names := [f"{name} {number}" for number in range(PEOPLE)])
    parameters = {
        "project": project.id,
        "run": GenerationRun.objects.get(corpus__name=name).id,
        "first": project.pairs.order_by("id").values_list("id", flat=True)[0],
        "people": list(User.objects.filter(username__in=names).values_list("id", flat=True)),
        "crowd": PEOPLE,
        "pairs": PAIRS,
        "rejected": CANDIDATES - PAIRS,
        "fixed": FIXED,
    }
    execute(FILL, parameters)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as the database's own housekeeping would leave it
    return project, _sign_in_manager(project, f"{name} manager")


def make_small_studies(number: int, manager: str) -> None:
    """Make studies of 500 pairs without judgments, for the home page of a manager."""
    for small in range(1, number + 1):
        _sign_in_manager(study.make_study(f"Small {small}", pairs=500), manager)


def _sign_in_manager(project: Any, name: str) -> str:
    from annotation.models import Membership

    [session] = study.sign_in(project, [name])
    Membership.objects.filter(project=project, user__username=name).update(role="manager")
    return session
