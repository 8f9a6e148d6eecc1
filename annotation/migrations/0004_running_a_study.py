"""All that a study needs while it runs: people's steps, queue orders, known answers, interventions.

SQLite rebuilds the table of judgments on the way and drops its triggers: they leave before and come
back after, as in 0003.
"""

import django.core.validators
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from annotation import promises

NUMBER = """
    UPDATE annotation_correction SET number = numbered.number
    FROM (
        SELECT id, row_number() OVER (
            PARTITION BY annotator_id, project_id ORDER BY submitted_at, id
        ) AS number
        FROM annotation_correction WHERE action IS NOT NULL
    ) numbered
    WHERE numbered.id = annotation_correction.id"""


def leave(_apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for name, *_rest in promises.SQLITE:
            schema_editor.execute(f"DROP TRIGGER judgment_{name}")


def number(_apps, schema_editor):
    schema_editor.execute(NUMBER)


def come_back(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        promises.install(apps, schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0003_answers_are_numbered'),
        ('generation', '0003_near_duplicates'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(leave, migrations.RunPython.noop),
        migrations.CreateModel(
            name='Intervention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('flag', 'flagged'), ('warn', 'warned'), ('pause', 'paused'), ('resume', 'resumed'), ('hold_out', 'answers held out of consensus'), ('reinstate', 'answers put back into consensus')], max_length=10)),
                ('reason', models.CharField(help_text='In words for the annotator', max_length=500)),
                ('evidence', models.JSONField(default=dict, help_text='The figures that a rule went by')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('digest', models.CharField(editable=False, help_text='SHA-256', max_length=64, unique=True)),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('researcher', 'researcher (reads)'), ('manager', 'Manager')], default='annotator', max_length=10)),
                ('may_correct', models.BooleanField(default=True)),
                ('may_judge', models.BooleanField(default=True)),
                ('note', models.CharField(blank=True, help_text='For managers: whom it is for', max_length=200)),
                ('most_people', models.PositiveIntegerField(default=1, help_text='That may join by it', validators=[django.core.validators.MinValueValidator(1)])),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='QualificationAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='QualificationAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='From 1 on')),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('share', models.FloatField(blank=True, help_text='Of answers that were as known', null=True)),
                ('passed', models.BooleanField(null=True)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='QualificationPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('position', models.PositiveSmallIntegerField()),
                ('sentence1', models.TextField()),
                ('sentence2', models.TextField()),
                ('label', models.PositiveSmallIntegerField()),
                ('explanation', models.TextField(blank=True, help_text='Shown when the attempt is over')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='Skip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('unclear', 'I cannot tell'), ('broken', 'it is not a sentence of the language'), ('offensive', 'I would rather not read this'), ('other', 'something else')], max_length=10)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AddField(
            model_name='correction',
            name='number',
            field=models.PositiveIntegerField(blank=True, editable=False, help_text="Which of the person's corrections in the project it is, from 1 on", null=True),
        ),
        migrations.AddField(
            model_name='correction',
            name='priority',
            field=models.SmallIntegerField(default=0, help_text='1 before all others, -1 after them'),
        ),
        migrations.AddField(
            model_name='correction',
            name='set_aside_at',
            field=models.DateTimeField(editable=False, help_text='Out of the queue since somebody skipped it', null=True),
        ),
        migrations.AddField(
            model_name='judgment',
            name='highlighted',
            field=models.BooleanField(blank=True, help_text='Whether the words that differ were marked', null=True),
        ),
        migrations.AddField(
            model_name='judgment',
            name='person',
            field=models.ForeignKey(blank=True, db_index=False, editable=False, help_text='The main account of an annotator who has several', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='judgment',
            name='replaces',
            field=models.OneToOneField(blank=True, editable=False, help_text='The answer that was held out and for which this slot was issued', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replacement', to='annotation.judgment'),
        ),
        migrations.AddField(
            model_name='membership',
            name='consented_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='known_after',
            field=models.PositiveIntegerField(editable=False, help_text='The next hidden pair comes after so many judgments of the person', null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='looked_behind_at',
            field=models.DateTimeField(editable=False, help_text='When nothing was found behind the judgment place', null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='paused_at',
            field=models.DateTimeField(editable=False, help_text='Since when the person is given no work', null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='qualified_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='welcomed_at',
            field=models.DateTimeField(editable=False, help_text='When the person left the first page of the project', null=True),
        ),
        migrations.AddField(
            model_name='project',
            name='asks_qualification',
            field=models.BooleanField(default=False, help_text='Only who passes the qualification set is given work'),
        ),
        migrations.AddField(
            model_name='project',
            name='attempts',
            field=models.PositiveSmallIntegerField(default=2, help_text='At the qualification set', validators=[django.core.validators.MinValueValidator(1)]),
        ),
        migrations.AddField(
            model_name='project',
            name='consent',
            field=models.TextField(blank=True, help_text='Markdown; who has not agreed to it is given no work'),
        ),
        migrations.AddField(
            model_name='project',
            name='consent_changed_at',
            field=models.DateTimeField(editable=False, help_text='Whoever agreed before this is asked again; empty without a consent text', null=True),
        ),
        migrations.AddField(
            model_name='project',
            name='floor_seconds',
            field=models.FloatField(default=2.0, help_text='Nobody reads a pair in less: such answers are flagged', validators=[django.core.validators.MinValueValidator(0)]),
        ),
        migrations.AddField(
            model_name='project',
            name='highlighting',
            field=models.CharField(choices=[('always', 'words that differ are marked'), ('choice', 'each annotator chooses whether they are marked'), ('forbidden', 'nothing is marked')], default='choice', max_length=10),
        ),
        migrations.AddField(
            model_name='project',
            name='idle_seconds',
            field=models.PositiveSmallIntegerField(default=60, help_text='Time without a key, a touch or a movement beyond this is not time on an item', validators=[django.core.validators.MinValueValidator(5)]),
        ),
        migrations.AddField(
            model_name='project',
            name='known_every',
            field=models.PositiveSmallIntegerField(blank=True, help_text='One judgment in so many is of a hidden pair whose answer is known', null=True, validators=[django.core.validators.MinValueValidator(2)]),
        ),
        migrations.AddField(
            model_name='project',
            name='most_corrections',
            field=models.PositiveIntegerField(blank=True, help_text='That one person may make; empty for no limit', null=True),
        ),
        migrations.AddField(
            model_name='project',
            name='most_judgments',
            field=models.PositiveIntegerField(blank=True, help_text='That one person may give; empty for no limit', null=True),
        ),
        migrations.AddField(
            model_name='project',
            name='on_flag',
            field=models.CharField(choices=[('show', 'managers see it'), ('warn', 'the annotator is told as well'), ('pause', 'the annotator is paused as well')], default='show', help_text='What happens when an annotator is flagged', max_length=10),
        ),
        migrations.AddField(
            model_name='project',
            name='order',
            field=models.CharField(choices=[('depth', 'pair by pair: each is finished before the next is begun'), ('breadth', 'round by round: each pair is judged once before any is judged twice')], default='depth', max_length=10),
        ),
        migrations.AddField(
            model_name='project',
            name='pass_mark',
            field=models.PositiveSmallIntegerField(default=80, help_text='Percent of the qualification set that must be answered as known', validators=[django.core.validators.MaxValueValidator(100)]),
        ),
        migrations.AddField(
            model_name='project',
            name='skipping',
            field=models.CharField(choices=[('later', 'comes back to the same person at the end'), ('others', 'goes to others, and never back to the same person'), ('never', 'is set aside for everybody until a manager puts it back'), ('forbidden', 'is not possible')], default='others', help_text='What happens to an item that is skipped', max_length=10),
        ),
        migrations.AddField(
            model_name='sentencepair',
            name='known_label',
            field=models.PositiveSmallIntegerField(blank=True, editable=False, help_text="A hidden pair whose answer is known: it is nobody's consensus and in no release", null=True),
        ),
        migrations.AddField(
            model_name='sentencepair',
            name='priority',
            field=models.SmallIntegerField(default=0, help_text='1 before all others, -1 after them'),
        ),
        migrations.AddField(
            model_name='sentencepair',
            name='set_aside_at',
            field=models.DateTimeField(editable=False, help_text='Out of the queue since somebody skipped it', null=True),
        ),
        migrations.AlterField(
            model_name='correction',
            name='queue_key',
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='judgment',
            name='queue_key',
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='membership',
            name='correction_place',
            field=models.BigIntegerField(default=-4611686018427387904, editable=False),
        ),
        migrations.AlterField(
            model_name='membership',
            name='judgment_place',
            field=models.BigIntegerField(default=-4611686018427387904, editable=False),
        ),
        migrations.AlterField(
            model_name='recusal',
            name='reason',
            field=models.CharField(choices=[('corrected', 'corrected a sentence of the pair'), ('skipped', 'passed the pair over'), ('same_person', 'has another account that saw the pair')], max_length=20),
        ),
        migrations.AddIndex(
            model_name='sentencepair',
            index=models.Index(condition=models.Q(('known_label__isnull', False)), fields=['project', 'id'], name='pair_with_known_label'),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('consent', ''), ('consent_changed_at', None)), models.Q(models.Q(('consent', ''), _negated=True), ('consent_changed_at__isnull', False)), _connector='OR'), name='project_consent_has_date'),
        ),
        migrations.AddField(
            model_name='intervention',
            name='by',
            field=models.ForeignKey(help_text='Empty when a rule of the project did it', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='intervention',
            name='membership',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='interventions', to='annotation.membership'),
        ),
        migrations.AddField(
            model_name='judgment',
            name='held_out',
            field=models.ForeignKey(blank=True, editable=False, help_text='Why the answer counts nowhere, while that is so', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='held_out', to='annotation.intervention'),
        ),
        migrations.AddIndex(
            model_name='judgment',
            index=models.Index(condition=models.Q(('claimed_at__isnull', False), ('label', None)), fields=['project', 'queue_key'], name='judgment_returned'),
        ),
        migrations.AddConstraint(
            model_name='judgment',
            constraint=models.UniqueConstraint(condition=models.Q(('person__isnull', False)), fields=('pair', 'person'), name='judgment_once_by_person'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='created_by',
            field=models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='invitation',
            name='project',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='annotation.project'),
        ),
        migrations.AddField(
            model_name='membership',
            name='invitation',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='annotation.invitation'),
        ),
        migrations.AddField(
            model_name='qualificationattempt',
            name='membership',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='annotation.membership'),
        ),
        migrations.AddField(
            model_name='qualificationanswer',
            name='attempt',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.qualificationattempt'),
        ),
        migrations.AddField(
            model_name='qualificationpair',
            name='project',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='qualification_pairs', to='annotation.project'),
        ),
        migrations.AddField(
            model_name='qualificationanswer',
            name='pair',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.qualificationpair'),
        ),
        migrations.AddField(
            model_name='skip',
            name='annotator',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='skips', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='skip',
            name='correction',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='skips', to='annotation.correction'),
        ),
        migrations.AddField(
            model_name='skip',
            name='pair',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='skips', to='annotation.sentencepair'),
        ),
        migrations.AddField(
            model_name='skip',
            name='project',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='skips', to='annotation.project'),
        ),
        migrations.AddIndex(
            model_name='intervention',
            index=models.Index(fields=['membership', 'id'], name='intervention_by_member'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('most_people__gte', 1)), name='invitation_for_somebody'),
        ),
        migrations.AddConstraint(
            model_name='qualificationattempt',
            constraint=models.UniqueConstraint(fields=('membership', 'number'), name='attempt_number_once_for_member'),
        ),
        migrations.AddConstraint(
            model_name='qualificationattempt',
            constraint=models.UniqueConstraint(condition=models.Q(('finished_at', None)), fields=('membership',), name='attempt_under_way_one_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='qualificationpair',
            constraint=models.UniqueConstraint(fields=('project', 'position'), name='qualification_position_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='qualificationanswer',
            constraint=models.UniqueConstraint(fields=('attempt', 'pair'), name='answer_once_in_attempt'),
        ),
        migrations.AddIndex(
            model_name='skip',
            index=models.Index(fields=['annotator', 'project', 'created_at'], name='skip_by_annotator'),
        ),
        migrations.AddConstraint(
            model_name='skip',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('correction', None), ('pair__isnull', False)), models.Q(('correction__isnull', False), ('pair', None)), _connector='OR'), name='skip_of_one_item'),
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.RunPython(come_back, migrations.RunPython.noop),
    ]
