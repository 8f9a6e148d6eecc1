import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0010_saved_views'),
        ('releases', '0001_squashed'),
    ]

    operations = [
        migrations.CreateModel(
            name='PlannedMetadata',
            fields=[
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='planned_metadata', serialize=False, to='annotation.project')),
                ('metadata', models.JSONField(blank=True, default=dict, help_text='Licence, languages and authors of releases.dataset.metadata.Metadata; without those that the corpora suggest')),
            ],
        ),
    ]
