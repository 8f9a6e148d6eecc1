"""Pairs of a release may have a label of the annotator model."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0009_labels_of_any_scheme'),
    ]

    operations = [
        migrations.AddField(
            model_name='example',
            name='model_label',
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='example',
            name='model_share',
            field=models.FloatField(null=True),
        ),
    ]
