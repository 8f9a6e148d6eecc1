"""Slots that are reserved for the best annotators, and whether those can still get them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone

from annotation.models import Duty, Judgment, Membership, Project, Slot
from annotation.people.selectors import workforce


@dataclass(frozen=True, slots=True)
class Waiting:
    """Unanswered reserved slots, the people who get them, and those that none of them can get."""

    slots: int
    people: list[Membership]
    stuck: int


def waiting(project: Project) -> Waiting:
    """Return what waits now; makes one query if nothing is reserved."""
    slots = open_slots(project)
    if not slots:
        return Waiting(0, [], 0)
    people = takers(project)
    return Waiting(len(slots), people, len(stuck_slots(project, slots, people)))


def open_slots(project: Project) -> list[Slot]:
    """Return the unanswered reserved slots of pairs, those in progress too, as they are locked."""
    rows = Judgment.objects.unanswered().filter(project=project, reserved=True)
    return list(rows.order_by("item", "number"))


def takers(project: Project) -> list[Membership]:
    """Return the members who are to get reserved slots, whether or not they get work now."""
    duties = Duty.objects.filter(
        membership__project=project, kind=Judgment.KIND, takes_reserved=True
    )
    members = Membership.objects.filter(pk__in=duties.values("membership"))
    members_taking = members.select_related("user").prefetch_related("duties")
    return list(members_taking.order_by("user__username"))


def able_people(project: Project, members: Iterable[Membership]) -> set[int]:
    """Return the main accounts of those of the members, with their duties, who get pairs."""
    return workforce.of_members(project, members).get(Judgment.KIND, set())


def stuck_slots(
    project: Project, slots: Sequence[Slot], members: Sequence[Membership]
) -> list[Slot]:
    """Return the slots that none of the members can get; none is stuck before its lease ends."""
    now = timezone.now()
    free = [slot for slot in slots if slot.lease_until is None or slot.lease_until < now]
    lacking = count_unfillable(project, Counter(slot.item_id for slot in free), members)
    blocked = []
    for slot in free:
        if lacking[slot.item_id]:
            lacking[slot.item_id] -= 1
            blocked.append(slot)
    return blocked


def count_unfillable(
    project: Project, needed: Counter[int], members: Sequence[Membership]
) -> Counter[int]:
    """Count by pair the slots, of those needed, that the members cannot fill.

    They cannot if they have had the pair under any account, or have corrected it; and if all of
    them together may not give as many answers.
    """
    people = able_people(project, members)
    people_left = workforce.count_people_left(project, Judgment.KIND, needed, among=people)
    lacking = Counter({pair: max(0, number - people_left[pair]) for pair, number in needed.items()})
    excess = needed.total() - lacking.total() - _capacity(members, people, needed.total())
    for pair in reversed(needed):
        share = min(max(0, excess), needed[pair] - lacking[pair])
        lacking[pair] += share
        excess -= share
    return lacking


def counting_pairs(project: Project, people: Iterable[int]) -> dict[int, list[int]]:
    """Map each of the accounts to the pairs with an answer of theirs that counts."""
    pairs_by_person: dict[int, list[int]] = {person: [] for person in people}
    rows = Judgment.objects.filter(project=project, annotator__in=pairs_by_person).counting()
    for person, pair in rows.order_by("item").values_list("annotator", "item"):
        if person is not None:
            pairs_by_person[person].append(pair)
    return pairs_by_person


def _capacity(members: Iterable[Membership], people: set[int], enough: int) -> int:
    """Return how many more answers the members in `people` may give; without a limit, `enough`."""
    at_work = [member for member in members if member.user.person_key in people]
    numbers_left = [Duty(membership=member, kind=Judgment.KIND).left for member in at_work]
    return sum(enough if number is None else number for number in numbers_left)
