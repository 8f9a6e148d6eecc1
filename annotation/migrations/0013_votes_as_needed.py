"""More people may be asked about a pair than the first ones; so far, nobody is."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0012_label_scheme'),
        ('generation', '0002_previews_until_candidates'),
    ]

    operations = [
        migrations.AddField(
            model_name='consensus',
            name='first_tally',
            field=models.JSONField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='item',
            name='most_votes',
            field=models.PositiveSmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='project',
            name='judgments_at_most',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(15)]),
        ),
        migrations.AddConstraint(
            model_name='project',
            constraint=models.CheckConstraint(condition=models.Q(('judgments_at_most', None), ('judgments_at_most__gte', models.F('judgments_per_pair')), _connector='OR'), name='project_at_most'),
        ),
    ]
