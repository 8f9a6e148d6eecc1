from django.db import migrations

from accounts import append_only


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_audit_entries")]
    operations = [migrations.RunPython(append_only.install, migrations.RunPython.noop)]
