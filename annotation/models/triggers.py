"""Triggers for rules that a constraint cannot express, on both engines.

1. An item never has more slots than its slot count. They are in its project, and it stays there.
2. A label is in the project's scheme.
3. Judgments of a decided pair are neither changed nor deleted.
4. A pair is decided only when all its slots are answered; a gold pair never is.
5. An excluded answer keeps its label.
6. A consensus is never changed: it is deleted, and the pair decided again.
7. A person who must not get an item does not claim it with any of their accounts.
8. A person who has a sentence of a pair to translate does not claim its other sentence.
9. A delivered translation study gets no more slots, and no answer in it is given or taken back.
10. A sealed answer is never changed or deleted, even if its pair is reopened; nor is a seal.
11. The tables of answers, consensus and seals are never emptied at once (TRUNCATE, on Postgres).

Rule 4 also resolves a race. A slot may be added to a pair while its last answer is being stored:
the statement that stores the answer does not see the new slot, but the trigger does, and the
statement is retried.

`migrate` installs them, on SQLite after removing those that are there: a migration that rebuilds a
table would fail at triggers that name it, or lose its own.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connections, transaction

from annotation.models import references

SLOTS = "an item has no more slots than its slot count, and all are of its project"
STAYS = "an item stays in its project"
SCALE = "the label is outside the scheme of the project"
DECIDED = "the pair is decided: its judgments are append-only"
UNFINISHED = "the pair cannot be decided: an answer is missing, or it is a gold pair"
EXCLUDED = "the answer is excluded: it keeps its label"
REPLACED = "a consensus is replaced, never changed"
RECUSED = "the person must not get the item"
PARTNER = "the person translates the other sentence of the pair"
DELIVERED = "the translations are delivered: they never change"
SEALED = "the answer is sealed: it is never changed"
SEAL = "a seal is never changed"
EMPTIED = "answers, consensus and seals are never emptied at once"

# The columns of an answer that its seal covers.
EVIDENCE = (
    "id",
    "item_id",
    "annotator_id",
    "label",
    "action",
    "text",
    "words",
    "seconds",
    "highlighted",
    "serial",
    "submitted_at",
)
# All columns but the person, who follows the accounts that are marked as theirs.
STORED = (
    *EVIDENCE,
    "project_id",
    "kind",
    "number",
    "queue_key",
    "reserved",
    "lease_until",
    "claimed_at",
    "words_kept",
    "excluded_by_id",
    "superseded_by_id",
)
VERDICT = ("pair_id", "tally", "first_tally", "label", "kept")

BEYOND_SLOTS = """
    SELECT 1 FROM annotation_item item WHERE item.id = {row}.item_id
    AND ({row}.number > item.slot_count OR {row}.project_id <> item.project_id)"""
OFF_SCALE = """
    SELECT 1 FROM annotation_project project
    WHERE project.id = NEW.project_id AND NEW.label >= LABELS_IN(project.scheme)"""
IS_DECIDED = "SELECT 1 FROM annotation_consensus decided WHERE decided.pair_id = OLD.item_id"
IS_UNFINISHED = """
    SELECT 1 FROM annotation_slot slot
    WHERE slot.item_id = NEW.pair_id AND slot.submitted_at IS NULL
    UNION ALL SELECT 1 FROM annotation_item item
    WHERE item.id = NEW.pair_id AND item.gold_label IS NOT NULL"""
IS_SEALED = "SELECT 1 FROM annotation_seal seal WHERE seal.judgment_id = OLD.id"
IS_RECUSED = """
    SELECT 1 FROM annotation_recusal recusal
    WHERE recusal.item_id = NEW.item_id AND recusal.person_id = NEW.person_id
    AND recusal.reason <> 'skipped'"""
HAS_PARTNER = """
    SELECT 1 FROM annotation_translatedpair pair
    JOIN annotation_translationplan plan ON plan.project_id = pair.project_id
    JOIN annotation_slot slot ON slot.item_id =
        CASE pair.item1_id WHEN NEW.item_id THEN pair.item2_id ELSE pair.item1_id END
    WHERE plan.keeps_partners_apart AND slot.item_id <> NEW.item_id
    AND (pair.item1_id = NEW.item_id OR pair.item2_id = NEW.item_id)
    AND slot.person_id = NEW.person_id"""
IS_DELIVERED = """
    SELECT 1 FROM annotation_translationplan plan
    WHERE plan.project_id = {row}.project_id AND plan.delivered_at IS NOT NULL"""
ALWAYS = "SELECT 1"


class Trigger(NamedTuple):
    """Refuses an event on a table if `condition` is true of the row and `query` finds a row.

    `condition` may not contain a query (Postgres). DIFFERS is the engine's null-safe "is not
    equal", LABELS_IN the number of labels of a scheme.
    """

    name: str
    table: str
    event: str
    condition: str
    query: str
    message: str


LABELLED, JUDGING = "NEW.label IS NOT NULL", "OLD.kind = 'judge'"
ANSWERED = "OLD.submitted_at IS NOT NULL"
RELABELLED = "OLD.excluded_by_id IS NOT NULL AND NEW.label DIFFERS OLD.label"
CLAIMED = "NEW.annotator_id IS NOT NULL AND NEW.submitted_at IS NULL"
TAKEN = f"{CLAIMED} AND NEW.annotator_id DIFFERS OLD.annotator_id"
TRANSLATING = f"NEW.kind = 'translate' AND {TAKEN}"
OF_TRANSLATION = "{row}.kind IN ('translate', 'validate')"
FINAL = [
    (f"delivered_{name}", event, OF_TRANSLATION.format(row=row), IS_DELIVERED.format(row=row))
    for name, event, row in (
        ("insert", "INSERT", "NEW"),
        ("update", "UPDATE OF submitted_at, action, text", "OLD"),
        ("delete", "DELETE", "OLD"),
    )
]
CHANGED = " OR ".join(f"NEW.{column} DIFFERS OLD.{column}" for column in VERDICT)
ON_SLOTS = [
    ("slots_insert", "INSERT", "true", BEYOND_SLOTS.format(row="NEW"), SLOTS),
    (
        "slots_update",
        "UPDATE OF number, item_id, project_id",
        "true",
        BEYOND_SLOTS.format(row="NEW"),
        SLOTS,
    ),
    ("scale_insert", "INSERT", LABELLED, OFF_SCALE, SCALE),
    ("scale_update", "UPDATE OF label", LABELLED, OFF_SCALE, SCALE),
    ("decided_update", f"UPDATE OF {', '.join(STORED)}", JUDGING, IS_DECIDED, DECIDED),
    ("decided_delete", "DELETE", JUDGING, IS_DECIDED, DECIDED),
    ("excluded", "UPDATE OF label", RELABELLED, ALWAYS, EXCLUDED),
    ("claim_insert", "INSERT", CLAIMED, IS_RECUSED, RECUSED),
    ("claim_update", "UPDATE OF annotator_id", TAKEN, IS_RECUSED, RECUSED),
    ("partner", "UPDATE OF annotator_id", TRANSLATING, HAS_PARTNER, PARTNER),
    *((*rule, DELIVERED) for rule in FINAL),
    ("sealed_update", f"UPDATE OF {', '.join(EVIDENCE)}", ANSWERED, IS_SEALED, SEALED),
    ("sealed_delete", "DELETE", ANSWERED, IS_SEALED, SEALED),
]
ON_CONSENSUS = [
    ("unfinished", "INSERT", "true", IS_UNFINISHED, UNFINISHED),
    ("update", f"UPDATE OF {', '.join(VERDICT)}", CHANGED, ALWAYS, REPLACED),
]
MOVED = "NEW.project_id DIFFERS OLD.project_id"
ON_ITEMS = [("project", "UPDATE OF project_id", MOVED, ALWAYS, STAYS)]
ON_SEALS = [(event.lower(), event, "true", ALWAYS, SEAL) for event in ("UPDATE", "DELETE")]
TRIGGERS = [
    Trigger(f"{table}_{name}", f"annotation_{table}", *rest)
    for table, rules in (
        ("slot", ON_SLOTS),
        ("item", ON_ITEMS),
        ("consensus", ON_CONSENSUS),
        ("seal", ON_SEALS),
    )
    for name, *rest in rules
]

# TRUNCATE fires no trigger of a row. SQLite has no such statement.
NEVER_EMPTIED = ("annotation_slot", "annotation_consensus", "annotation_seal")
TRUNCATE_ON_POSTGRES = [
    f"""
CREATE OR REPLACE FUNCTION annotation_never_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{EMPTIED}' USING ERRCODE = 'check_violation';
END $$;""",
    *(
        f"CREATE OR REPLACE TRIGGER {table}_never_emptied BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION annotation_never_emptied()"
        for table in NEVER_EMPTIED
    ),
]

# The slots of many items are inserted together: one check per statement, not per row. OFFSET 0 as
# above: statistics do not know the number of slots in a statement.
INSERT_ON_POSTGRES = f"""
CREATE OR REPLACE FUNCTION slot_slots_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM (
            SELECT item_id, max(number) AS number, min(project_id) AS low, max(project_id) AS high
            FROM added GROUP BY item_id
        ) slots
        WHERE EXISTS (
            SELECT 1 FROM annotation_item item WHERE item.id = slots.item_id AND (
                slots.number > item.slot_count
                OR slots.low <> item.project_id OR slots.high <> item.project_id
            ) OFFSET 0
        )
    ) THEN
        RAISE EXCEPTION '{SLOTS}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER slot_slots_insert AFTER INSERT ON annotation_slot
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION slot_slots_insert();
"""  # noqa: S608 all parts are constants


def remove(*, plan: Sequence[Any], using: str, **_signal: object) -> None:
    """Remove the triggers before migrations run. Postgres changes tables with their triggers."""
    connection = connections[using]
    if plan and connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for trigger in TRIGGERS:
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}")


def install(*, using: str, plan: Sequence[tuple[Any, bool]] = (), **_signal: object) -> None:
    """Create the triggers, or replace them by those declared here, if the tables exist.

    Not after migrations that went back: the columns may be gone, and `migrate` of the version that
    the tables are of installs its own.
    """
    connection = connections[using]
    goes_back = any(is_backward for _, is_backward in plan)
    if goes_back or "annotation_seal" not in connection.introspection.table_names():
        return
    is_postgres = connection.vendor == "postgresql"
    statement = _postgres_statements if is_postgres else _sqlite_statements
    # Atomic: no answer is stored while a trigger is missing.
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for trigger in TRIGGERS:
            for sql in statement(trigger):
                cursor.execute(sql)
        for sql in TRUNCATE_ON_POSTGRES if is_postgres else ():
            cursor.execute(sql)
        if is_postgres:
            references.install(cursor, connection.introspection)


def _sqlite_statements(trigger: Trigger) -> list[str]:
    condition = trigger.condition.replace("DIFFERS", "IS NOT")
    query = re.sub(r"LABELS_IN\((.+?)\)", r"json_array_length(\1, '$.labels')", trigger.query)
    create = (
        f"CREATE TRIGGER {trigger.name} BEFORE {trigger.event} ON {trigger.table} "
        f"WHEN ({condition}) AND EXISTS ({query}) "
        f"BEGIN SELECT RAISE(ABORT, '{trigger.message}'); END"
    )
    return [f"DROP TRIGGER IF EXISTS {trigger.name}", create]


def _postgres_statements(trigger: Trigger) -> list[str]:
    if trigger.name == "slot_slots_insert":
        return [INSERT_ON_POSTGRES]
    condition = trigger.condition.replace("DIFFERS", "IS DISTINCT FROM")
    query = re.sub(r"LABELS_IN\((.+?)\)", r"jsonb_array_length(\1 -> 'labels')", trigger.query)
    row = "OLD" if trigger.event == "DELETE" else "NEW"
    create = f"""
CREATE OR REPLACE FUNCTION {trigger.name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({query}) THEN
        RAISE EXCEPTION '{trigger.message}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN {row};
END $$;
CREATE OR REPLACE TRIGGER {trigger.name} BEFORE {trigger.event} ON {trigger.table}
    FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION {trigger.name}();
"""
    return [create]
