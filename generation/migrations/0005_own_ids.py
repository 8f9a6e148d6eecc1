"""The ids that imported pairs had in their files."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('generation', '0004_replies'),
    ]

    operations = [
        migrations.AddField(
            model_name='candidate',
            name='external_id',
            field=models.TextField(blank=True, default=''),
        ),
    ]
