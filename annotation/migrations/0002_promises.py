from django.db import migrations

from annotation import promises


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]
    operations = [migrations.RunPython(promises.install, migrations.RunPython.noop)]
