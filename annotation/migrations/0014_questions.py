"""Questions about annotators, and their replies."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0013_votes_as_needed'),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='publishes',
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='membership',
            name='replied_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='project',
            name='least_in_group',
            field=models.PositiveSmallIntegerField(default=5, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(50)]),
        ),
        migrations.AddField(
            model_name='project',
            name='questions_changed_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.CreateModel(
            name='AnnotatorQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('number', models.PositiveSmallIntegerField()),
                ('title', models.CharField(max_length=60)),
                ('text', models.CharField(max_length=300)),
                ('choices', models.JSONField()),
                ('ready', models.CharField(blank=True, max_length=20)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('retired_at', models.DateTimeField(editable=False, null=True)),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='annotation.project')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='AnnotatorReply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('choice', models.PositiveSmallIntegerField(null=True)),
                ('membership', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='replies', to='annotation.membership')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='replies', to='annotation.annotatorquestion')),
            ],
        ),
        migrations.AddConstraint(
            model_name='annotatorquestion',
            constraint=models.UniqueConstraint(fields=('project', 'number'), name='question_number_once_in_project'),
        ),
        migrations.AddConstraint(
            model_name='annotatorquestion',
            constraint=models.UniqueConstraint(condition=models.Q(('retired_at', None)), fields=('project', 'title'), name='question_title_once_while_asked'),
        ),
        migrations.AddConstraint(
            model_name='annotatorreply',
            constraint=models.UniqueConstraint(fields=('membership', 'question'), name='reply_once_to_question'),
        ),
    ]
