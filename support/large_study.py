"""Judged studies with corrections and back translations, of any size, made by the database itself.

Of 47,290 pairs it is the study of PAWS on Wikipedia (Tables 3 and 4); of any other number, the same
in proportion.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from support.places import DEMONSTRATION

SLOTS = 5
PEOPLE = 40


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything: `pairs` are corrected word swaps, each of which is judged."""

    pairs: int = 47_290

    @property
    def candidates(self) -> int:
        """Word swaps, among them the rejected."""
        return self.pairs * 50_000 // 47_290

    @property
    def fixed(self) -> int:
        """Word swaps that a corrector changed."""
        return self.pairs * 7_387 // 47_290

    @property
    def translations(self) -> int:
        """Back translations, of sources and of their word swaps, each of which is judged."""
        return self.pairs * 26_897 // 47_290

    @property
    def judged(self) -> int:
        """Pairs with five answers."""
        return self.pairs + self.translations


# Ids are counted on from those that are there. Translation m is of source m / 2 where m is even,
# else of that source's swap. One swap in eight and nine translations in ten are paraphrases, and
# one answer in fifteen is wrong. A pair has the id of its candidate; items to correct come after.
FILL = (
    """INSERT INTO generation_sentence
        (id, public_id, corpus_id, external_id, "group", text, digest, created_at)
    SELECT %(first)s + n, gen_random_uuid(), %(corpus)s, '', '',
        (%(texts)s::text[])[1 + n %% %(number)s] || ' (' || n || ')', gen_random_uuid(), now()
    FROM generate_series(0, %(candidates)s - 1) n""",
    """INSERT INTO generation_candidate
        (id, public_id, run_id, batch_id, sentence_id, rank, text, external_id, kind, similarity,
         inversion_rate, alternatives)
    SELECT id, gen_random_uuid(), %(swaps)s, %(swap_batch)s, id, 0, text || ' Swapped.', '', '', 1,
        0.1, '[]'
    FROM generation_sentence WHERE corpus_id = %(corpus)s""",
    """INSERT INTO annotation_item
        (id, public_id, project_id, kind, candidate_id, texts_key, flipped, slot_count, priority,
         created_at)
    SELECT id + %(beyond_pairs)s, gen_random_uuid(), %(project)s, 'correct', id, gen_random_uuid(),
        false, 1, 0, now()
    FROM generation_candidate WHERE run_id = %(swaps)s""",
    """INSERT INTO annotation_slot
        (id, project_id, kind, item_id, number, annotator_id, person_id, reserved, action, text,
         seconds, serial, claimed_at, submitted_at)
    SELECT item.id * %(slots)s + 1, %(project)s, 'correct', item.id, 1,
        (%(people)s::bigint[])[1 + made.id %% 5], (%(people)s::bigint[])[1 + made.id %% 5], false,
        CASE WHEN made.id - %(first)s >= %(pairs)s THEN 'reject'
             WHEN made.id - %(first)s < %(fixed)s THEN 'fix' ELSE 'accept' END,
        CASE WHEN made.id - %(first)s < %(fixed)s THEN made.text || ' Fixed.' ELSE '' END, 11,
        1 + (made.id - %(first)s) / 5, now(), now()
    FROM annotation_item item JOIN generation_candidate made ON made.id = item.candidate_id
    WHERE item.project_id = %(project)s""",
    """INSERT INTO generation_sentence
        (id, public_id, corpus_id, external_id, "group", text, digest, candidate_id, created_at)
    SELECT made.id + %(candidates)s, gen_random_uuid(), %(corpus)s, '', '',
        coalesce(nullif(correction.text, ''), made.text), gen_random_uuid(), made.id, now()
    FROM generation_candidate made
    JOIN annotation_slot correction ON correction.item_id = made.id + %(beyond_pairs)s
    WHERE run_id = %(swaps)s AND action <> 'reject'""",
    """INSERT INTO generation_candidate
        (id, public_id, run_id, batch_id, sentence_id, rank, text, external_id, kind, similarity,
         inversion_rate, alternatives)
    SELECT %(first)s + %(candidates)s + n, gen_random_uuid(), %(backs)s, %(back_batch)s,
        sentence.id, 0, sentence.text || ' Said again.', '', '', 1, 0.1, '[]'
    FROM generate_series(0, %(translations)s - 1) n
    JOIN generation_sentence sentence
        ON sentence.id = %(first)s + n / 2 + CASE WHEN n %% 2 = 0 THEN 0 ELSE %(candidates)s END""",
    """INSERT INTO generation_sentence
        (id, public_id, corpus_id, external_id, "group", text, digest, candidate_id, created_at)
    SELECT id + %(candidates)s, gen_random_uuid(), %(corpus)s, '', '', text, gen_random_uuid(), id,
        now()
    FROM generation_candidate WHERE run_id = %(backs)s""",
    """INSERT INTO annotation_item
        (id, public_id, project_id, kind, candidate_id, origin_id, sentence1_id, sentence2_id,
         texts_key, flipped, slot_count, priority, created_at)
    SELECT made.id, gen_random_uuid(), %(project)s, 'judge', made.id, correction.id,
        made.sentence_id, made.id + %(candidates)s, gen_random_uuid(), made.id %% 2 = 0, %(slots)s,
        0, now()
    FROM generation_candidate made LEFT JOIN annotation_slot correction
        ON run_id = %(swaps)s AND correction.item_id = made.id + %(beyond_pairs)s
    WHERE run_id IN (%(swaps)s, %(backs)s) AND action IS DISTINCT FROM 'reject'""",
    """INSERT INTO annotation_slot
        (id, project_id, kind, item_id, number, annotator_id, person_id, reserved, label, action,
         text, seconds, serial, claimed_at, submitted_at)
    SELECT pair.id * %(slots)s + number, %(project)s, 'judge', pair.id, number, account, account,
        false,
        CASE WHEN (CASE WHEN run_id = %(swaps)s THEN pair.id %% 8 = 0 ELSE pair.id %% 10 <> 0 END)
            = (abs(hashint8(pair.id * %(slots)s + number)) %% 15 <> 0) THEN 1 ELSE 0 END,
        '', '', 10 + (pair.id * number) %% 29 + 0.25, 1 + pair.id - %(first)s, now(),
        now() - interval '1 second' * ((pair.id * number) %% 1000000)
    FROM annotation_item pair
    JOIN generation_candidate made ON made.id = candidate_id
    CROSS JOIN generate_series(1, %(slots)s) number
    CROSS JOIN LATERAL (SELECT (%(people)s::bigint[])
        [1 + (pair.id * 7 + number * %(crowd)s / %(slots)s) %% %(crowd)s] AS account) one
    WHERE project_id = %(project)s AND pair.kind = 'judge'""",
    """INSERT INTO annotation_consensus (pair_id, tally, label, kept, decided_at)
    SELECT item_id, jsonb_build_array(count(*) - sum(label), sum(label)),
        CASE WHEN 2 * sum(label) > count(*) THEN 1 ELSE 0 END,
        greatest(sum(label), count(*) - sum(label)) >= 4, max(submitted_at)
    FROM annotation_slot WHERE project_id = %(project)s AND kind = 'judge' GROUP BY item_id""",
)
COUNTED_ON = (
    "generation_sentence",
    "generation_candidate",
    "annotation_item",
    "annotation_slot",
)


def make(name: str, size: Size, *, analyzed: bool = True) -> Any:
    """A project of this name whose pairs are all decided.

    Unless `analyzed`, the statistics of the database stay as they were.
    """
    from django.db import connection

    from annotation.projects.services import projects
    from generation.models import Corpus, Sentence

    project = projects.create(name, guidelines="Judge the meaning, not the style.")
    corpus = Corpus.objects.create(name=name, licence="cc-by-sa-4.0")
    last = Sentence.objects.order_by("-id").first()
    texts = [json.loads(line)["text"] for line in DEMONSTRATION.read_text().splitlines()]
    swaps, swap_batch = _run(project, corpus, "word_swap", size.candidates)
    backs, back_batch = _run(project, corpus, "back_translation", size.translations)
    people = _people(project, name)
    _fill(
        first=last.id + 1 if last else 1,
        project=project.id,
        corpus=corpus.id,
        swaps=swaps,
        swap_batch=swap_batch,
        backs=backs,
        back_batch=back_batch,
        people=people,
        crowd=len(people),
        texts=texts,
        number=len(texts),
        slots=SLOTS,
        pairs=size.pairs,
        candidates=size.candidates,
        fixed=size.fixed,
        translations=size.translations,
        beyond_pairs=size.candidates + size.translations,
    )
    if analyzed:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
    return project


def _run(project: Any, corpus: Any, method: str, size: int) -> tuple[int, int]:
    """A finished run with one batch, which has entered the project."""
    from annotation.models import Intake
    from generation.models import Batch, GenerationRun

    run = GenerationRun.objects.create(
        corpus=corpus, method=method, settings={}, model_identities={}, seed=1
    )
    batch = Batch.objects.create(run=run, number=1, first_sentence=1, last_sentence=1, size=size)
    project.runs.add(run)
    Intake.objects.create(project=project, batch=batch)
    return run.id, batch.id


def _people(project: Any, name: str) -> list[int]:
    from accounts.models import User
    from annotation.projects.services import projects

    people = [User.objects.create_user(f"{name} {number}") for number in range(PEOPLE)]
    for person in people:
        projects.add_member(project, person)
    return [person.id for person in people]


def _fill(**parameters: Any) -> None:
    sequence_updates = [
        f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608 names of our own
        for table in COUNTED_ON
    ]
    execute((*FILL, *sequence_updates), parameters)


def execute(statements: Iterable[str], parameters: Mapping[str, Any]) -> None:
    """All in one transaction without triggers: these rows refer only to rows that exist."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in statements:
            cursor.execute(statement, parameters)
