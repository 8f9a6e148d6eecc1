"""The annotator model has a label for decided pairs, beside the consensus."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0014_questions'),
    ]

    operations = [
        migrations.AddField(
            model_name='consensus',
            name='model_label',
            field=models.PositiveSmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='consensus',
            name='model_share',
            field=models.FloatField(editable=False, null=True),
        ),
    ]
