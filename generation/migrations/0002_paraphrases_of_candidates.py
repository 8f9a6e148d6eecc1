"""The estimate that a candidate is a paraphrase, and whether it is a rotation."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('generation', '0001_version_0_1_0'),
    ]

    operations = [
        migrations.AddField(
            model_name='candidate',
            name='is_rotation',
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name='candidate',
            name='paraphrase',
            field=models.FloatField(null=True),
        ),
        migrations.AddIndex(
            model_name='candidate',
            index=models.Index(condition=models.Q(('paraphrase__isnull', False)), fields=['run', 'kind', 'is_rotation', 'paraphrase'], name='candidate_by_shape'),
        ),
    ]
