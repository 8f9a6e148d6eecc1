"""Triggers that protect sealed answers, in addition to annotation/models/triggers.py.

1. The sealed fields of an answer are never changed or deleted, even if its pair is reopened.
2. A seal is never changed or deleted.
3. A consensus is never changed: it is deleted, and the pair decided again.

SQLite drops the triggers of a table that a migration rebuilds: such a migration of judgments, seals
or consensus must drop these triggers first, then call `install`.
"""

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SEALED = "the answer is sealed: it is never changed"
SEAL = "a seal is never changed"
DECIDED = "a consensus is replaced, never changed"

EVIDENCE = (
    "id",
    "item_id",
    "annotator_id",
    "label",
    "seconds",
    "highlighted",
    "serial",
    "submitted_at",
)
VERDICT = ("pair_id", "tally", "label", "kept")
_COLUMNS, _VERDICT = ", ".join(EVIDENCE), ", ".join(VERDICT)
_IS_SEALED = "EXISTS (SELECT 1 FROM annotation_seal seal WHERE seal.judgment_id = OLD.id)"
_ANSWERED = "OLD.label IS NOT NULL"

TRIGGERS = {
    "judgment_sealed_update": ("annotation_slot", f"UPDATE OF {_COLUMNS}", SEALED),
    "judgment_sealed_delete": ("annotation_slot", "DELETE", SEALED),
    "seal_update": ("annotation_seal", "UPDATE", SEAL),
    "seal_delete": ("annotation_seal", "DELETE", SEAL),
    "consensus_update": ("annotation_consensus", f"UPDATE OF {_VERDICT}", DECIDED),
}


def install(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers for the connection's engine."""
    on_postgres = schema_editor.connection.vendor == "postgresql"
    make = _on_postgres if on_postgres else _on_sqlite
    for name in TRIGGERS:
        schema_editor.execute(make(name), params=None)


def _on_sqlite(name: str) -> str:
    table, event, message = TRIGGERS[name]
    return (
        f"CREATE TRIGGER {name} BEFORE {event} ON {table} "
        f"WHEN {_condition(name, differs='IS NOT')} "
        f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )


def _on_postgres(name: str) -> str:
    """Trigger conditions cannot contain queries on Postgres, so the function checks the seal."""
    table, event, message = TRIGGERS[name]
    is_judgment = table == "annotation_slot"
    condition = _ANSWERED if is_judgment else _condition(name, differs="IS DISTINCT FROM")
    refused = _IS_SEALED if is_judgment else "true"
    returned = "OLD" if event == "DELETE" else "NEW"
    return f"""
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF {refused} THEN RAISE EXCEPTION '{message}' USING ERRCODE = 'check_violation'; END IF;
    RETURN {returned};
END $$;
CREATE TRIGGER {name} BEFORE {event} ON {table}
    FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION {name}();
"""


def _condition(name: str, *, differs: str) -> str:
    """When a trigger refuses. It checks `label` first, so open slots need no search for a seal."""
    if name.startswith("judgment"):
        return f"{_ANSWERED} AND {_IS_SEALED}"
    if name == "consensus_update":
        return " OR ".join(f"NEW.{column} {differs} OLD.{column}" for column in VERDICT)
    return "true"
