"""A worker looks at drafts. Those that are there, or may become drafts again, wait for one."""

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

FOR_GOOD = ["frozen", "withdrawn"]


def ask(apps, _schema_editor):
    drafts = apps.get_model("annotation", "Release").objects.exclude(state__in=FOR_GOOD)
    preview, now = apps.get_model("annotation", "ReleasePreview"), timezone.now()
    preview.objects.bulk_create(preview(release=draft, asked_at=now) for draft in drafts)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0006_the_dataset'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReleasePreview',
            fields=[
                ('step', models.CharField(blank=True, help_text='What the worker is at', max_length=30)),
                ('done', models.PositiveIntegerField(default=0, help_text='Rows of the step so far')),
                ('total', models.PositiveIntegerField(default=0, help_text='Rows of the step')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('failure', models.TextField(blank=True, help_text='Why nothing came of it')),
                ('release', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='preview', serialize=False, to='annotation.release')),
                ('state', models.CharField(choices=[('waiting', 'waiting for a worker'), ('under_way', 'being made'), ('made', 'Made'), ('impossible', 'the pairs cannot fulfil the settings'), ('failed', 'could not be made')], default='waiting', max_length=10)),
                ('asked_at', models.DateTimeField()),
                ('read_at', models.DateTimeField(help_text='It shows the rows of this moment', null=True)),
                ('decided', models.PositiveIntegerField(default=0, help_text='Decided pairs at that moment')),
                ('candidates', models.PositiveIntegerField(default=0, help_text='Candidates at that moment')),
                ('settings_digest', models.CharField(blank=True, help_text='SHA-256 of the settings that it was made with', max_length=64)),
                ('content', models.JSONField(blank=True, help_text='annotation.dataset.preview.Preview, all of it', null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('content__isnull', False), ('state', 'made')), models.Q(('state', 'made'), _negated=True), _connector='OR'), name='preview_made_has_content'), models.CheckConstraint(condition=models.Q(models.Q(('read_at__isnull', False), ('state__in', ['made', 'impossible'])), models.Q(('state__in', ['made', 'impossible']), _negated=True), _connector='OR'), name='preview_shows_a_moment')],
            },
        ),
        migrations.AlterField(
            model_name='release',
            name='failure',
            field=models.TextField(blank=True, help_text='Why nothing came of it'),
        ),
        migrations.AlterField(
            model_name='release',
            name='step',
            field=models.CharField(blank=True, help_text='What the worker is at', max_length=30),
        ),
        migrations.RunPython(ask, migrations.RunPython.noop),
    ]
