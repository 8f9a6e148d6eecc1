from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0003_sessions"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="story_hidden_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
