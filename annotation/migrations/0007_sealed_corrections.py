"""Corrections are sealed as judgments are: pairs that lack their seal wait for the worker again."""

from typing import Any

from django.db import migrations


def seal_again(apps: Any, _editor: Any) -> None:
    consensus = apps.get_model("annotation", "Consensus")
    slots = apps.get_model("annotation", "Slot")
    corrections = slots.objects.filter(kind="correct", seal=None)
    lacking = consensus.objects.filter(pair__origin__in=corrections, sealed_at__isnull=False)
    lacking.update(sealed_at=None)


class Migration(migrations.Migration):
    dependencies = [('annotation', '0006_same_person')]
    operations = [migrations.RunPython(seal_again, migrations.RunPython.noop)]
