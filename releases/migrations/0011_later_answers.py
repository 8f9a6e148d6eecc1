"""The answers of the first people, and pairs that were decided because nobody was left."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0010_annotator_model'),
    ]

    operations = [
        migrations.AddField(
            model_name='example',
            name='closed',
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name='example',
            name='first',
            field=models.JSONField(null=True),
        ),
    ]
