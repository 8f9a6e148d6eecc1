"""Triggers for rules that a constraint cannot express, on both engines.

1. A pair never has more slots than it was opened with.
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

SLOTS = "a pair has no more slots than it was opened with"
SCALE = "the label is outside the scale of the project"
DECIDED = "the pair is decided: its judgments are append-only"
UNFINISHED = "the pair cannot be decided: an answer is lacking, or known"
HELD_OUT = "the answer is held out: it keeps its label"

BEYOND_SLOTS = """
    SELECT 1 FROM annotation_sentencepair pair
    WHERE pair.id = {row}.pair_id AND {row}.slot > pair.slots"""
OFF_SCALE = """
    SELECT 1 FROM annotation_project project
    WHERE project.id = NEW.project_id AND NEW.label > project.max_label"""
IS_DECIDED = "SELECT 1 FROM annotation_consensus decided WHERE decided.pair_id = OLD.pair_id"

SQLITE = [
    ("slots_insert", "BEFORE INSERT", "1", BEYOND_SLOTS.format(row="NEW"), SLOTS),
    ("slots_update", "BEFORE UPDATE OF slot, pair_id", "1", BEYOND_SLOTS.format(row="NEW"), SLOTS),
    ("scale_insert", "BEFORE INSERT", "NEW.label IS NOT NULL", OFF_SCALE, SCALE),
    ("scale_update", "BEFORE UPDATE OF label", "NEW.label IS NOT NULL", OFF_SCALE, SCALE),
    ("decided_update", "BEFORE UPDATE", "1", IS_DECIDED, DECIDED),
    ("decided_delete", "BEFORE DELETE", "1", IS_DECIDED, DECIDED),
]

# The slots of many pairs are inserted together: one check per statement, not per row.
POSTGRES = f"""
CREATE OR REPLACE FUNCTION judgment_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM added JOIN annotation_sentencepair pair ON pair.id = added.pair_id
               WHERE added.slot > pair.slots) THEN
        RAISE EXCEPTION '{SLOTS}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER judgment_slots_insert AFTER INSERT ON annotation_judgment
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION judgment_slots();

CREATE OR REPLACE FUNCTION judgment_slot_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({BEYOND_SLOTS.format(row="NEW")}) THEN
        RAISE EXCEPTION '{SLOTS}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER judgment_slots_update BEFORE UPDATE OF slot, pair_id ON annotation_judgment
    FOR EACH ROW EXECUTE FUNCTION judgment_slot_moved();

CREATE OR REPLACE FUNCTION judgment_scale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({OFF_SCALE}) THEN
        RAISE EXCEPTION '{SCALE}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER judgment_scale BEFORE INSERT OR UPDATE OF label ON annotation_judgment
    FOR EACH ROW WHEN (NEW.label IS NOT NULL) EXECUTE FUNCTION judgment_scale();

CREATE OR REPLACE FUNCTION judgment_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({IS_DECIDED}) THEN
        RAISE EXCEPTION '{DECIDED}' USING ERRCODE = 'check_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER judgment_decided BEFORE UPDATE OR DELETE ON annotation_judgment
    FOR EACH ROW EXECUTE FUNCTION judgment_decided();
"""  # noqa: S608 all parts are constants


IS_UNFINISHED = """
    SELECT 1 FROM annotation_judgment slot
    WHERE slot.pair_id = NEW.pair_id AND slot.label IS NULL
    UNION ALL SELECT 1 FROM annotation_sentencepair pair
    WHERE pair.id = NEW.pair_id AND pair.known_label IS NOT NULL"""

SQLITE_HELD_OUT = [
    f"""
CREATE TRIGGER consensus_unfinished BEFORE INSERT ON annotation_consensus
WHEN EXISTS ({IS_UNFINISHED}) BEGIN SELECT RAISE(ABORT, '{UNFINISHED}'); END""",
    f"""
CREATE TRIGGER judgment_held_out BEFORE UPDATE OF label ON annotation_judgment
WHEN OLD.held_out_id IS NOT NULL AND NEW.label IS NOT OLD.label
BEGIN SELECT RAISE(ABORT, '{HELD_OUT}'); END""",
]

POSTGRES_HELD_OUT = f"""
CREATE OR REPLACE FUNCTION consensus_unfinished() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({IS_UNFINISHED}) THEN
        RAISE EXCEPTION '{UNFINISHED}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER consensus_unfinished BEFORE INSERT ON annotation_consensus
    FOR EACH ROW EXECUTE FUNCTION consensus_unfinished();

CREATE OR REPLACE FUNCTION judgment_held_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{HELD_OUT}' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER judgment_held_out BEFORE UPDATE OF label ON annotation_judgment
    FOR EACH ROW WHEN (OLD.held_out_id IS NOT NULL AND NEW.label IS DISTINCT FROM OLD.label)
    EXECUTE FUNCTION judgment_held_out();
"""


def install(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers for the connection's engine."""
    on_postgres = schema_editor.connection.vendor == "postgresql"
    for statement in [POSTGRES, POSTGRES_HELD_OUT] if on_postgres else _sqlite():
        schema_editor.execute(statement, params=None)


def _sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER judgment_{name} {event} ON annotation_judgment "
        f"WHEN {condition} AND EXISTS ({broken}) "
        f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        for name, event, condition, broken, message in SQLITE
    ] + SQLITE_HELD_OUT
