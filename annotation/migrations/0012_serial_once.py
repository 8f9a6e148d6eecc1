"""Each number of a person's answers occurs once: a race of two tabs could repeat one."""

from typing import Any

from django.db import migrations, models
from django.db.models import Count, Q

OF_ONE_QUEUE = ("annotator", "project", "kind")


def number_again(apps: Any, _editor: Any) -> None:
    """Number the answers of those who have a number twice by time; sealed ones keep theirs."""
    slots = apps.get_model("annotation", "Slot").objects
    numbered = slots.filter(serial__isnull=False)
    groups = numbered.values(*OF_ONE_QUEUE, "serial").annotate(times=Count("pk"))
    repeated = groups.filter(times__gt=1).values_list(*OF_ONE_QUEUE)
    for values in set(repeated):
        queue = dict(zip(OF_ONE_QUEUE, values, strict=True))
        answers = numbered.filter(**queue).order_by("submitted_at", "pk")
        taken = set(answers.filter(seal__isnull=False).values_list("serial", flat=True))
        free = (number for number in range(1, 2**31) if number not in taken)
        for answer in answers.filter(seal=None):
            slots.filter(pk=answer.pk).update(serial=next(free))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0011_recruiting")]

    operations = [
        migrations.RunPython(number_again, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="slot",
            constraint=models.UniqueConstraint(
                condition=Q(serial__isnull=False),
                fields=("annotator", "project", "kind", "serial"),
                name="slot_serial_once",
            ),
        ),
    ]
