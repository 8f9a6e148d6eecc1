from django.db import migrations

POSTGRES = """
CREATE OR REPLACE TRIGGER audit_never_emptied BEFORE TRUNCATE ON accounts_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only();
"""


def refuse_truncate(_apps, schema_editor):
    """TRUNCATE fires no trigger of a row; SQLite has no such statement."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRES, params=None)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_squashed")]

    operations = [migrations.RunPython(refuse_truncate, migrations.RunPython.noop)]
