"""Every slot that someone has and every recusal names the person: the main account.

Until now a slot did only for people with several accounts, and each of their accounts had its own
recusal for what another one had seen. Now an account has one only for what it answered after
another one, before they were linked (annotation/people/services/same_person.py).
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce


def name_people(apps: Any, schema_editor: Any) -> None:
    on_postgres = schema_editor.connection.vendor == "postgresql"
    if on_postgres:  # it kept decided answers as they are, the person included; installed again
        schema_editor.execute("DROP TRIGGER IF EXISTS slot_decided_update ON annotation_slot")
    users = apps.get_model("accounts", "User").objects
    slots = apps.get_model("annotation", "Slot").objects
    recusal = apps.get_model("annotation", "Recusal")
    recusals = recusal.objects
    recusals.filter(reason="same_person").delete()
    person = users.filter(pk=OuterRef("annotator")).values(key=Coalesce("main_account", "pk"))
    recusals.update(person=person)
    slots.exclude(annotator=None).exclude(person=F("annotator")).update(person=F("annotator"))
    others = users.exclude(main_account=None).order_by("pk")
    for account, main in others.values_list("pk", "main_account"):
        theirs = slots.filter(item=OuterRef("item"), person=main)
        slots.filter(~Exists(theirs), annotator=account).update(person=main)
        repeated = slots.filter(annotator=account, person=account).values_list("item", flat=True)
        recusals.bulk_create(
            (
                recusal(item_id=item, annotator_id=account, person_id=main, reason="same_person")
                for item in repeated
            ),
            batch_size=2000,
            ignore_conflicts=True,
        )
    if on_postgres:  # or the table could not be changed in this transaction
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_labels_of_any_kind"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "recusal",
            "person",
            models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(name_people, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            "recusal",
            "person",
            models.ForeignKey(
                db_index=False,
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "slot",
            models.CheckConstraint(
                condition=Q(annotator=None, person=None)
                | Q(annotator__isnull=False, person__isnull=False),
                name="slot_has_person",
            ),
        ),
    ]
