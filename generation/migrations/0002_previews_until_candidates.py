from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('generation', '0001_squashed'),
    ]

    operations = [
        migrations.AddField(
            model_name='batch',
            name='refused',
            field=models.JSONField(blank=True, default=dict, help_text='In a preview: the best rewrite of such a sentence, if the method tells'),
        ),
        migrations.AddField(
            model_name='generationrun',
            name='preview_batches',
            field=models.PositiveSmallIntegerField(default=1, help_text='First batches, of which a preview processes as many as it needs'),
        ),
    ]
