import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('first_sentence', models.BigIntegerField()),
                ('last_sentence', models.BigIntegerField()),
                ('size', models.PositiveIntegerField(help_text='Sentences in the slice')),
                ('state', models.CharField(choices=[('open', 'Open'), ('done', 'Done'), ('parked', 'Parked')], default='open', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease', models.UUIDField(editable=False, help_text='The claim that holds it', null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('error', models.TextField(blank=True, help_text='Why the last attempt failed')),
                ('outcomes', models.JSONField(blank=True, default=dict, help_text='Sentences by outcome: accepted, or the reason why not')),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'batches',
                'ordering': ['run', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Corpus',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True)),
                ('language', models.CharField(default='en', help_text='BCP 47 tag', max_length=35)),
                ('licence', models.CharField(blank=True, max_length=200)),
                ('description', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name_plural': 'corpora',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='Machine and process', max_length=300, unique=True)),
                ('kind', models.CharField(choices=[('embedded', 'Embedded'), ('celery', 'Celery')], max_length=10)),
                ('queues', models.JSONField(default=list, help_text='What it takes work from')),
                ('version', models.CharField(help_text='Of Pawsmith', max_length=20)),
                ('started_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField(help_text="Its last sign of life, by the database's clock")),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='GenerationRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('method', models.CharField(choices=[('word_swap', 'word swap'), ('back_translation', 'back translation'), ('imported', 'made elsewhere')], max_length=30)),
                ('last_sentence', models.BigIntegerField(default=0, help_text='Sentences that came after this one are not rewritten')),
                ('settings', models.JSONField(help_text='The whole configuration of the method')),
                ('model_identities', models.JSONField(help_text='Name and revision or SHA-256 of each model')),
                ('seed', models.BigIntegerField()),
                ('queue', models.CharField(choices=[('cpu', 'any worker'), ('gpu', 'workers with a GPU')], default='cpu', max_length=10)),
                ('preview', models.BooleanField(default=False, help_text='Only the first batch is worked, until the run is approved')),
                ('state', models.CharField(choices=[('running', 'Running'), ('paused', 'Paused'), ('cancelled', 'Cancelled'), ('done', 'Done')], default='running', max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('corpus', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='generation.corpus')),
                ('pairs_of', models.ManyToManyField(blank=True, help_text='Runs of which both sentences of each pair are rewritten; none: the sources', to='generation.generationrun')),
                ('started_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Candidate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('rank', models.PositiveSmallIntegerField(default=0, help_text='0 for the best rewrite of its sentence in this run')),
                ('text', models.TextField()),
                ('kind', models.CharField(blank=True, help_text='Kind of change, as in PAWS Table 2', max_length=40)),
                ('score', models.FloatField(help_text='Natural-log likelihood of the text by the language model', null=True)),
                ('source_score', models.FloatField(help_text='The same for the rewritten sentence', null=True)),
                ('similarity', models.FloatField(help_text='Cosine of the word counts of both texts, 0 to 1')),
                ('inversion_rate', models.FloatField(help_text='Crossed share of the word alignments, 0 to 1')),
                ('alternatives', models.JSONField(blank=True, default=list, help_text='Next best rewrites, best first, each with its score')),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='candidates', to='generation.batch')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='generation.generationrun')),
            ],
        ),
        migrations.AddField(
            model_name='batch',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='generation.generationrun'),
        ),
        migrations.CreateModel(
            name='Sentence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('external_id', models.CharField(blank=True, help_text='The id that the sentence had in its file', max_length=200)),
                ('group', models.CharField(blank=True, help_text='Sentences of one group stay in one split', max_length=200)),
                ('text', models.TextField()),
                ('digest', models.UUIDField(editable=False, help_text='First 128 bits of SHA-256 of the text')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('candidate', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='final_sentences', to='generation.candidate')),
                ('corpus', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='generation.corpus')),
                ('near_duplicate_of', models.ForeignKey(blank=True, db_index=False, help_text='The first source of its corpus that it nearly repeats, where that was asked for', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='near_duplicates', to='generation.sentence')),
            ],
        ),
        migrations.AddField(
            model_name='candidate',
            name='sentence',
            field=models.ForeignKey(help_text='What was rewritten', on_delete=django.db.models.deletion.PROTECT, related_name='candidates', to='generation.sentence'),
        ),
        migrations.AddIndex(
            model_name='batch',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['run', 'attempts', 'number'], name='batch_open'),
        ),
        migrations.AddIndex(
            model_name='batch',
            index=models.Index(condition=models.Q(('state', 'done')), fields=['run', 'finished_at'], name='batch_done'),
        ),
        migrations.AddIndex(
            model_name='batch',
            index=models.Index(condition=models.Q(('state', 'parked')), fields=['run'], name='batch_parked'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.UniqueConstraint(fields=('run', 'number'), name='batch_once_in_run'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(('first_sentence__lte', models.F('last_sentence'))), name='batch_slice_in_order'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'open'), ('lease', None), _connector='OR'), name='batch_leased_only_while_open'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', False), ('state', 'done')), models.Q(models.Q(('state', 'done'), _negated=True), ('finished_at', None)), _connector='OR'), name='batch_finished_when_done'),
        ),
        migrations.AddIndex(
            model_name='sentence',
            index=models.Index(condition=models.Q(('candidate', None)), fields=['corpus', 'id'], name='sentence_sources'),
        ),
        migrations.AddIndex(
            model_name='sentence',
            index=models.Index(condition=models.Q(('candidate__isnull', False)), fields=['candidate'], name='sentence_finals'),
        ),
        migrations.AddIndex(
            model_name='sentence',
            index=models.Index(condition=models.Q(('near_duplicate_of__isnull', False)), fields=['near_duplicate_of'], name='sentence_near_duplicates'),
        ),
        migrations.AddConstraint(
            model_name='sentence',
            constraint=models.UniqueConstraint(condition=models.Q(('candidate', None)), fields=('digest', 'corpus'), name='sentence_once_in_corpus'),
        ),
        migrations.AddConstraint(
            model_name='sentence',
            constraint=models.UniqueConstraint(condition=models.Q(('candidate', None), models.Q(('external_id', ''), _negated=True)), fields=('external_id', 'corpus'), name='sentence_external_id_once_in_corpus'),
        ),
        migrations.AddConstraint(
            model_name='candidate',
            constraint=models.UniqueConstraint(fields=('run', 'sentence', 'rank'), name='candidate_rank_once_in_run'),
        ),
    ]
