"""The ids that imported pairs had in their files."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0011_later_answers'),
    ]

    operations = [
        migrations.AddField(
            model_name='example',
            name='own_id',
            field=models.TextField(blank=True, default=''),
        ),
    ]
