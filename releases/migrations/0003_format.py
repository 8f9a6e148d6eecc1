from django.db import migrations, models
from django.db.models import Q


def name_formats(apps, schema_editor):
    """What was frozen keeps the first version of its format; a translation has two languages."""
    releases = apps.get_model('releases', 'Release').objects.using(schema_editor.connection.alias)
    is_translation = Q(settings__has_key='source_language')
    for kind, of_kind in (('release', ~is_translation), ('translation', is_translation)):
        for version, is_frozen in ((1, True), (2, False)):
            rows = releases.filter(of_kind, frozen_at__isnull=not is_frozen)
            rows.update(format=f'pawsmith-{kind}/{version}')


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0002_planned_metadata'),
    ]

    operations = [
        migrations.AddField(
            model_name='release',
            name='format',
            field=models.CharField(default='', editable=False, help_text='Its name in releases.dataset.formats.FORMATS', max_length=30),
            preserve_default=False,
        ),
        migrations.RunPython(name_formats, migrations.RunPython.noop),
    ]
