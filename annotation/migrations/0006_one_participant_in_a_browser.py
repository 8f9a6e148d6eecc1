"""A browser is of one participant of a project, whatever platform sent them."""

from typing import Any

import django.core.validators
from django.db import migrations, models


def keep_the_first(apps: Any, schema_editor: Any) -> None:
    """Of participants of two platforms in one browser, the first keeps it; the others say so."""
    first: dict[tuple[int, Any], int] = {}
    for row in apps.get_model("annotation", "ParticipantBrowser").objects.order_by("pk"):
        other = first.setdefault((row.project_id, row.browser), row.participant_id)
        if other != row.participant_id:
            people = apps.get_model("annotation", "Participant").objects
            person = people.filter(pk=row.participant_id, same_browser_as=None)
            person.update(same_browser_as=other)
            row.delete()


class Migration(migrations.Migration):
    dependencies = [("annotation", "0005_one_constraint_of_answers")]

    operations = [
        migrations.RunPython(keep_the_first, migrations.RunPython.noop),
        migrations.RemoveConstraint("participantbrowser", "browser_of_one_participant"),
        migrations.RemoveField("participantbrowser", "platform"),
        migrations.AddConstraint(
            "participantbrowser",
            models.UniqueConstraint(
                fields=["project", "browser"], name="browser_of_one_participant"
            ),
        ),
        migrations.AlterField(
            "recruitment",
            "least_answers",
            models.PositiveIntegerField(
                blank=True,
                help_text="For completion. Empty: the limits of answers per person, or 1 without a limit",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1_000_000),
                ],
            ),
        ),
    ]
