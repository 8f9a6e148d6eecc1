"""What holds of the judgments of a study at any time, whatever is held out, put back, reopened."""

from itertools import groupby

from annotation.models import Consensus, Judgment, Reopening, SentencePair
from annotation.projects import protocols
from annotation.stats.consensus import decide
from annotation.stats.replacements import Slot, settle


def broken(project):
    """What does not hold, in words; nothing, if all is well."""
    rows = Judgment.objects.filter(project=project).select_related("replaces", "excluded_by")
    of_pairs = groupby(rows.order_by("pair", "slot"), lambda slot: slot.pair_id)
    wrong = ((pair, each) for pair, slots in of_pairs for each in _broken(project, pair, [*slots]))
    return [f"pair {pair}: {each}" for pair, each in wrong]


def _broken(project, pair, slots):
    latest = [slot for slot in slots if slot.superseded_by_id is None]
    counting = [slot for slot in latest if slot.excluded_by_id is None]
    labels = [slot.label for slot in counting if slot.label is not None]
    people = [slot.annotator_id for slot in slots if slot.annotator_id is not None]
    is_early = project.decides_early and len(labels) == len(counting)
    if len(counting) != project.judgments_per_pair and not is_early:
        yield f"{len(counting)} slots count"
    if len(set(people)) < len(people):
        yield "somebody has two slots"
    if any(slot.label is None for slot in slots if slot.excluded_by_id is not None):
        yield "an open slot is held out"
    if any(slot.replaces and slot.replaces.label is None for slot in slots):
        yield "an open slot is replaced"
    yield from _wrongly_numbered(project, pair, slots, latest)
    yield from _wrong_rounds(project, pair, slots)
    yield from _wrongly_decided(project, pair, labels)


def _wrongly_numbered(project, pair, slots, latest):
    out = [slot.excluded_by is not None and slot.excluded_by.kind == "exclude" for slot in latest]
    settled = settle(
        Slot(slot.pk, slot.replaces_id, is_out) for slot, is_out in zip(latest, out, strict=True)
    )
    lacking = project.judgments_per_pair - len(settled.counting)
    size = SentencePair.objects.values_list("slots", flat=True).get(pk=pair)
    numbers = [slot.slot for slot in slots]
    if size != len(slots) + lacking or not set(numbers) <= set(range(1, size + 1)):
        yield f"of {size} slots {lacking} lack, and there are {numbers}"
    if lacking and not Consensus.objects.filter(pair=pair).exists():
        yield f"{lacking} slots lack, and it is not decided"


def _wrong_rounds(project, pair, slots):
    for number, each in enumerate(Reopening.objects.filter(pair=pair).order_by("pk"), 2):
        over = [slot for slot in slots if slot.superseded_by_id == each.pk]
        if each.number != number or any(slot.label is None for slot in over):
            yield f"round {each.number - 1} is wrongly numbered or has open slots"
        if len(over) < project.judgments_per_pair or sum(each.tally) != project.judgments_per_pair:
            yield f"round {each.number - 1} has {len(over)} answers and says {each.tally}"


def _wrongly_decided(project, pair, labels):
    stored = Consensus.objects.filter(pair=pair).values_list("tally", "label", "kept").first()
    due = decide(labels, protocols.of(project))
    right = (list(due.tally), due.majority, due.kept) if due.decided else None
    if (stored is None) != (right is None):
        yield f"{'decided' if stored else 'undecided'} with {labels}"
    elif stored != right:
        yield f"decided as {stored}, not as {right}"
