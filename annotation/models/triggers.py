"""Triggers for rules that a constraint cannot express, on both engines.

1. An item never has more slots than its slot count.
2. A label is within the project's scale.
3. Judgments of a decided pair are neither changed nor deleted.
4. A pair is decided only when all its slots are answered; a gold pair never is.
5. An excluded answer keeps its label.

Rule 4 also resolves a race. A slot may be added to a pair while its last answer is being stored:
the statement that stores the answer does not see the new slot, but the trigger does, and the
statement is retried.

SQLite drops the triggers of a table that a migration rebuilds: such a migration must run `install`
again. tests/annotation/test_promises.py fails if it does not.
"""

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SLOTS = "an item has no more slots than its slot count"
SCALE = "the label is outside the scale of the project"
DECIDED = "the pair is decided: its judgments are append-only"
UNFINISHED = "the pair cannot be decided: an answer is missing, or it is a gold pair"
EXCLUDED = "the answer is excluded: it keeps its label"

BEYOND_SLOTS = """
    SELECT 1 FROM annotation_item item
    WHERE item.id = {row}.item_id AND {row}.number > item.slot_count"""
OFF_SCALE = """
    SELECT 1 FROM annotation_project project
    WHERE project.id = NEW.project_id AND NEW.label > project.max_label"""
IS_DECIDED = "SELECT 1 FROM annotation_consensus decided WHERE decided.pair_id = OLD.item_id"
IS_UNFINISHED = """
    SELECT 1 FROM annotation_slot slot
    WHERE slot.item_id = NEW.pair_id AND slot.submitted_at IS NULL
    UNION ALL SELECT 1 FROM annotation_item item
    WHERE item.id = NEW.pair_id AND item.gold_label IS NOT NULL"""
RELABELLED = "OLD.excluded_by_id IS NOT NULL AND NEW.label {differs} OLD.label"

# Name, event, condition on the row, query that finds what is wrong, message.
SQLITE = [
    ("slots_insert", "BEFORE INSERT", "1", BEYOND_SLOTS.format(row="NEW"), SLOTS),
    (
        "slots_update",
        "BEFORE UPDATE OF number, item_id",
        "1",
        BEYOND_SLOTS.format(row="NEW"),
        SLOTS,
    ),
    ("scale_insert", "BEFORE INSERT", "NEW.label IS NOT NULL", OFF_SCALE, SCALE),
    ("scale_update", "BEFORE UPDATE OF label", "NEW.label IS NOT NULL", OFF_SCALE, SCALE),
    ("decided_update", "BEFORE UPDATE", "OLD.kind = 'judge'", IS_DECIDED, DECIDED),
    ("decided_delete", "BEFORE DELETE", "OLD.kind = 'judge'", IS_DECIDED, DECIDED),
    (
        "excluded",
        "BEFORE UPDATE OF label",
        RELABELLED.format(differs="IS NOT"),
        "SELECT 1",
        EXCLUDED,
    ),
]

# The slots of many items are inserted together: one check per statement, not per row.
POSTGRES = f"""
CREATE OR REPLACE FUNCTION slot_within_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM added JOIN annotation_item item ON item.id = added.item_id
               WHERE added.number > item.slot_count) THEN
        RAISE EXCEPTION '{SLOTS}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER slot_slots_insert AFTER INSERT ON annotation_slot
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION slot_within_count();

CREATE OR REPLACE FUNCTION slot_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({BEYOND_SLOTS.format(row="NEW")}) THEN
        RAISE EXCEPTION '{SLOTS}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER slot_slots_update BEFORE UPDATE OF number, item_id ON annotation_slot
    FOR EACH ROW EXECUTE FUNCTION slot_moved();

CREATE OR REPLACE FUNCTION slot_scale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({OFF_SCALE}) THEN
        RAISE EXCEPTION '{SCALE}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER slot_scale BEFORE INSERT OR UPDATE OF label ON annotation_slot
    FOR EACH ROW WHEN (NEW.label IS NOT NULL) EXECUTE FUNCTION slot_scale();

CREATE OR REPLACE FUNCTION slot_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({IS_DECIDED}) THEN
        RAISE EXCEPTION '{DECIDED}' USING ERRCODE = 'check_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER slot_decided BEFORE UPDATE OR DELETE ON annotation_slot
    FOR EACH ROW WHEN (OLD.kind = 'judge') EXECUTE FUNCTION slot_decided();

CREATE OR REPLACE FUNCTION slot_excluded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{EXCLUDED}' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER slot_excluded BEFORE UPDATE OF label ON annotation_slot
    FOR EACH ROW WHEN ({RELABELLED.format(differs="IS DISTINCT FROM")})
    EXECUTE FUNCTION slot_excluded();

CREATE OR REPLACE FUNCTION consensus_unfinished() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({IS_UNFINISHED}) THEN
        RAISE EXCEPTION '{UNFINISHED}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER consensus_unfinished BEFORE INSERT ON annotation_consensus
    FOR EACH ROW EXECUTE FUNCTION consensus_unfinished();
"""  # noqa: S608 all parts are constants


def install(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers for the connection's engine."""
    on_postgres = schema_editor.connection.vendor == "postgresql"
    for statement in [POSTGRES] if on_postgres else _sqlite():
        schema_editor.execute(statement, params=None)


def _sqlite() -> list[str]:
    on_slots = [
        f"CREATE TRIGGER slot_{name} {event} ON annotation_slot "
        f"WHEN {condition} AND EXISTS ({broken}) "
        f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        for name, event, condition, broken, message in SQLITE
    ]
    unfinished = (
        f"CREATE TRIGGER consensus_unfinished BEFORE INSERT ON annotation_consensus "
        f"WHEN EXISTS ({IS_UNFINISHED}) BEGIN SELECT RAISE(ABORT, '{UNFINISHED}'); END"
    )
    return [*on_slots, unfinished]
