from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_merge_repeated_items")]
    operations = [
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(condition=models.Q(('duplicate_of', None)), fields=('project', 'texts_key', 'kind'), name='item_once_for_texts'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'correct'), _negated=True), models.Q(('candidate__isnull', False), ('texts_key__isnull', False)), _connector='OR'), name='item_to_correct_is_candidate'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'judge'), _negated=True), models.Q(('candidate__isnull', False), ('sentence1__isnull', False), ('sentence2__isnull', False), ('texts_key__isnull', False)), _connector='OR'), name='item_to_judge_is_pair'),
        ),
    ]
