"""Items of the same two texts become one in each project; the answers to the others are kept."""

from django.db import migrations
from django.db.models import Count, F, Q
from django.utils import timezone

from generation.nlp.text import pair_key

CHUNK = 1000
TEXTS = {
    "correct": ("candidate__sentence__text", "candidate__text"),
    "judge": ("sentence1__text", "sentence2__text"),
}
GROUP = ("project_id", "kind", "texts_key")


def write_keys(apps, schema_editor):
    Item = apps.get_model("annotation", "Item")
    for kind, texts in TEXTS.items():
        rows = Item.objects.filter(kind=kind, texts_key=None).order_by("pk")
        while some := list(rows.values_list("pk", *texts)[:CHUNK]):
            keyed = [Item(pk=key, texts_key=pair_key(one, other)) for key, one, other in some]
            Item.objects.bulk_update(keyed, ["texts_key"])


def merge(apps, schema_editor):
    """Keep the item that was decided first, or else has most answers; a gold pair comes last."""
    Item = apps.get_model("annotation", "Item")
    keyed = Item.objects.filter(texts_key__isnull=False)
    repeated = keyed.order_by().values(*GROUP).annotate(number=Count("pk")).filter(number__gt=1)
    for group in list(repeated.values(*GROUP)):
        answers = Count("slots", filter=Q(slots__submitted_at__isnull=False))
        first, *others = keyed.filter(**group).annotate(answers=answers).order_by(
            F("gold_label").asc(nulls_first=True),
            F("consensus__decided_at").asc(nulls_last=True),
            "-answers",
            "pk",
        )
        for item in others:
            retire(apps, item)
            Item.objects.filter(pk=item.pk).update(duplicate_of=first.pk)
        recuse(apps, first, others)


def retire(apps, item):
    """Delete open slots; keep answers of judges as those of an earlier round, which do not count."""
    Slot = apps.get_model("annotation", "Slot")
    Reopening = apps.get_model("annotation", "Reopening")
    Consensus = apps.get_model("annotation", "Consensus")
    decided = Consensus.objects.filter(pair=item.pk).first()
    Consensus.objects.filter(pair=item.pk).delete()
    slots = Slot.objects.filter(item=item.pk)
    slots.filter(submitted_at=None).delete()
    latest = slots.filter(kind="judge", superseded_by=None)
    labels = list(latest.values_list("label", flat=True))
    if not labels:
        return
    ended = Reopening.objects.create(
        pair_id=item.pk,
        number=Reopening.objects.filter(pair=item.pk).count() + 2,
        tally=decided.tally if decided else [labels.count(each) for each in range(max(labels) + 1)],
        label=decided.label if decided else None,
        decided_at=decided.decided_at if decided else timezone.now(),
    )
    latest.update(superseded_by=ended)


def recuse(apps, first, others):
    """Whoever had one of the others, or must not judge it, is not given the first one."""
    Recusal = apps.get_model("annotation", "Recusal")
    Slot = apps.get_model("annotation", "Slot")
    reasons = dict(Recusal.objects.filter(item__in=others).values_list("annotator", "reason"))
    answered = Slot.objects.filter(item__in=others, annotator__isnull=False)
    people = {*reasons, *answered.values_list("annotator", flat=True)}
    people -= {*Slot.objects.filter(item=first.pk).values_list("annotator", flat=True)}
    Recusal.objects.bulk_create(
        [
            Recusal(item_id=first.pk, annotator_id=each, reason=reasons.get(each, "repeated"))
            for each in sorted(people)
        ],
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_texts_key")]
    operations = [
        migrations.RunPython(write_keys, migrations.RunPython.noop),
        migrations.RunPython(merge, migrations.RunPython.noop),
    ]
