"""What holds of the judgments of a study at any time, whatever is held out and put back."""

from collections.abc import Iterator
from itertools import groupby

from annotation import protocols
from annotation.models import Consensus, Judgment, Project, SentencePair
from annotation.stats.consensus import decide


def broken(project: Project) -> list[str]:
    """What does not hold, in words; nothing, if all is well."""
    slots = Judgment.objects.filter(project=project).order_by("pair", "slot")
    rows = slots.select_related("replaces")
    return [
        f"pair {pair}: {wrong}"
        for pair, group in groupby(rows, lambda slot: slot.pair_id)
        for wrong in _broken(project, pair, list(group))
    ]


def _broken(project: Project, pair: int, slots: list[Judgment]) -> Iterator[str]:
    counting = [slot for slot in slots if slot.held_out_id is None]
    labels = [slot.label for slot in counting if slot.label is not None]
    people = [slot.annotator_id for slot in slots if slot.annotator_id is not None]
    size = SentencePair.objects.values_list("slots", flat=True).get(pk=pair)
    if len(counting) != project.judgments_per_pair:
        yield f"{len(counting)} slots count"
    if [slot.slot for slot in slots] != list(range(1, size + 1)):
        yield f"of {size} slots there are {[slot.slot for slot in slots]}"
    if len(set(people)) < len(people):
        yield "somebody has two slots"
    if any(slot.label is None for slot in slots if slot.held_out_id is not None):
        yield "an open slot is held out"
    if any(slot.replaces and slot.replaces.label is None for slot in slots):
        yield "an open slot is replaced"
    yield from _wrongly_decided(project, pair, len(counting), labels)


def _wrongly_decided(project: Project, pair: int, asked: int, labels: list[int]) -> Iterator[str]:
    decided = Consensus.objects.filter(pair=pair).first()
    if (decided is not None) != (len(labels) == asked):
        yield f"{'decided' if decided else 'undecided'} with {len(labels)} of {asked}"
    elif decided is not None:
        due = decide(labels, protocols.of(project))
        stored = (tuple(decided.tally), decided.label, decided.kept)
        if stored != (due.tally, due.majority, due.kept):
            yield f"decided as {stored}, not as {due}"
