"""Each judgment knows which of its person's answers it is; annotators need no index of their own.

SQLite rebuilds tables on the way and drops their triggers, and decided judgments take a number too:
so the triggers leave before and come back after.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from annotation import promises

NUMBER = """
    UPDATE annotation_judgment SET number = numbered.number
    FROM (
        SELECT id, row_number() OVER (
            PARTITION BY annotator_id, project_id ORDER BY submitted_at, id
        ) AS number
        FROM annotation_judgment WHERE label IS NOT NULL
    ) numbered
    WHERE numbered.id = annotation_judgment.id"""


def number(_apps, schema_editor):
    """Number the answers that are there, decided or not."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE annotation_judgment DISABLE TRIGGER judgment_decided")
        schema_editor.execute(NUMBER)
        schema_editor.execute("ALTER TABLE annotation_judgment ENABLE TRIGGER judgment_decided")
        return
    for name, *_rest in promises.SQLITE:
        schema_editor.execute(f"DROP TRIGGER judgment_{name}")
    schema_editor.execute(NUMBER)


def install(apps, schema_editor):
    """Triggers of Postgres outlive a change of their table."""
    if schema_editor.connection.vendor == "sqlite":
        promises.install(apps, schema_editor)


def annotator():
    return models.ForeignKey(
        blank=True,
        db_index=False,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="%(class)ss",
        to=settings.AUTH_USER_MODEL,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_promises"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.AddField(
            "judgment",
            "number",
            models.PositiveIntegerField(
                blank=True,
                editable=False,
                help_text="Which of the person's answers in the project it is, from 1 on",
                null=True,
            ),
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AlterField("correction", "annotator", annotator()),
        migrations.AlterField("judgment", "annotator", annotator()),
        migrations.RunPython(install, migrations.RunPython.noop),
    ]
