"""Rounds, adjudication, guests, and the way of a release from a draft to a tombstone.

SQLite makes the tables anew to which columns are added, and loses their triggers: they leave before
and come back after.
"""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models
from django.db.models import F

from annotation import promises


def leave(_apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        promises.remove(schema_editor)


def come_back(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        promises.install(apps, schema_editor)
        promises.install_held_out(apps, schema_editor)


def freeze(apps, _schema_editor):
    """Until now a release was frozen in the moment in which it was made."""
    apps.get_model("annotation", "Release").objects.update(state="frozen", frozen_at=F("created_at"))


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0005_promises_of_held_out_answers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(leave, migrations.RunPython.noop),
        migrations.CreateModel(
            name='Adjudication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.PositiveSmallIntegerField(help_text='1 paraphrase, 0 not; null: the expert does not decide either', null=True)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Guest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('revision', models.CharField(blank=True, help_text='Of the model, or its digest', max_length=200)),
                ('note', models.CharField(blank=True, help_text='How it was asked', max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='GuestJudgment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.PositiveSmallIntegerField(help_text='On the scale of the project')),
                ('score', models.FloatField(blank=True, help_text='How probable a paraphrase is to the guest, 0 to 1', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='PseudonymKey',
            fields=[
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='pseudonym_key', serialize=False, to='annotation.project')),
                ('key', models.BinaryField(max_length=32)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Reopening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='Of the round that began: 2 for the second')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('tally', models.JSONField(help_text='What the round before came to, as in Consensus')),
                ('label', models.PositiveSmallIntegerField(null=True)),
                ('decided_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='project',
            name='decides_early',
            field=models.BooleanField(default=False, help_text='A pair is decided as soon as so many agree; what it still lacks is not asked'),
        ),
        migrations.AddField(
            model_name='release',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='release',
            name='created_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='release',
            name='done',
            field=models.PositiveIntegerField(default=0, help_text='Rows of the step so far'),
        ),
        migrations.AddField(
            model_name='release',
            name='failure',
            field=models.TextField(blank=True, help_text='Why it could not be built'),
        ),
        migrations.AddField(
            model_name='release',
            name='frozen_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='release',
            name='lease_until',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='release',
            name='names_forgotten_at',
            field=models.DateTimeField(editable=False, help_text='Since when nobody can tell who a pseudonym was', null=True),
        ),
        migrations.AddField(
            model_name='release',
            name='state',
            field=models.CharField(choices=[('draft', 'draft: nothing is decided yet'), ('queued', 'waiting to be built'), ('building', 'being built'), ('failed', 'could not be built'), ('frozen', 'frozen: it never changes'), ('withdrawn', 'withdrawn: its files are gone')], default='draft', max_length=10),
        ),
        migrations.AddField(
            model_name='release',
            name='step',
            field=models.CharField(blank=True, help_text='What the build is at', max_length=30),
        ),
        migrations.AddField(
            model_name='release',
            name='total',
            field=models.PositiveIntegerField(default=0, help_text='Rows of the step'),
        ),
        migrations.AddField(
            model_name='release',
            name='withdrawal_reason',
            field=models.CharField(blank=True, editable=False, max_length=500),
        ),
        migrations.AddField(
            model_name='release',
            name='withdrawn_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='release',
            name='withdrawn_by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.RunPython(freeze, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='release',
            name='facts',
            field=models.JSONField(default=dict, help_text='annotation.dataset.manifest.ReleaseFacts, all of it'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('frozen_at__isnull', False), ('state__in', ['frozen', 'withdrawn'])), models.Q(('state__in', ['frozen', 'withdrawn']), _negated=True), _connector='OR'), name='release_frozen_has_date'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'withdrawn'), ('withdrawn_at__isnull', False)), models.Q(models.Q(('state', 'withdrawn'), _negated=True), ('withdrawn_at', None)), _connector='OR'), name='release_withdrawn_has_date'),
        ),
        migrations.AddField(
            model_name='adjudication',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='adjudication',
            name='pair',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to='annotation.sentencepair'),
        ),
        migrations.AddField(
            model_name='guest',
            name='added_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='guest',
            name='project',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='guests', to='annotation.project'),
        ),
        migrations.AddField(
            model_name='guestjudgment',
            name='guest',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='judgments', to='annotation.guest'),
        ),
        migrations.AddField(
            model_name='guestjudgment',
            name='pair',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guest_judgments', to='annotation.sentencepair'),
        ),
        migrations.AddField(
            model_name='reopening',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='reopening',
            name='pair',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='reopenings', to='annotation.sentencepair'),
        ),
        migrations.AddField(
            model_name='judgment',
            name='superseded_by',
            field=models.ForeignKey(blank=True, db_index=False, editable=False, help_text='The pair was asked anew of others; the answer counted until then', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded', to='annotation.reopening'),
        ),
        migrations.AddConstraint(
            model_name='adjudication',
            constraint=models.CheckConstraint(condition=models.Q(('label', None), ('label__lte', 1), _connector='OR'), name='adjudication_binary'),
        ),
        migrations.AddConstraint(
            model_name='guest',
            constraint=models.UniqueConstraint(fields=('project', 'name', 'revision'), name='guest_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='guestjudgment',
            constraint=models.UniqueConstraint(fields=('guest', 'pair'), name='guest_judges_once'),
        ),
        migrations.AddConstraint(
            model_name='guestjudgment',
            constraint=models.CheckConstraint(condition=models.Q(('score', None), models.Q(('score__gte', 0), ('score__lte', 1)), _connector='OR'), name='guest_score_is_share'),
        ),
        migrations.AddConstraint(
            model_name='reopening',
            constraint=models.UniqueConstraint(fields=('pair', 'number'), name='round_once_in_pair'),
        ),
        migrations.AddConstraint(
            model_name='reopening',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 2)), name='round_from_two'),
        ),
        migrations.RunPython(come_back, migrations.RunPython.noop),
    ]
