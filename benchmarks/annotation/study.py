"""Studies of any size, made by the database itself, and people who are signed in."""

import json
from collections.abc import Sequence
from typing import Any

from support.imported_study import SLOTS as SLOTS
from support.imported_study import numbers_of_faults, session_of
from support.large_study import execute
from support.places import DEMONSTRATION

# Ids are counted on from those that are there; %(first)s is the first new one of every table.
FILL = (
    """INSERT INTO generation_sentence
        (id, public_id, corpus_id, external_id, "group", text, digest, created_at)
    SELECT %(first)s + n, gen_random_uuid(), %(corpus)s, '', '',
        (%(texts)s::text[])[1 + n %% %(number)s] || ' (' || n || ')', gen_random_uuid(), now()
    FROM generate_series(0, %(pairs)s - 1) n""",
    """INSERT INTO generation_candidate
        (id, public_id, run_id, batch_id, sentence_id, rank, text, external_id, kind, similarity,
         inversion_rate, alternatives)
    SELECT id, gen_random_uuid(), %(run)s, %(batch)s, id, 0, text || ' Rewritten.', '', '', 1, 0.1,
        '[]'
    FROM generation_sentence WHERE corpus_id = %(corpus)s""",
    """INSERT INTO generation_sentence
        (id, public_id, corpus_id, external_id, "group", text, digest, candidate_id, created_at)
    SELECT id + %(pairs)s, gen_random_uuid(), %(corpus)s, '', '', text, gen_random_uuid(), id, now()
    FROM generation_candidate WHERE run_id = %(run)s""",
    """INSERT INTO annotation_item
        (id, public_id, project_id, kind, candidate_id, sentence1_id, sentence2_id, flipped,
         texts_key, slot_count, priority, created_at)
    SELECT id, gen_random_uuid(), %(project)s, 'judge', id, id, id + %(pairs)s, id %% 2 = 0,
        gen_random_uuid(), %(slots)s, 0, now()
    FROM generation_candidate WHERE run_id = %(run)s""",
    """INSERT INTO annotation_slot
        (id, project_id, kind, item_id, number, queue_key, reserved, action, text)
    SELECT id * %(slots)s + number, %(project)s, 'judge', id, number, id * %(keys)s + number,
        false, '', ''
    FROM annotation_item, generate_series(1, %(slots)s) number WHERE project_id = %(project)s""",
)
# What one person did before: the first slot of so many pairs, and the place where that ends.
PAST = (
    """UPDATE annotation_slot
    SET annotator_id = %(user)s, person_id = %(user)s, label = 1, seconds = 2.5,
        serial = item_id - %(last)s + %(pairs)s,
        claimed_at = now() - interval '2 days', submitted_at = now() - interval '1 day'
            - interval '1 second' * (%(last)s - item_id)
    WHERE project_id = %(project)s AND number = 1 AND item_id <= %(last)s""",
    """UPDATE annotation_duty SET place = %(last)s::bigint * %(keys)s + %(keys)s - 1
    FROM annotation_membership member
    WHERE member.id = membership_id AND project_id = %(project)s AND user_id = %(user)s
        AND kind = 'judge'""",
)


def make_study(name: str, *, pairs: int) -> Any:
    """A project with so many pairs, each with five free slots."""
    from annotation.projects.services import projects
    from annotation.work.keys import KEYS_PER_ITEM
    from generation.models import Batch, Corpus, GenerationRun, Sentence

    project = projects.create(name, guidelines="Judge the meaning, not the style.")
    corpus = Corpus.objects.create(name=name)
    run = GenerationRun.objects.create(
        corpus=corpus, method="back_translation", settings={}, model_identities={}, seed=1
    )
    project.runs.add(run)  # as in every study of a run: the list of methods is read from it
    batch = Batch.objects.create(run=run, number=1, first_sentence=1, last_sentence=1, size=pairs)
    texts = [json.loads(line)["text"] for line in DEMONSTRATION.read_text().splitlines()]
    last = Sentence.objects.order_by("-id").first()
    parameters = {
        "first": last.id + 1 if last else 1,
        "corpus": corpus.id,
        "run": run.id,
        "batch": batch.id,
        "project": project.id,
        "pairs": pairs,
        "texts": texts,
        "number": len(texts),
        "slots": SLOTS,
        "keys": KEYS_PER_ITEM,
    }
    execute(FILL, parameters)
    return project


def sign_in(project: Any, names: Sequence[str]) -> list[str]:
    """Members of the project with a session each; returns the keys of the sessions."""
    from accounts.models import User
    from annotation.projects.services import projects

    people = [User.objects.get_or_create(username=name)[0] for name in names]
    for person in people:
        projects.add_member(project, person)
    return [session_of(person) for person in people]


def sign_in_again(session: str) -> str:
    """End a session and begin another for its person; returns the new one's key."""
    from django.contrib.auth import SESSION_KEY

    from accounts.models import User
    from accounts.sessions import SessionStore

    ended = SessionStore(session)
    person = User.objects.get(pk=ended[SESSION_KEY])
    ended.delete()
    return session_of(person)


def record_judgments(project: Any, name: str, *, pairs: int) -> None:
    """Let a person have judged the first so many pairs."""
    from accounts.models import User
    from annotation.work.keys import KEYS_PER_ITEM

    first = project.pairs.order_by("id").values_list("id", flat=True)[0]
    parameters = {
        "user": User.objects.get(username=name).id,
        "project": project.id,
        "last": first + pairs - 1,
        "pairs": pairs,
        "keys": KEYS_PER_ITEM,
    }
    execute(PAST, parameters)


def faults() -> list[str]:
    """What must never be: read from the rows, whatever the replies said."""
    from annotation.models import Consensus, Judgment

    numbers = numbers_of_faults(Judgment.objects.all(), Consensus.objects.all())
    return [f"{number} {what}" for what, number in numbers.items() if number]
