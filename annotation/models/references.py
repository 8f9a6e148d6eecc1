"""References that Postgres checks once per statement, not once per row.

A foreign key looks up the key of each row with a separate query, although rows that are inserted
together often share it: all pairs of an import belong to one project. For the references declared
here, Postgres gets triggers instead, which guarantee the same: the row referred to exists, and
stays as long as others refer to it, even with concurrent transactions. They lock its key as a
foreign key would. SQLite keeps its foreign keys.

Unlike Django's foreign keys, the triggers refuse immediately, not at the end of the transaction.
"""

from typing import Any, NamedTuple


class Reference(NamedTuple):
    table: str
    column: str
    target: str

    @property
    def name(self) -> str:
        return f"{self.table}_{self.column}"


REFERENCES = [
    Reference("annotation_item", "project_id", "annotation_project"),
    Reference("annotation_slot", "item_id", "annotation_item"),
    Reference("generation_candidate", "run_id", "generation_generationrun"),
    Reference("generation_candidate", "batch_id", "generation_batch"),
    Reference("generation_sentence", "corpus_id", "generation_corpus"),
]

MISSING = """
    SELECT 1 FROM ({keys}) keys WHERE key IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM {target} WHERE id = key FOR KEY SHARE)"""
ADDED = "SELECT DISTINCT {column} AS key FROM added"
CHANGED = "SELECT NEW.{column} AS key"
REFERRED_TO = "SELECT 1 FROM {table} WHERE {column} = OLD.id"
# Without sequential scans: the plan is kept while its tables grow.
FUNCTION = """
CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
    IF EXISTS ({query}) THEN
        RAISE EXCEPTION '{table}.{column} refers to a row that is not in {target}'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END $$"""
CREATE = "CREATE OR REPLACE TRIGGER {function} AFTER {event} EXECUTE FUNCTION {function}()"
# The name of each trigger, its event, and the query for the keys that it checks.
TRIGGERS = [
    ("added", "INSERT ON {table} REFERENCING NEW TABLE AS added FOR EACH STATEMENT", ADDED),
    (
        "changed",
        "UPDATE OF {column} ON {table} FOR EACH ROW "
        "WHEN (NEW.{column} IS DISTINCT FROM OLD.{column})",
        CHANGED,
    ),
    ("kept", "DELETE OR UPDATE OF id ON {target} FOR EACH ROW", None),
]


def install(cursor: Any, introspection: Any) -> None:
    """Create the triggers on Postgres, and drop the foreign keys that they replace."""
    for reference in REFERENCES:
        for statement in _trigger_statements(reference):
            cursor.execute(statement)
        constraints = introspection.get_constraints(cursor, reference.table)
        for name, constraint in constraints.items():
            if constraint["foreign_key"] and constraint["columns"] == [reference.column]:
                cursor.execute(f'ALTER TABLE {reference.table} DROP CONSTRAINT "{name}"')


def _trigger_statements(reference: Reference) -> list[str]:
    statements = []
    for name, event, keys in TRIGGERS:
        query = MISSING.replace("{keys}", keys) if keys else REFERRED_TO
        values = reference._asdict() | {"function": f"{reference.name}_{name}"}
        statements += [
            part.replace("{query}", query).replace("{event}", event).format(**values)
            for part in (FUNCTION, CREATE)
        ]
    return statements
