"""Triggers on both engines that keep the audit log append-only.

SQLite drops the triggers of a table that a migration rebuilds: such a migration must run `install`
again. tests/accounts/test_audit.py fails if it does not.
"""

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE = "accounts_auditentry"
REFUSED = "the record of what was done is append-only"

SQLITE = [
    f"CREATE TRIGGER audit_{event.lower()} BEFORE {event} ON {TABLE} "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    for event in ("UPDATE", "DELETE")
]

POSTGRES = f"""
CREATE OR REPLACE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION audit_append_only();
"""


def install(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    on_postgres = schema_editor.connection.vendor == "postgresql"
    for statement in [POSTGRES] if on_postgres else SQLITE:
        schema_editor.execute(statement, params=None)
