import django.core.validators
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('evaluation', '0001_initial'),
        ('evaluation', '0002_ranking_and_start'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('releases', '0001_version_0_1_0'),
    ]

    operations = [
        migrations.CreateModel(
            name='Evaluation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('step', models.CharField(blank=True, max_length=30)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(editable=False, null=True)),
                ('failure', models.TextField(blank=True)),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('release', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='evaluations', to='releases.release')),
                ('experiment', models.CharField(max_length=20)),
                ('names', models.JSONField()),
                ('seeds', models.PositiveSmallIntegerField(default=3, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10)])),
                ('state', models.CharField(default='waiting', max_length=10)),
                ('asked_at', models.DateTimeField()),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('results', models.JSONField(null=True)),
                ('started_at', models.DateTimeField(editable=False, null=True)),
                ('finished_at', models.DateTimeField(editable=False, null=True)),
            ],
            options={
                'ordering': ['-asked_at'],
                'constraints': [models.UniqueConstraint(fields=('release', 'experiment'), name='evaluation_once_in_release'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(('finished_at__isnull', False), ('results__isnull', False)), _connector='OR'), name='evaluation_done_has_results')],
            },
        ),
    ]
