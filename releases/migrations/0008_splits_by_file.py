from django.db import migrations


def name_splits_by_file(apps, schema_editor):
    """Drafts of published sets named the file of a split; now they name the split of a file."""
    releases = apps.get_model('releases', 'Release').objects.using(schema_editor.connection.alias)
    for release in releases.filter(settings__choices__has_key='files'):
        choices = release.settings['choices']
        if choices['files'].keys() <= {'train', 'dev', 'test'}:
            choices['files'] = {file: split for split, file in choices['files'].items()}
            release.save(update_fields=['settings'])


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0007_judged_again'),
    ]

    operations = [
        migrations.RunPython(name_splits_by_file, migrations.RunPython.noop),
    ]
