import django.core.validators
import django.db.models.deletion
import releases.models
import uuid
from django.conf import settings
from django.db import migrations, models

from common.create_models import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('releases', '0001_initial'),
        ('releases', '0002_metadata_and_uploads'),
        ('releases', '0003_wording'),
        ('releases', '0004_comparison'),
        ('releases', '0005_translation_source'),
        ('releases', '0006_frozen_lines'),
        ('releases', '0001_squashed'),
        ('releases', '0002_planned_metadata'),
        ('releases', '0003_format'),
        ('releases', '0004_example_origins'),
        ('releases', '0005_published_sets'),
        ('releases', '0006_published_sentences'),
        ('releases', '0007_judged_again'),
        ('releases', '0008_splits_by_file'),
        ('releases', '0009_labels_of_any_scheme'),
        ('releases', '0010_annotator_model'),
        ('releases', '0011_later_answers'),
        ('releases', '0012_own_ids'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('annotation', '0001_version_0_1_0'),
        ('generation', '0001_version_0_1_0'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Release',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('step', models.CharField(blank=True, max_length=30)),
                    ('done', models.PositiveIntegerField(default=0)),
                    ('total', models.PositiveIntegerField(default=0)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('lease_until', models.DateTimeField(editable=False, null=True)),
                    ('failure', models.TextField(blank=True)),
                    ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='releases', to='annotation.project')),
                    ('version', models.CharField(max_length=50, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9][A-Za-z0-9._+-]{0,49}$')])),
                    ('state', models.CharField(default='draft', max_length=10)),
                    ('seed', models.BigIntegerField()),
                    ('settings', models.JSONField()),
                    ('metadata', models.JSONField(blank=True, default=dict)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('frozen_at', models.DateTimeField(editable=False, null=True)),
                    ('facts', models.JSONField(default=dict)),
                    ('left_out', models.JSONField(default=dict)),
                    ('manifest', models.JSONField(blank=True, null=True)),
                    ('names_forgotten_at', models.DateTimeField(editable=False, null=True)),
                    ('withdrawn_at', models.DateTimeField(editable=False, null=True)),
                    ('withdrawn_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('withdrawal_reason', models.CharField(blank=True, editable=False, max_length=500)),
                    ('format', models.CharField(editable=False, max_length=30)),
                ],
                options={
                    'ordering': ['-id'],
                    'constraints': [models.UniqueConstraint(fields=('project', 'version'), name='version_once_in_project'), models.CheckConstraint(condition=models.Q(models.Q(('frozen_at__isnull', False), ('state__in', ['frozen', 'withdrawn'])), models.Q(('state__in', ['frozen', 'withdrawn']), _negated=True), _connector='OR'), name='release_frozen_has_date'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'withdrawn'), ('withdrawn_at__isnull', False)), models.Q(models.Q(('state', 'withdrawn'), _negated=True), ('withdrawn_at', None)), _connector='OR'), name='release_withdrawn_has_date')],
                },
            ),
            migrations.CreateModel(
                name='ReleasePreview',
                fields=[
                    ('step', models.CharField(blank=True, max_length=30)),
                    ('done', models.PositiveIntegerField(default=0)),
                    ('total', models.PositiveIntegerField(default=0)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('lease_until', models.DateTimeField(editable=False, null=True)),
                    ('failure', models.TextField(blank=True)),
                    ('release', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='preview', serialize=False, to='releases.release')),
                    ('state', models.CharField(default='waiting', max_length=10)),
                    ('asked_at', models.DateTimeField()),
                    ('read_at', models.DateTimeField(null=True)),
                    ('content', models.JSONField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('content__isnull', False), ('state', 'made')), models.Q(('state', 'made'), _negated=True), _connector='OR'), name='preview_made_has_content'), models.CheckConstraint(condition=models.Q(models.Q(('read_at__isnull', False), ('state__in', ['made', 'impossible'])), models.Q(('state__in', ['made', 'impossible']), _negated=True), _connector='OR'), name='preview_shows_a_moment')],
                },
            ),
            migrations.CreateModel(
                name='HubUpload',
                fields=[
                    ('step', models.CharField(blank=True, max_length=30)),
                    ('done', models.PositiveIntegerField(default=0)),
                    ('total', models.PositiveIntegerField(default=0)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('lease_until', models.DateTimeField(editable=False, null=True)),
                    ('failure', models.TextField(blank=True)),
                    ('release', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='upload', serialize=False, to='releases.release')),
                    ('state', models.CharField(default='waiting', max_length=10)),
                    ('repository', models.CharField(max_length=200)),
                    ('is_private', models.BooleanField()),
                    ('token', models.TextField(blank=True, editable=False)),
                    ('asked_at', models.DateTimeField()),
                    ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('url', models.URLField(blank=True, max_length=500)),
                    ('revision', models.CharField(blank=True, max_length=64)),
                    ('uploaded_at', models.DateTimeField(editable=False, null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'under_way']), ('token', ''), _connector='OR'), name='hub_upload_token_while_needed'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(('uploaded_at__isnull', False), models.Q(('url', ''), _negated=True)), _connector='OR'), name='hub_upload_done_has_address')],
                },
            ),
            migrations.CreateModel(
                name='Example',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('release', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='examples', to='releases.release')),
                    ('position', models.PositiveIntegerField()),
                    ('public_id', models.UUIDField()),
                    ('origin', models.CharField(max_length=10)),
                    ('pair', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='examples', to='annotation.sentencepair')),
                    ('via', models.JSONField(default=list)),
                    ('sentence1_ref', models.UUIDField()),
                    ('sentence2_ref', models.UUIDField()),
                    ('sentence1', models.TextField()),
                    ('sentence2', models.TextField()),
                    ('method', models.TextField()),
                    ('votes', models.JSONField(null=True)),
                    ('label', models.SmallIntegerField(null=True)),
                    ('kept', models.BooleanField()),
                    ('subset', models.CharField(blank=True, max_length=20)),
                    ('split', models.CharField(blank=True, max_length=10)),
                    ('grade', models.SmallIntegerField(null=True)),
                    ('entity', models.TextField(blank=True, default='')),
                    ('domain', models.TextField(blank=True, default='')),
                    ('generator', models.TextField(blank=True, default='')),
                    ('kind', models.CharField(blank=True, default='', max_length=40)),
                    ('run', models.PositiveBigIntegerField(null=True)),
                    ('tally', models.JSONField(null=True)),
                    ('mean', models.FloatField(null=True)),
                    ('published_id', models.TextField(blank=True, default='')),
                    ('published_label', models.TextField(blank=True, default='')),
                    ('score', models.FloatField(null=True)),
                    ('model_label', models.SmallIntegerField(null=True)),
                    ('model_share', models.FloatField(null=True)),
                    ('closed', models.BooleanField(null=True)),
                    ('first', models.JSONField(null=True)),
                    ('own_id', models.TextField(blank=True, default='')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('release', 'position'), name='example_position_once_in_release'), models.UniqueConstraint(fields=('release', 'public_id'), name='example_id_once_in_release')],
                },
            ),
            migrations.CreateModel(
                name='FrozenLine',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('release', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='releases.release')),
                    ('file', models.CharField(max_length=30)),
                    ('position', models.PositiveIntegerField()),
                    ('text', models.TextField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('release', 'file', 'position'), name='line_position_once_in_file')],
                },
            ),
            migrations.CreateModel(
                name='Comparison',
                fields=[
                    ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='comparison', serialize=False, to='annotation.project')),
                    ('release', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comparisons', to='releases.release')),
                    ('sample', models.PositiveIntegerField(null=True)),
                    ('taught', models.PositiveIntegerField()),
                    ('seed', models.BigIntegerField()),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('purpose', models.CharField(default='people', max_length=10)),
                    ('splits', models.JSONField(default=releases.models.only_test)),
                ],
            ),
            migrations.CreateModel(
                name='TranslationSource',
                fields=[
                    ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='translation_source', serialize=False, to='annotation.project')),
                    ('release', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='translations', to='releases.release')),
                    ('train', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='generation.corpus')),
                    ('dev', models.PositiveIntegerField(null=True)),
                    ('test', models.PositiveIntegerField(null=True)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
            ),
            migrations.CreateModel(
                name='Pseudonym',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                    ('release', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pseudonyms', to='releases.release')),
                    ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('name', models.CharField(max_length=40)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('release', 'annotator'), name='one_pseudonym_each'), models.UniqueConstraint(fields=('release', 'name'), name='pseudonym_once_in_release')],
                },
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
                name='PlannedMetadata',
                fields=[
                    ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='planned_metadata', serialize=False, to='annotation.project')),
                    ('metadata', models.JSONField(blank=True, default=dict)),
                ],
            ),
            migrations.CreateModel(
                name='PublishedSet',
                fields=[
                    ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='published_set', serialize=False, to='annotation.project')),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('corpus', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='generation.corpus')),
                ],
            ),
        ]),
    ]
