"""The label scheme replaces the highest grade and the lowest grade of a paraphrase.

No answer, consensus, seal or release changes: the place of a label is its grade.
"""

from django.db import migrations, models

import annotation.models.projects
import annotation.models.scheme_field

SAME_OR_DIFFERENT = ("Different meaning", "Same meaning")
PARADE = ("Not equivalent", "Roughly equivalent", "Mostly equivalent", "Completely equivalent")
NAMES = {1: SAME_OR_DIFFERENT, 3: PARADE}


def describe_labels(apps, schema_editor):
    for project in apps.get_model("annotation", "Project").objects.all():
        highest = project.max_label
        names = NAMES.get(highest, [str(grade) for grade in range(highest + 1)])
        project.scheme = {
            "labels": [{"value": grade, "name": name} for grade, name in enumerate(names)],
            "level": "nominal" if highest == 1 else "ordinal",
            "rule": "side",
            "border": project.paraphrase_from,
        }
        texts = {"criterion": project.criteria, "example": project.examples}
        values = sorted({*project.criteria, *project.examples})
        project.label_looks = {
            value: {name: by_value[value] for name, by_value in texts.items() if value in by_value}
            for value in values
        }
        project.save(update_fields=["scheme", "label_looks"])


def number_grades(apps, schema_editor):
    for project in apps.get_model("annotation", "Project").objects.all():
        project.max_label = project.scheme.size - 1
        project.paraphrase_from = project.scheme.border_place or 1
        looks = project.label_looks.items()
        project.criteria = {value: look["criterion"] for value, look in looks if "criterion" in look}
        project.examples = {value: look["example"] for value, look in looks if "example" in look}
        project.save(update_fields=["max_label", "paraphrase_from", "criteria", "examples"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0011_items_counted_by_index")]

    operations = [
        migrations.AddField(
            model_name="project",
            name="scheme",
            field=annotation.models.scheme_field.SchemeField(
                default=annotation.models.projects.same_or_different
            ),
        ),
        migrations.AddField(
            model_name="project",
            name="label_looks",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="project",
            name="question",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.RunPython(describe_labels, number_grades),
        migrations.RemoveConstraint(
            model_name="project", name="project_paraphrase_within_scale"
        ),
        migrations.RemoveField(model_name="project", name="max_label"),
        migrations.RemoveField(model_name="project", name="paraphrase_from"),
        migrations.RemoveField(model_name="project", name="criteria"),
        migrations.RemoveField(model_name="project", name="examples"),
    ]
