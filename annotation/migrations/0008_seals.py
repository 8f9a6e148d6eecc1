"""A chain of digests over the answers of decided pairs, and triggers that keep what is sealed."""

import django.db.models.deletion
from django.db import migrations, models

from annotation import seal_promises


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0007_previews'),
    ]

    operations = [
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('number', models.PositiveBigIntegerField(help_text='Place in the chain, from 1', primary_key=True, serialize=False)),
                ('judgment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='seal', to='annotation.judgment')),
                ('digest', models.BinaryField(help_text='SHA-256 of the one before and the answer', max_length=32)),
            ],
        ),
        migrations.AddField(
            model_name='consensus',
            name='sealed_at',
            field=models.DateTimeField(editable=False, help_text='When the answers of the pair were sealed', null=True),
        ),
        migrations.AddIndex(
            model_name='consensus',
            index=models.Index(condition=models.Q(('sealed_at', None)), fields=['decided_at'], name='consensus_not_sealed'),
        ),
        migrations.RunPython(seal_promises.install, migrations.RunPython.noop),
    ]
