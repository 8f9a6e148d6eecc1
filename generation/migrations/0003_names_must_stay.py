from django.db import migrations


def let_names_be_lost(apps, schema_editor):
    """Back translations that began without the rule end without it."""
    runs = apps.get_model('generation', 'GenerationRun').objects.using(schema_editor.connection.alias)
    unfinished = runs.filter(method='back_translation', batches__state__in=['open', 'parked'])
    for run in unfinished.exclude(state='cancelled').distinct():
        run.settings.setdefault('strict', False)
        run.save(update_fields=['settings'])


class Migration(migrations.Migration):

    dependencies = [
        ('generation', '0002_previews_until_candidates'),
    ]

    operations = [
        migrations.RunPython(let_names_be_lost, migrations.RunPython.noop),
    ]
