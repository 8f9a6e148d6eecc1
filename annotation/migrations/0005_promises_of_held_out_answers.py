from django.db import migrations

from annotation import promises


class Migration(migrations.Migration):
    dependencies = [("annotation", "0004_running_a_study")]
    operations = [migrations.RunPython(promises.install_held_out, migrations.RunPython.noop)]
