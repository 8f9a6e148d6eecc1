"""Pairs can be excluded; fixes have the share of the candidate's words that they keep."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from generation.nlp.measures import words_kept
from generation.records import in_chunks

ROWS_AT_ONCE = 2000


def measure_fixes(apps: Any, _schema: Any) -> None:
    """Give stored fixes the share of words that they kept."""
    slots = apps.get_model("annotation", "Slot").objects
    fixes = slots.filter(kind="correct", action="fix").select_related("item__candidate")
    for some in in_chunks(fixes.iterator(ROWS_AT_ONCE), ROWS_AT_ONCE):
        for slot in some:
            slot.words_kept = words_kept(slot.item.candidate.text, slot.text)
        slots.bulk_update(some, ["words_kept"])


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0004_item_once_for_texts'),
        ('generation', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='slot',
            name='words_kept',
            field=models.FloatField(blank=True, help_text="Share of the candidate's words that a fix kept, 0 to 1", null=True),
        ),
        migrations.CreateModel(
            name='PairExclusion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('offensive', 'offensive'), ('private', 'private data of a person'), ('broken', 'not a valid sentence'), ('other', 'something else')], max_length=10)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pair', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='exclusions', to='annotation.sentencepair')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='item',
            name='excluded_by',
            field=models.ForeignKey(db_index=False, editable=False, help_text='Why the pair is out of the study', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.pairexclusion'),
        ),
        migrations.AddIndex(
            model_name='item',
            index=models.Index(condition=models.Q(('excluded_by__isnull', False)), fields=['project', 'id'], name='item_is_excluded'),
        ),
        migrations.AddIndex(
            model_name='pairexclusion',
            index=models.Index(fields=['pair', 'id'], name='pair_exclusion_by_pair'),
        ),
        migrations.AddConstraint(
            model_name='pairexclusion',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('pair',), name='pair_excluded_once_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='pairexclusion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='pair_exclusion_ended_by_someone'),
        ),
        migrations.RunPython(measure_fixes, migrations.RunPython.noop),
    ]
