"""Experts name an outcome of the scheme; filters by label are saved as places of outcomes."""

from django.db import migrations, models

NAMES = {"label=paraphrase": "label=1", "label=different": "label=0"}


def name_by_place(apps, schema_editor):
    _rename(apps, NAMES)


def name_by_side(apps, schema_editor):
    _rename(apps, {new: old for old, new in NAMES.items()})


def _rename(apps, names):
    for view in apps.get_model("annotation", "SavedView").objects.filter(page="pairs"):
        parts = [names.get(part, part) for part in view.query.split("&")]
        view.query = "&".join(parts)
        view.save(update_fields=["query"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0015_model_labels")]

    operations = [
        migrations.RemoveConstraint("adjudication", "adjudication_binary"),
        migrations.AddConstraint(
            "adjudication",
            models.CheckConstraint(
                condition=models.Q(label=None) | models.Q(label__lte=10),
                name="adjudication_outcome",
            ),
        ),
        migrations.RunPython(name_by_place, name_by_side),
    ]
