import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from common.create_models import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('generation', '0001_initial'),
        ('generation', '0002_sentence_line'),
        ('generation', '0003_corpus_owner'),
        ('generation', '0004_preview_reasons'),
        ('generation', '0005_wording'),
        ('generation', '0006_flashcards'),
        ('generation', '0007_translation'),
        ('generation', '0008_probability'),
        ('generation', '0001_squashed'),
        ('generation', '0002_previews_until_candidates'),
        ('generation', '0003_names_must_stay'),
        ('generation', '0004_replies'),
        ('generation', '0005_own_ids'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Corpus',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=100, unique=True)),
                    ('language', models.CharField(default='en', max_length=35)),
                    ('licence', models.CharField(blank=True, max_length=200)),
                    ('description', models.TextField(blank=True)),
                    ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='corpora', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': ['name'],
                },
            ),
            migrations.CreateModel(
                name='Sentence',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('corpus', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='generation.corpus')),
                    ('external_id', models.CharField(blank=True, max_length=200)),
                    ('line', models.PositiveIntegerField(blank=True, null=True)),
                    ('group', models.CharField(blank=True, max_length=200)),
                    ('entity', models.CharField(blank=True, db_default='', default='', max_length=200)),
                    ('text', models.TextField()),
                    ('digest', models.UUIDField(editable=False)),
                    ('near_duplicate_of', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='near_duplicates', to='generation.sentence')),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('candidate', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='final_sentences', to='generation.candidate')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('candidate', None)), fields=('digest', 'corpus'), name='sentence_once_in_corpus'), models.UniqueConstraint(condition=models.Q(('candidate', None), models.Q(('external_id', ''), _negated=True)), fields=('external_id', 'corpus'), name='sentence_external_id_once_in_corpus')],
                    'indexes': [models.Index(condition=models.Q(('near_duplicate_of__isnull', False)), fields=['near_duplicate_of'], name='sentence_near_duplicates'), models.Index(condition=models.Q(('candidate', None)), fields=['corpus', 'id'], name='sentence_sources'), models.Index(condition=models.Q(('candidate__isnull', False)), fields=['candidate'], name='sentence_finals'), models.Index(condition=models.Q(('candidate', None), models.Q(('entity', ''), _negated=True)), fields=['entity', 'corpus'], name='sentence_entities')],
                },
            ),
            migrations.CreateModel(
                name='MergedGroup',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('corpus', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='generation.corpus')),
                    ('name', models.CharField(max_length=200)),
                    ('group', models.CharField(max_length=200)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('corpus', 'name'), name='merged_group_once_in_corpus')],
                },
            ),
            migrations.CreateModel(
                name='GenerationRun',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('corpus', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='generation.corpus')),
                    ('method', models.CharField(max_length=30)),
                    ('last_sentence', models.BigIntegerField(default=0)),
                    ('started_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('settings', models.JSONField()),
                    ('model_identities', models.JSONField()),
                    ('seed', models.BigIntegerField()),
                    ('queue', models.CharField(default='cpu', max_length=10)),
                    ('preview', models.BooleanField(default=False)),
                    ('state', models.CharField(default='running', max_length=10)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('finished_at', models.DateTimeField(blank=True, null=True)),
                    ('pairs_of', models.ManyToManyField(blank=True, to='generation.generationrun')),
                    ('preview_batches', models.PositiveSmallIntegerField(default=1)),
                    ('most_cost', models.BigIntegerField(blank=True, null=True)),
                    ('most_tokens', models.BigIntegerField(blank=True, null=True)),
                    ('paused_because', models.CharField(blank=True, max_length=300)),
                    ('silent_since', models.DateTimeField(blank=True, null=True)),
                    ('usage', models.JSONField(blank=True, default=dict)),
                    ('waits_until', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'ordering': ['-id'],
                },
            ),
            migrations.CreateModel(
                name='Batch',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='generation.generationrun')),
                    ('number', models.PositiveIntegerField()),
                    ('first_sentence', models.BigIntegerField()),
                    ('last_sentence', models.BigIntegerField()),
                    ('size', models.PositiveIntegerField()),
                    ('state', models.CharField(default='open', max_length=10)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('lease', models.UUIDField(editable=False, null=True)),
                    ('lease_until', models.DateTimeField(blank=True, null=True)),
                    ('error', models.TextField(blank=True)),
                    ('outcomes', models.JSONField(blank=True, default=dict)),
                    ('dropped', models.JSONField(blank=True, default=dict)),
                    ('reasons', models.JSONField(blank=True, default=dict)),
                    ('finished_at', models.DateTimeField(blank=True, null=True)),
                    ('refused', models.JSONField(blank=True, default=dict)),
                ],
                options={
                    'ordering': ['run', 'number'],
                    'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['run', 'attempts', 'number'], name='batch_open'), models.Index(condition=models.Q(('state', 'done')), fields=['run', 'finished_at'], name='batch_done'), models.Index(condition=models.Q(('state', 'parked')), fields=['run'], name='batch_parked')],
                    'constraints': [models.UniqueConstraint(fields=('run', 'number'), name='batch_once_in_run'), models.CheckConstraint(condition=models.Q(('first_sentence__lte', models.F('last_sentence'))), name='batch_slice_in_order'), models.CheckConstraint(condition=models.Q(('state', 'open'), ('lease', None), _connector='OR'), name='batch_leased_only_while_open'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', False), ('state', 'done')), models.Q(models.Q(('state', 'done'), _negated=True), ('finished_at', None)), _connector='OR'), name='batch_finished_when_done')],
                },
            ),
            migrations.CreateModel(
                name='Worker',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=300, unique=True)),
                    ('kind', models.CharField(max_length=10)),
                    ('queues', models.JSONField(default=list)),
                    ('version', models.CharField(max_length=20)),
                    ('started_at', models.DateTimeField()),
                    ('seen_at', models.DateTimeField()),
                ],
                options={
                    'ordering': ['name'],
                },
            ),
            migrations.CreateModel(
                name='Candidate',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='generation.generationrun')),
                    ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='candidates', to='generation.batch')),
                    ('sentence', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='candidates', to='generation.sentence')),
                    ('rank', models.PositiveSmallIntegerField(default=0)),
                    ('text', models.TextField()),
                    ('kind', models.CharField(blank=True, max_length=40)),
                    ('score', models.FloatField(null=True)),
                    ('source_score', models.FloatField(null=True)),
                    ('probability', models.FloatField(null=True)),
                    ('similarity', models.FloatField()),
                    ('inversion_rate', models.FloatField()),
                    ('alternatives', models.JSONField(blank=True, default=list)),
                    ('external_id', models.TextField(blank=True, default='')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('probability__isnull', False)), fields=['run', 'probability', 'id'], name='candidate_by_probability')],
                    'constraints': [models.UniqueConstraint(fields=('run', 'sentence', 'rank'), name='candidate_rank_once_in_run')],
                },
            ),
            migrations.CreateModel(
                name='Reply',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('digest', models.UUIDField(unique=True)),
                    ('spent_by', models.UUIDField(db_index=True)),
                    ('model', models.CharField(max_length=100)),
                    ('text', models.TextField(blank=True)),
                    ('finish', models.CharField(blank=True, max_length=40)),
                    ('tokens_in', models.PositiveIntegerField()),
                    ('tokens_out', models.PositiveIntegerField()),
                    ('estimated', models.BooleanField()),
                    ('cost', models.BigIntegerField()),
                    ('logprobs', models.JSONField(blank=True, default=dict)),
                    ('reported', models.CharField(blank=True, max_length=200)),
                    ('seconds', models.FloatField()),
                    ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ],
            ),
        ]),
    ]
