import annotation.models.projects
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import uuid
from django.conf import settings
from django.db import migrations, models

from common.create_models import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('annotation', '0001_initial'),
        ('annotation', '0002_texts_key'),
        ('annotation', '0003_merge_repeated_items'),
        ('annotation', '0004_item_once_for_texts'),
        ('annotation', '0005_pair_exclusions'),
        ('annotation', '0006_same_person'),
        ('annotation', '0007_sealed_corrections'),
        ('annotation', '0008_corpora_and_imports'),
        ('annotation', '0009_archive_contact_removed'),
        ('annotation', '0010_comments'),
        ('annotation', '0011_recruiting'),
        ('annotation', '0012_serial_once'),
        ('annotation', '0013_candidate_exclusions'),
        ('annotation', '0014_wording'),
        ('annotation', '0015_slots_by_action'),
        ('annotation', '0016_examples'),
        ('annotation', '0017_flashcards'),
        ('annotation', '0018_translations'),
        ('annotation', '0019_same_translations'),
        ('annotation', '0020_texts_to_compare'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('generation', '0001_squashed'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Project',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('kinds', models.JSONField(default=annotation.models.projects.correct_and_judge, editable=False)),
                    ('is_open', models.BooleanField(default=True)),
                    ('archived_at', models.DateTimeField(editable=False, null=True)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('name', models.CharField(max_length=100, unique=True)),
                    ('description', models.TextField(blank=True)),
                    ('contact', models.CharField(blank=True, max_length=200)),
                    ('guidelines', models.TextField(blank=True)),
                    ('judgments_per_pair', models.PositiveSmallIntegerField(default=5, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)])),
                    ('consensus_min_votes', models.PositiveSmallIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)])),
                    ('decides_early', models.BooleanField(default=False)),
                    ('max_label', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(9)])),
                    ('paraphrase_from', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(9)])),
                    ('corrected_methods', models.JSONField(blank=True, default=annotation.models.projects.corrected_by_default)),
                    ('order', models.CharField(default='depth', max_length=10)),
                    ('seed', models.BigIntegerField(default=0, validators=[django.core.validators.MinValueValidator(0)])),
                    ('skipping', models.CharField(default='others', max_length=10)),
                    ('highlighting', models.CharField(default='choice', max_length=10)),
                    ('limits', models.JSONField(blank=True, default=dict)),
                    ('criteria', models.JSONField(blank=True, default=dict)),
                    ('examples', models.JSONField(blank=True, default=dict)),
                    ('lease_minutes', models.PositiveSmallIntegerField(default=30, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1440)])),
                    ('idle_seconds', models.PositiveSmallIntegerField(default=60, validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(3600)])),
                    ('consent', models.TextField(blank=True)),
                    ('consent_changed_at', models.DateTimeField(editable=False, null=True)),
                    ('asks_qualification', models.BooleanField(default=False)),
                    ('pass_mark', models.PositiveSmallIntegerField(default=80, validators=[django.core.validators.MaxValueValidator(100)])),
                    ('attempts', models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)])),
                    ('gold_every', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(1000)])),
                    ('floor_seconds', models.FloatField(default=2.0, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(3600)])),
                    ('on_flag', models.CharField(default='show', max_length=10)),
                    ('runs', models.ManyToManyField(blank=True, related_name='projects', to='generation.generationrun')),
                    ('corpora', models.ManyToManyField(blank=True, related_name='projects', to='generation.corpus')),
                ],
                options={
                    'ordering': ['name'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('consensus_min_votes__lte', models.F('judgments_per_pair')), ('consensus_min_votes__gte', 1)), name='project_votes_within_judgments'), models.CheckConstraint(condition=models.Q(('paraphrase_from__gte', 1), ('paraphrase_from__lte', models.F('max_label'))), name='project_paraphrase_within_scale'), models.CheckConstraint(condition=models.Q(models.Q(('consent', ''), ('consent_changed_at', None)), models.Q(models.Q(('consent', ''), _negated=True), ('consent_changed_at__isnull', False)), _connector='OR'), name='project_consent_has_date'), models.CheckConstraint(condition=models.Q(('archived_at', None), ('is_open', False), _connector='OR'), name='project_archived_is_closed')],
                },
            ),
            migrations.CreateModel(
                name='Item',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='annotation.project')),
                    ('kind', models.CharField(editable=False, max_length=10)),
                    ('candidate', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='generation.candidate')),
                    ('sentence1', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='generation.sentence')),
                    ('sentence2', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='generation.sentence')),
                    ('texts_key', models.UUIDField(editable=False, null=True)),
                    ('duplicate_of', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='duplicates', to='annotation.item')),
                    ('flipped', models.BooleanField(default=False)),
                    ('slot_count', models.PositiveSmallIntegerField(default=1)),
                    ('gold_label', models.PositiveSmallIntegerField(blank=True, editable=False, null=True)),
                    ('priority', models.SmallIntegerField(default=0)),
                    ('set_aside_at', models.DateTimeField(editable=False, null=True)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('excluded_by', models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.pairexclusion')),
                    ('origin', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='annotation.slot')),
                ],
                options={
                    'indexes': [models.Index(fields=['project', 'kind', 'id'], name='item_in_project'), models.Index(condition=models.Q(('gold_label__isnull', False)), fields=['project', 'kind', 'id'], name='item_is_gold'), models.Index(condition=models.Q(('excluded_by__isnull', False)), fields=['project', 'id'], name='item_is_excluded')],
                    'constraints': [models.UniqueConstraint(fields=('project', 'kind', 'candidate'), name='item_once_for_candidate'), models.UniqueConstraint(condition=models.Q(('duplicate_of', None)), fields=('project', 'texts_key', 'kind'), name='item_once_for_texts'), models.CheckConstraint(condition=models.Q(('slot_count__gte', 1)), name='item_has_slots'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'correct'), _negated=True), models.Q(('candidate__isnull', False), ('texts_key__isnull', False)), _connector='OR'), name='item_to_correct_is_candidate'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'judge'), _negated=True), models.Q(('candidate__isnull', False), ('sentence1__isnull', False), ('sentence2__isnull', False), ('texts_key__isnull', False)), _connector='OR'), name='item_to_judge_is_pair'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'translate'), _negated=True), models.Q(('sentence1__isnull', False), ('texts_key__isnull', False)), _connector='OR'), name='item_to_translate_is_sentence'), models.UniqueConstraint(fields=('kind', 'origin'), name='item_once_for_origin'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'validate'), _negated=True), models.Q(('origin__isnull', False), ('sentence1__isnull', False)), models.Q(('sentence1__isnull', False), ('sentence2__isnull', False), ('texts_key__isnull', False)), _connector='OR'), name='item_to_validate_is_translation')],
                },
            ),
            migrations.CreateModel(
                name='SentencePair',
                fields=[
                ],
                options={
                    'proxy': True,
                    'indexes': [],
                    'constraints': [],
                },
                bases=('annotation.item',),
            ),
            migrations.CreateModel(
                name='Skip',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='skips', to='annotation.project')),
                    ('annotator', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='skips', to=settings.AUTH_USER_MODEL)),
                    ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='skips', to='annotation.item')),
                    ('reason', models.CharField(max_length=10)),
                    ('note', models.CharField(blank=True, max_length=500)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['annotator', 'project', 'created_at'], name='skip_by_annotator')],
                },
            ),
            migrations.CreateModel(
                name='Recusal',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='recusals', to='annotation.item')),
                    ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recusals', to=settings.AUTH_USER_MODEL)),
                    ('reason', models.CharField(max_length=20)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('item', 'annotator'), name='recusal_once_for_item')],
                },
            ),
            migrations.CreateModel(
                name='CommentThread',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='threads', to='annotation.project')),
                    ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='threads', to='annotation.item')),
                    ('annotator', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='threads', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('closed_at', models.DateTimeField(blank=True, null=True)),
                    ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('item', 'annotator'), name='thread_once_for_annotator'), models.UniqueConstraint(condition=models.Q(('annotator', None)), fields=('item',), name='thread_once_among_managers'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None)), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False)), _connector='OR'), name='thread_closed_by_someone')],
                },
            ),
            migrations.CreateModel(
                name='Comment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('thread', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='annotation.commentthread')),
                    ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('text', models.CharField(blank=True, max_length=2000)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('read_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'ordering': ['pk'],
                },
            ),
            migrations.CreateModel(
                name='Consensus',
                fields=[
                    ('pair', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='consensus', serialize=False, to='annotation.sentencepair')),
                    ('tally', models.JSONField()),
                    ('label', models.PositiveSmallIntegerField(null=True)),
                    ('kept', models.BooleanField()),
                    ('decided_at', models.DateTimeField(auto_now_add=True)),
                    ('sealed_at', models.DateTimeField(editable=False, null=True)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('sealed_at', None)), fields=['decided_at'], name='consensus_not_sealed')],
                },
            ),
            migrations.CreateModel(
                name='Reopening',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('pair', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='reopenings', to='annotation.sentencepair')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('tally', models.JSONField()),
                    ('label', models.PositiveSmallIntegerField(null=True)),
                    ('decided_at', models.DateTimeField()),
                ],
                options={
                    'ordering': ['id'],
                    'constraints': [models.UniqueConstraint(fields=('pair', 'number'), name='round_once_in_pair'), models.CheckConstraint(condition=models.Q(('number__gte', 2)), name='round_from_two')],
                },
            ),
            migrations.CreateModel(
                name='Adjudication',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('pair', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to='annotation.sentencepair')),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('label', models.PositiveSmallIntegerField(null=True)),
                    ('note', models.CharField(blank=True, max_length=500)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': ['id'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('label', None), ('label__lte', 1), _connector='OR'), name='adjudication_binary')],
                },
            ),
            migrations.CreateModel(
                name='PairExclusion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('pair', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='exclusions', to='annotation.item')),
                    ('reason', models.CharField(max_length=10)),
                    ('note', models.CharField(blank=True, max_length=500)),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('ended_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'ordering': ['id'],
                    'indexes': [models.Index(fields=['pair', 'id'], name='pair_exclusion_by_pair')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('pair',), name='pair_excluded_once_at_a_time'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='pair_exclusion_ended_by_someone')],
                },
            ),
            migrations.CreateModel(
                name='Recruitment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recruitments', to='annotation.project')),
                    ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                    ('platform', models.CharField(max_length=10)),
                    ('kinds', models.JSONField(default=list)),
                    ('note', models.CharField(blank=True, max_length=200)),
                    ('most_people', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1)])),
                    ('expires_at', models.DateTimeField()),
                    ('revoked_at', models.DateTimeField(editable=False, null=True)),
                    ('completion_code', models.CharField(blank=True, max_length=100)),
                    ('completion_url', models.CharField(blank=True, max_length=500, validators=[django.core.validators.URLValidator(schemes=['http', 'https'])])),
                    ('screen_out_code', models.CharField(blank=True, max_length=100)),
                    ('screen_out_url', models.CharField(blank=True, max_length=500, validators=[django.core.validators.URLValidator(schemes=['http', 'https'])])),
                    ('reward', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(0)])),
                    ('currency', models.CharField(blank=True, max_length=3)),
                    ('created_by', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': ['-id'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('most_people__gte', 1)), name='recruitment_for_somebody')],
                },
            ),
            migrations.CreateModel(
                name='Import',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('step', models.CharField(blank=True, max_length=30)),
                    ('done', models.PositiveIntegerField(default=0)),
                    ('total', models.PositiveIntegerField(default=0)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('lease_until', models.DateTimeField(editable=False, null=True)),
                    ('failure', models.TextField(blank=True)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='annotation.project')),
                    ('kind', models.CharField(max_length=20)),
                    ('state', models.CharField(default='draft', max_length=10)),
                    ('name', models.CharField(max_length=200)),
                    ('size', models.BigIntegerField()),
                    ('layout', models.JSONField()),
                    ('columns', models.JSONField(default=dict)),
                    ('options', models.JSONField(default=dict)),
                    ('corpus', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='imports', to='generation.corpus')),
                    ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('started_at', models.DateTimeField(editable=False, null=True)),
                    ('finished_at', models.DateTimeField(editable=False, null=True)),
                    ('read', models.PositiveIntegerField(default=0)),
                    ('added', models.PositiveIntegerField(default=0)),
                    ('duplicates', models.PositiveIntegerField(default=0)),
                    ('refused', models.JSONField(default=dict)),
                    ('refused_bytes', models.BigIntegerField(default=0)),
                ],
                options={
                    'ordering': ['-id'],
                },
            ),
            migrations.CreateModel(
                name='JudgingModel',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='judging_models', to='annotation.project')),
                    ('name', models.CharField(max_length=200)),
                    ('revision', models.CharField(blank=True, max_length=200)),
                    ('note', models.CharField(blank=True, max_length=500)),
                    ('added_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': ['id'],
                    'constraints': [models.UniqueConstraint(fields=('project', 'name', 'revision'), name='model_once_in_project')],
                },
            ),
            migrations.CreateModel(
                name='ModelJudgment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('model', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='judgments', to='annotation.judgingmodel')),
                    ('pair', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_judgments', to='annotation.sentencepair')),
                    ('label', models.PositiveSmallIntegerField()),
                    ('score', models.FloatField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('model', 'pair'), name='model_judges_once'), models.CheckConstraint(condition=models.Q(('score', None), models.Q(('score__gte', 0), ('score__lte', 1)), _connector='OR'), name='model_score_is_share')],
                },
            ),
            migrations.CreateModel(
                name='QualificationPair',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='qualification_pairs', to='annotation.project')),
                    ('position', models.PositiveSmallIntegerField()),
                    ('sentence1', models.TextField()),
                    ('sentence2', models.TextField()),
                    ('label', models.PositiveSmallIntegerField()),
                    ('explanation', models.TextField(blank=True)),
                ],
                options={
                    'ordering': ['position'],
                    'constraints': [models.UniqueConstraint(fields=('project', 'position'), name='qualification_position_once_in_project')],
                },
            ),
            migrations.CreateModel(
                name='Invitation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='annotation.project')),
                    ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                    ('role', models.CharField(default='annotator', max_length=10)),
                    ('kinds', models.JSONField(blank=True, default=list)),
                    ('note', models.CharField(blank=True, max_length=200)),
                    ('most_people', models.PositiveIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)])),
                    ('expires_at', models.DateTimeField()),
                    ('revoked_at', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('created_by', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': ['-id'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('most_people__gte', 1)), name='invitation_for_somebody')],
                },
            ),
            migrations.CreateModel(
                name='Membership',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='annotation.project')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                    ('role', models.CharField(default='annotator', max_length=10)),
                    ('joined_at', models.DateTimeField(auto_now_add=True)),
                    ('invitation', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='annotation.invitation')),
                    ('welcomed_at', models.DateTimeField(editable=False, null=True)),
                    ('consented_at', models.DateTimeField(editable=False, null=True)),
                    ('qualified_at', models.DateTimeField(editable=False, null=True)),
                    ('paused_at', models.DateTimeField(editable=False, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('project', 'user'), name='member_once_in_project')],
                },
            ),
            migrations.CreateModel(
                name='Participant',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='participants', to='annotation.project')),
                    ('platform', models.CharField(max_length=10)),
                    ('participant_id', models.CharField(max_length=100)),
                    ('membership', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='participant', to='annotation.membership')),
                    ('recruitment', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='participants', to='annotation.recruitment')),
                    ('study_id', models.CharField(blank=True, max_length=100)),
                    ('session_id', models.CharField(blank=True, max_length=100)),
                    ('outcome', models.CharField(blank=True, max_length=12)),
                    ('finished_at', models.DateTimeField(null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('project', 'platform', 'participant_id'), name='participant_once_in_project')],
                },
            ),
            migrations.CreateModel(
                name='Intervention',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('membership', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='interventions', to='annotation.membership')),
                    ('kind', models.CharField(max_length=10)),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('reason', models.CharField(max_length=500)),
                    ('evidence', models.JSONField(default=dict)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': ['id'],
                    'indexes': [models.Index(fields=['membership', 'id'], name='intervention_by_member')],
                },
            ),
            migrations.CreateModel(
                name='Slot',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='slots', to='annotation.project')),
                    ('kind', models.CharField(editable=False, max_length=10)),
                    ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='slots', to='annotation.item')),
                    ('number', models.PositiveSmallIntegerField(default=1)),
                    ('annotator', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='slots', to=settings.AUTH_USER_MODEL)),
                    ('person', models.ForeignKey(blank=True, db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('queue_key', models.BigIntegerField(blank=True, null=True)),
                    ('reserved', models.BooleanField(default=False)),
                    ('lease_until', models.DateTimeField(blank=True, null=True)),
                    ('claimed_at', models.DateTimeField(blank=True, null=True)),
                    ('submitted_at', models.DateTimeField(blank=True, null=True)),
                    ('seconds', models.FloatField(blank=True, null=True)),
                    ('serial', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                    ('label', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('action', models.CharField(blank=True, max_length=10)),
                    ('text', models.TextField(blank=True)),
                    ('words_kept', models.FloatField(blank=True, null=True)),
                    ('highlighted', models.BooleanField(blank=True, null=True)),
                    ('excluded_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='excluded', to='annotation.intervention')),
                    ('superseded_by', models.ForeignKey(blank=True, db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded', to='annotation.reopening')),
                ],
                options={
                    'indexes': [models.Index(fields=['project', 'kind', 'item'], name='slot_in_project'), models.Index(condition=models.Q(('reserved', False), ('submitted_at', None)), fields=['project', 'kind', 'queue_key'], name='slot_queue'), models.Index(condition=models.Q(('reserved', False), ('submitted_at', None), ('claimed_at__isnull', False)), fields=['project', 'kind', 'queue_key'], name='slot_returned'), models.Index(condition=models.Q(('reserved', True), ('submitted_at', None)), fields=['project', 'kind', 'queue_key'], name='slot_reserved'), models.Index(fields=['annotator', 'project', 'kind', 'submitted_at'], name='slot_by_annotator'), models.Index(condition=models.Q(('kind__in', ['correct', 'translate', 'validate'])), fields=['project', 'action', 'item'], name='slot_by_action'), models.Index(models.F('project'), models.F('kind'), models.Func(models.F('text'), output_field=models.TextField(), template='SUBSTR(%(expressions)s, 1, 100)'), condition=models.Q(('label', None), ('submitted_at__isnull', False)), name='slot_by_text')],
                    'constraints': [models.UniqueConstraint(fields=('item', 'number'), name='slot_once_in_item'), models.UniqueConstraint(fields=('item', 'annotator'), name='slot_once_by_annotator'), models.UniqueConstraint(condition=models.Q(('person__isnull', False)), fields=('item', 'person'), name='slot_once_by_person'), models.UniqueConstraint(condition=models.Q(('annotator__isnull', False), ('submitted_at', None)), fields=('project', 'kind', 'annotator'), name='slot_in_progress_one_at_a_time'), models.UniqueConstraint(condition=models.Q(('serial__isnull', False)), fields=('annotator', 'project', 'kind', 'serial'), name='slot_serial_once'), models.CheckConstraint(condition=models.Q(('submitted_at', None), ('annotator__isnull', False), _connector='OR'), name='slot_answered_by_annotator'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='slot_from_one'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'judge'), _negated=True), models.Q(('label', None), ('submitted_at', None)), models.Q(('label__isnull', False), ('submitted_at__isnull', False)), _connector='OR'), name='judgment_has_label'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'correct'), _negated=True), models.Q(('action', ''), ('submitted_at', None), ('text', '')), models.Q(('action__in', ['accept', 'reject']), ('submitted_at__isnull', False), ('text', '')), models.Q(('action', 'fix'), ('submitted_at__isnull', False), models.Q(('text', ''), _negated=True)), _connector='OR'), name='correction_has_action'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'translate'), _negated=True), models.Q(('action', ''), ('submitted_at', None), ('text', '')), models.Q(('action__in', ['translate', 'other']), ('submitted_at__isnull', False), models.Q(('text', ''), _negated=True)), models.Q(('action__in', ['incomplete', 'ambiguous', 'nonsense']), ('submitted_at__isnull', False)), _connector='OR'), name='translation_has_text_or_reason'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'validate'), _negated=True), models.Q(('action', ''), ('submitted_at', None), ('text', '')), models.Q(('action__in', ['accept', 'reject']), ('submitted_at__isnull', False), ('text', '')), models.Q(('action', 'fix'), ('submitted_at__isnull', False), models.Q(('text', ''), _negated=True)), _connector='OR'), name='validation_has_action'), models.CheckConstraint(condition=models.Q(models.Q(('action__in', ['translate', 'fix']), ('kind__in', ['translate', 'validate']), _negated=True), models.Q(django.db.models.lookups.In(django.db.models.functions.text.Lower(django.db.models.functions.text.Replace('text', models.Value(' ', output_field=models.TextField()), models.Value('', output_field=models.TextField()))), ('', 'ns', 'n/a', '-', '–', '—')), _negated=True), _connector='OR'), name='translation_is_no_placeholder')],
                },
            ),
            migrations.CreateModel(
                name='Correction',
                fields=[
                ],
                options={
                    'proxy': True,
                    'indexes': [],
                    'constraints': [],
                },
                bases=('annotation.slot',),
            ),
            migrations.CreateModel(
                name='Translation',
                fields=[
                ],
                options={
                    'proxy': True,
                    'indexes': [],
                    'constraints': [],
                },
                bases=('annotation.slot',),
            ),
            migrations.CreateModel(
                name='Validation',
                fields=[
                ],
                options={
                    'proxy': True,
                    'indexes': [],
                    'constraints': [],
                },
                bases=('annotation.slot',),
            ),
            migrations.CreateModel(
                name='Judgment',
                fields=[
                ],
                options={
                    'proxy': True,
                    'indexes': [],
                    'constraints': [],
                },
                bases=('annotation.slot',),
            ),
            migrations.CreateModel(
                name='Seal',
                fields=[
                    ('number', models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                    ('judgment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='seal', to='annotation.judgment')),
                    ('digest', models.BinaryField(max_length=32)),
                ],
            ),
            migrations.CreateModel(
                name='QualificationAttempt',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('membership', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='annotation.membership')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('started_at', models.DateTimeField(auto_now_add=True)),
                    ('finished_at', models.DateTimeField(blank=True, null=True)),
                    ('share', models.FloatField(blank=True, null=True)),
                    ('passed', models.BooleanField(null=True)),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('membership', 'number'), name='attempt_number_once_for_member'), models.UniqueConstraint(condition=models.Q(('finished_at', None)), fields=('membership',), name='attempt_under_way_one_at_a_time')],
                },
            ),
            migrations.CreateModel(
                name='QualificationAnswer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.qualificationattempt')),
                    ('pair', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.qualificationpair')),
                    ('label', models.PositiveSmallIntegerField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('attempt', 'pair'), name='answer_once_in_attempt')],
                },
            ),
            migrations.CreateModel(
                name='Duty',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('membership', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='duties', to='annotation.membership')),
                    ('kind', models.CharField(max_length=10)),
                    ('allowed', models.BooleanField(default=True)),
                    ('takes_reserved', models.BooleanField(default=False)),
                    ('place', models.BigIntegerField(default=-4611686018427387904, editable=False)),
                    ('looked_behind_at', models.DateTimeField(editable=False, null=True)),
                    ('gold_after', models.PositiveIntegerField(editable=False, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('membership', 'kind'), name='duty_once_for_member')],
                },
            ),
            migrations.CreateModel(
                name='SamePerson',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('project', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.project')),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('account', 'other', 'project'), name='same_person_once_in_project'), models.CheckConstraint(condition=models.Q(('account__lt', models.F('other'))), name='same_person_in_order')],
                },
            ),
            migrations.CreateModel(
                name='Intake',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='intakes', to='annotation.project')),
                    ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='intakes', to='generation.batch')),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('project', 'batch'), name='batch_once_in_project')],
                },
            ),
            migrations.CreateModel(
                name='TranslationPlan',
                fields=[
                    ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='translation_plan', serialize=False, to='annotation.project')),
                    ('source_language', models.CharField(max_length=35)),
                    ('language', models.CharField(max_length=35)),
                    ('validated_share', models.FloatField(default=0.1, validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(1.0)])),
                    ('least_validated', models.PositiveSmallIntegerField(default=30, validators=[django.core.validators.MaxValueValidator(1000)])),
                    ('most_error', models.FloatField(default=0.05, validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(1.0)])),
                    ('keeps_partners_apart', models.BooleanField(default=True)),
                    ('corpus', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='generation.corpus')),
                    ('delivered_at', models.DateTimeField(editable=False, null=True)),
                    ('widened', models.ManyToManyField(blank=True, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('validated_share__gte', 0), ('validated_share__lte', 1)), name='plan_share_is_a_share'), models.CheckConstraint(condition=models.Q(models.Q(('corpus', None), ('delivered_at', None)), models.Q(('corpus__isnull', False), ('delivered_at__isnull', False)), _connector='OR'), name='plan_delivered_has_corpus')],
                },
            ),
            migrations.CreateModel(
                name='TranslatedPair',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='translated_pairs', to='annotation.project')),
                    ('public_id', models.UUIDField(editable=False)),
                    ('item1', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairs_as_first', to='annotation.item')),
                    ('item2', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairs_as_second', to='annotation.item')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('project', 'public_id'), name='translated_pair_once_in_project')],
                },
            ),
            migrations.CreateModel(
                name='Term',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='terms', to='annotation.project')),
                    ('source', models.CharField(max_length=200)),
                    ('target', models.CharField(max_length=200)),
                    ('note', models.CharField(blank=True, max_length=200)),
                    ('approved_at', models.DateTimeField(editable=False, null=True)),
                    ('proposed_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'ordering': [django.db.models.functions.text.Lower('source'), 'pk'],
                    'constraints': [models.UniqueConstraint(models.F('project'), django.db.models.functions.text.Lower('source'), name='term_once_in_project')],
                },
            ),
        ]),
    ]
