"""What is always true of the judgments of a study, whatever is excluded, put back or reopened."""

from itertools import groupby

from annotation.models import Consensus, Judgment, Reopening
from annotation.projects import protocols
from annotation.stats.consensus import decide


def broken(project):
    """What is wrong, in words; nothing, if all is well."""
    rows = Judgment.objects.filter(project=project, item__gold_label=None)
    rows = rows.select_related("excluded_by__membership", "item").order_by("item", "number")
    wrong = (
        (pair, each)
        for pair, slots in groupby(rows, lambda slot: slot.item_id)
        for each in _broken(project, pair, [*slots])
    )
    return [f"pair {pair}: {each}" for pair, each in wrong]


def _broken(project, pair, slots):
    latest = [slot for slot in slots if slot.superseded_by_id is None]
    counting = [slot for slot in latest if slot.excluded_by_id is None]
    answered = [slot for slot in counting if slot.label is not None]
    protocol = protocols.of_project(project).closed_at(slots[0].item.most_votes)
    labels = [slot.label for slot in sorted(answered, key=_at)]
    first = protocol.judgments_per_pair
    people = [slot.annotator_id for slot in slots if slot.annotator_id is not None]
    missing = 0 if decide(labels, protocol).decided else max(1, first - len(labels))
    if len(counting) - len(answered) != missing:
        yield f"{len(answered)} of {len(counting)} slots that count are answered"
    if any(decide(labels[:number], protocol).decided for number in range(first, len(labels))):
        yield f"{labels} were asked for, and fewer decide it"
    if len(set(people)) < len(people):
        yield "somebody has two slots"
    if any(slot.label is None for slot in slots if slot.excluded_by_id is not None):
        yield "an open slot is excluded"
    excluded = [slot for slot in latest if slot.is_excluded]
    waiting = [slot for slot in latest if slot.reserved and slot.label is None]
    if len(waiting) > len(excluded):
        yield f"{len(waiting)} slots are reserved in place of {len(excluded)} answers"
    yield from _wrong_surplus(project, latest, answered)
    yield from _wrong_rounds(project, pair, slots)
    yield from _wrongly_decided(protocol, pair, labels)


def _wrong_surplus(project, latest, answered):
    """Answers are surplus only beside as many as the protocol asks for, all of them earlier."""
    surplus = [slot for slot in latest if slot.is_surplus]
    if surplus and len(answered) < project.judgments_per_pair:
        yield f"{len(surplus)} answers are surplus, and only {len(answered)} count"
    elif surplus and max(map(_at, answered)) > min(map(_at, surplus)):
        yield "a surplus answer is earlier than one that counts"


def _at(slot):
    return slot.submitted_at, slot.pk


def _wrong_rounds(project, pair, slots):
    for number, each in enumerate(Reopening.objects.filter(pair=pair).order_by("pk"), 2):
        over = [slot for slot in slots if slot.superseded_by_id == each.pk]
        if each.number != number or any(slot.label is None for slot in over):
            yield f"round {each.number - 1} is wrongly numbered or has open slots"
        most = project.judgments_at_most or project.judgments_per_pair
        if not project.judgments_per_pair <= sum(each.tally) <= min(most, len(over)):
            yield f"round {each.number - 1} has {len(over)} answers and says {each.tally}"


def _wrongly_decided(protocol, pair, labels):
    columns = ("tally", "first_tally", "label", "kept")
    stored = Consensus.objects.filter(pair=pair).values_list(*columns).first()
    due, first = decide(labels, protocol), None
    if len(labels) > protocol.judgments_per_pair:
        first = list(decide(labels[: protocol.judgments_per_pair], protocol).tally)
    right = (list(due.tally), first, due.majority, due.kept) if due.decided else None
    if (stored is None) != (right is None):
        yield f"{'decided' if stored else 'undecided'} with {labels}"
    elif stored != right:
        yield f"decided as {stored}, not as {right}"
