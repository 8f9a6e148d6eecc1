import django.core.validators
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotation', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PseudonymKey',
            fields=[
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='pseudonym_key', serialize=False, to='annotation.project')),
                ('key', models.BinaryField(max_length=32)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.CharField(blank=True, help_text='What the worker is at', max_length=30)),
                ('done', models.PositiveIntegerField(default=0, help_text='Rows of the step so far')),
                ('total', models.PositiveIntegerField(default=0, help_text='Rows of the step')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('failure', models.TextField(blank=True, help_text='Why nothing came of it')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('version', models.CharField(max_length=50, validators=[django.core.validators.RegexValidator('^[A-Za-z0-9][A-Za-z0-9._+-]{0,49}$')])),
                ('state', models.CharField(choices=[('draft', 'draft: nothing is decided yet'), ('queued', 'waiting to be built'), ('building', 'being built'), ('failed', 'could not be built'), ('frozen', 'frozen: it never changes'), ('withdrawn', 'withdrawn: its files are gone')], default='draft', max_length=10)),
                ('seed', models.BigIntegerField()),
                ('settings', models.JSONField(help_text='releases.dataset.settings.ReleaseSettings, all of it')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('frozen_at', models.DateTimeField(editable=False, null=True)),
                ('facts', models.JSONField(default=dict, help_text='releases.dataset.manifest.ReleaseFacts, all of it')),
                ('left_out', models.JSONField(default=dict, help_text='What the plan could not use, by reason')),
                ('manifest', models.JSONField(blank=True, help_text='manifest.json as first written; later builds must equal it', null=True)),
                ('names_forgotten_at', models.DateTimeField(editable=False, help_text='Since when nobody can tell who a pseudonym was', null=True)),
                ('withdrawn_at', models.DateTimeField(editable=False, null=True)),
                ('withdrawal_reason', models.CharField(blank=True, editable=False, max_length=500)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='releases', to='annotation.project')),
                ('withdrawn_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Pseudonym',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('release', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pseudonyms', to='releases.release')),
            ],
        ),
        migrations.CreateModel(
            name='Example',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(help_text='Place in the files')),
                ('public_id', models.UUIDField()),
                ('origin', models.CharField(choices=[('judged', 'Judged'), ('recombined', 'Recombined'), ('silver', 'labelled by its method alone')], max_length=10)),
                ('via', models.JSONField(default=list, help_text='Public ids of the pairs it was composed from')),
                ('sentence1_ref', models.UUIDField(help_text='Public id of the sentence, or of the candidate')),
                ('sentence2_ref', models.UUIDField()),
                ('sentence1', models.TextField()),
                ('sentence2', models.TextField()),
                ('method', models.CharField(max_length=30)),
                ('votes', models.JSONField(help_text='Votes for 0 and for 1', null=True)),
                ('label', models.PositiveSmallIntegerField(null=True)),
                ('kept', models.BooleanField()),
                ('subset', models.CharField(blank=True, max_length=20)),
                ('split', models.CharField(blank=True, max_length=10)),
                ('pair', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='examples', to='annotation.sentencepair')),
                ('release', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='examples', to='releases.release')),
            ],
        ),
        migrations.CreateModel(
            name='ReleasePreview',
            fields=[
                ('step', models.CharField(blank=True, help_text='What the worker is at', max_length=30)),
                ('done', models.PositiveIntegerField(default=0, help_text='Rows of the step so far')),
                ('total', models.PositiveIntegerField(default=0, help_text='Rows of the step')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('failure', models.TextField(blank=True, help_text='Why nothing came of it')),
                ('release', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='preview', serialize=False, to='releases.release')),
                ('state', models.CharField(choices=[('waiting', 'waiting for a worker'), ('under_way', 'being made'), ('made', 'Made'), ('impossible', 'the pairs cannot fulfil the settings'), ('failed', 'could not be made')], default='waiting', max_length=10)),
                ('asked_at', models.DateTimeField()),
                ('read_at', models.DateTimeField(help_text='It shows the rows of this moment', null=True)),
                ('content', models.JSONField(blank=True, help_text='releases.dataset.preview.Preview, all of it', null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('content__isnull', False), ('state', 'made')), models.Q(('state', 'made'), _negated=True), _connector='OR'), name='preview_made_has_content'), models.CheckConstraint(condition=models.Q(models.Q(('read_at__isnull', False), ('state__in', ['made', 'impossible'])), models.Q(('state__in', ['made', 'impossible']), _negated=True), _connector='OR'), name='preview_shows_a_moment')],
            },
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.UniqueConstraint(fields=('project', 'version'), name='version_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('frozen_at__isnull', False), ('state__in', ['frozen', 'withdrawn'])), models.Q(('state__in', ['frozen', 'withdrawn']), _negated=True), _connector='OR'), name='release_frozen_has_date'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'withdrawn'), ('withdrawn_at__isnull', False)), models.Q(models.Q(('state', 'withdrawn'), _negated=True), ('withdrawn_at', None)), _connector='OR'), name='release_withdrawn_has_date'),
        ),
        migrations.AddConstraint(
            model_name='pseudonym',
            constraint=models.UniqueConstraint(fields=('release', 'annotator'), name='one_pseudonym_each'),
        ),
        migrations.AddConstraint(
            model_name='pseudonym',
            constraint=models.UniqueConstraint(fields=('release', 'name'), name='pseudonym_once_in_release'),
        ),
        migrations.AddConstraint(
            model_name='example',
            constraint=models.UniqueConstraint(fields=('release', 'position'), name='example_position_once_in_release'),
        ),
        migrations.AddConstraint(
            model_name='example',
            constraint=models.UniqueConstraint(fields=('release', 'public_id'), name='example_id_once_in_release'),
        ),
    ]
